"""Commands and events of a table as text that a person reads and writes, one a line.

    shoe full                           shoe 1 of 416
    open betting                        round 1
    place anna tie 1000                 anna tie 0 to 1000
    deal P 9f                           P 9f
    void foreign-card because torn      round 1 void foreign-card 5.1 anna +1000 because torn

A command that belongs to a round is meant for the round that the reader names, unless the line begins with `in round
3:`. A line that `write_command` gives reads back, but for settings, which it only names, and for names and notes with
quotes in them. The form that programs exchange is exact, and in `codec`.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import assert_never

from puntobanco.cards import PACKS, Card, Deal, Shoe, shown
from puntobanco.errors import InputError
from puntobanco.settle import Settlement
from puntobanco.table import commands, events
from puntobanco.table.commands import Command, Irregularity
from puntobanco.table.events import Event
from puntobanco.table.reasons import Refusal
from puntobanco.table.settings import TableSettings
from puntobanco.tableau import Hand

FACE_DOWN = "xx"
HANDS = {"P": Hand.PLAYER, "B": Hand.BANKER}


def words_of(text: str) -> list[str]:
    """The words of a line; double quotes keep a name or a note together."""
    splitter = shlex.shlex(text, posix=True)
    splitter.whitespace_split = True
    splitter.commenters = ""
    splitter.quotes = '"'
    try:
        return list(splitter)
    except ValueError as error:
        raise InputError("unreadable-command", f"{shown(text)} is not a command: {error}.") from None


def quoted(text: str) -> str:
    """The text as one word, which reads back as it is."""
    if text and not set(text) & set(' "\\'):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Cards.


def read_card(settings: TableSettings, text: str) -> Card:
    """The card of the table's pack or, failing that, of another one: a foreign card."""
    own = settings.game.pack
    for pack in (own, *(pack for pack in PACKS if pack != own)):
        if text in map(str, pack.cards):
            return pack.card(text)
    raise InputError("unreadable-command", f"{shown(text)} is a card of no pack.")


def read_cards(settings: TableSettings, words: Sequence[str]) -> tuple[Card, ...]:
    """The cards of these words, each as `read_card` reads it."""
    return tuple(read_card(settings, word) for word in words)


def read_hands(settings: TableSettings, words: Sequence[str]) -> Deal:
    """`P 9s Kd | B 3h 4h`, lawful or not."""
    if "|" not in words or words[0] != "P" or words[words.index("|") + 1 :][:1] != ["B"]:
        raise InputError("unreadable-command", f"{shown(' '.join(words))} is not a deal.")
    bar = list(words).index("|")
    return Deal(read_cards(settings, words[1:bar]), read_cards(settings, words[bar + 2 :]))


def write_cards(cards: Sequence[Card]) -> str:
    """`9s Kd`, as `read_cards` reads it."""
    return " ".join(map(str, cards))


def part(words: Sequence[str], keyword: str) -> tuple[list[str], list[str]]:
    """The words before the keyword and those after it."""
    if keyword not in words:
        return list(words), []
    place = list(words).index(keyword)
    return list(words[:place]), list(words[place + 1 :])


def _read_shoe(settings: TableSettings, words: Sequence[str]) -> Shoe:
    words, missing = part(words, "minus")
    words, extra = part(words, "plus")
    match words:
        case ["full"]:
            shoe = settings.full_shoe
        case [decks, "decks"]:
            shoe = Shoe.full(settings.game.pack, _number(decks))
        case _:
            raise InputError("unreadable-command", f"{shown(' '.join(words))} is not a shoe.")
    return shoe.with_cards(read_cards(settings, extra)).without(read_cards(settings, missing))


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError("unreadable-command", f"{shown(text)} is not a whole number.") from None


# Commands.


def read_command(settings: TableSettings, text: str, round_number: int) -> Command:
    """The command of a line, meant for this round unless it names another."""
    words, note_words = part(words_of(text), "because")
    note = " ".join(note_words)
    if words[:2] == ["in", "round"] and len(words) > 2 and words[2].endswith(":"):
        number, words = _number(words[2][:-1]), words[3:]
    else:
        number = round_number
    words, people = _part_people(words)
    match words:
        case ["shoe", *shoe]:
            return commands.OpenShoe(_read_shoe(settings, shoe))
        case ["burn", *cards]:
            face_up = [card for card in cards if card != FACE_DOWN]
            return commands.BurnCards(read_cards(settings, face_up), cards.count(FACE_DOWN))
        case ["open", "betting"]:
            return commands.OpenBetting()
        case ["place", patron, wager, stake]:
            return commands.PlaceWager(number, patron, wager, _number(stake))
        case ["place", patron, wager, stake, currency]:
            return commands.PlaceWager(number, patron, wager, _number(stake), currency)
        case ["increase", patron, wager, by]:
            return commands.IncreaseWager(number, patron, wager, _number(by))
        case ["reduce", patron, wager, by]:
            return commands.ReduceWager(number, patron, wager, _number(by))
        case ["withdraw", "announcement"]:
            return commands.WithdrawAnnouncement(number, note)
        case ["withdraw", patron, wager]:
            return commands.WithdrawWager(number, patron, wager)
        case ["close", "betting"]:
            return commands.CloseBetting(number)
        case ["deal", ("P" | "B") as hand, card]:
            return commands.DealCard(number, HANDS[hand], read_card(settings, card))
        case ["take", "back"]:
            return commands.TakeBackCard(number)
        case ["announce"]:
            return commands.AnnounceResult(number)
        case ["settle"]:
            return commands.SettleRound(number)
        case ["void", irregularity] if irregularity in tuple(Irregularity):
            return commands.VoidRound(number, Irregularity(irregularity), note, *people)
        case ["correct", *correction]:
            rest, up = part(correction, "up")
            deal, aside = part(rest, "aside")
            outside = read_cards(settings, aside), read_cards(settings, up)
            return commands.CorrectRound(number, read_hands(settings, deal), *outside, note, *people)
        case ["aside", *cards]:
            return commands.SetCardsAside(read_cards(settings, cards), note)
        case ["count", keyed, "was", drawn]:
            return _read_count(settings, number, keyed, drawn, None, note)
        case ["count", "outside", keyed, "was", drawn]:
            return _read_count(settings, None, keyed, drawn, None, note)
        case ["count", "outside", keyed, "was", drawn, "and", face_down]:
            return _read_count(settings, None, keyed, drawn, _number(face_down), note)
        case ["pause"]:
            return commands.PauseTable(note)
        case ["resume"]:
            return commands.ResumeTable()
        case ["end", "shoe"]:
            return commands.EndShoe(note)
    raise InputError("unreadable-command", f"{shown(text)} is not a command.")


def _part_people(words: list[str]) -> tuple[list[str], list[str]]:
    """`void foreign-card by dora and emil`: the words without the two people, and those."""
    match words:
        case [("void" | "correct"), *_, "by", by, "and", and_by]:
            return words[:-4], [by, and_by]
    return words, []


def _read_count(
    settings: TableSettings, round_number: int | None, keyed: str, drawn: str, face_down: int | None, note: str
) -> commands.CorrectCount:
    card = None if drawn == "nothing" else read_card(settings, drawn)
    return commands.CorrectCount(round_number, read_card(settings, keyed), card, face_down, note)


def write_command(settings: TableSettings, command: Command, round_number: int) -> str:
    """The command as a line; it says for which round it is meant where that is another than this one."""
    number = getattr(command, "round_number", None)
    text = _write_command(settings, command)
    return text if number in (None, round_number) else f"in round {number}: {text}"


def _write_command(settings: TableSettings, command: Command) -> str:
    match command:
        case commands.OpenTable() | commands.ChangeSettings():
            return f"{'open' if isinstance(command, commands.OpenTable) else 'change'} table {command.settings.game.id}"
        case commands.OpenShoe(shoe):
            return f"shoe {_write_shoe(settings, shoe)}"
        case commands.BurnCards(face_up, face_down):
            return " ".join(["burn", *map(str, face_up), *_face_down(face_down)])
        case commands.OpenBetting():
            return "open betting"
        case commands.PlaceWager(_, patron, wager, stake, currency):
            return f"place {quoted(patron)} {wager} {stake}" + (f" {currency}" if currency else "")
        case commands.IncreaseWager(_, patron, wager, by):
            return f"increase {quoted(patron)} {wager} {by}"
        case commands.ReduceWager(_, patron, wager, by):
            return f"reduce {quoted(patron)} {wager} {by}"
        case commands.WithdrawWager(_, patron, wager):
            return f"withdraw {quoted(patron)} {wager}"
        case commands.CloseBetting():
            return "close betting"
        case commands.DealCard(_, hand, card):
            return f"deal {hand.label[0]} {card}"
        case commands.TakeBackCard():
            return "take back"
        case commands.AnnounceResult():
            return "announce"
        case commands.WithdrawAnnouncement(_, note):
            return f"withdraw announcement{_because(note)}"
        case commands.SettleRound():
            return "settle"
        case commands.VoidRound(_, irregularity, note, by, and_by):
            return f"void {irregularity}{_by(by, and_by)}{_because(note)}"
        case commands.CorrectRound(_, deal, aside, taken_up, note, by, and_by):
            return f"correct {deal}{_aside_and_up(aside, taken_up)}{_by(by, and_by)}{_because(note)}"
        case commands.SetCardsAside(cards, note):
            return f"aside {write_cards(cards)}{_because(note)}"
        case commands.CorrectCount(round_number, keyed, drawn, face_down, note):
            where = " outside" if round_number is None else ""
            return f"count{where} {keyed} was {drawn or 'nothing'}{_burned(face_down)}{_because(note)}"
        case commands.PauseTable(reason):
            return f"pause{_because(reason)}"
        case commands.ResumeTable():
            return "resume"
        case commands.EndShoe(note):
            return f"end shoe{_because(note)}"
        case _:
            assert_never(command)


def _burned(face_down: int | None) -> str:
    return "" if face_down is None else f" and {face_down}"


def _face_down(number: int) -> list[str]:
    """A mark for each card, as long as anybody would count them."""
    return [FACE_DOWN] * number if number <= 20 else [f"{FACE_DOWN}*{number}"]


def _by(by: str, and_by: str) -> str:
    return f" by {quoted(by)} and {quoted(and_by)}" if by or and_by else ""


def _because(note: str) -> str:
    return f" because {note}" if note else ""


def _aside_and_up(aside: Sequence[Card], taken_up: Sequence[Card]) -> str:
    text = f" aside {write_cards(aside)}" if aside else ""
    return text + (f" up {write_cards(taken_up)}" if taken_up else "")


def _write_shoe(settings: TableSettings, shoe: Shoe) -> str:
    if shoe.pack != settings.game.pack:
        return f"of the {shoe.pack.name}"
    text = "full"
    for keyword, sign in (("plus", 1), ("minus", -1)):
        differences = zip(shoe.pack.cards, shoe.counts, settings.full_shoe.counts, strict=True)
        cards = [card for card, counted, full in differences for _ in range(sign * (counted - full))]
        text += f" {keyword} {write_cards(cards)}" if cards else ""
    return text


# What comes of them.


def write_event(event: Event) -> str:
    """The event as a line: `round 1`, `anna tie 0 to 1000`, `P 9f`."""
    match event:
        case events.TableOpened(settings):
            return f"table of {settings.game.id}"
        case events.SettingsChanged(settings):
            return f"settings of {settings.game.id}"
        case events.ShoeOpened(number, shoe):
            return f"shoe {number} of {shoe.size}"
        case events.CardsBurned(face_up, face_down):
            return " ".join(["burned", *map(str, face_up), *_face_down(face_down)])
        case events.CutCardAppeared():
            return "cut card"
        case events.BettingOpened(round_number):
            return f"round {round_number}"
        case events.StakeChanged(_, patron, wager, before, after):
            return f"{quoted(patron)} {wager} {before} to {after}"
        case events.BettingClosed():
            return "no more bets"
        case events.CardDealt(_, hand, card):
            return f"{hand.label[0]} {card}"
        case events.CardTakenBack(_, hand, card):
            return f"{hand.label[0]} {card} taken back"
        case events.ResultAnnounced(_, winner, player_total, banker_total):
            return f"{winner} {player_total}-{banker_total}"
        case events.AnnouncementWithdrawn(_, note):
            return f"announcement withdrawn{_because(note)}"
        case events.RoundSettled(_, settlements):
            return f"settled{_write_settlements(settlements)}"
        case events.RoundVoided(number, irregularity, clause, note, _, _, refunds, by, and_by):
            people = _by(by, and_by)
            return f"round {number} void {irregularity} {clause}{_write_money(refunds)}{people}{_because(note)}"
        case events.RoundCorrected(
            number, clause, before, after, aside, up, note, settlements, _, adjustments, by, and_by
        ):
            text = f"round {number} corrected {clause} {before} is {after}{_aside_and_up(aside, up)}"
            if settlements is not None:
                text += f" settled{_write_settlements(settlements)} adjusted{_write_money(adjustments)}"
            return text + _by(by, and_by) + _because(note)
        case events.CardsSetAside(cards, note):
            return f"set aside {write_cards(cards)}{_because(note)}"
        case events.CountCorrected(round_number, keyed, drawn, face_down, note):
            where = "outside" if round_number is None else f"round {round_number}"
            return f"count {where} {keyed} was {drawn or 'nothing'}{_burned(face_down)}{_because(note)}"
        case events.TablePaused(reason):
            return f"paused{_because(reason)}"
        case events.TableResumed():
            return "resumed"
        case events.ShoeEnded(note):
            return f"shoe ended{_because(note)}"
        case _:
            assert_never(event)


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
