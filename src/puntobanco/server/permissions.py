"""Who may do what. A permission belongs to the command; what is not granted here is denied."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType

from puntobanco.server.persons import Person, Role, Signed
from puntobanco.server.problems import Problem, not_allowed


class Permission(StrEnum):
    """One for every command, by its name, and one for every kind of reading that is not for everybody."""

    # A patron at a table.
    STAKE = "stake"
    STAKES = "stakes"
    COMMIT = "commit"
    REVEAL = "reveal"
    # The course of a round and a shoe.
    OPEN_SHOE = "open-shoe"
    BURN = "burn"
    OPEN_BETTING = "open-betting"
    CLOSE_BETTING = "close-betting"
    DEAL = "deal"
    UNDO_CARD = "undo-card"
    ANNOUNCE = "announce"
    SETTLE = "settle"
    END_SHOE = "end-shoe"
    # What went wrong.
    PAUSE = "pause"
    RESUME = "resume"
    WITHDRAW_ANNOUNCEMENT = "withdraw-announcement"
    SET_ASIDE = "set-aside"
    CORRECT_COUNT = "correct-count"
    VOID = "void"
    CORRECT = "correct"
    APPROVE = "approve"
    DECLINE = "decline"
    # The floor.
    ADD_TABLE = "add-table"
    SET_TABLE = "set-table"
    CLOSE_TABLE = "close-table"
    # The cash desk.
    ISSUE_MONEY = "issue-money"
    RETURN_MONEY = "return-money"
    CHANGE_MONEY = "change-money"
    POST_RATE = "post-rate"
    ADJUST_ACCOUNT = "adjust-account"
    # People.
    ADD_STAFF = "add-staff"
    CHANGE_STAFF = "change-staff"
    REMOVE_STAFF = "remove-staff"
    # Disputes.
    OPEN_DISPUTE = "open-dispute"
    ASSIGN_DISPUTE = "assign-dispute"
    DECIDE_DISPUTE = "decide-dispute"
    # Reading.
    READ_OWN_HISTORY = "read-own-history"
    READ_ANY_LEDGER = "read-any-ledger"
    READ_REPORTS = "read-reports"
    READ_REQUESTS = "read-requests"
    FIND_PATRONS = "find-patrons"
    EXPORT = "export"
    # Work for the machine, which changes nothing.
    RUN_JOBS = "run-jobs"


WAGERS = frozenset({Permission.STAKE, Permission.STAKES, Permission.COMMIT, Permission.REVEAL})
READS = frozenset(
    {
        Permission.READ_OWN_HISTORY,
        Permission.READ_ANY_LEDGER,
        Permission.READ_REPORTS,
        Permission.READ_REQUESTS,
        Permission.FIND_PATRONS,
        Permission.EXPORT,
    }
)
NEEDS_TWO = frozenset({Permission.VOID, Permission.CORRECT, Permission.ADJUST_ACCOUNT, Permission.POST_RATE})
"""Whoever has one of these may ask for it; it is done when a second person approves."""

_PLAYS = WAGERS | {Permission.READ_OWN_HISTORY, Permission.OPEN_DISPUTE, Permission.RUN_JOBS}
_DEALS = frozenset(
    {
        Permission.OPEN_SHOE,
        Permission.BURN,
        Permission.OPEN_BETTING,
        Permission.CLOSE_BETTING,
        Permission.DEAL,
        Permission.UNDO_CARD,
        Permission.ANNOUNCE,
        Permission.SETTLE,
        Permission.END_SHOE,
        # A dealer stops the table and calls for help; to go on is not theirs to decide.
        Permission.PAUSE,
        # A dealer asks, and a supervisor approves.
        Permission.VOID,
        Permission.CORRECT,
    }
)
_SUPERVISES = frozenset(
    {
        Permission.CLOSE_BETTING,
        Permission.UNDO_CARD,
        Permission.END_SHOE,
        Permission.PAUSE,
        Permission.RESUME,
        Permission.WITHDRAW_ANNOUNCEMENT,
        Permission.SET_ASIDE,
        Permission.CORRECT_COUNT,
        Permission.VOID,
        Permission.CORRECT,
        Permission.APPROVE,
        Permission.DECLINE,
        Permission.ISSUE_MONEY,
        Permission.RETURN_MONEY,
        Permission.CHANGE_MONEY,
        Permission.ADJUST_ACCOUNT,
        Permission.ASSIGN_DISPUTE,
        Permission.DECIDE_DISPUTE,
        Permission.READ_ANY_LEDGER,
        Permission.READ_REPORTS,
        Permission.READ_REQUESTS,
        Permission.FIND_PATRONS,
        Permission.RUN_JOBS,
    }
)
_DIRECTS = _SUPERVISES | {
    Permission.ADD_TABLE,
    Permission.SET_TABLE,
    Permission.CLOSE_TABLE,
    Permission.POST_RATE,
    Permission.ADD_STAFF,
    Permission.CHANGE_STAFF,
    Permission.REMOVE_STAFF,
    Permission.EXPORT,
}

GRANTED: Mapping[Role, frozenset[Permission]] = MappingProxyType(
    {
        Role.GUEST: _PLAYS,
        Role.PATRON: _PLAYS,
        Role.DEALER: _DEALS,
        Role.SUPERVISOR: _SUPERVISES,
        # Reads, and nothing else; there is no history of their own to read.
        Role.AUDITOR: READS - {Permission.READ_OWN_HISTORY},
        Role.DIRECTOR: _DIRECTS,
    }
)


def may(role: Role, permission: Permission) -> bool:
    return permission in GRANTED.get(role, frozenset())


def denied(signed: Signed, permission: Permission) -> Problem | None:
    """Why whoever is signed in may not; None where they may."""
    if signed.must_change_password:
        return Problem(403, "change-password", "Change your one-time password first.")
    return None if may(signed.person.role, permission) else not_allowed()


def second_person(asked_by: str, decided_by: Person, concerned: Collection[str] = ()) -> Problem | None:
    """Why this person cannot be the second for what the first, named by id, has asked; None where they can.

    `concerned` are the ids of the patrons whose money it moves.
    """
    if not may(decided_by.role, Permission.APPROVE):
        return not_allowed("A supervisor decides this.")
    if decided_by.id == asked_by:
        return not_allowed("Another person decides than the one who asked.")
    if decided_by.id in concerned:
        return not_allowed("Nobody decides about their own money.")
    return None
