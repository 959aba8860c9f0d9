"""Commands, events and settings of a table as text, one a line.

    table six-star decks=4 burn=off
    shoe full                           -> shoe of 260
    open betting                        -> round 1
    place anna tie 1000                 -> anna tie 0 to 1000
    deal P 9f Tf | B 9f Sf              -> refused betting-still-open 3.2

`write_command` is the inverse of `read_command`, so a transcript of a table can be read back.
"""

import shlex
from collections.abc import Mapping, Sequence

from contract.games import EVERY_GAME
from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Card, Deal, Shoe, find_game
from puntobanco.settle import Settlement
from puntobanco.table import (
    Account,
    AnnounceResult,
    BettingClosed,
    BettingOpened,
    BurnCards,
    BurnRule,
    CardDealt,
    CardsBurned,
    CloseBetting,
    Command,
    CorrectRound,
    CutCardAppeared,
    DealCard,
    EndShoe,
    Event,
    IncreaseWager,
    Irregularity,
    Limits,
    OpenBetting,
    OpenShoe,
    PlaceWager,
    ReduceWager,
    Refusal,
    ResultAnnounced,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    SettleRound,
    ShoeEnded,
    ShoeOpened,
    StakeChanged,
    TableSettings,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.settings import USUAL_DECKS
from puntobanco.tableau import Hand
from table.watched import in_order

FACE_DOWN = "xx"
HANDS = {"P": Hand.PLAYER, "B": Hand.BANKER}


class NotationError(ValueError):
    """A line that means nothing: the test is wrong, not the table."""


def words_of(text: str) -> list[str]:
    """The words of a line; double quotes keep a name or a note together."""
    splitter = shlex.shlex(text, posix=True)
    splitter.whitespace_split = True
    splitter.commenters = ""
    splitter.quotes = '"'
    return list(splitter)


def quoted(text: str) -> str:
    return f'"{text}"' if " " in text or not text else text


# Settings: `manila decks=4 cut=10 burn=off limits:tie=100..5000/20 read:rounding=up bonus:"6 Stars"=5000`.


def read_settings(words: Sequence[str]) -> TableSettings:
    """The settings of a table from the words of its line."""
    game = find_game(words[0], EVERY_GAME)
    limits: dict[str, Limits] = {}
    decks, cut, currency, overrides = USUAL_DECKS, 14, "", frozenset[str]()
    burn, account = BurnRule.BY_FIRST_CARD, Account.CHIPS
    for word in words[1:]:
        name, _, value = word.partition("=")
        kind, _, what = name.partition(":")
        if kind == "decks":
            decks = int(value)
        elif kind == "cut":
            cut = int(value)
        elif kind == "burn":
            burn = BurnRule(value)
        elif kind == "account":
            account = Account(value)
        elif kind == "currency":
            currency = value
        elif kind == "override":
            overrides |= {value}
        elif kind == "limits":
            span, _, step = value.partition("/")
            minimum, _, maximum = span.partition("..")
            limits[what] = Limits(int(minimum), int(maximum), int(step))
        elif kind == "read":
            game = game.read_as(**{what: value})
        elif kind == "bonus":
            game = game.with_bonuses({what: int(value)})
        else:
            raise NotationError(f"A table has no setting {word!r}.")
    return TableSettings(game, decks, limits, account, currency, burn, cut, overrides)


# Cards.


def read_card(settings: TableSettings, text: str) -> Card:
    """The card of the table's pack or, failing that, of the other one: a foreign card."""
    own = settings.game.pack
    other = FIVE_ELEMENTS if own is STANDARD_PACK else STANDARD_PACK
    for pack in (own, other):
        if text in map(str, pack.cards):
            return pack.card(text)
    raise NotationError(f"{text!r} is a card of no pack.")


def read_cards(settings: TableSettings, words: Sequence[str]) -> tuple[Card, ...]:
    return tuple(read_card(settings, word) for word in words)


def read_hands(settings: TableSettings, words: Sequence[str]) -> Deal:
    """`P 9s Kd | B 3h 4h`, lawful or not."""
    if "|" not in words or words[0] != "P" or words[words.index("|") + 1 :][:1] != ["B"]:
        raise NotationError(f"{' '.join(words)!r} is not a deal.")
    bar = list(words).index("|")
    return Deal(read_cards(settings, words[1:bar]), read_cards(settings, words[bar + 2 :]))


def write_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _part(words: Sequence[str], keyword: str) -> tuple[list[str], list[str]]:
    """The words before the keyword and those after it."""
    if keyword not in words:
        return list(words), []
    place = list(words).index(keyword)
    return list(words[:place]), list(words[place + 1 :])


def _read_shoe(settings: TableSettings, words: Sequence[str]) -> Shoe:
    words, missing = _part(words, "minus")
    words, extra = _part(words, "plus")
    pack = settings.game.pack
    match words:
        case ["full"]:
            shoe = settings.full_shoe
        case [decks, "decks"]:
            shoe = Shoe.full(pack, int(decks))
        case ["other", "pack"]:
            shoe = Shoe.full(FIVE_ELEMENTS if pack is STANDARD_PACK else STANDARD_PACK, settings.decks)
        case _:
            raise NotationError(f"{' '.join(words)!r} is not a shoe.")
    return shoe.with_cards(read_cards(settings, extra)).without(read_cards(settings, missing))


# Commands.


def read_command(settings: TableSettings, text: str) -> tuple[Command, ...]:
    """The command of a line; the deal of a whole round is several."""
    words, note_words = _part(words_of(text), "because")
    note = " ".join(note_words)
    match words:
        case ["shoe", *shoe]:
            return (OpenShoe(_read_shoe(settings, shoe)),)
        case ["burn", *cards]:
            shown = [card for card in cards if card != FACE_DOWN]
            return (BurnCards(read_cards(settings, shown), cards.count(FACE_DOWN)),)
        case ["open", "betting"]:
            return (OpenBetting(),)
        case ["place", patron, wager, stake]:
            return (PlaceWager(patron, wager, int(stake)),)
        case ["place", patron, wager, stake, currency]:
            return (PlaceWager(patron, wager, int(stake), currency),)
        case ["increase", patron, wager, by]:
            return (IncreaseWager(patron, wager, int(by)),)
        case ["reduce", patron, wager, by]:
            return (ReduceWager(patron, wager, int(by)),)
        case ["withdraw", patron, wager]:
            return (WithdrawWager(patron, wager),)
        case ["close", "betting"]:
            return (CloseBetting(),)
        case ["deal", ("P" | "B") as hand, card]:
            return (DealCard(HANDS[hand], read_card(settings, card)),)
        case ["deal", *deal]:
            return tuple(in_order(read_hands(settings, deal)))
        case ["announce"]:
            return (AnnounceResult(),)
        case ["settle"]:
            return (SettleRound(),)
        case ["void", irregularity]:
            return (VoidRound(Irregularity(irregularity), note),)
        case ["correct", *correction]:
            deal, aside = _part(correction, "aside")
            return (CorrectRound(read_hands(settings, deal), read_cards(settings, aside), note),)
        case ["end", "shoe"]:
            return (EndShoe(note),)
    raise NotationError(f"{text!r} is not a command.")


def write_command(settings: TableSettings, command: Command) -> str:
    match command:
        case OpenShoe(shoe):
            return f"shoe {_write_shoe(settings, shoe)}"
        case BurnCards(shown, face_down):
            return " ".join(["burn", *map(str, shown), *[FACE_DOWN] * face_down])
        case OpenBetting():
            return "open betting"
        case PlaceWager(patron, wager, stake, currency):
            return f"place {quoted(patron)} {wager} {stake}" + (f" {currency}" if currency else "")
        case IncreaseWager(patron, wager, by):
            return f"increase {quoted(patron)} {wager} {by}"
        case ReduceWager(patron, wager, by):
            return f"reduce {quoted(patron)} {wager} {by}"
        case WithdrawWager(patron, wager):
            return f"withdraw {quoted(patron)} {wager}"
        case CloseBetting():
            return "close betting"
        case DealCard(hand, card):
            return f"deal {hand.label[0]} {card}"
        case AnnounceResult():
            return "announce"
        case SettleRound():
            return "settle"
        case VoidRound(irregularity, note):
            return f"void {irregularity}{_because(note)}"
        case CorrectRound(deal, aside, note):
            return f"correct {deal}" + (f" aside {write_cards(aside)}" if aside else "") + _because(note)
        case EndShoe(note):
            return f"end shoe{_because(note)}"


def _because(note: str) -> str:
    return f" because {note}" if note else ""


def _write_shoe(settings: TableSettings, shoe: Shoe) -> str:
    if shoe.pack != settings.game.pack:
        return "other pack"
    text = "full"
    for keyword, sign in (("plus", 1), ("minus", -1)):
        differences = zip(shoe.pack.cards, shoe.counts, settings.full_shoe.counts, strict=True)
        cards = [card for card, counted, full in differences for _ in range(sign * (counted - full))]
        text += f" {keyword} {write_cards(cards)}" if cards else ""
    return text


# Outcomes.


def write_event(event: Event) -> str:
    match event:
        case ShoeOpened(shoe):
            return f"shoe of {shoe.size}"
        case CardsBurned(shown, face_down):
            return " ".join(["burned", *map(str, shown), *[FACE_DOWN] * face_down])
        case CutCardAppeared():
            return "cut card"
        case BettingOpened(round_number):
            return f"round {round_number}"
        case StakeChanged(patron, wager, before, after):
            return f"{quoted(patron)} {wager} {before} to {after}"
        case BettingClosed():
            return "no more bets"
        case CardDealt(hand, card):
            return f"{hand.label[0]} {card}"
        case ResultAnnounced(winner, player_total, banker_total):
            return f"{winner} {player_total}-{banker_total}"
        case RoundSettled(settlements):
            return f"settled{_write_settlements(settlements)}"
        case RoundVoided(number, irregularity, clause, note, refunds):
            return f"round {number} void {irregularity} {clause}{_write_money(refunds)}{_because(note)}"
        case RoundCorrected(number, clause, before, after, aside, note, settlements, adjustments):
            text = f"round {number} corrected {clause} {before} is {after}"
            text += f" aside {write_cards(aside)}" if aside else ""
            if settlements is not None:
                text += f" settled{_write_settlements(settlements)} adjusted{_write_money(adjustments)}"
            return text + _because(note)
        case ShoeEnded(note):
            return f"shoe ended{_because(note)}"


def _write_settlements(settlements: Mapping[str, Settlement]) -> str:
    """` anna player +100 tie -50`: what each wager gained beyond its stake."""
    return "".join(
        f" {quoted(patron)}" + "".join(f" {wager} {settled.net:+}" for wager, settled in settlement.wagers.items())
        for patron, settlement in settlements.items()
    )


def _write_money(amounts: Mapping[str, int]) -> str:
    return "".join(f" {quoted(patron)} {amount:+}" for patron, amount in amounts.items())


def write_outcome(outcome: Sequence[Event] | Refusal) -> str:
    """`cut card; P 9h`, or `refused late-wager 5.6`."""
    if isinstance(outcome, Refusal):
        return f"refused {outcome.reason.code}" + (f" {outcome.clause}" if outcome.clause else "")
    return "; ".join(map(write_event, outcome))
