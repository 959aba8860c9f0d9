"""What can go wrong, in one tree: three kinds, never mixed, and each ends as one sentence.

    Exception
    ├── ValueError
    │   ├── DeclarationError   a game, wager or setting that is not well formed; raised when it is built
    │   │   └── table.UnfitSettings   a table that a rule forbids; carries a reason and the clause
    │   └── InputError         text or numbers from outside that cannot be read or accepted; carries a reason
    │       └── Unlawful       what was read well and the rules forbid, such as a deal that no tableau deals
    ├── table.Refused          a command that the table refuses; carries the Refusal: reason, clause and sentence
    ├── server.Problem         why the service did not do what was asked: any of these, as it is told over the network
    │   └── server.WrongPassword   a sign-in that failed; whose it was is for the log alone
    ├── client.Refused         the same, as whoever asked is told it: reason, clause and sentence
    └── Fault                  something outside failed: a disk, a cluster, a closed input; carries a reason
        ├── MissingPackage     a package of an extra that is not installed; an ImportError too
        ├── store.StorageFault the database of a record failed; nothing is acknowledged
        │   └── store.Fenced   another process leads the stream now, and this one writes nothing to it
        ├── store.Conflict     another process has written to the record; whoever asked may ask again
        └── table.ImpossibleEvent   a record that cannot be this table's: another one's, or one that was tampered with

The first kind is a wrong declaration or call, and whoever made it can put it right. The second is a refusal, which is
expected at every table and a value first (`table.Refusal`); `Refused` only carries one through code that asked for a
decision without asking for a refusal before. The third is nobody's request: the same one may succeed tomorrow.

The command line ends with 2 on the first kind, and with 1 on what the rules forbid, on a refusal and on a fault.
All can be pickled, because some come from the workers of a cluster.
"""

from collections.abc import Iterable


class DeclarationError(ValueError):
    """A declaration that cannot be a game, a wager or a table."""


class InputError(ValueError):
    """Something from outside that cannot be used: a short reason for programs, a sentence for people."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


class Unlawful(InputError):
    """Something that was read well and that the rules forbid, with the clause where the game is known.

    A tableau serves many games and knows no clauses: it names its rule, and `Game.cited_fault` finds the clause.
    """

    def __init__(self, reason: str, message: str, clause: str | None = None, rule: str | None = None) -> None:
        super().__init__(reason, message)
        self.clause = clause
        self.rule = rule


class Fault(Exception):
    """Something outside that failed, whatever was asked for: a short reason for programs, a sentence for people."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


class MissingPackage(Fault, ImportError):
    """A package that is not installed; `extras.py` has the sentence that names the extra it belongs to."""


def names_holding(word: str, names: Iterable[str]) -> list[str]:
    """The names of which the word is one part, in the singular or the plural: `pairs` for `player-pair`."""
    return [name for name in names if {word, word.removesuffix("s")} & set(name.split("-"))]


def nearest(name: str, names: list[str]) -> str:
    """The end of a sentence about an unknown name: the name that was probably meant, or all of them."""
    from difflib import get_close_matches  # Only needed for mistakes.

    word = str(name)[:40].lower()
    if word not in names and (holding := names_holding(word, names)):
        return f"; did you mean {' or '.join(holding)}?"
    close = get_close_matches(word, names, n=1)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; there are {', '.join(names)}."
