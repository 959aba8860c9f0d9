"""Every permission and role, as a table that a person can read. A permission without a row fails."""

from itertools import product

import pytest

from puntobanco.server.permissions import (
    GRANTED,
    NEEDS_TWO,
    READS,
    WAGERS,
    Permission,
    denied,
    may,
    second_person,
)
from puntobanco.server.persons import STAFF, Person, Role, Signed

COLUMNS = (Role.GUEST, Role.PATRON, Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.DIRECTOR)

# In the order of the columns: Guest, Patron, Dealer, Supervisor, Auditor, diRector.
MATRIX = """
    stake                  G P . . . .
    stakes                 G P . . . .
    commit                 G P . . . .
    reveal                 G P . . . .
    open-shoe              . . D . . .
    burn                   . . D . . .
    open-betting           . . D . . .
    close-betting          . . D S . R
    deal                   . . D . . .
    undo-card              . . D S . R
    announce               . . D . . .
    settle                 . . D . . .
    end-shoe               . . D S . R
    pause                  . . D S . R
    resume                 . . . S . R
    withdraw-announcement  . . . S . R
    set-aside              . . . S . R
    correct-count          . . . S . R
    void                   . . D S . R
    correct                . . D S . R
    approve                . . . S . R
    decline                . . . S . R
    add-table              . . . . . R
    set-table              . . . . . R
    close-table            . . . . . R
    issue-money            . . . S . R
    return-money           . . . S . R
    change-money           . . . S . R
    post-rate              . . . . . R
    adjust-account         . . . S . R
    add-staff              . . . . . R
    change-staff           . . . . . R
    remove-staff           . . . . . R
    open-dispute           G P . . . .
    assign-dispute         . . . S . R
    decide-dispute         . . . S . R
    read-own-history       G P . . . .
    read-any-ledger        . . . S A R
    read-reports           . . . S A R
    read-requests          . . . S A R
    find-patrons           . . . S A R
    export                 . . . . A R
    run-jobs               G P . S . R
"""
ROWS = {name: marks for name, *marks in map(str.split, MATRIX.strip().splitlines())}

# What the contract calls the commands of a table.
CONTRACT = (
    "stake stakes commit reveal open-shoe burn open-betting close-betting deal undo-card announce settle void correct "
    "approve decline pause resume end-shoe"
)


def somebody(role: Role, id: str = "s-1") -> Person:
    return Person(id, "Somebody", role)


@pytest.mark.parametrize(("permission", "role"), list(product(Permission, COLUMNS)))
def test_every_permission_of_every_role(permission: Permission, role: Role) -> None:
    assert permission in ROWS, f"{permission} has no row"
    granted = ROWS[permission][COLUMNS.index(role)] != "."
    assert may(role, permission) is granted
    signed = Signed(somebody(role), b"", 0)
    problem = denied(signed, permission)
    assert (problem is None) is granted
    if problem is not None:
        assert (problem.status, problem.reason) == (403, "not-allowed")
    # With a one-time password nothing at all.
    problem = denied(signed._replace(must_change_password=True), permission)
    assert problem is not None
    assert (problem.status, problem.reason) == (403, "change-password")


def test_the_table_is_complete_and_has_nothing_else() -> None:
    assert set(ROWS) == set(Permission)
    assert len(ROWS) == len(MATRIX.strip().splitlines())
    assert all(len(marks) == len(COLUMNS) for marks in ROWS.values())
    assert set(COLUMNS) == set(Role) == set(GRANTED)
    assert set(CONTRACT.split()) <= set(Permission)
    letters = [{marks[place] for marks in ROWS.values()} - {"."} for place in range(len(COLUMNS))]
    assert letters == [{"G"}, {"P"}, {"D"}, {"S"}, {"A"}, {"R"}]


def test_nobody_of_staff_wagers_and_no_patron_does_what_staff_do() -> None:
    for role in STAFF:
        assert not GRANTED[role] & WAGERS
    for role in (Role.GUEST, Role.PATRON):
        others = frozenset[Permission]().union(*(GRANTED[each] for each in STAFF))
        assert GRANTED[role] & others == {Permission.RUN_JOBS}


def test_an_auditor_only_reads() -> None:
    assert GRANTED[Role.AUDITOR] <= READS


def test_what_is_not_granted_is_denied() -> None:
    assert not may("stranger", Permission.STAKE)  # type: ignore[arg-type]
    assert not may(Role.DIRECTOR, "something new")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        GRANTED[Role.GUEST] = frozenset(Permission)  # type: ignore[index]


@pytest.mark.parametrize("role", Role)
def test_a_second_person_approves_is_another_and_is_not_concerned(role: Role) -> None:
    second = somebody(role, "s-2")
    can = role in (Role.SUPERVISOR, Role.DIRECTOR)
    assert (second_person("s-1", second) is None) is can
    assert (second_person("s-1", second, {"g-1", "g-2"}) is None) is can
    for problem in (second_person("s-2", second), second_person("s-1", second, {"g-1", "s-2"})):
        assert problem is not None
        assert problem.status == 403


def test_what_needs_two_people_can_be_asked_by_one_who_does_not_approve_it_alone() -> None:
    assert {Permission.VOID, Permission.CORRECT, Permission.ADJUST_ACCOUNT, Permission.POST_RATE} == NEEDS_TWO
    for permission in NEEDS_TWO:
        askers = {role for role in Role if may(role, permission)}
        assert askers
        assert askers <= STAFF
