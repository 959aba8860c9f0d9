"""Why something that was asked over the network was not done: one shape for all, with the status that goes with it."""

from collections.abc import Mapping
from typing import Any

from puntobanco.errors import DeclarationError, Fault, InputError
from puntobanco.store.database import Conflict
from puntobanco.table import Refusal, Refused

FAILED = "The service failed at this; nothing was done that was not acknowledged."


class Problem(Exception):
    """A reason for programs, a clause where a rule decides, and a sentence for people; nothing is repeated.

    `closed_at` is when betting closed, for what came too late. `in_full` is for the log alone: what a database or a
    disk says of itself is nobody else's business.
    """

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        clause: str | None = None,
        closed_at: int | None = None,
        in_full: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.reason, self.message, self.clause = status, reason, message, clause
        self.closed_at, self.in_full = closed_at, in_full or message

    def as_json(self) -> dict[str, Any]:
        said = {"reason": self.reason, "clause": self.clause, "message": self.message}
        return {"error": said if self.closed_at is None else {**said, "closed_at": self.closed_at}}


def refused(refusal: Refusal) -> Problem:
    return Problem(409, refusal.reason.code, refusal.message, refusal.clause)


def refused_by(answer: Mapping[str, Any]) -> Problem:
    """A refusal as the record keeps it."""
    return Problem(409, answer["reason"], answer["message"], answer["clause"], answer.get("closed_at"))


def malformed(message: str, reason: str = "malformed") -> Problem:
    return Problem(400, reason, message)


def not_signed_in() -> Problem:
    return Problem(401, "not-signed-in", "Sign in first, or come as a guest.")


def not_allowed(message: str = "That is not for you to do.") -> Problem:
    return Problem(403, "not-allowed", message)


def nothing_there(what: str = "There is nothing here.") -> Problem:
    return Problem(404, "not-found", what)


def too_often(message: str = "That was too often; wait a moment.") -> Problem:
    return Problem(429, "too-often", message)


def problem_of(error: BaseException) -> Problem:
    """Any error of ours as a problem; what is none of ours is a fault of the server's."""
    match error:
        case Problem():
            return error
        case Refused():
            return refused(error.refusal)
        case InputError(reason="id-reused"):
            return Problem(409, "id-reused", error.message)
        # What these say repeats what was sent, which is for a terminal and not for the network.
        case InputError():
            return Problem(400, error.reason, "The request is not well formed.")
        case DeclarationError():
            return Problem(400, "malformed", "The request is not well formed.")
        case Conflict():
            return Problem(503, "ask-again", "Another process leads this table now; ask again.")
        case Fault(reason="busy"):
            return Problem(503, error.reason, error.message)
        case Fault():
            return Problem(503, error.reason, FAILED, in_full=error.message)
    return Problem(503, "fault", FAILED)
