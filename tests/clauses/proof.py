"""Which test proves which clause of which game, and which code implements it.

A test says so itself, with `@proves`. The guards in test_index.py read it here, and so do the pages in docs/games.
"""

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import pytest

import puntobanco
from puntobanco import GAMES, Game, find_game
from puntobanco.rules.wagers import Wager

NUMBERED_ALIKE = ("baccarat-tournament", "fortune-six-tournament", "six-star")
MARINA_BAY_SANDS = (*NUMBERED_ALIKE, "fabulous-4")
MANILA = ("manila", "manila-no-commission")

OF_THE_OTHER_GAME = frozenset(
    {
        ("manila", "No Commission 1"),
        ("manila", "No Commission 2"),
        ("manila-no-commission", "How to Play 6"),
    }
)
"""One document declares both Manila games; these of its clauses bear on only one of them."""


@dataclass(frozen=True)
class Implementation:
    """Something in the package that makes a clause true."""

    name: str
    path: str
    """From the root of the repository."""


@dataclass(frozen=True)
class Proof:
    """One test of one clause in one game."""

    game: str
    clause: str
    by: tuple[Implementation, ...]
    module: str
    test: str

    @property
    def path(self) -> str:
        return f"tests/{self.module.replace('.', '/')}.py"


@dataclass(frozen=True)
class WagersOf:
    """Stands for these wagers of whichever game a test is run with, or for those that cite the clause."""

    ids: tuple[str, ...]

    def in_game(self, game: Game, clause: str) -> list[Wager]:
        if not self.ids:
            return [
                wager
                for wager in game.wagers
                if clause in {wager.clause, *(line.clause for line in wager.lines + wager.bonuses)}
            ]
        return [next(wager for wager in game.wagers if wager.id == wager_id) for wager_id in self.ids]


def wagers(*ids: str) -> WagersOf:
    return WagersOf(ids)


def alike(games: Sequence[str], *clauses: str) -> dict[str, tuple[str, ...]]:
    """The same clauses for each of the games."""
    return dict.fromkeys(games, clauses)


_PROOFS: list[Proof] = []
_Test = TypeVar("_Test", bound=Callable[..., None])


def proves(*, by: Sequence[object], clauses: Mapping[str, str | tuple[str, ...]]) -> Callable[[_Test], _Test]:
    """Run the test for each clause, given by game, and record what it proves and what implements it.

    The test takes the `game` and, if it wants it, the `clause`.
    """

    def decorated(test: _Test) -> _Test:
        if not test.__name__.startswith("test_"):
            raise ValueError(f"{test.__name__} proves nothing: pytest does not run it.")
        taken = [name for name in ("game", "clause") if name in inspect.signature(test).parameters]
        cases, proofs = [], []
        for game_id, given in clauses.items():
            game = find_game(game_id)
            for clause in (given,) if isinstance(given, str) else given:
                if clause not in clauses_to_prove(game):
                    raise ValueError(f"{test.__name__}: {game_id} has no clause {clause!r} to prove.")
                found = tuple(place for thing in by for place in implementations(thing, game, clause))
                proofs.append(Proof(game_id, clause, found, test.__module__, test.__name__))
                values = [value for name, value in (("game", game), ("clause", clause)) if name in taken]
                cases.append(pytest.param(*values, id=f"{game_id} {clause}"))
        _PROOFS.extend(proofs)
        parametrized: _Test = pytest.mark.parametrize(taken, cases)(test)
        return parametrized

    return decorated


def clauses_to_prove(game: Game) -> tuple[str, ...]:
    """The clauses of the game's document that are software and bear on this game, in order."""
    return tuple(
        clause
        for clause in game.document.clauses
        if clause not in game.document.not_software and (game.id, clause) not in OF_THE_OTHER_GAME
    )


def unproved(proofs: Iterable[Proof]) -> list[str]:
    """The clauses that no test proves, each with its game."""
    proved = {(proof.game, proof.clause) for proof in proofs}
    return [
        f"{game.id} {clause}" for game in GAMES for clause in clauses_to_prove(game) if (game.id, clause) not in proved
    ]


def load_proofs() -> tuple[Proof, ...]:
    """Every proof of this package, whichever of its modules have been imported before."""
    package = importlib.import_module("clauses")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"clauses.{module.name}")
    return tuple(_PROOFS)


def implementations(thing: object, game: Game, clause: str) -> Iterator[Implementation]:
    """Where the thing is, by the name that its own module knows it by."""
    match thing:
        case WagersOf():
            for wager in thing.in_game(game, clause):
                # A wager that two games share is declared by the first of them.
                constant = _constant(next(game for game in GAMES if any(wager is other for other in game.wagers)))
                yield Implementation(f"{constant.name}, wager {wager.id}", constant.path)
        case Enum():
            yield Implementation(f"{type(thing).__qualname__}.{thing.name}", _path(type(thing).__module__))
        case property():
            yield from implementations(thing.fget, game, clause)
        case cached_property():
            yield from implementations(thing.func, game, clause)
        case _ if hasattr(thing, "__qualname__"):
            yield Implementation(thing.__qualname__, _path(thing.__module__))
        case _:
            yield _constant(thing)


def _constant(thing: object) -> Implementation:
    for module_name, module in sorted(sys.modules.items()):
        if module_name.partition(".")[0] == "puntobanco":
            for name, value in vars(module).items():
                # A module that only imports the name is not where it is declared.
                if value is thing and re.search(rf"^{name}\b[^=(]*= ", inspect.getsource(module), re.MULTILINE):
                    return Implementation(name, _path(module_name))
    raise ValueError(f"{thing!r} is no constant of the package.")


def _path(module_name: str) -> str:
    file = sys.modules[module_name].__file__
    assert file is not None
    package = Path(puntobanco.__file__).parent
    # Fails for anything that is not part of the package, which implements nothing.
    return (Path("src", package.name) / Path(file).relative_to(package)).as_posix()
