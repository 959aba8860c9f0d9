"""The rounds that were voided or corrected, and what that came to for the house: told from the events, kept nowhere.

A void round would have paid what its stakes come to on the deal that it had or would have had. From a committed shoe
that deal follows from the key that is published after the void, whenever the void came: for a nonce that was not
revealed stands what was committed to, as the scheme has it, or whoever withholds one would hide what the void was
worth. From any other shoe nobody knows a card that was not dealt, and nothing is guessed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from puntobanco.cards import Card, Deal
from puntobanco.errors import Fault, InputError
from puntobanco.fairness.log import DrawnRound, KeyPublished, ShoeLog
from puntobanco.fairness.shoe import round_state
from puntobanco.games import GAMES
from puntobanco.immutable import FrozenMap
from puntobanco.ledger.postings import unit_of
from puntobanco.rules.game import Game
from puntobanco.store.database import Database
from puntobanco.store.dealer import redrawn
from puntobanco.store.rows import EventRow
from puntobanco.store.streams import StreamEvent, TableStream, new_stream
from puntobanco.table import Irregularity, RoundCorrected, RoundVoided, Table, TableSettings
from puntobanco.table.irregularity_refusals import dealt_from
from puntobanco.table.settlements import settlements_of, staked
from puntobanco.table.state import Stakes
from puntobanco.tableau import Hand, Tableau

__all__ = [
    "ChangedRound",
    "CorrectedRound",
    "VoidTotal",
    "VoidedRound",
    "VoidsAndCorrections",
    "void_totals",
    "voids_and_corrections",
]

NOT_PUBLISHED = "The key of the round is not published yet."
OTHER_CARDS = "The cards on the table are not those that the key of the round gives."


@dataclass(frozen=True, kw_only=True)
class ChangedRound:
    """A round that was voided or corrected: which, when, by whom and why."""

    table: str
    round_number: int
    shoe_number: int
    version: int
    """Of the change in the stream of its table."""
    time: int
    """Milliseconds since 1970."""
    actor: str
    by: str
    """Who asked for it, and who agreed; both empty where no two people decided it."""
    and_by: str
    clause: str
    note: str
    after_settlement: bool
    unit: str
    """A currency or CHIPS; all money is in its smallest unit."""

    def as_json(self) -> dict[str, object]:
        return {
            "table": self.table,
            "round": self.round_number,
            "shoe": self.shoe_number,
            "version": self.version,
            "time": self.time,
            "actor": self.actor,
            "by": self.by,
            "and_by": self.and_by,
            "clause": self.clause,
            "note": self.note,
            "after_settlement": self.after_settlement,
            "unit": self.unit,
        }


@dataclass(frozen=True, kw_only=True)
class VoidedRound(ChangedRound):
    """A round that does not count, and what it would have paid."""

    irregularity: Irregularity
    stakes: Mapping[str, int]
    """By patron, what lay on the felt when the round was voided or, if that came first, settled."""
    dealt: Deal
    """As far as it was dealt."""
    would_be: Deal | None = None
    """The deal that it had or would have had; None where that is not known."""
    unknown: str | None = None
    """Why the deal is not known, as a sentence; None where it is."""
    not_revealed: tuple[str, ...] = ()
    """Whose nonce was not revealed before the void: in the deal stands for it what they had committed to."""
    nets: Mapping[str, int] | None = None
    """By patron, what they would have gained; None where that is not known."""
    house_so_far: int = 0
    """What the house would have won in the voided rounds of this table and unit up to this one, as far as is known."""

    @property
    def house(self) -> int | None:
        """What the void took from the house: what it would have won, below zero where it would have lost."""
        return None if self.nets is None else -sum(self.nets.values())

    def as_json(self) -> dict[str, object]:
        return {
            **super().as_json(),
            "irregularity": self.irregularity.value,
            "stakes": dict(self.stakes),
            "dealt": str(self.dealt),
            "would_be": None if self.would_be is None else str(self.would_be),
            "unknown": self.unknown,
            "not_revealed": [*self.not_revealed],
            "nets": None if self.nets is None else dict(self.nets),
            "house": self.house,
            "house_so_far": self.house_so_far,
        }


@dataclass(frozen=True, kw_only=True)
class CorrectedRound(ChangedRound):
    """A round whose cards were others than had been keyed, and what that changed."""

    before: Deal
    after: Deal
    set_aside: tuple[Card, ...]
    taken_up: tuple[Card, ...]
    adjustments: Mapping[str, int]
    """By patron, what they got, below zero where it was taken back; empty where nothing had been paid yet."""

    @property
    def house(self) -> int:
        """What the correction gave to the house; below zero where it took."""
        return -sum(self.adjustments.values())

    def as_json(self) -> dict[str, object]:
        return {
            **super().as_json(),
            "before": str(self.before),
            "after": str(self.after),
            "set_aside": [*map(str, self.set_aside)],
            "taken_up": [*map(str, self.taken_up)],
            "adjustments": dict(self.adjustments),
            "house": self.house,
        }


class VoidsAndCorrections(NamedTuple):
    """All of a record, each in the order of the record."""

    voids: tuple[VoidedRound, ...]
    corrections: tuple[CorrectedRound, ...]


class VoidTotal(NamedTuple):
    """The voided rounds of a table in one unit."""

    table: str
    unit: str
    rounds: int
    unknown: int
    """Of how many it is not known what they would have paid."""
    house: int
    """What the house would have won in the others; below zero where it would have lost."""
    not_revealed: int = 0
    """In how many of the others a commitment stands for a nonce that was not revealed."""


async def voids_and_corrections(
    database: Database, *, games: Sequence[Game] = GAMES, table: str | None = None
) -> VoidsAndCorrections:
    """The voided and the corrected rounds of a record, or of one table of it.

    The database is not used for anything else meanwhile. Events are believed: whether they can be so is for `audit`.
    """
    changed, streams = ChangedRounds(), dict[str, TableStream]()
    async with database.snapshot():
        async for portion in database.events(None if table is None else f"table/{table}"):
            for _, row in portion:
                stream = streams.get(row.stream) or new_stream(row.stream, games)
                if isinstance(stream, TableStream):
                    event = stream.read_event(row.body)
                    streams[row.stream] = stream.after(event)
                    changed.take(row, event, stream, streams[row.stream])
    return changed.report()


def void_totals(voids: Iterable[VoidedRound]) -> list[VoidTotal]:
    """By table and unit, in their order; the voids are those of a report, whole."""
    found: dict[tuple[str, str], VoidTotal] = {}
    for each in voids:
        before = found.get((each.table, each.unit), VoidTotal(each.table, each.unit, 0, 0, 0))
        found[each.table, each.unit] = before._replace(
            rounds=before.rounds + 1,
            unknown=before.unknown + (each.house is None),
            house=each.house_so_far,
            not_revealed=before.not_revealed + (each.house is not None and bool(each.not_revealed)),
        )
    return [total for _, total in sorted(found.items())]


class ChangedRounds:
    """The report as it grows, event by event: for whoever reads the whole record for another reason as well."""

    def __init__(self) -> None:
        self._voids: list[VoidedRound] = []
        self._corrections: list[CorrectedRound] = []
        self._awaited: dict[str, _Awaited] = {}

    def take(self, row: EventRow, event: StreamEvent, before: TableStream, after: TableStream) -> None:
        """An event, and the table with its shoe as they stood before and after it."""
        if isinstance(event, RoundVoided):
            self._voided(row, event, before)
        elif isinstance(event, RoundCorrected):
            self._corrected(row, event, before)
        elif isinstance(event, KeyPublished):
            self._published(row.stream, event, after.shoe)

    def report(self) -> VoidsAndCorrections:
        house_so_far: dict[tuple[str, str], int] = defaultdict(int)
        voids = []
        for each in self._voids:
            house_so_far[each.table, each.unit] += each.house or 0
            voids.append(replace(each, house_so_far=house_so_far[each.table, each.unit]))
        return VoidsAndCorrections(tuple(voids), tuple(self._corrections))

    def _voided(self, row: EventRow, event: RoundVoided, before: TableStream) -> None:
        settings, stakes, dealt = _round_meant(_table(before))
        void = VoidedRound(
            **_which(row, event, before),
            after_settlement=event.after_settlement,
            irregularity=event.irregularity,
            stakes=FrozenMap(staked(stakes)),
            dealt=dealt,
            # Where nothing is staked nothing is paid, whatever is dealt.
            nets=None if stakes else FrozenMap(),
        )
        try:
            void = _settled(void, settings.game, dealt, stakes)
        except InputError as incomplete:
            void = replace(void, unknown=incomplete.message)
            drawn = before.shoe.current
            if drawn is not None and not event.after_settlement:
                void = replace(void, unknown=NOT_PUBLISHED)
                self._awaited[row.stream] = _Awaited(len(self._voids), settings.game, stakes, drawn)
        self._voids.append(void)

    def _published(self, stream: str, event: KeyPublished, log: ShoeLog) -> None:
        """With its key the deal of a round that was voided too early can be known."""
        awaited = self._awaited.get(stream)
        if awaited is None or event.round_in_shoe != log.round_in_shoe or awaited.drawn.number != log.rounds[-1].number:
            return
        del self._awaited[stream]
        void = self._voids[awaited.place]
        try:
            would_be = _would_be(log, awaited.drawn, awaited.game.tableau)
            if _begins_with(would_be, void.dealt):
                void = replace(void, not_revealed=awaited.not_revealed)
                void = _settled(void, awaited.game, would_be, awaited.stakes)
            else:
                void = replace(void, unknown=OTHER_CARDS)
        except (Fault, InputError) as error:
            void = replace(void, unknown=error.message)
        self._voids[awaited.place] = void

    def _corrected(self, row: EventRow, event: RoundCorrected, before: TableStream) -> None:
        corrected = CorrectedRound(
            **_which(row, event, before),
            after_settlement=event.settlements is not None,
            before=event.before,
            after=event.after,
            set_aside=event.set_aside,
            taken_up=event.taken_up,
            adjustments=event.adjustments,
        )
        self._corrections.append(corrected)


class _Awaited(NamedTuple):
    """A voided round of a committed shoe whose key is not published yet."""

    place: int
    """Among the voids."""
    game: Game
    stakes: Stakes
    drawn: DrawnRound
    """As it stood when the round was voided: what is sealed later is sealed without nonces."""

    @property
    def not_revealed(self) -> tuple[str, ...]:
        """Who could have revealed a nonce still; after the seal nobody could."""
        missing = tuple([each.patron for each in self.drawn.nonces if each.nonce is None])
        return missing if self.drawn.state is None else ()


def _which(row: EventRow, event: RoundVoided | RoundCorrected, before: TableStream) -> dict[str, Any]:
    """What is told of every round that was changed."""
    table = _table(before)
    return {
        "table": before.name,
        "round_number": event.round_number,
        "shoe_number": dealt_from(table).number,
        "version": row.version,
        "time": row.time,
        "actor": row.actor,
        "by": event.by,
        "and_by": event.and_by,
        "clause": event.clause,
        "note": event.note,
        "unit": unit_of(_round_meant(table).settings),
    }


def _table(stream: TableStream) -> Table:
    assert stream.table is not None, "a round is played at a table"
    return stream.table


class _Meant(NamedTuple):
    settings: TableSettings
    stakes: Stakes
    deal: Deal


def _round_meant(table: Table) -> _Meant:
    """The round that a void or a correction means: the one in progress, or else the last."""
    if table.phase.in_round:
        return _Meant(table.settings, table.stakes, table.deal)
    assert table.last is not None, "only the last round is changed later"
    return _Meant(table.last.settings, table.last.stakes, table.last.round.deal)


def _settled(void: VoidedRound, game: Game, deal: Deal, stakes: Stakes) -> VoidedRound:
    """The round on this deal; raises InputError unless that is complete and lawful."""
    nets = {patron: settled.net for patron, settled in settlements_of(game, deal, stakes).items()}
    return replace(void, would_be=deal, unknown=None, nets=FrozenMap(nets))


def _would_be(log: ShoeLog, at_the_void: DrawnRound, tableau: Tableau) -> Deal:
    """The deal that the current round of the shoe would have had; raises Fault or InputError where none follows."""
    opened, place = log.opened, log.round_in_shoe
    keys = [each.key for each in log.rounds if each.key is not None]
    if opened is None or len(keys) != len(log.rounds):
        raise InputError("unpublished-key", NOT_PUBLISHED)
    # Where it was not sealed yet: as if it had been, then and there.
    state = at_the_void.state or round_state(opened, place, log.state_before, at_the_void.nonces)
    drawing = redrawn(replace(log, rounds=log.rounds[:place]), keys)
    drawing.begin(place, keys[place], state)
    deal = Deal()
    while hand := tableau.due(deal).hand:
        card = drawing.draw()
        is_player = hand is Hand.PLAYER
        deal = Deal((*deal.player, card), deal.banker) if is_player else Deal(deal.player, (*deal.banker, card))
    return deal


def _begins_with(deal: Deal, dealt: Deal) -> bool:
    return deal.player[: len(dealt.player)] == dealt.player and deal.banker[: len(dealt.banker)] == dealt.banker
