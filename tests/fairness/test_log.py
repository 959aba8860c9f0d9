"""The nonces of a round at a live table: in the order of the log, at the same cost among few patrons and many."""

import random
import sys
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from fairness.taking_part import BETTING, DEALING, LOG, OPENED, after, commit, nonce_of, reveal, withheld
from puntobanco.fairness import round_state
from puntobanco.fairness.log import NonceCommitted, NonceRevealed, SealRound, ShoeCommand, ShoeLog
from puntobanco.table import Reason, Refused, Table

PATRONS = [f"patron {n}" for n in range(3_000)]


def test_the_order_is_that_of_the_commitments() -> None:
    """Whoever reveals first, and whatever the names are: the state of the round depends on it."""
    draw = random.Random(3)
    patrons = draw.sample(PATRONS, 200)
    log = after(BETTING, LOG, *map(commit, patrons))
    assert log.rounds[-1].nonces == tuple(withheld(nonce_of(patron)) for patron in patrons)
    revealed = draw.sample(patrons, 150)
    log = after(DEALING, log, *map(reveal, revealed))
    expected = tuple(nonce_of(patron) if patron in revealed else withheld(nonce_of(patron)) for patron in patrons)
    assert log.rounds[-1].nonces == expected
    sealed = after(DEALING, log, SealRound())
    assert sealed.rounds[-1].nonces == expected
    assert sealed.rounds[-1].state == round_state(OPENED, 1, bytes(32), expected)


def test_a_log_stays_as_it_was() -> None:
    one = after(BETTING, LOG, commit("anna"))
    two = after(BETTING, one, commit("bob"))
    revealed = after(DEALING, two, reveal("anna"))
    assert LOG.rounds[-1].nonces == ()
    assert one.rounds[-1].nonces == (withheld(nonce_of("anna")),)
    assert two.rounds[-1].nonces == (withheld(nonce_of("anna")), withheld(nonce_of("bob")))
    assert revealed.rounds[-1].nonces == (nonce_of("anna"), withheld(nonce_of("bob")))
    again = after(BETTING, LOG, commit("anna"), commit("bob"))
    assert again == two != revealed
    assert hash(again) == hash(two)
    assert after(BETTING, LOG, commit("bob"), commit("anna")) != two


def test_a_nonce_is_committed_to_and_revealed_once() -> None:
    log = after(BETTING, LOG, commit("anna"))
    for table, patron, command in ((BETTING, "anna", commit), (DEALING, "bob", reveal)):
        with pytest.raises(Refused):
            after(table, log, command(patron))
    revealed = after(DEALING, log, reveal("anna"))
    with pytest.raises(Refused) as refused:
        after(DEALING, revealed, reveal("anna"))
    assert refused.value.refusal.reason is Reason.NOTHING_PLACED


def test_another_nonce_than_was_committed_to_is_refused_and_the_right_one_still_taken() -> None:
    log = after(BETTING, LOG, commit("anna"))
    with pytest.raises(Refused) as refused:
        after(DEALING, log, replace(reveal("anna"), nonce=reveal("bob").nonce))
    assert refused.value.refusal.reason is Reason.WRONG_NONCE
    assert after(DEALING, log, reveal("anna")).rounds[-1].nonces == (nonce_of("anna"),)


def steps_of(table: Table, log: ShoeLog, command: ShoeCommand) -> int:
    """How many instructions of Python a command takes."""
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        after(table, log, command)
    finally:
        sys.settrace(before)
    return count


def copied(one: ShoeLog, other: ShoeLog) -> int:
    """How many of the leaves in which the nonces of the round lie are not shared by both logs."""
    leaves = [[leaf for row in log.rounds[-1].taking_part._rows for leaf in row] for log in (one, other)]
    return sum(this is not that for this, that in zip(*leaves, strict=True))


@pytest.mark.parametrize(("table", "command"), [(BETTING, commit("one more")), (DEALING, reveal(PATRONS[5]))])
def test_a_nonce_costs_the_same_among_few_patrons_and_thousands(table: Table, command: ShoeCommand) -> None:
    """Instructions show a search, what is not shared shows a copy."""
    few, many = [after(BETTING, LOG, *map(commit, patrons)) for patrons in (PATRONS[:10], PATRONS)]
    assert 100 < steps_of(table, few, command) == steps_of(table, many, command)
    for log in (few, many):
        assert copied(log, after(table, log, command)) == 1


def test_a_second_commitment_in_a_record_takes_no_second_place() -> None:
    """It is refused, so no log holds it; one that was tampered with is folded all the same, for the audit to tell."""
    log = after(BETTING, LOG, commit("anna"), commit("bob"))
    log = log.after(BETTING, NonceCommitted(1, "anna", "00" * 32))
    log = log.after(BETTING, NonceRevealed(1, "dora", "00" * 32))
    log = after(BETTING, log, commit("carl"))
    assert [each.patron for each in log.rounds[-1].nonces] == ["anna", "bob", "carl"]
