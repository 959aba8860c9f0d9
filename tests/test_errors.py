"""The tree of errors: three kinds, never mixed; what carries them; what the command line ends with."""

import ast
import pickle
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import puntobanco
from command_line import call, one_sentence
from puntobanco import GAMES, Game, Shoe, cli, client, errors
from puntobanco.errors import DeclarationError, Fault, InputError, MissingPackage, Unlawful
from puntobanco.odds import odds
from puntobanco.odds.removal import removal
from puntobanco.server.people import WrongPassword
from puntobanco.server.problems import Problem
from puntobanco.server.setting_kinds import Unfit
from puntobanco.simulate import BurnAndCut, prepare
from puntobanco.store.database import Conflict, Fenced, StorageFault
from puntobanco.strategies.sessions import SessionStudy, SessionTerms
from puntobanco.strategies.systems import find_system
from puntobanco.table import ImpossibleEvent, Reason, Refusal, Refused, UnfitSettings

PACKAGE = Path(puntobanco.__file__).parent

SENTENCE = "The Player's third card is missing."
REFUSAL = Refusal(Reason.LATE_WAGER, "“No more bets” has been called.", "5.6")

# An example of each class of the tree, and what the command line ends with.
KINDS: dict[type[Exception], tuple[Exception, int]] = {
    DeclarationError: (DeclarationError("There is no fact 'colour'."), 2),
    UnfitSettings: (UnfitSettings("unfit-decks", "Manila is played with 4 to 10 decks, not 60.", "Ruling 2"), 2),
    InputError: (InputError("unknown-game", "There is no game 'manilla'."), 2),
    Unlawful: (Unlawful("unlawful-deal", SENTENCE, "3.9"), 1),
    Refused: (Refused(REFUSAL), 1),
    Fault: (Fault("unwritable-file", "'x.png' cannot be written."), 1),
    MissingPackage: (MissingPackage("missing-package", "PDF files are made with fpdf2."), 1),
    ImpossibleEvent: (ImpossibleEvent("No shoe is in play at this table."), 1),
    StorageFault: (StorageFault("The database failed: disk I/O error."), 1),
    Fenced: (Fenced(["table/main"]), 1),
    Conflict: (Conflict(), 1),
}
# How these are told over the network; no command ends in one.
OVER_THE_NETWORK = {Problem: "server.", WrongPassword: "server.", client.Refused: "client."}
every_kind = pytest.mark.parametrize(("error", "code"), KINDS.values(), ids=[kind.__name__ for kind in KINDS])


def classes_of_errors() -> Iterator[type[Exception]]:
    """Those of the whole package, wherever they are defined."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "puntobanco."):
        # The verifier is a program of its own, which imports nothing; its command makes its error an Unlawful.
        # Migrations are run by alembic, and only there.
        if module.name not in ("puntobanco.__main__", "puntobanco.verify") and ".migrations." not in module.name:
            for value in vars(import_module(module.name)).values():
                is_error = isinstance(value, type) and issubclass(value, Exception)
                # One that is private to its module is caught there.
                if is_error and value.__module__ == module.name and not value.__name__.startswith("_"):
                    yield value


def test_the_tree_holds_every_error_of_the_package() -> None:
    # What does not fit a setting becomes an InputError once it is known where the value came from.
    assert set(classes_of_errors()) == {*KINDS, *OVER_THE_NETWORK, Unfit}
    drawn = [line.split("─")[-1].split()[0] for line in str(errors.__doc__).splitlines() if "─ " in line]
    layers = {
        Refused: "table.",
        ImpossibleEvent: "table.",
        UnfitSettings: "table.",
        StorageFault: "store.",
        Fenced: "store.",
        Conflict: "store.",
        **OVER_THE_NETWORK,
    }
    names = {"ValueError", *(f"{layers.get(kind, '')}{kind.__name__}" for kind in (*KINDS, *OVER_THE_NETWORK))}
    assert sorted(drawn) == sorted(names)


def test_the_three_kinds_are_never_mixed() -> None:
    for kind in KINDS:
        assert sum(issubclass(kind, root) for root in (ValueError, Refused, Fault)) == 1
    assert issubclass(MissingPackage, ImportError)


@every_kind
def test_nothing_is_lost_on_the_way_from_another_process(error: Exception, code: int) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)
    assert cli.exit_code(arrived) == code


def test_a_refusal_keeps_its_reason_and_clause() -> None:
    error = pickle.loads(pickle.dumps(Refused(REFUSAL)))
    assert error.refusal == REFUSAL
    assert str(error) == "“No more bets” has been called. (clause 5.6)"


@every_kind
def test_the_command_line_ends_in_one_sentence_and_the_code_of_the_kind(
    error: Exception, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_dispatch", fail)
    called = call("games")
    assert one_sentence(called) == str(error)
    assert called.code == code


@pytest.mark.parametrize("bug", [RuntimeError("a bug"), ValueError("a bug"), ImportError("a bug"), KeyError("a bug")])
def test_what_is_none_of_the_kinds_is_a_bug_and_not_hidden(bug: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise bug

    monkeypatch.setattr(cli, "_dispatch", fail)
    with pytest.raises(type(bug), match="a bug"):
        call("games")


def test_a_reason_belongs_to_one_class() -> None:
    raised: dict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(name), args=[ast.Constant(str(reason)), _, *_])):
                    raised[reason].add(name)
    assert raised["unlawful-deal"] == raised["insufficient-cards"] == {"Unlawful"}
    assert raised["unwritable-file"] == {"Fault"}
    assert {reason: names for reason, names in raised.items() if len(names) > 1} == {}


def test_no_handler_of_a_refusal_raises_anything_else() -> None:
    handlers = [
        (path.name, handler)
        for path in PACKAGE.rglob("*.py")
        for handler in ast.walk(ast.parse(path.read_text()))
        if isinstance(handler, ast.ExceptHandler) and handler.type and "Refused" in ast.unparse(handler.type)
    ]
    assert handlers
    for name, handler in handlers:
        for node in ast.walk(handler):
            if isinstance(node, ast.Raise) and node.exc is not None:
                assert ast.unparse(node.exc).startswith("Refused("), f"{name} loses a reason and its clause"


def too_few_cards() -> Iterator[tuple[str, Callable[[Game], object]]]:
    def small(game: Game, cards: int) -> Shoe:
        return Shoe.of_counts(game.pack, {str(game.pack.cards[0]): cards})

    def sessions(game: Game) -> object:
        job = prepare(game, 1, small(game, 10), BurnAndCut(cut_depth=0))
        return SessionStudy(job, [find_system("flat")], "tie", SessionTerms(100, 1, 1, 100), rounds=1)

    yield "odds", lambda game: odds(game, small(game, 5))
    yield "removal", lambda game: removal(game, small(game, 6))
    yield "simulation", lambda game: prepare(game, 1, small(game, 5), BurnAndCut(cut_depth=0))
    yield "sessions", sessions


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.id))
def test_too_few_cards_for_a_round_name_their_clause_everywhere(game: Game) -> None:
    for name, ask in too_few_cards():
        with pytest.raises(Unlawful) as caught:
            ask(game)
        assert (caught.value.reason, caught.value.clause) == (
            "insufficient-cards",
            game.procedure.insufficient_cards,
        ), name
