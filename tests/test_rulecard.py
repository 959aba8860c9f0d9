"""The rule card as data and words, of every game and of one that the package does not know."""

import json
from dataclasses import replace
from typing import Any

import pytest

from contract.ez_baccarat import EZ_BACCARAT
from contract.games import every_game
from puntobanco import Game, find_game
from puntobanco.rulecard import (
    card_values,
    card_values_line,
    decks_line,
    document_line,
    payment_words,
    rule_card,
    summary,
    tableau_rows,
    totals_in_words,
)
from puntobanco.rules.game import Decks
from puntobanco.rules.wagers import Fixed
from puntobanco.tableau import DrawRule

SIX_STAR = find_game("six-star")


@pytest.mark.parametrize(
    ("cell", "words"), [("8-9", "8 or 9"), ("0-5", "0 to 5"), ("0-4 6", "0 to 4, 6"), ("7", "7"), ("", "")]
)
def test_the_totals_of_a_cell_in_words(cell: str, words: str) -> None:
    assert totals_in_words(cell) == words


def as_json(data: dict[str, object]) -> dict[str, Any]:
    """What a program reads that is given the data as JSON."""
    read: dict[str, Any] = json.loads(json.dumps(data))
    return read


def test_a_game_in_a_list_of_games() -> None:
    assert summary(find_game("manila")) == {
        "game": "manila",
        "name": "Baccarat, City of Dreams Manila",
        "document": {
            "publisher": "City of Dreams Manila",
            "title": "Baccarat: Rules and Guidelines",
            "version": None,
            "effective": None,
        },
        "pack": "52",
        "decks": {"minimum": 4, "maximum": 10, "default": 8},
        "wagers": ["player", "banker", "banker-pair", "player-pair", "tie", "super-six"],
        "switches": {"tableau": ["standard", "manila-as-printed"], "rounding": ["down", "up"]},
        "digest": find_game("manila").digest,
    }


@every_game
def test_the_card_is_the_summary_and_the_rules(game: Game) -> None:
    card = as_json(rule_card(game))
    added = ["reading", "card_values", "tableau", "layout", "rulings"]
    assert list(card) == [*summary(game), *added]
    assert {name: card[name] for name in card if name not in (*added, "wagers")} == {
        name: value for name, value in as_json(summary(game)).items() if name != "wagers"
    }


@every_game
def test_the_card_has_every_spot_once_and_every_line_with_its_payment_and_clause(game: Game) -> None:
    card = as_json(rule_card(game))
    assert sorted(spot for row in card["layout"] for spot in row if spot) == sorted(card["wagers"])
    assert [[spot for spot in row if spot] for row in card["layout"]] == [list(row) for row in game.rows]
    for wager in game.paytables.values():
        shown = card["wagers"][wager.id]
        assert (shown["name"], shown["clause"]) == (wager.name, wager.clause)
        for lines, declared in ((shown["lines"], wager.lines), (shown["bonuses"], wager.bonuses)):
            assert len(lines) == len(declared)
            for line, rule in zip(lines, declared, strict=True):
                paid = (
                    {"amount": rule.pays.money} if isinstance(rule.pays, Fixed) else {"pays": str(rule.pays or "push")}
                )
                assert line == {"line": rule.label, "clause": rule.clause, "when": str(rule.when), **paid}


@every_game
def test_the_card_says_by_which_clause_each_step_of_a_deal_is_taken(game: Game) -> None:
    clauses = as_json(rule_card(game))["tableau"]["clauses"]
    for rule in (DrawRule.INITIAL_DEAL, DrawRule.NATURAL, DrawRule.PLAYER_DRAWS, DrawRule.PLAYER_STOOD):
        assert clauses[rule.value.replace(" ", "_")] == game.procedure.draw(rule)
    assert clauses["banker_draws"] == game.procedure.draw(DrawRule.BANKER_DRAWS)
    assert (clauses["winner"], clauses["tie"]) == (game.procedure.winner, game.procedure.tie)


@every_game
def test_the_rulings_of_the_card_are_those_that_concern_the_game(game: Game) -> None:
    assert [(ruling["number"], ruling["text"], ruling["reason"]) for ruling in as_json(rule_card(game))["rulings"]] == [
        (ruling.number, ruling.text, ruling.reason) for ruling in game.applicable_rulings
    ]


def test_the_lines_of_a_wager_on_the_card() -> None:
    assert as_json(rule_card(EZ_BACCARAT))["wagers"]["banker"]["lines"] == [
        {
            "line": "Banker wins with seven on three cards",
            "clause": "Banker 2",
            "when": "winner is banker and banker total is 7 and banker cards is 3",
            "pays": "push",
        },
        {"line": "Banker wins otherwise", "clause": "Banker 1", "when": "winner is banker", "pays": "1:1"},
        {"line": "Tie returns the Banker wager", "clause": "Baccarat 8", "when": "winner is tie", "pays": "push"},
    ]
    assert [bonus["amount"] for bonus in as_json(rule_card(SIX_STAR))["wagers"]["tie"]["bonuses"]] == [
        300_000,
        3_000_000,
    ]


def test_the_card_is_that_of_the_reading_in_force() -> None:
    game = find_game("fabulous-4").read_as(element_eights="instead", rounding="up")
    card = as_json(rule_card(game))
    assert card["reading"] == {"element_eights": "instead", "rounding": "up"}
    assert [line["pays"] for line in card["wagers"]["tie"]["lines"]] == ["800:1", "8:1"]
    assert card["wagers"]["tie"]["bonuses"] == []
    printed = as_json(rule_card(find_game("manila").read_as(tableau="manila-as-printed")))
    assert printed["tableau"]["name"] == "manila-as-printed"
    assert printed["tableau"]["player_draws"] == "0-4"
    assert printed["tableau"]["banker_draws"]["3"] == "0-7 9"


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("baccarat-tournament", "Marina Bay Sands, Baccarat Tournament, version 5, in force from 2017-02-17"),
        ("six-star", "Marina Bay Sands, 6 Star No Commission Baccarat, in force from 2017-03-17"),
        ("fabulous-4", "Marina Bay Sands, Fa Fa Fabulous 4 Baccarat, version 2, in force from 2019-05-09 17:00"),
        ("manila", "City of Dreams Manila, Baccarat: Rules and Guidelines"),
    ],
)
def test_a_document_is_cited_with_the_version_and_date_that_it_has(game: str, line: str) -> None:
    assert document_line(find_game(game)) == line


@pytest.mark.parametrize(
    ("decks", "line"), [(Decks(6, 8), "6 to 8 decks"), (Decks(8, 8), "8 decks"), (Decks(1, 1, 1), "1 deck")]
)
def test_how_many_decks_in_words(decks: Decks, line: str) -> None:
    assert decks_line(replace(EZ_BACCARAT, decks=decks)) == line


@every_game
def test_the_rows_of_the_tableau_are_what_the_tableau_decides(game: Game) -> None:
    rows = list(tableau_rows(game))
    assert [row[0] for row in rows] == [str(points) for points in range(10)]
    assert [row[1] for row in rows] == ["draws"] * 6 + ["stands"] * 2 + ["natural: no more cards"] * 2
    assert [row[2] for row in rows] == ["draws"] * 6 + ["stands"] * 2 + ["natural"] * 2
    thirds = ["of 0-9"] * 3 + ["of 0-7, 9", "of 2-7", "of 4-7", "of 6-7", "never"]
    assert [row[3] for row in rows] == thirds + [f"no cards are drawn ({game.procedure.natural})"] * 2


def test_the_rows_of_another_reading_of_the_tableau() -> None:
    rows = list(tableau_rows(find_game("manila").read_as(tableau="manila-as-printed")))
    assert [row[1] for row in rows][4:6] == ["draws", "stands"]


def test_payments_in_words() -> None:
    tie, element = SIX_STAR.paytables["tie"], SIX_STAR.paytables["element-bonus"]
    assert [payment_words(tie, line) for line in tie.all_lines] == ["8 to 1", "+ 300,000", "+ 3,000,000"]
    assert [payment_words(element, line) for line in element.all_lines] == ["50 to 1", "500 to 1", "5,000 to 1"]
    banker = SIX_STAR.paytables["banker"]
    assert [payment_words(banker, line) for line in banker.all_lines] == ["1 to 2", "6 to 5", "1 to 1", "push"]
    on_top = find_game("fabulous-4").paytables["tie"]
    assert [payment_words(on_top, line) for line in on_top.all_lines] == ["8 to 1", "+ 800 to 1"]


@every_game
def test_the_card_has_the_value_of_each_rank(game: Game) -> None:
    values = as_json(rule_card(game))["card_values"]
    assert values == card_values(game.pack)
    assert list(values.values()) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    for card in game.pack.cards:
        assert values[game.pack.rank_names.get(card.rank, card.rank)] == card.points


def test_the_values_on_a_line() -> None:
    assert card_values_line(find_game("manila").pack) == (
        "Cards count Ace 1, 2 to 9 as printed, Ten Jack Queen King 0; 15 counts as 5."
    )
    assert card_values_line(SIX_STAR.pack) == (
        "Cards count Ace 1, 2 to 9 as printed, Ten Sau Luk Fuk 0; 15 counts as 5."
    )
