"""What follows from a record, told slowly: every event read as the record itself reads it, and nothing derived."""

from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from puntobanco.cards import Deal
from puntobanco.fairness.log import KeyPublished, RoundSealed
from puntobanco.ledger.postings import unit_of
from puntobanco.server.follower import Follower
from puntobanco.settle import Settlement
from puntobanco.store.beside import Beside
from puntobanco.store.database import Database
from puntobanco.store.derived import Derived
from puntobanco.store.streams import TableStream, new_stream
from puntobanco.table import Phase, RoundCorrected, RoundSettled, RoundVoided, events
from store.databases import Place


def beside(place: Place) -> Beside:
    return Beside.on_server(place.url) if place.url else Beside.in_file(place.folder / "record.sqlite")


@asynccontextmanager
async def follower(place: Place) -> AsyncIterator[Follower]:
    way, derived = beside(place), await Derived.open(place.folder, place.url or None)
    found = Follower(way, derived)
    try:
        yield found
    finally:
        await found.close()
        await derived.close()
        await way.close()


@dataclass
class ToldRound:
    """A round as the events tell it."""

    first_version: int
    shoe: int
    unit: str
    digest: str
    decks: int
    place: int
    deal: Deal = Deal()  # noqa: RUF009
    finished: int | None = None
    void: RoundVoided | None = None
    corrected: bool = False
    stakes: dict[str, dict[str, int]] = field(default_factory=dict)
    settlements: dict[str, Settlement] = field(default_factory=dict)
    key: str | None = None
    state: str | None = None

    @property
    def history(self) -> dict[str, tuple[int, int]]:
        """By patron: staked and returned."""
        staked = {patron: sum(slip.values()) for patron, slip in self.stakes.items() if slip}
        if self.void:
            return {patron: (stake, stake) for patron, stake in staked.items()}
        return {patron: (staked[patron], settled.returned) for patron, settled in self.settlements.items()}


async def told(database: Database) -> dict[tuple[str, int], ToldRound]:
    """All rounds of a record, by stream and number."""
    rounds: dict[tuple[str, int], ToldRound] = {}
    streams: dict[str, Any] = {}
    places: dict[str, int] = defaultdict(int)
    async for portion in database.events():
        for _, row in portion:
            stream = streams.get(row.stream) or new_stream(row.stream)
            event = stream.read_event(row.body)
            streams[row.stream] = after = stream.after(event)
            if not isinstance(after, TableStream):
                continue
            table = after.table
            assert table is not None
            now = rounds.get((row.stream, table.round_number))
            match event:
                case events.ShoeOpened():
                    places[row.stream] = 0
                case events.BettingOpened(number, digest):
                    places[row.stream] += 1
                    settings = table.settings
                    rounds[row.stream, number] = ToldRound(
                        row.version, table.shoe_number, unit_of(settings), digest, settings.decks, places[row.stream]
                    )
                case events.StakeChanged(_, patron, wager, _, stake):
                    assert now is not None
                    slip = now.stakes.setdefault(patron, {})
                    slip[wager] = stake
                    if not stake:
                        del slip[wager]
                case RoundSettled(_, settlements):
                    assert now is not None
                    now.finished, now.settlements = row.time, dict(settlements)
                case RoundVoided():
                    assert now is not None
                    now.void = event
                    now.finished = now.finished or row.time
                case RoundCorrected(settlements=settlements):
                    assert now is not None
                    now.corrected = True
                    now.settlements = dict(settlements or {})
                case RoundSealed(place, state) if place and now is not None:
                    now.state = state
                case KeyPublished(place, key) if place and now is not None:
                    now.key = key
            if now is not None:
                if table.phase.in_round:
                    now.deal = table.deal
                elif table.last is not None and table.phase in (Phase.READY, Phase.CLOSED, Phase.BURN_DUE):
                    now.deal = table.last.round.deal
    return rounds
