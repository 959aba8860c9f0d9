"""Systems: stakes as the published definitions say, limits and ruin, and results beside the exact odds."""

import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from contract.games import every_game
from puntobanco import Game, InputError, find_game, settle
from puntobanco.odds import odds
from puntobanco.roads import parse_results, roads
from puntobanco.rules.facts import Winner, read_facts
from puntobanco.simulate import AT_A_TABLE, BurnAndCut, BurnRule, deal, jobs, prepare
from puntobanco.strategies import sessions as sessions_module
from puntobanco.strategies import systems as systems_module
from puntobanco.strategies.session_columns import COLUMNS
from puntobanco.strategies.session_results import SessionResults
from puntobanco.strategies.sessions import SessionStudy, SessionTerms
from puntobanco.strategies.systems import SYSTEMS, Bet, NamedSystem, RoundResult, State, find_system

SEED = 2_026
WIDE = State("player", 10**9, 1, 10**9, 1, 0, "")
COMPILED = pytest.mark.skipif(not jobs.available, reason="the compiled kernel was not built")
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


# --- The published definitions -----------------------------------------------------------------------------------


def stakes_of(name: str, results: str) -> list[int]:
    """What the system stakes, in units, before each of these results (W, L or a push, =) and after the last."""
    system = SYSTEMS[name].make(10)
    stakes = []
    for letter in results:
        stake = system.next_stake(WIDE)
        assert isinstance(stake, int)
        stakes.append(stake)
        net = {"W": stake, "L": -stake, "=": 0}[letter]
        system.after(RoundResult("player", stake, net, {"W": "P", "L": "B", "=": "T"}[letter]))
    last = system.next_stake(WIDE)
    assert isinstance(last, int)
    assert all(stake % 10 == 0 for stake in [*stakes, last])
    return [stake // 10 for stake in [*stakes, last]]


@pytest.mark.parametrize(
    ("name", "results", "stakes"),
    [
        ("flat", "WLL=W", [1, 1, 1, 1, 1, 1]),
        # Doubled after each loss; the first win wins back everything and one unit.
        ("martingale", "LLLW", [1, 2, 4, 8, 1]),
        ("martingale", "WL=L=WW", [1, 1, 2, 2, 4, 4, 1, 1]),
        # One up after a loss, one down after a win, never below one.
        ("dalembert", "WLLLWWWWL", [1, 1, 2, 3, 4, 3, 2, 1, 1, 2]),
        ("dalembert", "L=L=W", [1, 2, 2, 3, 3, 2]),
        # One place on after a loss, two back after a win.
        ("fibonacci", "LLLLLWWLW", [1, 1, 2, 3, 5, 8, 3, 1, 2, 1]),
        ("fibonacci", "WLWLL=LLLLLLLW", [1, 1, 1, 1, 1, 2, 2, 3, 5, 8, 13, 21, 34, 55, 21]),
        # 1-2-3-4; win: 2-3; loss of 5: 2-3-5; win: 3; win: the line is done.
        ("labouchere", "WLWWL", [5, 5, 7, 3, 5, 6]),
        # 1-2-3-4-5; loss of 6: 1-2-3-4-5-6; win: 2-3-4-5; win: 3-4; push; win: anew.
        ("labouchere", "LLWW=WW", [5, 6, 7, 7, 7, 7, 5, 5]),
        # Doubled after a win, three wins to a round.
        ("paroli", "WWWWLWL", [1, 2, 4, 1, 2, 1, 2, 1]),
        ("paroli", "W=WLWWW", [1, 2, 2, 4, 1, 2, 4, 1]),
        ("1-3-2-6", "WWWWWLWWL", [1, 3, 2, 6, 1, 3, 1, 3, 2, 1]),
        ("1-3-2-6", "W=WLWWWL", [1, 3, 3, 2, 1, 3, 2, 6, 1]),
        # -1, -2, -3, then -2, then +0 (a stake of two); one unit is wanting: a stake of one, not three.
        ("oscars-grind", "LLLWWW", [1, 1, 1, 1, 2, 1, 1]),
        # Four units down and three after a win; two lost, two won, three won: level, and one is wanting.
        ("oscars-grind", "LLLLWLWWW", [1, 1, 1, 1, 1, 2, 2, 3, 1, 1]),
        ("oscars-grind", "WW=L=W", [1, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_a_progression_stakes_as_it_is_published(name: str, results: str, stakes: list[int]) -> None:
    assert stakes_of(name, results) == stakes


@pytest.mark.parametrize("results", ["LLLWWW", "LLWLLWWWW", "LLLLWLWWW", "LWLWLLWW"])
def test_a_cycle_of_oscars_grind_ends_one_unit_ahead(results: str) -> None:
    stakes = stakes_of("oscars-grind", results)[:-1]
    profit, cycles = 0, 0
    for stake, letter in zip(stakes, results, strict=True):
        profit += stake if letter == "W" else -stake
        if profit >= 1:
            assert profit == 1
            profit, cycles = 0, cycles + 1
    assert cycles


@pytest.mark.parametrize(
    ("name", "shoe", "wager"),
    [
        ("follow", "", None),
        ("follow", "TT", None),
        ("follow", "BPT", "player"),
        ("follow", "PPBTT", "banker"),
        ("chop", "T", None),
        ("chop", "BPT", "banker"),
        ("chop", "B", "player"),
        # Columns of one and one: no mark of the Big Eye Boy yet.
        ("big-eye", "BP", None),
        ("big-eye", "BBB", None),
        # Columns 1, 1, 1: the third began after equal columns, a red mark; another turn is red again.
        ("big-eye", "BPB", "player"),
        ("big-eye", "BTPBT", "player"),
        # Columns 1, 2: the second cell lies beside the end of a column, a blue mark; a turn is blue again.
        ("big-eye", "BPP", "banker"),
        # Columns 2, 2: the second cell was red; now a repeat would be blue and a turn red.
        ("big-eye", "BBPP", "banker"),
        # Columns 2, 3: blue; a repeat would be red, a turn blue.
        ("big-eye", "BBPPP", "banker"),
    ],
)
def test_a_follower_of_roads_bets_as_the_road_says(name: str, shoe: str, wager: str | None) -> None:
    expected = 0 if wager is None else Bet(wager, 10)
    assert SYSTEMS[name].make(10).next_stake(WIDE._replace(shoe=shoe)) == expected


def test_big_eye_repeats_the_latest_colour_of_the_road_as_it_is_drawn() -> None:
    generator = np.random.default_rng(SEED)
    for _ in range(60):
        shoe = "".join(generator.choice(list("PBT"), size=int(generator.integers(1, 60)), p=[0.45, 0.45, 0.1]))
        before = roads(parse_results(shoe))
        bet = SYSTEMS["big-eye"].make(10).next_stake(WIDE._replace(shoe=shoe))
        if isinstance(bet, Bet):
            marks = roads(parse_results(shoe + bet.wager[0].upper())).big_eye_boy.marks
            assert marks == before.big_eye_boy.marks + before.big_eye_boy.marks[-1]
        else:
            assert not before.big_eye_boy.marks


# --- The table -----------------------------------------------------------------------------------------------------


def test_a_stake_keeps_to_maximum_bankroll_step_and_minimum() -> None:
    terms = SessionTerms(bankroll=10_000, base=40, minimum=40, maximum=600, step=20)
    assert terms.placed(100, 10_000) == 100
    assert terms.placed(1_000, 10_000) == 600
    assert terms.placed(1_000, 333) == 320
    assert terms.placed(119, 10_000) == 100
    assert terms.placed(5, 10_000) == 40
    assert terms.placed(0, 10_000) == 0
    assert terms.placed(40, 39) == 0


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ((100, 10, 20, 10, 1), "bad-limits"),
        ((100, 10, 10, 25, 10), "bad-limits"),
        ((100, 15, 10, 50, 10), "bad-limits"),
        ((100, 60, 10, 50, 10), "bad-limits"),
        ((100, 10, 10, 50, 0), "bad-limits"),
        ((9, 10, 10, 50, 10), "bad-bankroll"),
    ],
)
def test_terms_that_cannot_be_are_refused(numbers: tuple[int, int, int, int, int], reason: str) -> None:
    with pytest.raises(InputError) as caught:
        SessionTerms(*numbers)
    assert caught.value.reason == reason


class Recorded:
    """A patron's own system, which remembers what it was told in all sessions."""

    told: list[tuple[State, RoundResult]] = []  # noqa: RUF012

    def __init__(self, base: int) -> None:
        self.base, self.lost = base, 0

    def next_stake(self, state: State) -> int | Bet:
        self.state = state
        return 0 if state.round % 7 == 6 else 2 * self.lost or self.base

    def after(self, result: RoundResult) -> None:
        self.told.append((self.state, result))
        if result.net:
            self.lost = result.stake if result.net < 0 else 0


def study(
    names: Sequence[str | NamedSystem],
    wager: str = "banker",
    game: Game | None = None,
    rounds: int = 150,
    units: int = 30,
    step: int | None = None,
    dealing: BurnAndCut = AT_A_TABLE,
    rounds_of_a_shoe: int | None = None,
    stop_loss: int | None = None,
    win_goal: int | None = None,
) -> SessionStudy:
    game = game or find_game("manila")
    step = step or game.stake_step
    terms = SessionTerms(units * 10 * step, 10 * step, 5 * step, 120 * step, step, stop_loss, win_goal)
    systems = [find_system(name) if isinstance(name, str) else name for name in names]
    return SessionStudy(prepare(game, SEED, dealing=dealing, rounds=rounds_of_a_shoe), systems, wager, terms, rounds)


def test_sessions_are_settled_as_the_product_does_until_ruin() -> None:
    Recorded.told.clear()
    found = study([NamedSystem("recorded", Recorded)], units=8, rounds=100)
    found.play(12)
    (results,) = found.results()
    game, terms = found.job.game, found.terms
    told = iter(Recorded.told)
    for session in range(12):
        bankroll, rounds, letters, run, longest, peak, drawdown = terms.bankroll, 0, "", 0, 0, terms.bankroll, 0
        dealt = [
            (place, each.deal)
            for shoe in range(session * found.shoes_each, (session + 1) * found.shoes_each)
            for place, each in enumerate(deal(found.job, shoe))
        ]
        for place, cards in dealt[:100]:
            if bankroll < terms.minimum:
                break
            letters = letters if place else ""
            state, result = next(told)
            limits = (terms.minimum, terms.maximum, terms.step)
            assert state == ("banker", bankroll, *limits, rounds, letters)
            assert result.stake <= min(bankroll, terms.maximum)
            assert result.stake % terms.step == 0
            if result.stake:
                assert result.stake >= terms.minimum
                assert settle(game, cards, {"banker": result.stake}).net == result.net
            else:
                assert rounds % 7 == 6
                assert result.net == 0
            winner = read_facts(cards).winner
            assert result.winner == {Winner.PLAYER: "P", Winner.BANKER: "B", Winner.TIE: "T"}[winner]
            bankroll, rounds, letters = bankroll + result.net, rounds + 1, letters + result.winner
            run = run + 1 if result.net < 0 else 0 if result.net > 0 else run
            longest, peak = max(longest, run), max(peak, bankroll)
            drawdown = max(drawdown, peak - bankroll)
        played = results.played
        assert played.net[session] == bankroll - terms.bankroll
        assert played.ruined[session] == (bankroll < terms.minimum)
        assert played.longest_losing_run[session] == longest
        assert played.drawdown[session] == drawdown
    assert next(told, None) is None
    assert 0 < results.ruin.sessions < 12


# --- Whole columns and round by round ------------------------------------------------------------------------------

FIELDS = ("net", "staked", "bets", "longest_losing_run", "drawdown", "ruined", "stopped", "reached")


def assert_same(one: SessionResults, two: SessionResults) -> None:
    for name in FIELDS:
        ours, theirs = getattr(one.played, name), getattr(two.played, name)
        if name in ("staked", "bets"):  # A study of a patron's own system keeps books of every wager.
            ours, theirs = ours[ours.any(axis=1)], theirs[theirs.any(axis=1)]
        assert np.array_equal(ours, theirs), (one.system.name, name)


def test_every_system_has_its_columns() -> None:
    assert list(COLUMNS) == list(SYSTEMS)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(
    ("game", "wager", "step"),
    [("manila", "banker", 20), ("six-star", "banker", 3), ("six-star", "tie", 10)],
)
def test_columns_play_as_the_class_does(name: str, game: str, wager: str, step: int) -> None:
    # A step of three makes payments that are rounded; thirty units are lost in about half of the sessions.
    own = NamedSystem("own", SYSTEMS[name].make, SYSTEMS[name].follows_road)
    columns, classes = (study([each], wager, find_game(game), step=step) for each in (name, own))
    columns.play(40)
    classes.play(40)
    (one,), (two,) = columns.results(), classes.results()
    assert_same(one, two)
    assert one.bets > 40


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(("stop_loss", "win_goal"), [(900, None), (None, 700), (1_700, 500)])
def test_columns_leave_at_stop_loss_and_win_goal_as_the_class_does(
    name: str, stop_loss: int | None, win_goal: int | None
) -> None:
    own = NamedSystem("own", SYSTEMS[name].make, SYSTEMS[name].follows_road)
    columns, classes = (study([each], stop_loss=stop_loss, win_goal=win_goal) for each in (name, own))
    columns.play(60)
    classes.play(60)
    (one,), (two,) = columns.results(), classes.results()
    assert_same(one, two)
    assert bool(one.stopped) == (stop_loss is not None)
    assert bool(one.reached) == (win_goal is not None)


def test_a_session_ends_with_the_round_that_reaches_a_limit() -> None:
    """By the rounds as a study without limits plays them: the first that is down or up by so much is the last."""
    stop_loss, win_goal = 1_000, 600
    Recorded.told.clear()
    free = study([NamedSystem("recorded", Recorded)], "player", rounds=100)
    free.play(40)
    sessions: list[list[int]] = []
    for state, result in Recorded.told:
        if state.round == 0:
            sessions.append([])
        sessions[-1].append(state.bankroll + result.net - free.terms.bankroll)
    Recorded.told.clear()
    limited = study([NamedSystem("recorded", Recorded)], "player", rounds=100, stop_loss=stop_loss, win_goal=win_goal)
    limited.play(40)
    (results,) = limited.results()
    ends = [next((net for net in nets if net <= -stop_loss or net >= win_goal), nets[-1]) for nets in sessions]
    assert results.played.net.tolist() == ends
    assert results.stopped == sum(net <= -stop_loss for net in ends) > 0
    assert results.reached == sum(net >= win_goal for net in ends) > 0
    # Both limits are limits themselves: exactly so much is enough.
    assert {-stop_loss, win_goal} <= set(ends)


def test_leaving_early_does_not_change_the_edge() -> None:
    names = ["flat", "martingale", "1-3-2-6"]
    step = find_game("manila").stake_step
    found = study(names, rounds=200, units=60, stop_loss=200 * step, win_goal=100 * step)
    found.play(20_000 if jobs.available else 40)
    for results in found.results():
        assert results.z is not None
        assert abs(results.z) < 4
        assert results.stopped + results.reached > results.sessions / 2


@pytest.mark.parametrize(
    ("stop_loss", "win_goal", "message"),
    [
        (0, None, "A stop-loss of '0' is not a whole number from 1 on."),
        (None, -5, "A win goal of '-5' is not a whole number from 1 on."),
        (6_001, None, "A stop-loss of 6,001 is more than the bankroll of 6,000."),
    ],
)
def test_limits_of_a_patron_that_cannot_be_are_refused(
    stop_loss: int | None, win_goal: int | None, message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as refused:
        study(["flat"], stop_loss=stop_loss, win_goal=win_goal)
    assert refused.value.reason == "bad-limits"


def test_payments_are_rounded_up_where_the_reading_says_so() -> None:
    nets = {}
    for rounding in ("down", "up"):
        game = find_game("manila").read_as(rounding=rounding)
        columns = study(["martingale"], "banker", game, step=3)
        classes = study([NamedSystem("own", SYSTEMS["martingale"].make)], "banker", game, step=3)
        for each in (columns, classes):
            each.play(20)
        assert_same(columns.results()[0], classes.results()[0])
        nets[rounding] = columns.results()[0].net
    assert nets["down"] != nets["up"]


@every_game
def test_every_wager_of_every_game_can_be_played(game: Game) -> None:
    for wager in game.paytables:
        own = NamedSystem("own", SYSTEMS["flat"].make)
        columns, classes = (study([each], wager, game, rounds=60, units=10) for each in ("flat", own))
        for each in (columns, classes):
            each.play(15)
        assert_same(columns.results()[0], classes.results()[0])


# --- The same seed -------------------------------------------------------------------------------------------------


def test_results_do_not_depend_on_threads_parts_or_company(monkeypatch: pytest.MonkeyPatch) -> None:
    together = study(list(SYSTEMS), dealing=BurnAndCut(cut_depth=200))
    together.play(90, threads=2)
    monkeypatch.setattr(sessions_module, "ROUNDS_AT_ONCE", 150 * 23)
    alone = []
    for name in SYSTEMS:
        single = study([name], dealing=BurnAndCut(cut_depth=200))
        for sessions in (1, 50, 39):
            single.play(sessions, threads=1)
        alone += single.results()
    for one, two in zip(together.results(), alone, strict=True):
        assert_same(one, two)


@COMPILED
@pytest.mark.parametrize(
    ("dealing", "rounds"),
    [(AT_A_TABLE, None), (BurnAndCut(BurnRule.OFF), 9), (BurnAndCut(cut_depth=416), None)],
)
def test_the_compiled_kernel_deals_the_same_sessions(
    dealing: BurnAndCut, rounds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A cut card at the top leaves one round to a shoe, the most shoes that a session can take.
    compiled = study(["martingale", "big-eye"], rounds=40, dealing=dealing, rounds_of_a_shoe=rounds)
    compiled.play(12)
    monkeypatch.setattr(jobs, "compiled_kernel", None)
    plain = study(["martingale", "big-eye"], rounds=40, dealing=dealing, rounds_of_a_shoe=rounds)
    plain.play(12)
    for one, two in zip(compiled.results(), plain.results(), strict=True):
        assert_same(one, two)


@COMPILED
def test_the_kernel_refuses_buffers_and_shoes_that_do_not_fit() -> None:
    job = prepare(find_game("manila"), SEED)
    deal_sessions = vars(jobs.compiled_kernel)["sessions"]
    cells, fresh = np.empty(20, np.uint16), np.empty(20, np.bool_)
    for each, place in ((0, 20), (7, 20), (10, 19)):
        with pytest.raises(ValueError, match="wrong length"):
            deal_sessions(job.tables.encoded, 1, True, 14, 0, 0, 1, each, cells[:place], fresh)
    with pytest.raises(ValueError, match="do not last"):
        deal_sessions(job.tables.encoded, 1, True, 416, 0, 0, 4, 10, cells, fresh)


# --- Beside the exact odds -------------------------------------------------------------------------------------------


@COMPILED
@pytest.mark.parametrize(("game", "wager"), [("manila", "banker"), ("six-star", "player"), ("six-star", "tie")])
def test_no_system_changes_the_edge(game: str, wager: str) -> None:
    found = study(list(SYSTEMS), wager, find_game(game), rounds=250, units=100)
    found.play(2_000)
    priced = odds(found.job.game).wagers
    for results in found.results():
        assert results.z is not None
        assert results.standard_error is not None
        assert results.share_of_staked is not None
        assert results.exact_share is not None
        assert abs(results.share_of_staked - results.exact_share) < 4 * results.standard_error
        assert results.z == pytest.approx((results.share_of_staked - results.exact_share) / results.standard_error)
        assert 0 < results.standard_error < 0.2
        if results.system.follows_road:
            assert min(priced[side].ev for side in ("player", "banker")) <= results.exact_share
            assert results.exact_share <= max(priced[side].ev for side in ("player", "banker"))
        elif wager != "tie":
            assert results.exact_share == float(priced[wager].ev)
        else:  # The fixed amounts of the Tie come on top of its expected value.
            assert results.exact_share > float(priced[wager].ev)


@COMPILED
def test_a_flat_stake_has_the_exact_odds_at_that_stake_bonuses_included() -> None:
    found = study(["flat"], "tie", find_game("six-star"), rounds=20, units=100)
    found.play(50)
    (results,) = found.results()
    assert results.exact_share == pytest.approx(float(odds(found.job.game).wagers["tie"].ev_at(found.terms.base)))


def test_the_figures_are_those_of_the_sessions() -> None:
    found = study(["martingale"], units=10)
    found.play(200)
    (results,) = found.results()
    nets = results.played.net.tolist()
    assert results.sessions == 200
    assert results.mean == pytest.approx(sum(nets) / 200)
    assert results.standard_deviation == pytest.approx(float(np.std(nets, ddof=1)))
    assert results.quantile(0.5) == pytest.approx(float(np.median(nets)))
    assert results.share_ahead == sum(net > 0 for net in nets) / 200
    bars = results.histogram(10)
    assert sum(bar.sessions for bar in bars) == 200
    assert (bars[0].low, bars[-1].high) == (min(nets), max(nets))
    assert results.average_stake == results.staked / results.bets
    ruin = results.ruin
    assert ruin.sessions == sum(results.played.ruined.tolist())
    assert 0 < ruin.low < ruin.share < ruin.high < 1
    # Wilson's interval: at its ends the share found is just 1.96 standard errors away.
    for end in (ruin.low, ruin.high):
        assert abs(ruin.share - end) == pytest.approx(1.959964 * (end * (1 - end) / 200) ** 0.5)


def test_a_single_session_has_no_standard_error() -> None:
    found = study(["flat"], rounds=20)
    found.play(1)
    (results,) = found.results()
    assert results.z is None
    assert results.ruin.low == 0
    assert results.ruin.high < 1


def test_sessions_without_a_bet_have_no_share() -> None:
    found = study(["big-eye"], rounds=2)
    found.play(5)
    (results,) = found.results()
    assert results.bets == results.staked == 0
    assert results.share_of_staked is results.exact_share is results.standard_error is results.z is None
    assert results.average_stake == 0


# --- A patron's own --------------------------------------------------------------------------------------------------


def test_the_example_of_the_documentation_can_be_played(tmp_path: Path) -> None:
    text = systems_module.__doc__ or ""
    lines = [line for line in text.splitlines() if line.startswith("    ") or not line]
    start = next(place for place, line in enumerate(lines) if "class AfterAWin" in line)
    example = dedent("\n".join(lines[start:])).strip()
    assert len([line for line in example.splitlines() if line]) <= 10
    path = tmp_path / "own.py"
    path.write_text(f"from puntobanco.strategies.systems import RoundResult, State\n\n{example}\n")
    system = find_system(f"{path}:AfterAWin")
    stakes = []
    made = system.make(10)
    for net in (10, -20, 0, 10, 0):
        stakes.append(made.next_stake(WIDE))
        made.after(RoundResult("player", 10, net, "P"))
    assert stakes == [10, 20, 10, 10, 20]
    found = study([system, "flat"], rounds=40)
    found.play(5)
    own, flat = found.results()
    assert own.staked > flat.staked
    assert own.system.name == f"{path}:AfterAWin"


def own_file(tmp_path: Path, body: str) -> str:
    path = tmp_path / "own.py"
    path.write_text(body)
    return f"{path}:Own"


METHODS = """
class Own:
    def __init__(self, base):
        pass
    def next_stake(self, state):
        {stake}
    def after(self, result):
        {after}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("class Own(:", "does not run: SyntaxError"),
        ("\0", "does not run: "),
        ("import no_such_module_at_all", "does not run: ModuleNotFoundError: No module named"),
        ("class Owm:\n    pass", "has no class 'Own'; it has Owm."),
        ("", "has no class 'Own'; it has none."),
        ("Own = 3", "has no class 'Own'"),
        ("class Own:\n    def after(self, result):\n        pass", "The class Own has no method next_stake"),
        ("class Own:\n    def next_stake(self, state):\n        return 1", "The class Own has no method after"),
    ],
)
def test_a_file_without_a_system_is_refused(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        find_system(own_file(tmp_path, body))
    assert caught.value.reason == "bad-system"
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("stake", "after", "message"),
    [
        ("return 1.5", "pass", "The system own.py:Own wants to stake '1.5': a stake is a whole number"),
        ("return None", "pass", "wants to stake 'None'"),
        ("return True", "pass", "wants to stake 'True'"),
        ("return -20", "pass", "wants to stake '-20'"),
        ("from puntobanco.strategies.systems import Bet; return Bet('plyer', 20)", "pass", "did you mean player?"),
        ("return 1 // 0", "pass", "failed in round 1 of a session: ZeroDivisionError: "),
        ("return 200", "raise KeyError", "failed in round 1 of a session: KeyError."),
    ],
)
def test_a_system_that_fails_is_told_in_a_sentence(stake: str, after: str, message: str, tmp_path: Path) -> None:
    found = study([find_system(own_file(tmp_path, METHODS.format(stake=stake, after=after)))])
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        found.play(1)
    assert caught.value.reason == "bad-system"
    assert "\n" not in caught.value.message


def test_a_system_is_made_with_the_base_stake(tmp_path: Path) -> None:
    body = METHODS.format(stake="return 20", after="pass").replace("self, base", "self")
    with pytest.raises(InputError, match="failed in round 1 of a session: TypeError"):
        study([find_system(own_file(tmp_path, body))]).play(1)


def test_an_own_system_may_bet_on_any_wager(tmp_path: Path) -> None:
    stake = "from puntobanco.strategies.systems import Bet; return Bet('tie', 200) if state.round % 2 else 400"
    found = study([find_system(own_file(tmp_path, METHODS.format(stake=stake, after="pass")))], rounds=20)
    found.play(4)
    (results,) = found.results()
    staked = dict(zip(results.wagers, results.played.staked.sum(axis=1).tolist(), strict=True))
    assert {wager: money for wager, money in staked.items() if money} == {"banker": 16_000, "tie": 8_000}
    priced = odds(found.job.game).wagers
    assert results.expected == 16_000 * priced["banker"].ev + 8_000 * priced["tie"].ev


@pytest.mark.parametrize(
    ("name", "reason", "message"),
    [
        ("martingal", "unknown-system", "did you mean martingale?"),
        ("nothing.py:Own", "unreadable-file", "cannot be read"),
        ("own.txt:Own", "unknown-system", "There is no system"),
    ],
)
def test_a_system_that_is_not_there(name: str, reason: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        find_system(name)
    assert caught.value.reason == reason


def test_an_unknown_wager_and_too_much_money_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean banker"):
        study(["flat"], "bankr")
    found = study(["flat"], step=10**9)
    with pytest.raises(InputError, match="64 bits"):
        found.play(10**9)


def test_descriptions_are_one_sentence_each() -> None:
    for system in SYSTEMS.values():
        assert len(system.description) > 20
        assert system.description.endswith(".")
