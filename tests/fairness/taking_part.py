"""A round in which betting is open, and patrons who take part in its drawing, for tests and benches."""

from dataclasses import replace

from puntobanco.fairness import Nonce, ShoeTerms, nonce_commitment, open_shoe, seeded_keys
from puntobanco.fairness.log import (
    CommitNonce,
    DrawnRound,
    RevealNonce,
    ShoeCommand,
    ShoeLog,
    happened_to_the_shoe,
    shoe_refusal,
)
from puntobanco.games import find_game
from puntobanco.table import Phase, Refused, Table, TableSettings

SETTINGS = TableSettings(find_game("manila"), decks=8, account="cash")  # type: ignore[arg-type]
BETTING = Table(SETTINGS).but(phase=Phase.BETTING, round_number=1, shoe_number=1)
DEALING = BETTING.but(phase=Phase.DEALING)
TERMS = ShoeTerms.of(SETTINGS.game, table="main", shoe="main/1", decks=8, burn_and_cut=SETTINGS.burn_and_cut)
OPENED = open_shoe(TERMS, seeded_keys(1, 1))
LOG = ShoeLog(number=1, opened=OPENED, rounds=(DrawnRound(None, state=bytes(32), is_over=True), DrawnRound(1)))


def nonce_of(patron: str) -> Nonce:
    """What the patron commits to and will reveal."""
    nonce = patron.encode().rjust(32, b".")
    return Nonce(patron, nonce_commitment(TERMS.shoe, 1, patron, nonce), nonce)


def commit(patron: str) -> CommitNonce:
    return CommitNonce(1, patron, nonce_of(patron).commitment.hex())


def reveal(patron: str) -> RevealNonce:
    nonce = nonce_of(patron).nonce
    assert nonce is not None
    return RevealNonce(1, patron, nonce.hex())


def after(table: Table, log: ShoeLog, *commands: ShoeCommand) -> ShoeLog:
    """The log after commands that are decided and folded as a stream does it."""
    for command in commands:
        refused = shoe_refusal(table, log, command)
        if refused:
            raise Refused(refused)
        log = log.after(table, happened_to_the_shoe(table, log, command))
    return log


def withheld(nonce: Nonce) -> Nonce:
    return replace(nonce, nonce=None)
