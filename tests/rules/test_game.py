"""Declarations that are wrong do not construct, and say what is wrong."""

from dataclasses import fields, replace

import pytest

from puntobanco import DeclarationError, Game, InputError, find_game
from puntobanco.cards import STANDARD_PACK
from puntobanco.rules.conditions import (
    BANKER_PAIR,
    BANKER_TOTAL,
    BANKER_WINS,
    ONE_SUIT,
    PLAYER_RANKS,
    PLAYER_TOTAL,
    PLAYER_WINS,
    TIE,
    WINNER,
    Condition,
    Subject,
)
from puntobanco.rules.game import Decks, Procedure
from puntobanco.rules.wagers import Line, Ratio, Wager, fixed, pays, push

GAME = find_game("baccarat-tournament")
SIX_STAR = find_game("six-star")


def with_lines(*lines: Line, bonuses: tuple[Line, ...] = ()) -> Game:
    tie = Wager("tie", "Tie", clause="2.2.3", lines=lines, bonuses=bonuses)
    return replace(GAME, wagers=tuple(tie if wager.id == "tie" else wager for wager in GAME.wagers))


def test_a_right_declaration_constructs() -> None:
    line = pays("9:1", "Tie", TIE, clause="4.1")
    assert with_lines(line).paytables["tie"].lines == (line,)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ((), "wager 'tie' has no line"),
        ((pays("8:1", "Tie", TIE, clause="4.9"),), "cites clause '4.9', which is not in Baccarat Tournament"),
        ((pays("8:1", "Tie", TIE, clause=""),), "cites clause '', which is not in"),
        (
            (pays("8:1", "Tie", TIE, clause="4.1"), pays("9:1", "Level", TIE, clause="4.1")),
            "line 'Level' of 'tie' can never decide",
        ),
        (
            (
                pays("8:1", "Any", BANKER_WINS, clause="4.1"),
                pays("9:1", "Six", BANKER_WINS & BANKER_TOTAL.is_(6), clause="4.1"),
            ),
            "line 'Six' of 'tie' can never decide",
        ),
        ((pays("8:1", "Nine beaten", PLAYER_WINS & BANKER_TOTAL.is_(9), clause="4.1"),), "'Nine beaten' of 'tie' can"),
        (
            (pays("8:1", "Level", TIE & PLAYER_TOTAL.is_(3) & BANKER_TOTAL.is_(4), clause="4.1"),),
            "line 'Level' of 'tie' can never decide",
        ),
        (
            (pays("8:1", "Tie", TIE, clause="4.1"), pays("9:1", "Tie", BANKER_WINS, clause="4.1")),
            "two lines of 'tie' have the label 'Tie'",
        ),
        ((pays("8:1", " ", TIE, clause="4.1"),), "have the label ' '"),
        ((fixed(5, "Tie", TIE, clause="4.1"),), "pays a fixed amount; only a bonus does"),
        ((pays("8:1", "Fire", ONE_SUIT.is_("f"), clause="4.1"),), "reads one_suit 'f', which the 52-card pack"),
        ((pays("8:1", "Stars", PLAYER_RANKS.is_("SLF"), clause="4.1"),), "player_ranks 'SLF', which the 52-card"),
        ((pays("8:1", "Luk", BANKER_PAIR.is_("L"), clause="4.1"),), "banker_pair 'L', which the 52-card"),
        ((pays("8:1", "Tie", TIE, clause="4.1", reading=("rounding", "sideways")),), "unknown reading"),
        ((pays("8:1", "Tie", TIE, clause="4.1", reading=("colour", "red")),), "unknown reading"),
    ],
)  # fmt: skip
def test_wrong_lines(lines: tuple[Line, ...], fault: str) -> None:
    with pytest.raises(DeclarationError, match=fault):
        with_lines(*lines)


def test_wrong_bonuses() -> None:
    tie = pays("8:1", "Tie", TIE, clause="4.1")
    with pytest.raises(DeclarationError, match="bonus 'More' of 'tie' pays nothing"):
        with_lines(tie, bonuses=(push("More", TIE, clause="4.1"),))
    with pytest.raises(DeclarationError, match="cannot be told apart"):
        with_lines(tie, bonuses=(fixed(1, "One", TIE, clause="4.1"), fixed(2, "Two", TIE, clause="4.1")))
    with pytest.raises(DeclarationError, match="a positive amount, not 0"):
        fixed(0, "Nothing", TIE, clause="4.1")


@pytest.mark.parametrize(
    "more",
    [BANKER_WINS, BANKER_WINS & BANKER_PAIR.exists(), TIE & PLAYER_TOTAL.is_(3) & BANKER_TOTAL.is_(4)],
    ids=str,
)
def test_a_bonus_that_can_never_be_paid(more: Condition) -> None:
    tie, four = pays("8:1", "Tie", TIE, clause="4.1"), push("Four", BANKER_TOTAL.is_(4), clause="4.1")
    six = fixed(1, "Six", PLAYER_TOTAL.is_(6), clause="4.1")
    never = pays("1:1", "More", more, clause="4.1")
    assert with_lines(tie, four, bonuses=(six,))
    # Nothing comes on top of a line that only gives the stake back, either.
    for lines in ((tie,), (tie, four)):
        with pytest.raises(DeclarationError, match="bonus 'More' of 'tie' can never be paid"):
            with_lines(*lines, bonuses=(six, never))


@pytest.mark.parametrize("ratio", ["8", "8:0", "0:1", "-1:1", "1.2:1", "8 : 1", "8:1:1", "", "8/1", "08:1"])
def test_unreadable_ratios(ratio: str) -> None:
    with pytest.raises(DeclarationError, match="is not a payment"):
        pays(ratio, "Tie", TIE, clause="4.1")


def test_wrong_layouts() -> None:
    with pytest.raises(DeclarationError, match="names an unknown wager 'dragon'"):
        replace(GAME, layout=GAME.layout + " dragon")
    with pytest.raises(DeclarationError, match="names wager 'tie' 2 times"):
        replace(GAME, layout=GAME.layout + " tie")
    with pytest.raises(DeclarationError, match="names wager 'tie' 0 times"):
        replace(GAME, layout="player-pair banker-pair\nplayer banker")


def test_a_wager_is_printed_in_the_column_that_it_stands_in() -> None:
    assert SIX_STAR.printed_rows == (
        ("player-pair", "element-bonus", "banker-pair"),
        ("player", "tie", "banker"),
        (None, "fortune-six", None),
    )
    # A row in no column is printed across.
    uneven = replace(GAME, layout="player-pair tie banker-pair\n  player banker")
    assert uneven.printed_rows == (("player-pair", "tie", "banker-pair"), ("player", "banker"))


def test_wrong_names_decks_rulings_and_clauses() -> None:
    with pytest.raises(DeclarationError, match="not lower-case words"):
        replace(GAME, id="Baccarat Tournament")
    with pytest.raises(DeclarationError, match="wager 'banker' is declared twice"):
        replace(GAME, wagers=(*GAME.wagers, GAME.wagers[0]))
    with pytest.raises(DeclarationError, match="has no wager"):
        replace(GAME, wagers=(), layout="")
    with pytest.raises(DeclarationError, match="is not a range of decks"):
        replace(GAME, decks=Decks(4, 6))
    for currencies in ((), ("sgd",), ("SGD", "dollars")):
        with pytest.raises(DeclarationError, match=r"currencies .* are not one or more codes"):
            replace(GAME, currencies=currencies)
    with pytest.raises(DeclarationError, match="there is no ruling 99"):
        replace(GAME, rulings=(99,))
    with pytest.raises(DeclarationError, match=r"procedure's tie cites clause '9\.9'"):
        replace(GAME, procedure=replace(GAME.procedure, tie="9.9"))
    with pytest.raises(DeclarationError, match="reads player_suit 'f', which the 52-card pack"):
        replace(SIX_STAR, pack=STANDARD_PACK, wagers=(SIX_STAR.wagers[2],), layout="tie")


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("banker_total", 10), ("banker_total", "6"), ("banker_total", True), ("player_cards", 4), ("cards", 3),
        ("winner", "dealer"), ("player_pair", "10"), ("player_suit", "x"), ("player_ranks", "FLS"),
        ("player_ranks", "S"), ("colour", "red"),
    ],
)  # fmt: skip
def test_conditions_that_can_never_hold_do_not_construct(fact: str, value: str | int) -> None:
    with pytest.raises(DeclarationError):
        Subject(fact).is_(value)


def test_a_condition_needs_a_value() -> None:
    with pytest.raises(DeclarationError, match="at least one value"):
        WINNER.is_()


def test_conditions_read_as_sentences() -> None:
    condition = (BANKER_WINS | TIE) & ~BANKER_TOTAL.is_(6, 7) & BANKER_PAIR.is_(None)
    assert str(condition) == (
        "(winner is banker or winner is tie) and not (banker total is 6 or 7) and banker pair is none"
    )


def test_readings() -> None:
    game = find_game("fabulous-4")
    assert game.reading == {"element_eights": "on-top", "rounding": "down"}
    assert [line.label for line in game.paytables["tie"].lines] == ["Tie"]
    instead = game.read_as(element_eights="instead")
    assert [line.label for line in instead.paytables["tie"].lines] == ["Tie on Element Eights", "Tie"]
    assert instead.paytables["tie"].bonuses == ()
    with pytest.raises(
        InputError, match=r"no reading element_eights = both; it has element_eights = on-top \| instead"
    ):
        game.read_as(element_eights="both")
    with pytest.raises(InputError, match="no reading tableau = standard"):
        game.read_as(tableau="standard")


def test_the_manila_tableau_can_be_read_as_printed() -> None:
    game = find_game("manila")
    assert game.tableau.name == "standard"
    assert game.read_as(tableau="manila-as-printed").tableau.player_draws == "0-4"


def test_fixed_bonuses_are_settings_of_a_table() -> None:
    other = SIX_STAR.with_bonuses({"6 Stars": 5})
    assert [str(line.pays) for line in other.fixed_bonuses] == ["fixed 300000", "fixed 5"]
    assert other.digest != SIX_STAR.digest
    with pytest.raises(InputError, match="no fixed bonus 'Seven Stars'"):
        SIX_STAR.with_bonuses({"Seven Stars": 5})
    with pytest.raises(InputError, match="whole number from 1"):
        SIX_STAR.with_bonuses({"6 Stars": 0})


def test_a_fixed_bonus_is_known_by_its_label() -> None:
    """Its amount is set and written by the label alone, so no other fixed bonus of the game has it, of no wager."""
    banker, _, tie, *_ = SIX_STAR.wagers

    def with_bonus(line: Line) -> Game:
        return replace(SIX_STAR, wagers=(replace(banker, bonuses=(line,)), *SIX_STAR.wagers[1:]))

    said = r"two fixed bonuses, of 'banker' and of 'tie', have the label '6 Stars'; give each its own\."
    with pytest.raises(DeclarationError, match=said):
        with_bonus(fixed(7, "6 Stars", BANKER_WINS, clause="4.3"))
    # A ratio has no amount to set, and stays one.
    game = with_bonus(pays("2:1", "6 Stars", BANKER_WINS, clause="4.3")).with_bonuses({"6 Stars": 5})
    assert [str(line.pays) for line in game.paytables["banker"].bonuses] == ["2:1"]
    assert game.fixed_amounts["6 Stars"] == 5
    # Under two readings of one wager it would be two amounts as well.
    twice = tuple(
        replace(tie.bonuses[1], when=when, reading=("rounding", option))
        for option, when in (("down", tie.bonuses[0].when), ("up", tie.bonuses[1].when))
    )
    with pytest.raises(DeclarationError, match="of 'tie' and of 'tie', have the label '6 Stars'"):
        replace(
            SIX_STAR, wagers=tuple(replace(tie, bonuses=twice) if each is tie else each for each in SIX_STAR.wagers)
        )


def test_stake_steps() -> None:
    steps = {"baccarat-tournament": 1, "six-star": 10, "fabulous-4": 2, "manila": 20, "manila-no-commission": 2}
    assert {name: find_game(name).stake_step for name in steps} == steps


def test_rounding_of_a_payment_that_is_not_whole() -> None:
    commission = Ratio(19, 20)
    assert [commission.amount(stake, "down") for stake in (1, 20, 21, 100)] == [0, 19, 19, 95]
    assert [commission.amount(stake, "up") for stake in (1, 20, 21, 100)] == [1, 19, 20, 95]


def test_an_unknown_game_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no game 'sixstar'; did you mean six-star\?"):
        find_game("sixstar")
    with pytest.raises(InputError, match="there are baccarat-tournament, fortune-six-tournament, six-star"):
        find_game("roulette")


@pytest.mark.parametrize("step", [field.name for field in fields(Procedure)])
def test_the_digest_covers_the_clause_of_every_step(step: str) -> None:
    changed = replace(GAME, procedure=replace(GAME.procedure, **{step: "Ruling 12"}))
    assert changed.digest != GAME.digest


def test_a_game_is_found_among_those_that_are_given() -> None:
    own = replace(GAME, id="own-game")
    assert find_game("own-game", (SIX_STAR, own)) is own
    with pytest.raises(InputError, match=r"no game 'manila'; there are six-star, own-game\.$"):
        find_game("manila", (SIX_STAR, own))
