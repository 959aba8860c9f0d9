"""What can go wrong, in one tree.

    Exception
    ├── ValueError
    │   ├── DeclarationError   a game, wager or setting that is not well formed; raised when it is built
    │   └── InputError         text or numbers from outside that cannot be read or accepted; carries a reason
    └── Refused                a command that the table refuses; carries the Refusal with its clause

Refusals are expected at every table and are values first (`table.Refusal`); `Refused` only
carries one through code that asked for a decision without asking for a refusal before.
"""


class DeclarationError(ValueError):
    """A declaration that cannot be a game, a wager or a table."""


class InputError(ValueError):
    """Something from outside that cannot be used: a short reason for programs, a sentence for people."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, str]]:
        return InputError, (self.reason, self.message)


class Fault(Exception):
    """Something outside that failed, whatever was asked for: a short reason for programs, a sentence for people."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def nearest(name: str, names: list[str]) -> str:
    """The end of a sentence about an unknown name: the name that was probably meant, or all of them."""
    from difflib import get_close_matches  # Only needed for mistakes.

    close = get_close_matches(str(name)[:40].lower(), names, n=1)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; there are {', '.join(names)}."
