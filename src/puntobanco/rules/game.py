"""A game, declared: its document, cards, procedure, tableau, wagers and felt.

A game is one frozen value. Settlement, odds, simulation, the rule card and the felt all read it, and
a declaration that is wrong does not construct.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import lcm
from re import finditer
from types import MappingProxyType

from puntobanco.cards import Deal, Pack
from puntobanco.errors import DeclarationError, InputError, Unlawful
from puntobanco.immutable import FrozenMap
from puntobanco.rules.documents import Document, cited
from puntobanco.rules.documents.document import OWN_CLAUSE
from puntobanco.rules.facts import Facts, reader_of
from puntobanco.rules.rulings import RULINGS, Ruling
from puntobanco.rules.wagers import Fixed, Line, Ratio, Wager, check_money
from puntobanco.rules.wellformed import problems
from puntobanco.tableau import DrawRule, Tableau

ROUNDING = ("down", "up")


@dataclass(frozen=True)
class Decks:
    """How many decks a game may be played with."""

    minimum: int
    maximum: int
    default: int = 8


@dataclass(frozen=True)
class Procedure:
    """The clause of the game's document for each step and each irregularity of a round."""

    decks: str
    betting_opens: str
    betting_closes: str
    independent_wagers: str
    initial_deal: str
    natural: str
    player_draws: str
    player_stood: str
    banker_draws: str
    winner: str
    tie: str
    foreign_card: str
    extra_or_missing_card: str | None
    """Only where the document voids a round for these too."""
    earlier_results_stand: str
    wrong_number_of_cards: str
    simultaneous_cards: str
    order_altered: str
    insufficient_cards: str
    late_wager: str
    late_withdrawal: str
    technical_fault: str = "Ruling 20"
    """No document names one; so this step and the next rest on rulings unless a document says otherwise."""
    results_stand: str = "Ruling 22"

    def draw(self, rule: DrawRule) -> str:
        """The clause that an explanation of the tableau rests on."""
        return {
            DrawRule.INITIAL_DEAL: self.initial_deal,
            DrawRule.NATURAL: self.natural,
            DrawRule.PLAYER_DRAWS: self.player_draws,
            DrawRule.PLAYER_STOOD: self.player_stood,
            DrawRule.BANKER_DRAWS: self.banker_draws,
        }[rule]


@dataclass(frozen=True)
class Game:
    """A game, declared in the order of its rule document."""

    id: str
    name: str
    document: Document
    pack: Pack
    decks: Decks
    procedure: Procedure
    tableaux: tuple[Tableau, ...]
    """The tableau; where the document can be read in two ways, the house's reading first."""
    wagers: tuple[Wager, ...]
    layout: str
    """The felt: rows of wager ids, every wager once."""
    currencies: tuple[str, ...]
    """What a table of the game may be played in, the usual one first."""
    rulings: tuple[int, ...] = ()
    """The rulings that the game names, beside those that concern every game."""
    chips_only: str | None = None
    """Why the game is not played for cash, where it is not."""
    reading: Mapping[str, str] = field(default_factory=dict)
    """The option in force of each switch that is not at its default."""

    def __post_init__(self) -> None:
        full = {name: self.reading.get(name, options[0]) for name, options in self.switches.items()}
        for name, option in self.reading.items():
            if option not in self.switches.get(name, ()):
                allowed = "; ".join(f"{name} = {' | '.join(options)}" for name, options in self.switches.items())
                raise InputError("unknown-reading", f"{self.id} has no reading {name} = {option}; it has {allowed}.")
        object.__setattr__(self, "reading", MappingProxyType(full))
        object.__setattr__(self, "wagers", tuple(self.wagers))
        for problem in problems(self):
            raise DeclarationError(f"Game {self.id!r}: {problem}")

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.reading.items())))

    @cached_property
    def switches(self) -> Mapping[str, tuple[str, ...]]:
        """The switches that this game has, each with its options, the default first."""
        found: dict[str, tuple[str, ...]] = {}
        if len(self.tableaux) > 1:
            found["tableau"] = tuple(tableau.name for tableau in self.tableaux)
        for wager in self.wagers:
            for line in wager.all_lines:
                if line.reading is not None:
                    found |= {
                        ruling.switch.name: ruling.switch.options
                        for ruling in RULINGS
                        if ruling.switch and ruling.switch.name == line.reading[0]
                    }
        return MappingProxyType({**found, "rounding": ROUNDING})

    def read_as(self, /, **options: str) -> "Game":
        """The same game under another reading, such as `read_as(rounding="up")`."""
        return replace(self, reading={**self.reading, **options})

    def with_bonuses(self, amounts: Mapping[str, int]) -> "Game":
        """The same game with other fixed amounts, by the label of their lines."""
        labels = {line.label for line in self.fixed_bonuses}
        for label, money in amounts.items():
            if label not in labels:
                raise InputError("unknown-bonus", f"{self.id} has no fixed bonus {label!r}: it has {sorted(labels)}.")
            check_money("bonus", money)

        def changed(line: Line) -> Line:
            is_meant = isinstance(line.pays, Fixed) and line.label in amounts
            return replace(line, pays=Fixed(amounts[line.label])) if is_meant else line

        return replace(
            self,
            wagers=tuple(replace(wager, bonuses=tuple(map(changed, wager.bonuses))) for wager in self.wagers),
        )

    @cached_property
    def tableau(self) -> Tableau:
        """The tableau under the reading in force."""
        name = self.reading.get("tableau")
        return next((tableau for tableau in self.tableaux if tableau.name == name), self.tableaux[0])

    def cited_fault(self, fault: Unlawful) -> Unlawful:
        """What the tableau found wrong with a deal, with the clause of this game's document."""
        if fault.rule is None:
            return fault
        clause = self.procedure.draw(DrawRule(fault.rule))
        return Unlawful(fault.reason, f"{fault.message.removesuffix('.')} ({cited(clause)}).", clause)

    @cached_property
    def paytables(self) -> Mapping[str, Wager]:
        """By id, each wager with the lines of the reading in force, in the document's order."""
        return FrozenMap({wager.id: wager.under(self.reading) for wager in self.wagers})

    @property
    def own_wagers(self) -> tuple[str, ...]:
        """The ids of the wagers that no document describes, which somebody has added to the house's."""
        return tuple(wager.id for wager in self.wagers if wager.clause == OWN_CLAUSE)

    @cached_property
    def read_facts(self) -> Callable[[Deal], Facts]:
        """Reads of a finished deal what the game's wagers look at, and nothing more."""
        return reader_of({name for wager in self.paytables.values() for name in wager.values_named})

    def pushes(self, wager: str, label: str) -> bool:
        """Whether the line of that label returns the stake."""
        return any(line.label == label and line.pays is None for line in self.paytables[wager].lines)

    @cached_property
    def applicable_rulings(self) -> tuple[Ruling, ...]:
        """The rulings that concern this game, in order: those on every game and those that it names."""
        return tuple(each for each in RULINGS if each.concerns_every_game or each.number in self.rulings)

    @property
    def fixed_bonuses(self) -> tuple[Line, ...]:
        return tuple(line for wager in self.wagers for line in wager.bonuses if isinstance(line.pays, Fixed))

    @property
    def fixed_amounts(self) -> dict[str, int]:
        """The money of each fixed bonus, by the label of its line: what `with_bonuses` takes."""
        return {line.label: line.pays.money for line in self.fixed_bonuses if isinstance(line.pays, Fixed)}

    @cached_property
    def stake_step(self) -> int:
        """The least stake of which every multiple is paid in whole units on every line."""
        return lcm(
            *(
                line.pays.denominator
                for wager in self.wagers
                for line in wager.all_lines
                if isinstance(line.pays, Ratio)
            )
        )

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The layout as rows of wager ids."""
        return tuple(tuple(row.split()) for row in self.layout.splitlines() if row.strip())

    @cached_property
    def printed_rows(self) -> tuple[tuple[str | None, ...], ...]:
        """The layout as it is printed: an empty place of a row, None, belongs to the spot above it.

        A wager stands in the column of the longest row that it begins under; a row that keeps to no column is as it is.
        """
        rows = [row for row in self.layout.splitlines() if row.strip()]
        placed = [{found.start(): found[0] for found in finditer(r"\S+", row)} for row in rows]
        columns = list(max(placed, key=len, default={}))
        return tuple(
            tuple(row.get(column) for column in columns) if row.keys() <= {*columns} else tuple(row.values())
            for row in placed
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything in the declaration that decides a round, under the reading in force."""
        from hashlib import sha256  # Not needed by most commands, and not free to load.

        return sha256(json.dumps(self.as_data(), sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def as_data(self) -> dict[str, object]:
        """The rules as plain values: what the digest covers."""

        def line_data(line: Line) -> list[object]:
            return [line.label, line.when.as_data(), str(line.pays) if line.pays else "push", line.clause]

        tableau = self.tableau
        return {
            "id": self.id,
            "document": [self.document.publisher, self.document.title, self.document.version, self.document.effective],
            "pack": [self.pack.id, self.pack.ranks, "".join(self.pack.suits)],
            "decks": [self.decks.minimum, self.decks.maximum],
            "tableau": [
                tableau.naturals,
                tableau.player_draws,
                tableau.banker_draws_when_player_stands,
                [tableau.banker_draws[row] for row in sorted(tableau.banker_draws)],
            ],
            "wagers": [
                [wager.id, wager.clause, [*map(line_data, wager.lines)], [*map(line_data, wager.bonuses)]]
                for wager in self.paytables.values()
            ],
            "procedure": [getattr(self.procedure, f.name) for f in fields(Procedure)],
            "reading": dict(self.reading),
        }
