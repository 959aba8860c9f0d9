"""What an audit has looked at, and what it has found."""

from dataclasses import dataclass, field
from typing import NamedTuple

from puntobanco.store.voids import VoidedRound


class Problem(NamedTuple):
    """Something that cannot be so, by where it stands."""

    stream: str
    version: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    @property
    def where(self) -> str:
        return self.stream if self.version is None else f"{self.stream}, event {self.version}"

    def as_json(self) -> dict[str, object]:
        return {"stream": self.stream, "version": self.version, "message": self.message}


@dataclass
class Findings:
    """What an audit has looked at, what it has found, and how long each pass took."""

    events: int = 0
    decided: int = 0
    """How many of them were decided again."""
    rounds: int = 0
    entries: int = 0
    shoes: int = 0
    problems: list[Problem] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    """What was not looked at, and why, a sentence each."""
    seconds: dict[str, float] = field(default_factory=dict)
    public_key: str = ""
    """The key that the heads were checked with."""
    voids: tuple[VoidedRound, ...] = ()
    """Those of the whole record, whatever part of it was decided again."""
    kept_heads: int = 0
    """How many that somebody has kept were held against the record."""

    def report(self, stream: str, version: int | None, message: str) -> None:
        # In a damaged file even these may be anything.
        named = stream if isinstance(stream, str) else repr(stream)
        self.problems.append(Problem(named, version if isinstance(version, int) else None, message))

    def as_json(self) -> dict[str, object]:
        return {
            "events": self.events,
            "rounds": self.rounds,
            "entries": self.entries,
            "shoes": self.shoes,
            "problems": [each.as_json() for each in self.problems],
            "decided": self.decided,
            "unchecked": self.unchecked,
            "public_key": self.public_key,
            "seconds": {name: round(seconds, 3) for name, seconds in self.seconds.items()},
            "voids": [each.as_json() for each in self.voids],
            "kept_heads": self.kept_heads,
        }
