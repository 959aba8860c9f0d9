"""The audit decides every event again: an honest record passes, and no single change of one does."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

import pytest

from puntobanco import Card, Deal, Game, find_game
from puntobanco.immutable import FrozenMap
from puntobanco.rules.facts import Winner
from puntobanco.settle import Settlement
from puntobanco.table import (
    BurnAndCut,
    Command,
    Event,
    Limits,
    Phase,
    PlaceWager,
    Table,
    TableOpened,
    TableSettings,
    decide,
    events,
    evolve,
    replay,
)
from puntobanco.table.audit import Problem, audit
from puntobanco.table.dealer import next_step
from puntobanco.tableau import Hand
from table.wandering import Choice, Wanderer
from table.watched import WatchedTable

STEPS = 700


@lru_cache
def record(name: str) -> tuple[Event, ...]:
    """Some rounds with every kind of incident, of which the last two are left in the middle."""
    game = find_game(name)
    limits = dict.fromkeys(game.paytables, Limits(20, 200, 10))
    watched = WatchedTable(TableSettings(game, decks=4, limits=limits))
    generator = random.Random(name)

    def choose(options: Sequence[Choice], /) -> Choice:
        return options[int(generator.random() * len(options))]

    wanderer = Wanderer(watched.books, choose)
    for _ in range(STEPS):
        watched.carry_out(wanderer.next_command())
    return (watched.opening, *watched.events)


def problems(happened: Sequence[Event]) -> list[Problem]:
    return list(audit(happened))


@pytest.mark.parametrize("name", ["manila", "six-star", "fabulous-4"])
def test_an_honest_record_has_no_problem(name: str) -> None:
    assert problems(record(name)) == []
    # So has its continuation from any state on the way.
    half = len(record(name)) // 2
    assert list(audit(record(name)[half:], replay(None, record(name)[:half]))) == []


def changed(game: Game, event: Event) -> Iterator[Event]:
    """The event with one of its fields changed a little, in every way that keeps its type."""
    for each in fields(event):
        for other in _others(game, getattr(event, each.name)):
            try:
                yield replace(event, **{each.name: other})
            except ValueError:
                continue  # It does not even construct.


def _others(game: Game, value: object) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case Hand() | Winner():
            yield from (other for other in type(value) if other is not value)
        case int():
            yield from (value + 1, value - 1)
        case str():
            yield value + "x"
        case Card():
            yield from (card for card in game.pack.cards[::7] if card is not value)
        case Deal():
            yield Deal(value.banker, value.player) if value.player != value.banker else Deal()
            yield Deal(value.player[:-1], value.banker)
        case Settlement():
            for wager, settled in value.wagers.items():
                for other in (settled._replace(net=settled.net + 1), settled._replace(stake=settled.stake + 10)):
                    yield value._replace(wagers=FrozenMap({**value.wagers, wager: other}))
            yield value._replace(player_total=(value.player_total + 1) % 10)
        case Mapping():
            for key in value:
                yield {name: each for name, each in value.items() if name != key}
                for other in _others(game, value[key]):
                    yield {**value, key: other}
            if value:
                yield {**value, "nobody": next(iter(value.values()))}
        case tuple():
            yield from (value[:-1], (*value, game.pack.cards[0]))
        case _:
            return


def _but_words(event: Event) -> list[object]:
    """The event without what a person has written: no rule can tell whether those are the right words."""
    return [getattr(event, each.name) for each in fields(event) if each.name not in ("note", "reason")]


@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_a_changed_event_is_found(name: str) -> None:
    """Every field of every event of a stretch of rounds is changed: each change is found, or changes nothing."""
    game, happened = find_game(name), list(record(name))[:220]
    found = 0
    for place, event in enumerate(happened):
        for other in changed(game, event):
            if _but_words(other) == _but_words(event):
                continue
            tampered = [*happened[:place], other, *happened[place + 1 :]]
            told = problems(tampered)
            if not told:
                assert _says_the_same(happened, tampered), f"event {place}: {event} became {other}"
                continue
            assert told[0].place >= place
            assert str(told[0])
            found += 1
    assert found > 1500


def _says_the_same(happened: Sequence[Event], tampered: Sequence[Event]) -> bool:
    """Some changes are lawful records of other rounds: another card that went with the rest. Money tells them apart.

    What cannot be told from the events of one table alone, a hash chain over the record tells.
    """
    differ = [(one, other) for one, other in zip(happened, tampered, strict=True) if one != other]
    ((one, other),) = differ
    changed_fields = {each.name for each in fields(one) if getattr(one, each.name) != getattr(other, each.name)}
    return type(one) is type(other) and changed_fields <= MAY_BE_OTHERWISE.get(type(one), set())


MAY_BE_OTHERWISE: Mapping[type, set[str]] = {
    events.CardsBurned: {"shown"},
    events.CardsSetAside: {"cards"},
    events.CountCorrected: {"drawn", "keyed", "face_down"},
    events.CardDealt: {"card"},
    events.StakeChanged: {"wager", "patron", "after"},
    events.RoundCorrected: {"set_aside", "taken_up", "after"},
    events.RoundVoided: {"irregularity"},
    events.SettingsChanged: {"settings"},
    events.TableOpened: {"settings"},
}
"""What a lawful record of another round may have in these fields; never money, a clause or what was before."""


def quiet_record(name: str, rounds: int = 12, cut_depth: int = 14) -> list[Event]:
    """Settled rounds without incidents, with two patrons."""
    game = find_game(name)
    settings = TableSettings(game, decks=4, burn_and_cut=BurnAndCut(cut_depth=cut_depth))
    cards = list(game.pack.cards) * 4
    random.Random(name).shuffle(cards)
    table, happened = Table(settings), list[Event]([TableOpened(settings)])

    def do(command: Command) -> None:
        nonlocal table
        for event in decide(table, command):
            table = evolve(table, event)
            happened.append(event)

    while table.round_number < rounds or table.phase is not Phase.READY:
        do(next_step(table, cards.pop))
        if table.phase is Phase.BETTING:
            for patron, wager in (("anna", "player"), ("anna", "tie"), ("bob", "banker")):
                do(PlaceWager(table.round_number, patron, wager, table.settings.limits[wager].minimum))
    return happened


@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_a_missing_doubled_or_exchanged_event_is_found(name: str) -> None:
    """In a record without incidents there is no event that could as well be missing, or have happened twice."""
    happened = quiet_record(name)
    assert problems(happened) == []
    for place in range(len(happened) - 1):
        event, after = happened[place], happened[place + 1]
        before, rest = happened[:place], happened[place + 1 :]
        assert problems([*before, *rest]), f"{event} is missing"
        assert problems([*before, event, event, *rest]), f"{event} is doubled"
        exchanged = [*before, after, event, *rest[1:]]
        # Two wagers may be placed in either order, and two equal cards are dealt in any.
        alike = isinstance(event, events.StakeChanged) and isinstance(after, events.StakeChanged)
        assert alike or problems(exchanged), f"{event} and {after} are exchanged"


def test_the_first_event_opens_the_table() -> None:
    happened = record("manila")
    (first, *_) = problems(happened[1:])
    assert "not open" in first.message
    (only,) = problems([happened[0], happened[0]])[:1]
    assert "open already" in only.message


def test_named_faults() -> None:
    """A tampered net, a settlement without cards, an impossible card, a missing cut card: each by its sentence."""
    happened = list(record("manila"))
    place, settled = next(
        (place, event)
        for place, event in enumerate(happened)
        if isinstance(event, events.RoundSettled) and event.settlements
    )
    patron, settlement = next(iter(settled.settlements.items()))
    wager, won = next(iter(settlement.wagers.items()))
    richer = settlement._replace(wagers=FrozenMap({**settlement.wagers, wager: won._replace(net=won.net + 1000)}))
    tampered = replace(settled, settlements={**settled.settlements, patron: richer})
    (problem,) = problems([*happened[:place], tampered])
    assert problem.place == place
    assert "would have written" in problem.message

    dealt, first = next((place, event) for place, event in enumerate(happened) if isinstance(event, events.CardDealt))
    without_cards = [event for event in happened[:place] if not isinstance(event, events.CardDealt)]
    assert problems([*without_cards, settled])

    card = find_game("six-star").pack.card("Sf")
    impossible = replace(first, card=card)
    assert "does not belong" in problems([*happened[:dealt], impossible])[0].message

    happened = quiet_record("manila", rounds=24, cut_depth=100)
    cut = next(place for place, event in enumerate(happened) if isinstance(event, events.CutCardAppeared))
    assert "cut card" in problems([*happened[:cut], *happened[cut + 1 :]])[0].message
    assert "record ends" in problems(happened[:cut])[0].message
    assert problems(happened[: cut + 1]) == []
    assert "does not appear here" in problems([*happened[: cut + 1], events.CutCardAppeared()])[-1].message


@pytest.mark.parametrize("names", [("dora", "dora"), ("dora", "Dora "), ("dora", ""), ("", "emil"), ("dora", " ")])
@pytest.mark.parametrize("kind", [events.RoundVoided, events.RoundCorrected])
def test_one_person_is_not_two(kind: type, names: tuple[str, str]) -> None:
    """A void or a correction names two different people, or nobody."""
    happened = list(record("manila"))
    place = next(place for place, event in enumerate(happened) if isinstance(event, kind))
    before, event, rest = happened[:place], happened[place], happened[place + 1 :]
    assert isinstance(event, events.RoundVoided | events.RoundCorrected)
    assert (event.by, event.and_by) == ("", "")
    two = replace(event, by="dora", and_by="emil")
    assert problems([*before, two, *rest]) == []
    one = replace(event, by=names[0], and_by=names[1])
    (problem,) = problems([*before, one, *rest])
    assert problem.place == place
    assert "two different people" in problem.message


def test_other_rules_are_found() -> None:
    """The same events under another reading are another game's: every round says by which rules it was opened."""
    happened = record("manila")
    opening = happened[0]
    assert isinstance(opening, TableOpened)
    other = replace(opening.settings, game=opening.settings.game.read_as(rounding="up"))
    (*_, last) = problems([TableOpened(other), *happened[1:]])
    assert isinstance(last.event, events.BettingOpened)
    assert "this table plays by" in last.message


def test_a_record_can_be_taken_up_between_an_event_and_its_cut_card() -> None:
    happened = quiet_record("manila", rounds=25, cut_depth=104)
    place = happened.index(events.CutCardAppeared())
    assert not [*audit(happened[place:], replay(None, happened[:place]))]
    # Where its record simply has not gone on, there is nothing to report.
    assert not [*audit([], replay(None, happened[:place]))]
    without = [*audit(happened[place + 1 :], replay(None, happened[:place]))]
    assert without[0].message == "The cut card appears here."


def test_no_record_at_all_is_a_problem() -> None:
    (problem,) = audit([])
    assert str(problem).startswith("Event 0 (none): A record begins with the opening of its table")


def test_what_is_no_event_is_reported_all_the_same() -> None:
    settings = TableSettings(find_game("manila"))
    odd: Any = [object(), events.StakeChanged(1, [], "tie", 0, 5), events.TableOpened(None)]  # type: ignore[arg-type]
    for event in odd:
        for problem in audit([events.TableOpened(settings), event]):
            assert str(problem).startswith("Event 1 (")
