"""What a rule document is: who published it, when it took effect, and its clauses in order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from puntobanco.errors import DeclarationError


@dataclass(frozen=True)
class Document:
    """A published rule document, with a paraphrase of each of its clauses in the order it prints them."""

    id: str
    publisher: str
    title: str
    version: str | None
    effective: str | None
    clauses: Mapping[str, str] = field(repr=False, hash=False)
    not_software: Mapping[str, str] = field(repr=False, hash=False)

    def __post_init__(self) -> None:
        for number, text in self.clauses.items():
            if not text.strip():
                raise DeclarationError(f"clause {number} of {self.id} has no paraphrase")
        for number, reason in self.not_software.items():
            if number not in self.clauses:
                raise DeclarationError(f"{number!r} is marked as not software but is no clause of {self.id}")
            if not reason.strip():
                raise DeclarationError(f"clause {number} of {self.id} is marked as not software without a reason")
        # Copies behind read-only views, so that no caller can alter a document that others share.
        object.__setattr__(self, "clauses", MappingProxyType(dict(self.clauses)))
        object.__setattr__(self, "not_software", MappingProxyType(dict(self.not_software)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views cannot be pickled, and a document must reach other processes inside its game.
        plain = (dict(self.clauses), dict(self.not_software))
        return Document, (self.id, self.publisher, self.title, self.version, self.effective, *plain)


OWN_CLAUSE = "your own wager"
"""What stands in place of a clause for a wager of one's own, which no document describes."""


def cited(clause: str) -> str:
    """`clause 5.5`, or `Ruling 15: 5.5` where a ruling stands in for a document that is silent."""
    return clause if clause == OWN_CLAUSE or clause.startswith("Ruling") else f"clause {clause}"
