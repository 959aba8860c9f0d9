"""The index of clauses and the proofs agree: no clause without a test, no test or declaration of an unknown clause."""

import importlib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from puntobanco import GAMES, DeclarationError, Game, find_game
from puntobanco.cards import STANDARD_PACK
from puntobanco.rules.game import Procedure
from puntobanco.rules.wagers import Line
from puntobanco.table import Reason
from puntobanco.tableau import STANDARD, Tableau

from .proof import (
    OF_THE_OTHER_GAME,
    Implementation,
    Proof,
    clauses_to_prove,
    implementations,
    load_proofs,
    proves,
    unproved,
    wagers,
)

ROOT = Path(__file__).resolve().parent.parent.parent
SIX_STAR = find_game("six-star")


@pytest.fixture(scope="module")
def proofs() -> tuple[Proof, ...]:
    return load_proofs()


def test_every_clause_of_every_game_has_a_test(proofs: tuple[Proof, ...]) -> None:
    assert unproved(proofs) == []


def test_a_clause_whose_tests_are_taken_away_is_reported(proofs: tuple[Proof, ...]) -> None:
    for game in GAMES:
        for clause in clauses_to_prove(game):
            others = [proof for proof in proofs if (proof.game, proof.clause) != (game.id, clause)]
            assert unproved(others) == [f"{game.id} {clause}"]


def test_a_clause_of_one_manila_game_is_proved_in_that_game(proofs: tuple[Proof, ...]) -> None:
    for game_id, clause in OF_THE_OTHER_GAME:
        document = find_game(game_id).document
        assert any(proof.clause == clause and find_game(proof.game).document is document for proof in proofs)
        assert not any(proof.clause == clause and proof.game == game_id for proof in proofs)


def test_every_proof_is_a_test_that_pytest_collects(proofs: tuple[Proof, ...]) -> None:
    for entry in proofs:
        assert (ROOT / entry.path).is_file()
        assert Path(entry.path).name.startswith("test_")
        collected = getattr(importlib.import_module(entry.module), entry.test)
        (cases,) = [mark for mark in collected.pytestmark if "game" in mark.args[0]]
        assert f"{entry.game} {entry.clause}" in {case.id for case in cases.args[1]}


def test_every_proof_names_what_implements_the_clause(proofs: tuple[Proof, ...]) -> None:
    for entry in proofs:
        assert entry.by, entry
        for implementation in entry.by:
            assert (ROOT / implementation.path).is_file(), implementation


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        ("six-star", "9.9"),
        ("six-star", "How to Play 1"),
        ("six-star", "4"),
        ("manila", "5.1"),
        ("manila", "No Commission 1"),
    ],
    ids=lambda value: value.replace(" ", "-"),
)
def test_a_test_cannot_prove_a_clause_that_is_not_in_the_index(game: str, clause: str) -> None:
    def test_something(game: Game) -> None: ...

    recorded = load_proofs()
    with pytest.raises(ValueError, match=f"test_something: {game} has no clause '{clause}' to prove"):
        proves(by=[Tableau], clauses={"six-star": "4.1", game: clause})(test_something)
    assert load_proofs() == recorded


def test_a_function_that_pytest_does_not_run_proves_nothing() -> None:
    def something(game: Game) -> None: ...

    with pytest.raises(ValueError, match="something proves nothing"):
        proves(by=[Tableau], clauses={"six-star": "4.1"})(something)


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (Tableau.decide, Implementation("Tableau.decide", "src/puntobanco/tableau.py")),
        (STANDARD, Implementation("STANDARD", "src/puntobanco/tableau.py")),
        (STANDARD_PACK, Implementation("STANDARD_PACK", "src/puntobanco/cards.py")),
        (Game.rows, Implementation("Game.rows", "src/puntobanco/rules/game.py")),
        (Reason.LATE_WAGER, Implementation("Reason.LATE_WAGER", "src/puntobanco/table/refusals.py")),
        (wagers("tie"), Implementation("SIX_STAR, wager tie", "src/puntobanco/games/six_star.py")),
    ],
    ids=lambda value: value.name if isinstance(value, Implementation) else "",
)
def test_an_implementation_is_found_where_it_is_declared(thing: object, expected: Implementation) -> None:
    assert list(implementations(thing, SIX_STAR, "4.1")) == [expected]


def test_wagers_without_ids_are_those_that_cite_the_clause() -> None:
    for clause, ids in {"4.2": ["element-bonus"], "2.2.4": ["player-pair", "banker-pair"], "5.1": []}.items():
        found = [place.name for place in implementations(wagers(), SIX_STAR, clause)]
        assert found == [f"SIX_STAR, wager {name}" for name in ids]


def test_a_shared_wager_is_declared_by_the_first_game_that_has_it() -> None:
    found = list(implementations(wagers("tie", "banker"), find_game("manila-no-commission"), "Super 6"))
    assert found == [
        Implementation("MANILA, wager tie", "src/puntobanco/games/manila.py"),
        Implementation("MANILA_NO_COMMISSION, wager banker", "src/puntobanco/games/manila_no_commission.py"),
    ]


@pytest.mark.parametrize("thing", [Path, object()], ids=["a class of another package", "no constant"])
def test_what_is_not_in_the_package_implements_nothing(thing: object) -> None:
    with pytest.raises(ValueError, match=r"is no constant of the package|is not in the subpath"):
        list(implementations(thing, SIX_STAR, "4.1"))


@pytest.mark.parametrize("step", [field.name for field in fields(Procedure)])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_procedure_cannot_cite_a_clause_that_is_not_in_the_index(game: Game, step: str) -> None:
    procedure = replace(game.procedure, **{step: "9.9"})
    with pytest.raises(DeclarationError, match=rf"the procedure's {step} cites clause '9\.9', which is not in"):
        replace(game, procedure=procedure)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_wager_or_line_cannot_cite_a_clause_that_is_not_in_the_index(game: Game) -> None:
    for place, wager in enumerate(game.wagers):
        wrong = [replace(wager, clause="9.9")]
        wrong += [replace(wager, lines=lines) for lines in _with_one_wrong_clause(wager.lines)]
        wrong += [replace(wager, bonuses=bonuses) for bonuses in _with_one_wrong_clause(wager.bonuses)]
        for changed_wager in wrong:
            changed_wagers = (*game.wagers[:place], changed_wager, *game.wagers[place + 1 :])
            with pytest.raises(DeclarationError, match=r"cites clause '9\.9', which is not in"):
                replace(game, wagers=changed_wagers)
    assert replace(game, wagers=game.wagers) == game


def _with_one_wrong_clause(lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    for place, line in enumerate(lines):
        yield (*lines[:place], replace(line, clause="9.9"), *lines[place + 1 :])
