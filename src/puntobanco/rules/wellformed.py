"""What makes a declaration a game: the checks that run when one is built."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from itertools import product
from typing import TYPE_CHECKING

from puntobanco.cards import DECKS_ALLOWED, Pack
from puntobanco.rules.documents.document import OWN_CLAUSE
from puntobanco.rules.facts import DETAILS, Facts, FactValue, facts_of_points
from puntobanco.rules.rulings import RULINGS, ruling_cited
from puntobanco.rules.wagers import Fixed, Wager

if TYPE_CHECKING:
    from puntobanco.rules.game import Game


def problems(game: "Game") -> Iterator[str]:
    """What is wrong with a declaration, the first thing first."""
    for check in (_names, _rulings, _clauses, _layout, _readings, _wagers, _fixed_bonuses, _decks):
        yield from check(game)


def wager_problems(wager: Wager, pack: Pack) -> Iterator[str]:
    """What is wrong with one wager, all of whose lines are in force."""
    if not is_name(wager.id):
        yield f"wager id {wager.id!r} is not lower-case words joined by hyphens."
    if not wager.lines:
        yield f"wager {wager.id!r} has no line."
    labels = [line.label for line in wager.all_lines]
    for label in sorted({label for label in labels if labels.count(label) > 1 or not label.strip()}):
        yield f"two lines of {wager.id!r} have the label {label!r}, or it is blank."
    for line in wager.lines:
        if isinstance(line.pays, Fixed):
            yield f"line {line.label!r} of {wager.id!r} pays a fixed amount; only a bonus does."
    for line in wager.bonuses:
        if line.pays is None:
            yield f"bonus {line.label!r} of {wager.id!r} pays nothing."
    for line in wager.all_lines:
        for test in line.when.tests():
            for value in test.foreign_to(pack):
                reads = f"{test.fact} {value!r}"
                yield f"line {line.label!r} of {wager.id!r} reads {reads}, which the {pack.name} does not have."
    yield from _lines_told_apart(wager, pack)


def shared_labels(wagers: Iterable[Wager]) -> Iterator[str]:
    """The fixed bonuses that are not known apart: whoever sets their amounts names them by their labels alone."""
    holders: dict[str, list[str]] = {}
    for wager in wagers:
        for line in wager.bonuses:
            if isinstance(line.pays, Fixed):
                holders.setdefault(line.label, []).append(wager.id)
    for label, (first, *others) in holders.items():
        if others:
            yield f"two fixed bonuses, of {first!r} and of {others[0]!r}, have the label {label!r}; give each its own."


def is_name(text: str) -> bool:
    """Whether the text can be an id: lower-case words joined by hyphens."""
    return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) is not None


def _names(game: "Game") -> Iterator[str]:
    if not is_name(game.id):
        yield f"game id {game.id!r} is not lower-case words joined by hyphens."
    ids = [wager.id for wager in game.wagers]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        yield f"wager {name!r} is declared twice."
    if not ids:
        yield "it has no wager."
    if not game.currencies or not all(re.fullmatch(r"[A-Z]{3}", currency) for currency in game.currencies):
        yield f"currencies {game.currencies!r} are not one or more codes of three capital letters."


def _rulings(game: "Game") -> Iterator[str]:
    by_number = {ruling.number: ruling for ruling in RULINGS}
    for number in game.rulings:
        if number not in by_number:
            yield f"there is no ruling {number}."
        elif by_number[number].concerns_every_game:
            yield f"it names ruling {number}, which concerns every game."


def _clauses(game: "Game") -> Iterator[str]:
    procedure = {f.name: getattr(game.procedure, f.name) for f in fields(game.procedure)}
    cited = [(f"the procedure's {name}", clause) for name, clause in procedure.items() if clause is not None]
    for wager in game.wagers:
        cited.append((f"wager {wager.id!r}", wager.clause))
        cited.extend((f"line {line.label!r} of {wager.id!r}", line.clause) for line in wager.all_lines)
    for what, clause in cited:
        ruling = ruling_cited(clause)
        if ruling is None and clause not in game.document.clauses and clause != OWN_CLAUSE:
            yield f"{what} cites clause {clause!r}, which is not in {game.document.title}."
        # A patron who is told of a ruling must find it on the rule card.
        if ruling is not None and ruling not in game.applicable_rulings:
            yield f"{what} cites {clause!r}, but the game does not name ruling {ruling.number}."


def _layout(game: "Game") -> Iterator[str]:
    placed = [name for row in game.rows for name in row]
    ids = [wager.id for wager in game.wagers]
    for name in placed:
        if name not in ids:
            yield f"the layout names an unknown wager {name!r}."
    for name in ids:
        if placed.count(name) != 1:
            yield f"the layout names wager {name!r} {placed.count(name)} times, not once."


def _readings(game: "Game") -> Iterator[str]:
    for wager in game.wagers:
        for line in wager.all_lines:
            if line.reading is not None and line.reading[1] not in game.switches.get(line.reading[0], ()):
                yield f"line {line.label!r} of {wager.id!r} belongs to an unknown reading {line.reading}."


def _wagers(game: "Game") -> Iterator[str]:
    for wager in game.paytables.values():
        yield from wager_problems(wager, game.pack)


def _fixed_bonuses(game: "Game") -> Iterator[str]:
    yield from shared_labels(game.wagers)


def _lines_told_apart(wager: Wager, pack: Pack) -> Iterator[str]:
    # Bonuses come on top of the line that decides, so what they look at tells no lines apart.
    lines = replace(wager, bonuses=())
    undecided = set(range(len(wager.lines)))
    for facts in _distinguishable_facts(lines, pack):
        undecided.discard(lines.outcome(facts).line)
        if not undecided:
            break
    for place, line in enumerate(wager.lines):
        if place in undecided:
            yield f"line {line.label!r} of {wager.id!r} can never decide: the lines above it leave it no deal."
    conditions = [line.when.as_data() for line in wager.bonuses]
    for line in wager.bonuses:
        if conditions.count(line.when.as_data()) > 1:
            yield f"bonus {line.label!r} of {wager.id!r} cannot be told apart from another."
        alone = replace(wager, bonuses=(line,))
        # Few facts make a bonus hold, so most are passed over without asking what becomes of the wager.
        holding = filter(line.holds, _distinguishable_facts(alone, pack))
        if not any(alone.outcome(facts).bonuses for facts in holding):
            yield f"bonus {line.label!r} of {wager.id!r} can never be paid: on no deal does it hold where a line pays."


MIXING = 171
"""Shares no factor with 400, so that its multiples come to every one of the points once."""


def _distinguishable_facts(wager: Wager, pack: Pack) -> Iterator[Facts]:
    """Every combination of facts that the wager tells apart, and more; made only as they are asked for."""
    details: list[tuple[FactValue, ...]] = []
    for fact in DETAILS:
        named = wager.values_named.get(fact.name)
        if named is None:
            details.append((None,))
        else:
            # Values that no line names are all alike to the wager, so one of them stands for all.
            others = [value for value in fact.values(pack) if value not in named][:1]
            details.append((*sorted(named, key=str), *others))
    # In mixed order: wins of either hand, ties and special totals all come up soon, and the caller stops soon.
    for place in range(0, 400 * MIXING, MIXING):
        player, banker, cards = place // 40 % 10, place // 4 % 10, place % 4
        points = facts_of_points((player, banker, 2 + cards // 2, 2 + cards % 2))
        for chosen in product(*details):
            yield Facts._make((*points, *chosen))


def _decks(game: "Game") -> Iterator[str]:
    decks = game.decks
    if not DECKS_ALLOWED[0] <= decks.minimum <= decks.default <= decks.maximum <= DECKS_ALLOWED[-1]:
        yield f"{decks} is not a range of decks with its default."
