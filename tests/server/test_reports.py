"""Reports say what the events say, reckoned slowly; exports are whole, and no cell of one is a formula."""

import asyncio
import csv
import io
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from math import sqrt
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from puntobanco import find_game
from puntobanco.cards import Shoe
from puntobanco.ledger import IssueMoney
from puntobanco.odds import odds
from puntobanco.rules.wagers import Fixed
from puntobanco.server import reports
from puntobanco.server.changed_rounds import changes, totals
from puntobanco.server.reports import EXPORTS, Format, exported
from puntobanco.server.spreadsheets import Row, as_csv, as_json, harmless
from puntobanco.server.win import Moments, win
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.derived import played_round, round_wager
from puntobanco.store.voids import NOT_PUBLISHED, void_totals, voids_and_corrections
from puntobanco.table import Irregularity, Limits, Phase, TableSettings, VoidRound
from server.floor import Floor, floor
from server.following import follower, told
from store.databases import Place
from store.houses import VIRTUAL
from store.played import desk, play
from store.wandering import Wanderer

STAR = TableSettings(
    find_game("six-star"),
    decks=6,
    account="cash",  # type: ignore[arg-type]
    currency="SGD",
    limits={"tie": Limits(20, 200_000, 20)},
)


async def whole(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


# What was won.


def test_the_moments_of_a_wager_are_those_of_the_exact_odds() -> None:
    for game_id in ("six-star", "manila"):
        game = find_game(game_id)
        for priced in odds(game).wagers.values():
            found = Moments.of(priced)
            worth = sum(
                (each.probability * each.line.pays.money for each in priced.lines if isinstance(each.line.pays, Fixed)),
                Fraction(0),
            )
            assert (found.ev, found.variance, found.fixed) == (priced.ev, priced.variance, worth)
            # A stake that is paid without rounding.
            stake = game.stake_step * 60
            assert stake * found.ev + found.fixed == stake * priced.ev_at(stake)
            spread = found.variance * stake**2 + 2 * found.covariance * stake + found.fixed_variance
            assert spread == priced.variance_at(stake) * stake**2


async def naive_win(house: Floor) -> dict[tuple[str, ...], tuple[int, int, int, Fraction, Fraction]]:
    """By table, unit and wager: rounds, staked, returned, theoretical win and its variance, round by round."""
    found: dict[tuple[str, ...], Any] = defaultdict(lambda: (0, 0, 0, Fraction(0), Fraction(0)))
    for (stream, _), each in (await told(house.record.database)).items():
        if each.void or each.finished is None:
            continue
        settings = house.at.settings
        priced = odds(settings.game, Shoe.full(settings.game.pack, each.decks)).wagers
        spots: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for settled in each.settlements.values():
            for wager, paid in settled.wagers.items():
                spots[wager].append((paid.stake, paid.returned))
        for wager, stakes in spots.items():
            rounds, staked, returned, expected, variance = found[stream[6:], each.unit, wager]
            together = sum(stake for stake, _ in stakes)
            # All who staked on it stand or fall with the same cards.
            squares, mean = Fraction(0), Fraction(0)
            for outcome, count in (*priced[wager].outcomes, (None, priced[wager].lost)):
                gain = Fraction(-together)
                if outcome is not None:
                    gain = together * priced[wager].wager.net_per_unit(outcome)
                    for line in priced[wager].wager.lines_of(outcome):
                        gain += len(stakes) * line.pays.money if isinstance(line.pays, Fixed) else 0
                share = Fraction(count, priced[wager].total)
                mean, squares = mean + share * gain, squares + share * gain**2
            found[stream[6:], each.unit, wager] = (
                rounds + 1,
                staked + together,
                returned + sum(back for _, back in stakes),
                expected - mean,
                variance + squares - mean**2,
            )
    return dict(found)


@pytest.mark.parametrize("settings", [VIRTUAL, STAR], ids=["committed", "with fixed bonuses"])
def test_the_win_is_that_of_the_events_beside_the_exact_odds(place: Place, settings: TableSettings) -> None:
    async def run() -> None:
        async with floor(place, settings) as house:
            if settings is VIRTUAL:
                await play(house.at, 23)
            else:
                await stakes_of_two(house)
            await house.follower.catch_up()
            found = await win(house.follower)
            expected = await naive_win(house)
            assert [(line.table, line.unit, line.wager) for line in found.wagers] == sorted(expected)
            for line in found.wagers:
                assert line.table is not None
                assert line.wager is not None
                rounds, staked, returned, theoretical, variance = expected[line.table, line.unit, line.wager]
                assert (line.rounds, line.staked, line.returned) == (rounds, staked, returned)
                assert line.theoretical == pytest.approx(float(theoretical), rel=1e-12)
                assert line.deviation == pytest.approx(sqrt(variance), rel=1e-9)
                said = line.as_json()
                assert said["low"] == pytest.approx(float(theoretical) - 2 * sqrt(variance), rel=1e-6)
                assert said["is_within"] == (said["low"] <= staked - returned <= said["high"])
            for lines in (found.tables, found.games):
                (line,) = lines
                assert line.win == sum(each.win for each in found.wagers)
                assert line.theoretical == pytest.approx(sum(each.theoretical or 0 for each in found.wagers))
                assert line.rounds == max(each.rounds for each in found.wagers)
            # All that the house won at the tables is in the books.
            assert found.tables[0].win == (await house.at.balances()).get(f"house/{found.tables[0].unit}", 0)
            middle = sorted(each.finished or 0 for each in (await told(house.record.database)).values())[5]
            early = await win(house.follower, table="main", until=middle)
            late = await win(house.follower, since=middle)
            assert early.tables[0].win + late.tables[0].win == found.tables[0].win
            assert 0 < early.tables[0].rounds < found.tables[0].rounds
            assert (await win(house.follower, table="other")).wagers == []

    asyncio.run(run())


async def stakes_of_two(house: Floor) -> None:
    at = house.at
    at._cards = cycle(STAR.game.pack.cards)
    for patron in ("anna", "bob"):
        await at.do("desk/main", IssueMoney(patron, "SGD", 10_000_000, "welcome"))
    for number in range(12):
        await at.until(Phase.BETTING)
        for patron, wager, stake in (("anna", "tie", 100), ("bob", "tie", 240), ("anna", "banker", 6_000)):
            assert (await at.bet(patron, wager, stake)).accepted
        if number % 5 == 4:
            await at.do("table/main", VoidRound(at.table.round_number, Irregularity.TECHNICAL_FAULT))
        await at.until(Phase.READY)


def test_sums_beyond_64_bits_are_whole(place: Place) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 1)
            await house.follower.catch_up()
            huge = 4 * 10**18
            async with house.follower.derived.writing() as connection:
                (first,) = list(await connection.execute(select(played_round)))
                money = {"staked": huge + 7, "returned": huge + 5}
                await connection.execute(update(round_wager).values(money))
                for number in range(2, 6):
                    await connection.execute(insert(played_round).values({**first._mapping, "number": number}))
                    spot = {"stream": "table/main", "number": number, "wager": "tie", "patrons": 1}
                    await connection.execute(insert(round_wager).values({**spot, **money}))
            lines = {line.wager: line for line in (await win(house.follower)).wagers}
            assert lines["tie"].staked == 5 * (huge + 7)
            assert lines["tie"].win == 10

    asyncio.run(run())


# Voids and corrections.


def test_changes_are_those_that_the_whole_record_tells(place: Place) -> None:
    async def run() -> None:
        await Wanderer(place.database, seed=5).walk(600)
        database = place.database()
        await database.start()
        expected = await voids_and_corrections(database)
        await database.close()
        async with follower(place) as following:
            await following.catch_up()
            for _ in range(2):
                found, before = list[dict[str, Any]](), None
                while True:
                    page = await changes(following, before=before, limit=3)
                    found += page.changes
                    before = page.before
                    if before is None:
                        break
                told_slowly = [
                    *({"kind": "void", **each.as_json()} for each in expected.voids),
                    *({"kind": "correction", **each.as_json()} for each in expected.corrections),
                ]
                for each in told_slowly:
                    each.pop("house_so_far", None)
                order = sorted(told_slowly, key=lambda each: (each["time"], each["table"], each["version"]))
                assert found == order[::-1]
            assert len(expected.voids) > 2
            assert len(expected.corrections) > 2
            sums = {(each.table, each.unit): each for each in await totals(following) if each.kind == "void"}
            for void in void_totals(expected.voids):
                total = sums[void.table, void.unit]
                assert (total.rounds, total.unknown, total.house) == (void.rounds, void.unknown, void.house)
            one = expected.voids[0]
            some = await changes(following, table=one.table, since=one.time, until=one.time + 1)
            assert [each["version"] for each in some.changes] == [one.version]

    asyncio.run(run())


def test_what_a_void_would_have_paid_is_known_once_the_key_is_published(place: Place) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 31)
            await house.follower.catch_up()
            expected = await voids_and_corrections(house.record.database)
            assert len(expected.voids) == 3
            found = await changes(house.follower)
            assert [each["house"] for each in found.changes] == [each.house for each in expected.voids[::-1]]
            assert all(each["would_be"] for each in found.changes)
            # A void whose key is not published yet is told as unknown, and not kept so.
            at = house.at
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            assert (await at.bet("anna", "tie", 2_000)).accepted
            number = at.table.round_number
            assert (await at.do("table/main", VoidRound(number, Irregularity.TECHNICAL_FAULT))).accepted
            await house.follower.catch_up()
            (newest, *_) = (await changes(house.follower)).changes
            assert (newest["house"], newest["unknown"]) == (None, NOT_PUBLISHED)
            assert [each.unknown for each in await totals(house.follower)] == [1]
            while dealer.is_behind:
                await dealer.step()
            await house.follower.catch_up()
            (newest, *_) = (await changes(house.follower)).changes
            assert newest["house"] is not None
            assert [each.unknown for each in await totals(house.follower)] == [0]

    asyncio.run(run())


# Exports.


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_an_export_has_every_row_in_both_forms(place: Place, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "ROWS_AT_ONCE", 7)

    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 11)
            await desk(house.at)
            await house.follower.catch_up()
            rows = json.loads(await whole(exported(house.follower, name, Format.JSON)))
            lines = list(
                csv.DictReader(io.StringIO((await whole(exported(house.follower, name, Format.CSV))).decode()))
            )
            assert len(rows) == len(lines) > 0
            assert tuple(rows[0]) == tuple(lines[0]) == EXPORTS[name].columns
            if name == "postings":
                entries = [each async for some in house.record.database.entries() for each in some]
                assert [
                    (row["stream"], row["version"], row["place"], row["account"], row["amount"]) for row in rows
                ] == [tuple(each) for each in entries]
            if name == "rounds":
                assert [row["number"] for row in rows] == [*range(1, 12)]
            if name == "wagers":
                rounds = await told(house.record.database)
                assert sum(row["staked"] - row["returned"] for row in rows) == sum(
                    staked - back for each in rounds.values() for staked, back in each.history.values()
                )

    asyncio.run(run())


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=cmd|"/c calc"!A1', "\uff1d1", "\n@x"],
)
def test_no_cell_is_a_formula(text: str) -> None:
    async def rows() -> AsyncIterator[Sequence[Row]]:
        yield [{"note": text, "amount": -5, "inside": f"a{text}"}]

    written = asyncio.run(whole(as_csv(["note", "amount", "inside"], rows()))).decode()
    (_, (note, amount, inside)) = csv.reader(io.StringIO(written, newline=""))
    assert note == f"'{text}"
    assert (amount, inside) == ("-5", f"a{text}")
    assert harmless("plain") == "plain"


def test_an_export_of_nothing_is_well_formed() -> None:
    async def rows() -> AsyncIterator[Sequence[Row]]:
        for _ in range(0):
            yield []

    assert asyncio.run(whole(as_csv(["a", "b"], rows()))) == b"a,b\r\n"
    assert json.loads(asyncio.run(whole(as_json(["a"], rows())))) == []


def test_an_export_holds_one_portion_at_a_time(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "ROWS_AT_ONCE", 5)
    place = Place("sqlite", tmp_path)

    async def run() -> None:
        async with floor(place, replace(VIRTUAL, decks=6)) as house:
            await play(house.at, 6)
            await house.follower.catch_up()
            sizes = [piece.count(b"\r\n") async for piece in exported(house.follower, "postings", Format.CSV)]
            assert max(sizes) <= 5
            assert len(sizes) > 5

    asyncio.run(run())
