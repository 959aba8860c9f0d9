"""Shoes of the past, from the record."""

from puntobanco.fairness.log import ShoeLog
from puntobanco.store.record import Record
from puntobanco.store.streams import Landmark, TableStream, new_stream
from puntobanco.table import ShoeOpened


async def shoe_of(record: Record, stream: str, shoe: int) -> ShoeLog | None:
    """The committed shoe of this number as it was when the next one was opened; None where there was none."""
    found = new_stream(stream, record.games)
    assert isinstance(found, TableStream)
    after = 0
    landmark = await record.database.landmark_of_shoe(stream, shoe)
    if landmark is not None and landmark.mark == record.keys.mark(landmark.marked):
        found, after = found.taken_up(Landmark.read(landmark.body)), landmark.version
    async for portion in record.database.events(stream, after=after):
        for _, row in portion:
            event = found.read_event(row.body)
            if isinstance(event, ShoeOpened) and event.shoe_number > shoe:
                return found.shoe if found.shoe.number == shoe else None
            found = found.after(event)
    return found.shoe if found.shoe.number == shoe else None
