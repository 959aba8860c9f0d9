"""What every registered game must satisfy. A new game passes these before anything else is asked of it."""

import json
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from contract.ez_baccarat import EZ_BACCARAT
from contract.games import EVERY_GAME, every_game
from puntobanco import Deal, Game, InputError, find_game, settle
from puntobanco.cards import Card
from puntobanco.cli.settle import as_json_line
from puntobanco.rules.facts import read_facts
from puntobanco.rules.wagers import Fixed, Ratio
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    Command,
    DealCard,
    Event,
    OpenBetting,
    OpenShoe,
    Phase,
    PlaceWager,
    RoundSettled,
    SettleRound,
    Table,
    TableOpened,
    TableSettings,
    decide,
    replay,
)
from reference.deals import random_deals
from reference.settlement import lawful
from table.here import HERE, meant
from table.playthrough import Playthrough

WAGERS = {
    "baccarat-tournament": "banker player tie player-pair banker-pair",
    "fortune-six-tournament": "banker player tie player-pair banker-pair fortune-six",
    "six-star": "banker player tie player-pair banker-pair fortune-six element-bonus",
    "fabulous-4": "player banker tie player-precious-pair banker-precious-pair player-fabulous-4 banker-fabulous-4",
    "manila": "player banker banker-pair player-pair tie super-six",
    "manila-no-commission": "player banker banker-pair player-pair tie super-six",
}


def deals_of(game: Game, count: int = 3_000) -> list[Deal]:
    printed = game.tableau.name == "manila-as-printed"
    return [
        Deal(tuple(map(game.pack.card, player)), tuple(map(game.pack.card, banker)))
        for player, banker in random_deals(len(game.pack), count, seed=5, printed_manila=printed)
    ]


@pytest.mark.parametrize("name", WAGERS)
def test_people_script_against_the_ids_of_games_and_wagers(name: str) -> None:
    assert " ".join(find_game(name).paytables) == WAGERS[name]


@every_game
def test_a_game_is_found_by_its_id(game: Game) -> None:
    assert find_game(game.id, EVERY_GAME) is game
    assert game.id == EZ_BACCARAT.id or find_game(game.id) is game


def test_a_game_that_is_declared_outside_the_package_is_not_registered() -> None:
    with pytest.raises(InputError, match="no game 'ez-baccarat'"):
        find_game(EZ_BACCARAT.id)


@every_game
def test_every_ruling_that_a_declaration_calls_for_concerns_the_game(game: Game) -> None:
    concerned = {ruling.number for ruling in game.applicable_rulings}
    tests = [test for wager in game.wagers for line in wager.lines + wager.bonuses for test in line.when.tests()]
    # Ruling 3 says what a pair is, and a switch is explained by the ruling that made it.
    assert (3 in concerned) == any(test.fact in ("player_pair", "banker_pair") for test in tests)
    assert (13 in concerned) == (game.chips_only is not None)
    switches = {ruling.switch.name for ruling in game.applicable_rulings if ruling.switch}
    assert switches == game.switches.keys()


@every_game
def test_every_clause_is_in_the_document_and_every_wager_once_on_the_felt(game: Game) -> None:
    for wager in game.wagers:
        assert wager.clause in game.document.clauses
        assert wager.clause not in game.document.not_software
        assert sum(row.count(wager.id) for row in game.rows) == 1
        for line in wager.lines + wager.bonuses:
            assert line.clause in game.document.clauses
            assert line.clause not in game.document.not_software


@every_game
def test_readings_change_the_digest_and_nothing_is_lost_on_the_way_back(game: Game) -> None:
    for name, options in game.switches.items():
        digests = {game.read_as(**{name: option}).digest for option in options}
        assert len(digests) == len(options) >= 2
        assert game.read_as(**{name: options[-1]}).read_as(**{name: options[0]}) == game


def test_games_are_told_apart_by_their_digests() -> None:
    assert len({game.digest for game in EVERY_GAME}) == len(EVERY_GAME)


@every_game
def test_the_digest_is_the_same_in_another_process(game: Game) -> None:
    code = f"from contract.games import EVERY_GAME; print({{game.id: game.digest for game in EVERY_GAME}}[{game.id!r}])"
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": path}
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert other.stdout.strip() == game.digest


@every_game
def test_the_rules_are_plain_data(game: Game) -> None:
    assert json.loads(json.dumps(game.as_data())) == json.loads(json.dumps(game.as_data()))


@every_game
def test_exactly_one_line_decides_or_the_stake_is_lost(game: Game) -> None:
    for deal in deals_of(game):
        facts = read_facts(deal)
        for wager in game.paytables.values():
            first = next((line for line in wager.lines if line.holds(facts)), None)
            settled = settle(game, deal, {wager.id: 100}).wagers[wager.id]
            assert [payment.line for payment in settled.pays][:1] == ([first.label] if first else [])
            assert settled.net == -100 if first is None else settled.net >= 0


@every_game
def test_wagers_are_settled_independently(game: Game) -> None:
    stakes = {wager: 20 * place for place, wager in enumerate(game.paytables, 1)}
    for deal in deals_of(game, 300):
        together = settle(game, deal, stakes)
        for some in [*combinations(stakes, 1), *combinations(stakes, 2)]:
            alone = settle(game, deal, {wager: stakes[wager] for wager in some})
            assert all(alone.wagers[wager] == together.wagers[wager] for wager in some)


@every_game
def test_the_stream_writes_what_json_writes(game: Game) -> None:
    for deal in deals_of(game):
        settlement = settle(game, deal, dict.fromkeys(game.paytables, 7))
        assert as_json_line(settlement) == json.dumps(settlement.as_json()) + "\n"


@every_game
def test_stakes_in_whole_steps_are_paid_without_rounding(game: Game) -> None:
    up, step = game.read_as(rounding="up"), game.stake_step
    for deal in deals_of(game, 300):
        stakes = dict.fromkeys(game.paytables, step)
        assert settle(game, deal, stakes) == settle(up, deal, stakes)


@every_game
def test_payments_grow_with_the_stake_and_fixed_ones_do_not(game: Game) -> None:
    for wager in game.paytables.values():
        for line in wager.lines + wager.bonuses:
            if isinstance(line.pays, Ratio):
                assert (
                    line.pays.amount(2 * game.stake_step, "down") == 2 * line.pays.amount(game.stake_step, "down") > 0
                )
            elif isinstance(line.pays, Fixed):
                assert line.pays.amount(1, "down") == line.pays.amount(10**12, "down") > 0


@every_game
def test_the_tableau_deals_what_the_document_deals(game: Game) -> None:
    for reading in game.switches.get("tableau", ("standard",)):
        read = game.read_as(tableau=reading) if "tableau" in game.switches else game
        for deal in deals_of(read, 500):
            read.tableau.check(deal)
            texts = tuple(map(str, deal.player)), tuple(map(str, deal.banker))
            assert lawful(*texts, printed_manila=reading == "manila-as-printed")


@every_game
def test_a_whole_shoe_runs_from_the_first_card_to_the_last_round(game: Game) -> None:
    for decks in (game.decks.minimum, game.decks.maximum):
        settings = TableSettings(game, decks=decks)
        table, events = play_shoe(settings)
        assert table.shoe_finished
        assert table.rounds_left == 0
        assert 0 <= table.cards_in_shoe < settings.burn_and_cut.cut_depth
        assert len(table.rounds) > decks * len(game.pack) // 6 - 8
        assert replay(None, [TableOpened(settings), *events]) == table
        settled = [event for event in events if isinstance(event, RoundSettled)]
        assert len(settled) == len(table.rounds)
        assert all(event.settlements["anna"].wagers.keys() == game.paytables.keys() for event in settled)


@every_game
def test_a_table_with_incidents_agrees_with_books_kept_apart(game: Game) -> None:
    # The watched table checks every event, every refusal and all money against books that know only the events.
    told = Playthrough(game).transcript()
    assert f"table {game.id} decks={game.decks.minimum}" in told
    assert told.count("open betting ") >= 12


def play_shoe(settings: TableSettings) -> tuple[Table, list[Event]]:
    """Deal a shoe in an order that is fixed and unlike the canonical one, a stake on every wager every round."""
    game = settings.game
    whole = list(game.pack.cards) * settings.decks
    cards: list[Card] = sorted(whole, key=lambda card: (card.index * 37) % 101)
    cards = [card for start in range(7) for card in cards[start::7]]
    table, events = Table(settings), list[Event]()

    def do(command: Command) -> None:
        nonlocal table
        happened = decide(table, meant(table, command))
        events.extend(happened)
        table = replay(table, happened)

    do(OpenShoe(settings.full_shoe))
    first = cards.pop()
    face_down = settings.burn_and_cut.burned_after(first)
    del cards[-face_down:]
    do(BurnCards((first,), face_down))
    while not table.shoe_finished:
        do(OpenBetting())
        for wager in game.paytables:
            do(PlaceWager(HERE, "anna", wager, settings.limits[wager].minimum))
        do(CloseBetting(HERE))
        while table.phase is Phase.DEALING:
            hand = table.due.hand
            assert hand is not None
            do(DealCard(HERE, hand, cards.pop()))
        do(AnnounceResult(HERE))
        do(SettleRound(HERE))
    assert table.cards_in_shoe == len(cards)
    return table, events
