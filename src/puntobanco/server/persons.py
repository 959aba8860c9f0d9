"""Who somebody is to the house: an id in the books, a name to show, a role."""

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    GUEST = "guest"
    """Plays at once, known only by a cookie."""
    PATRON = "patron"
    """A guest who took a name and a password."""
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    DIRECTOR = "director"


STAFF = frozenset({Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.DIRECTOR})


class Person(NamedTuple):
    id: str
    """The name of a patron in the books, and of whoever acts in the record; never changes."""
    name: str
    """For people to read."""
    role: Role


class Signed(NamedTuple):
    """A person who is signed in. It holds for as long as the session: whatever changes a person ends their sessions."""

    person: Person
    session: bytes
    """The digest of the token in the cookie."""
    since: int
    must_change_password: bool = False
    """Signed in with a one-time password, and may do nothing else before it is changed."""
