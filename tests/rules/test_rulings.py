from dataclasses import replace

import pytest

from puntobanco import GAMES, DeclarationError, find_game
from puntobanco.rules.documents import cited
from puntobanco.rules.rulings import RULINGS, Switch, ruling_cited
from puntobanco.rules.rulings import ruling as find_ruling

MANILA = find_game("manila")
ON_EVERY_GAME = [12, 14, 15, 16, 17, 18, 19, 20, 21, 22]
"""Rounding, the round and what can go wrong in it, burn and cut, dates, currency, and what follows a mistake."""


def test_the_rulings_are_numbered_from_1_in_order() -> None:
    assert [ruling.number for ruling in RULINGS] == list(range(1, 23))


def test_a_ruling_says_itself_whether_it_concerns_every_game() -> None:
    assert [ruling.number for ruling in RULINGS if ruling.concerns_every_game] == ON_EVERY_GAME


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("baccarat-tournament", [3, 13]),
        ("fortune-six-tournament", [3, 10, 13]),
        ("six-star", [3, 4, 6, 7, 8, 9, 10]),
        ("fabulous-4", [3, 4, 5]),
        ("manila", [1, 2, 3, 10, 11]),
        ("manila-no-commission", [1, 2, 3, 10]),
    ],
)
def test_the_rulings_that_concern_a_game_are_its_own_and_those_on_every_game(name: str, own: list[int]) -> None:
    assert [ruling.number for ruling in find_game(name).applicable_rulings] == sorted(own + ON_EVERY_GAME)


def test_every_ruling_concerns_some_game() -> None:
    named = {number for game in GAMES for number in game.rulings}
    assert named | set(ON_EVERY_GAME) == {ruling.number for ruling in RULINGS}


def test_a_game_does_not_name_a_ruling_that_concerns_every_game() -> None:
    with pytest.raises(DeclarationError, match="it names ruling 15, which concerns every game"):
        replace(MANILA, rulings=(*MANILA.rulings, 15))


@pytest.mark.parametrize("clause", ["Ruling 20", "Ruling 22", "Ruling 15: 5.1", "Ruling 14: tie", "Ruling 12"])
def test_any_game_may_cite_a_ruling_that_concerns_it_where_its_document_is_silent(clause: str) -> None:
    game = find_game("six-star")
    assert clause not in game.document.clauses
    changed = replace(game, procedure=replace(game.procedure, late_wager=clause))
    assert changed.procedure.late_wager == cited(clause) == clause
    assert changed.digest != game.digest


@pytest.mark.parametrize(
    "clause", ["Ruling 23", "Ruling 0", "Ruling 020", "Ruling", "Ruling 20:", "Ruling 20 5.1", "20"]
)
def test_a_ruling_that_does_not_exist_is_no_citation(clause: str) -> None:
    assert ruling_cited(clause) is None
    with pytest.raises(DeclarationError, match=f"late_wager cites clause '{clause}', which is not in"):
        replace(MANILA, procedure=replace(MANILA.procedure, late_wager=clause))


def test_a_ruling_that_is_cited_is_on_the_rule_card() -> None:
    with pytest.raises(DeclarationError, match="decks cites 'Ruling 2', but the game does not name ruling 2"):
        replace(MANILA, rulings=(1, 3, 10, 11))


def test_technical_faults_and_results_that_stand_rest_on_rulings_in_every_document() -> None:
    for game in GAMES:
        assert (game.procedure.technical_fault, game.procedure.results_stand) == ("Ruling 20", "Ruling 22")


def test_every_ruling_has_a_title_of_its_own_a_text_and_a_reason() -> None:
    assert len({ruling.title for ruling in RULINGS}) == len(RULINGS)
    for ruling in RULINGS:
        assert ruling.text.endswith("."), ruling.number
        assert ruling.reason.endswith("."), ruling.number
        assert ruling.text != ruling.reason, ruling.number


def test_the_switches_with_their_defaults_first() -> None:
    assert {ruling.number: ruling.switch for ruling in RULINGS if ruling.switch} == {
        1: Switch("tableau", ("standard", "manila-as-printed")),
        5: Switch("element_eights", ("on-top", "instead")),
        12: Switch("rounding", ("down", "up")),
    }


def test_the_default_of_a_switch_is_its_first_option() -> None:
    assert Switch("rounding", ("down", "up")).default == "down"


@pytest.mark.parametrize("options", [(), ("down",), ("down", "down"), ("down", "up", "down")])
def test_a_switch_has_two_or_more_different_options(options: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="switch rounding needs two or more different options"):
        Switch("rounding", options)


@pytest.mark.parametrize(
    ("number", "figures"),
    [
        (1, ("0.786862%", "1.057906%")),
        (5, ("800 to 1", "808")),
        (6, ("$3,000", "$30,000", "$0.2547", "$1.78")),
        (8, ("1.2 to 1",)),
        (10, ("12 to 1", "20 to 1")),
        (11, ("5%", "95")),
        (12, ("19:20", "6:5", "1:2")),
        (13, ("1.24%",)),
        (15, ("fewer than six cards", "in the same shoe or the next", "before the round is settled", "dealer's word")),
        (17, ("14 from the end", "A void round counts as played")),
        (20, ("every wager is returned", "every patron is told", "paused at any time", "Regulation 15")),
        (21, ("owed", "settles it first", "no new wager is taken", "never negative")),
        (22, ("Once the next round has begun no round is changed", "another member of staff", "address of the round")),
    ],
)
def test_the_figures_a_ruling_rests_on_are_stated(number: int, figures: tuple[str, ...]) -> None:
    found = find_ruling(number)
    for figure in figures:
        assert figure in f"{found.text} {found.reason}"


def test_a_ruling_is_found_by_its_number() -> None:
    assert find_ruling(18).title == "Effective dates"


@pytest.mark.parametrize("number", [0, -1, 23])
def test_a_number_without_a_ruling_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"there is no ruling {number}; they are numbered 1 to 22"):
        find_ruling(number)
