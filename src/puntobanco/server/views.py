"""What everyone may see of a table: how it stands, and what happened. Nothing here knows a key or an undealt card."""

from collections.abc import Collection, Mapping
from typing import Any

from puntobanco.cards import Deal
from puntobanco.extras import optional_package
from puntobanco.fairness.log import (
    KeyPublished,
    NonceCommitted,
    NonceRevealed,
    RoundSealed,
    ShoeCommitted,
    ShoeLog,
    ShoeRevealed,
)
from puntobanco.ledger import AccountAdjusted, MoneyChanged, MoneyIssued, MoneyReturned
from puntobanco.ledger.accounts import patron_account
from puntobanco.ledger.postings import unit_of
from puntobanco.roads import results_of
from puntobanco.rulecard import rule_card
from puntobanco.rules.facts import read_facts
from puntobanco.rules.game import Game
from puntobanco.server.wire import encoded
from puntobanco.settle import Settlement, WagerSettlement
from puntobanco.store.streams import StreamEvent
from puntobanco.table import (
    AnnouncementWithdrawn,
    BettingClosed,
    BettingOpened,
    CardDealt,
    CardsBurned,
    CardsSetAside,
    CardTakenBack,
    CountCorrected,
    CutCardAppeared,
    Phase,
    ResultAnnounced,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    SettingsChanged,
    ShoeEnded,
    ShoeOpened,
    StakeChanged,
    Table,
    TableOpened,
    TablePaused,
    TableResumed,
    TableSettings,
)
from puntobanco.tableau import total

with optional_package("msgspec", "Messages are written"):
    import msgspec

Json = dict[str, Any]


def limits_of(settings: TableSettings) -> Json:
    return {
        wager: {"minimum": each.minimum, "maximum": each.maximum, "step": each.step}
        for wager, each in settings.limits.items()
    }


def round_limits_of(settings: TableSettings) -> Json:
    most = settings.round_limits
    return {"patron_limit": most.patron, "table_limit": most.table, "house_limit": most.house}


def rules_of(table: str, settings: TableSettings) -> Json:
    """The rules of a table: its card under its own reading and bonuses, and its limits."""
    limits = {"limits": limits_of(settings), **round_limits_of(settings)}
    return {"table": table, "card": rule_card(settings.game), "currency": unit_of(settings), **limits}


def result_of(game: Game, deal: Deal) -> Json:
    """A finished deal as the roads and a page show it, with the line of each wager that pays."""
    facts, lines = read_facts(deal), dict[str, str]()
    for wager in game.paytables.values():
        outcome = wager.outcome(facts)
        held = [] if outcome.line is None else [wager.lines[outcome.line]]
        paying = [line.label for line in (*held, *[wager.bonuses[at] for at in outcome.bonuses]) if line.pays]
        if paying:
            lines[wager.id] = ", ".join(paying)
    return {
        "winner": facts.winner.value,
        "player_total": facts.player_total,
        "banker_total": facts.banker_total,
        "player_pair": facts.player_pair is not None,
        "banker_pair": facts.banker_pair is not None,
        "lines": lines,
    }


def hands_of(deal: Deal) -> Json:
    """The cards that lie on the table, and what they come to."""
    return {
        "player": [str(card) for card in deal.player],
        "banker": [str(card) for card in deal.banker],
        "player_total": total([card.points for card in deal.player]),
        "banker_total": total([card.points for card in deal.banker]),
    }


def _after_card(table: Table) -> Json:
    """The hands, and once two cards lie at each, why the next one is drawn or the hands stand."""
    game, deal = table.settings.game, table.deal
    why = game.tableau.explain(deal) if len(deal.player) >= 2 and len(deal.banker) >= 2 else ()
    return {
        "deal": hands_of(deal),
        "why": [{"sentence": each.sentence, "clause": game.procedure.draw(each.rule)} for each in why],
        "due": due_of(table),
    }


def due_of(table: Table) -> str | None:
    """The hand that gets the next card, while a round is being dealt."""
    due = table.due.hand if table.phase is Phase.DEALING else None
    return due.value if due else None


def spots_of(table: Table) -> Json:
    """What all patrons together have on each wager."""
    return {wager: {"stake": spot.stake, "patrons": spot.patrons} for wager, spot in table.spots.items()}


def results_in_letters(table: Table) -> str:
    return "".join([each.winner for each in results_of(table.standing_deals)])


def table_as_it_stands(table: Table) -> Json:
    """What a list of tables shows, but for its name and its clock."""
    settings = table.settings
    return {
        "game": settings.game.id,
        "dealing": settings.dealing.value,
        "decks": settings.decks,
        "phase": table.phase.value,
        "paused": table.paused or None,
        "shoe": table.shoe_number,
        "round": table.round_number,
        "currency": unit_of(settings),
        "limits": limits_of(settings),
        **round_limits_of(settings),
        "rules_digest": settings.game.digest,
        "results": results_in_letters(table),
    }


def snapshot_of(table: Table, shoe: ShoeLog) -> Json:
    """All that a table shows, for whoever comes to it."""
    return {
        **table_as_it_stands(table),
        "spots": spots_of(table),
        "deal": hands_of(table.deal),
        "due": due_of(table),
        "cards_left": table.cards_in_shoe,
        "rounds_left": table.rounds_left,
        "committed": committed_of(shoe),
    }


def committed_of(shoe: ShoeLog) -> Json | None:
    """What is public of the shoe in play: what a patron's nonce is made for, and what the shoe is committed to."""
    opened = shoe.opened
    if opened is None:
        return None
    return {
        "shoe": opened.terms.shoe,
        "anchor": opened.anchor.hex(),
        "signature": opened.signature.hex() if opened.signature else None,
        "public_key": opened.public_key.hex() if opened.public_key else None,
        "round_in_shoe": shoe.round_in_shoe,
    }


AlikeEncoded = dict[WagerSettlement, msgspec.Raw]
"""Of one round, each way in which a wager was settled, encoded: thousands of patrons stake the same few chips."""


def wagers_of(settled: Settlement, alike: AlikeEncoded) -> Json:
    """One patron's wagers of a round, in the shape of `settle`, ready to be encoded with what is around them."""
    found: Json = {}
    for wager, each in settled.wagers.items():
        if each not in alike:
            alike[each] = msgspec.Raw(encoded(wager_as_json(each)))
        found[wager] = alike[each]
    return found


def wager_as_json(settled: WagerSettlement) -> Json:
    return {"stake": settled.stake, "net": settled.net, "pays": [paid.as_json() for paid in settled.pays]}


UNSEEN = (StakeChanged, NonceCommitted, NonceRevealed, TableOpened)
"""Events that are not told one by one: stakes are gathered, and nonces are in the transcript."""


def event_for_all(event: StreamEvent, table: Table, shoe: ShoeLog) -> Json | None:
    """An event as everyone may see it, at a table that stands as after it; None for one that is not told."""
    match event:
        case ShoeOpened(number, cards):
            return {"event": "shoe-opened", "shoe": number, "cards": cards.size}
        case ShoeCommitted():
            return {"event": "shoe-committed", "committed": committed_of(shoe)}
        case CardsBurned(shown, face_down):
            return {"event": "cards-burned", "shown": [str(card) for card in shown], "face_down": face_down}
        case BettingOpened(number, rules_digest):
            return {
                "event": "betting-opened",
                "round": number,
                "rules_digest": rules_digest,
                "round_in_shoe": shoe.round_in_shoe if shoe.opened else None,
                "shoe_id": shoe.opened.terms.shoe if shoe.opened else None,
            }
        case BettingClosed(number):
            return {"event": "betting-closed", "round": number, "spots": spots_of(table), "due": due_of(table)}
        case RoundSealed(round_in_shoe, state):
            return {"event": "round-sealed", "round_in_shoe": round_in_shoe, "state": state}
        case CardDealt(number, hand, card) | CardTakenBack(number, hand, card):
            name = "card-dealt" if isinstance(event, CardDealt) else "card-taken-back"
            return {"event": name, "round": number, "hand": hand.value, "card": str(card), **_after_card(table)}
        case CutCardAppeared():
            return {"event": "cut-card-appeared", "rounds_left": table.rounds_left}
        case ResultAnnounced(number, winner, player_total, banker_total):
            return {
                "event": "result-announced",
                "round": number,
                "winner": winner.value,
                "player_total": player_total,
                "banker_total": banker_total,
                "result": result_of(table.settings.game, table.deal),
            }
        case AnnouncementWithdrawn(number, note):
            return {"event": "announcement-withdrawn", "round": number, "note": note}
        case RoundSettled(number):
            assert table.last is not None, "a round that was settled is the last"
            deal = table.last.round.deal
            return {
                "event": "round-settled",
                "round": number,
                "deal": str(deal),
                "result": result_of(table.settings.game, deal),
                "results": results_in_letters(table),
            }
        case RoundVoided(number, irregularity, clause, note):
            return {
                "event": "round-voided",
                "round": number,
                "irregularity": irregularity.value,
                "clause": clause,
                "note": note,
                "results": results_in_letters(table),
            }
        case RoundCorrected(number, clause, before, after):
            return {
                "event": "round-corrected",
                "round": number,
                "clause": clause,
                "before": str(before),
                "deal": str(after),
                "result": result_of(table.settings.game, after),
                "note": event.note,
                "results": results_in_letters(table),
            }
        case CardsSetAside(cards, note):
            return {"event": "cards-set-aside", "cards": [str(card) for card in cards], "note": note}
        case CountCorrected(number, keyed, drawn, _, note):
            return {
                "event": "count-corrected",
                "round": number,
                "keyed": str(keyed),
                "drawn": str(drawn) if drawn else None,
                "note": note,
            }
        case SettingsChanged():
            return {"event": "settings-changed", "table": table_as_it_stands(table)}
        case TablePaused(reason):
            return {"event": "table-paused", "reason": reason}
        case TableResumed():
            return {"event": "table-resumed"}
        case KeyPublished(round_in_shoe, key):
            return {"event": "key-published", "round_in_shoe": round_in_shoe, "key": key}
        case ShoeRevealed(_, final):
            return {"event": "shoe-revealed", "final": final}
        case ShoeEnded(note):
            return {"event": "shoe-ended", "note": note}
    assert isinstance(event, UNSEEN), f"{type(event).__name__} has no form for those who watch"
    return None


def settlements_in(event: StreamEvent) -> Mapping[str, Settlement]:
    """What an event settles, by patron; nothing for most."""
    if isinstance(event, RoundSettled):
        return event.settlements
    if isinstance(event, RoundCorrected):
        return event.settlements or {}
    return {}


def moved_for(event: StreamEvent) -> Mapping[str, int]:
    """What an event after settlement, or a void, gives back to each patron or takes from them."""
    if isinstance(event, RoundVoided):
        return event.refunds
    if isinstance(event, RoundCorrected):
        return event.adjustments
    return {}


def patrons_moved_by(event: StreamEvent) -> Collection[str]:
    """Those whose balances an event of a table may have changed."""
    return (event.patron,) if isinstance(event, StakeChanged) else {*moved_for(event), *settlements_in(event)}


# At the desk.

DESK_MOVES = (AccountAdjusted, MoneyIssued, MoneyReturned, MoneyChanged)
"""What the desk does with a patron's money."""

DeskMove = AccountAdjusted | MoneyIssued | MoneyReturned | MoneyChanged


def moved_account(event: DeskMove) -> str:
    """The patron's account that an act of the desk moves; of an exchange, the one that gives."""
    return patron_account(event.gives if isinstance(event, MoneyChanged) else event.unit, event.patron)


def desk_message(event: DeskMove, time: int, balance: int) -> Json:
    """What a patron is told when somebody of staff has changed what they have."""
    said: Json
    match event:
        case AccountAdjusted(_, unit, amount, address, reason):
            kind, said = "account-adjusted", {"round": address, "reason": reason}
        case MoneyIssued(_, unit, amount, reason):
            kind, said = "money-issued", {"reason": reason}
        case MoneyReturned(_, unit, given, reason):
            kind, amount, said = "money-returned", -given, {"reason": reason}
        case MoneyChanged(_, unit, given, takes, received):
            kind, amount, said = "money-changed", -given, {"received": received, "takes": takes}
    return {"type": kind, "time": time, "currency": unit, "amount": amount, **said, "balance": balance}
