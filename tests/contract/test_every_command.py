"""Every command runs on every game, also on one that is not in the registry but is given to `main`."""

import io
import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from command_line import Called, call, one_sentence
from contract.ez_baccarat import EZ_BACCARAT
from contract.games import EVERY_GAME, every_game
from puntobanco import GAMES, Deal, Game, settle
from puntobanco.cli import COMMANDS
from puntobanco.odds import odds
from puntobanco.provenance import Provenance
from puntobanco.rulecard import rule_card, summary
from reference.deals import random_deals

DATA = {
    "odds": "{game} --json",
    "removal": "{game} --json",
    "compare": "{game} {game}:rounding=up --json",
    "counting": "{game} tie --shoes 2 --json",
    "simulate": "{game} --shoes 20 --threads 1 --json",
    "systems": "{game} --system flat --rounds 20 --sessions 50 --threads 1 --json",
}
"""How the commands are called whose figures other tests hold to the truth: here they only have to come."""


def called(command: str, *arguments: str) -> Called:
    found = call(command, *arguments, games=EVERY_GAME)
    assert (found.code, found.err) == (0, "")
    return found


def data_of(command: str, *arguments: str) -> Any:
    return json.loads(called(command, *arguments).out)


def test_every_command_about_a_game_is_called_here() -> None:
    # Roads are drawn of results, transcripts are verified and records are kept, whatever the game; the service and its
    # tables of every game are in tests/cli/test_service_commands.py.
    about_no_game = {"roads", "verify", "audit", "export", "import", "serve", "staff", "table"}
    assert {*DATA, *about_no_game, "games", "rules", "settle", "parsheet", "play", "rng"} == COMMANDS.keys()


@pytest.mark.parametrize("command", DATA)
@every_game
def test_figures(game: Game, command: str) -> None:
    found = data_of(command, *DATA[command].format(game=game.id).split())
    assert game.id in json.dumps(found)
    if command == "odds":
        assert {name: wager["ev"] for name, wager in found["wagers"].items()} == {
            name: str(wager.ev) for name, wager in odds(game).wagers.items()
        }


@every_game
def test_rules_and_games(game: Game) -> None:
    made = {"provenance": Provenance(game).as_json()}
    assert data_of("rules", game.id, "--json") == json.loads(json.dumps(rule_card(game) | made))
    assert json.loads(json.dumps(summary(game) | made)) in data_of("games", "--json")
    drawn = " ".join(called("rules", game.id, "--clauses").out.split())
    assert all(f"{clause} {' '.join(words.split())}" in drawn for clause, words in game.document.clauses.items())
    assert all(f"{ruling.number}. {ruling.title}." in drawn for ruling in game.applicable_rulings)


@every_game
def test_settle(game: Game) -> None:
    stakes = dict.fromkeys(game.paytables, 20)
    wagers = [word for wager in stakes for word in ("--wager", f"{wager}=20")]
    for player, banker in random_deals(len(game.pack), 5, seed=3):
        deal = Deal(tuple(map(game.pack.card, player)), tuple(map(game.pack.card, banker)))
        found = data_of("settle", game.id, str(deal), *wagers, "--json")
        assert found.items() >= settle(game, deal, stakes).as_json().items()
        assert found["provenance"] == Provenance(game).as_json()


@every_game
def test_parsheet(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    called("parsheet", game.id, "-o", str(path))
    sheet = unescape(path.read_text(encoding="utf-8"))
    assert game.digest in sheet
    for wager in game.paytables.values():
        assert all(line.label in sheet and line.clause in sheet for line in wager.lines + wager.bonuses)


@every_game
def test_play(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    minimum = 100 * game.stake_step
    typed = [f"{wager} {minimum}" for wager in game.paytables] + ["deal", "rules", "roads", "quit", ""]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed)))
    shown = called("play", game.id, "--seed", "1").out
    assert f"On the felt: {game.wagers[0].name} {minimum:,}" in shown
    assert "No more bets" in shown
    assert all(wager.name in shown for wager in game.paytables.values())
    assert "Goodbye: 1 round" in shown


@every_game
def test_rng(game: Game) -> None:
    drawn = called("rng", "dump", "--shoes", "1", "--game", game.id, "--seed", "1").out.split()
    assert sorted(drawn) == sorted([*map(str, game.pack.cards)] * game.decks.default)


def test_a_game_that_is_given_to_main_is_listed_and_suggested() -> None:
    listed = json.loads(call("games", "--json", games=EVERY_GAME).out)
    assert [each["game"] for each in listed] == [game.id for game in (*GAMES, EZ_BACCARAT)]
    assert one_sentence(call("rules", "ez-bacarat", games=EVERY_GAME)).endswith("did you mean ez-baccarat?")
    assert "ez-baccarat" not in one_sentence(call("rules", "ez-bacarat"))
    assert "There is no game 'ez-baccarat'" in one_sentence(call("compare", "manila", "ez-baccarat"))
