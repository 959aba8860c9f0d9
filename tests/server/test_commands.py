"""What becomes of a command: what its answer holds, that it is the same again, and how it is counted."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from puntobanco import find_game
from puntobanco.server.disputes import Outcome
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.house import KEEP_UP_MILLISECONDS
from puntobanco.server.persons import Role
from puntobanco.server.problems import Problem
from puntobanco.table import Dealing
from server.services import BETTING, Service, service
from server.strolls import _hashed

MANILA = find_game("manila")
VIRTUAL = FloorTable("mirror", "Mirror", usual_settings(MANILA, decks=4))
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
MONEY = 1_000_000


def at_home(folder: Path, work: Callable[[Service], Awaitable[None]]) -> None:
    async def run() -> None:
        async with service(folder) as at:
            await at.add_table(VIRTUAL)
            await at.add_table(DEALT)
            await work(at)

    asyncio.run(run())


def test_whoever_takes_part_in_the_drawing_is_told_their_stakes_and_balance(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna, nonce = await at.guest(), bytes(range(32))
        await at.join("mirror", anna.person)
        committed = _hashed("pb1/nonce", "mirror/1", 1, anna.person.id, nonce)
        first = await at.say("mirror", anna, id="committed-01", do="commit", commitment=committed)
        assert (first["type"], first["stakes"], first["balance"]) == ("accepted", {}, MONEY)
        await at.say("mirror", anna, do="stake", wager="tie", amount=2_000)
        again = await at.say("mirror", anna, id="committed-01", do="commit", commitment=committed)
        assert {**again, "time": 0} == {**first, "time": 0}
        await at.advance(BETTING)
        wrong = await at.say("mirror", anna, id="wrong-nonce-1", do="reveal", nonce="ab" * 32)
        assert (wrong["status"], wrong["reason"]) == (409, "wrong-nonce")
        assert "committed to" in wrong["message"]
        revealed = await at.say("mirror", anna, do="reveal", nonce=nonce.hex())
        assert (revealed["type"], revealed["stakes"]) == ("accepted", {"tie": 2_000})
        assert revealed["balance"] == MONEY - 2_000
        again = await at.say("mirror", anna, id="wrong-nonce-1", do="reveal", nonce="ab" * 32)
        assert {**again, "time": 0} == {**wrong, "time": 0}
        assert await at.problems() == []

    at_home(tmp_path, work)


def test_a_patron_at_a_table_is_told_of_a_decision(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna, bob, dora = await at.guest(), await at.guest(), await at.staff("Dora", Role.SUPERVISOR)
        viewers = [await at.join(table, who.person) for table, who in (("mirror", anna), ("felt", anna), ("felt", bob))]
        disputes, now = at.house.disputes, at.clock.now()
        opened = await disputes.open(anna.person.id, "mirror", 1, "It was a tie.", now)
        await disputes.assign(opened.id, dora.person.id)
        await disputes.decide(opened.id, dora.person, Outcome.UPHELD, "It was.", now)
        await at.advance(3 * KEEP_UP_MILLISECONDS)
        told = [[each for each in viewer.messages if each["type"] == "dispute-decided"] for viewer in viewers]
        expected = {"type": "dispute-decided", "time": now, "dispute": opened.id, "table": "mirror", "round": 1}
        expected |= {"outcome": "upheld", "decision": "It was."}
        assert told == [[expected], [expected], []]

    at_home(tmp_path, work)


def counted(at: Service, name: str, **labels: str) -> float:
    return at.house.metrics.registry.get_sample_value(f"puntobanco_{name}", labels) or 0.0


def test_commands_are_counted_by_kind_however_they_come(tmp_path: Path) -> None:
    """What comes over HTTP goes by the same way as here; a socket takes a shorter one, which counts too."""

    async def work(at: Service) -> None:
        anna, dora = await at.guest(), await at.staff("Dora", Role.DEALER)
        await at.join("mirror", anna.person)
        await at.say("mirror", anna, do="stake", wager="tie", amount=2_000)
        await at.say("mirror", anna, do="stakes", stakes={"player": 2_000})
        await at.say("mirror", anna, do="stake", wager="tie", amount=1)
        await at.say("mirror", anna, do="stake", wager="corner", amount=2_000)
        await at.say("mirror", anna, do="commit", commitment="ab" * 32)
        await at.say("mirror", anna, do="open-betting")
        await at.say("felt", dora, do="open-shoe")
        await at.say("felt", dora, do="burn", shown=["Ac"], face_down=1)
        await at.say("felt", dora, do="open-betting")
        await at.say("felt", dora, do="void", irregularity="technical-fault", note="The reader failed.")
        await at.say("felt", dora, do="approve", request="0123456789abcdef")
        with contextlib.suppress(Problem):
            at.house.read(b"{}")
        said = at.house.read(b'{"id": "quick-0001", "do": "stake", "wager": "banker", "amount": 2000}')
        assert (await at.house.ask(at.house.tables["mirror"], anna, said)).accepted
        assert counted(at, "wagers_accepted_total") == 3
        accepted = {"stake": 2, "stakes": 1, "commit": 1, "open-shoe": 1, "burn": 1, "open-betting": 1, "void": 1}
        for kind, times in accepted.items():
            assert counted(at, "commands_accepted_total", kind=kind) == times, kind
        refused = [("stake", "below-minimum"), ("stake", "unknown-wager"), ("open-betting", "not-allowed")]
        refused += [("approve", "not-allowed"), ("unreadable", "malformed")]
        for kind, reason in refused:
            assert counted(at, "commands_refused_total", kind=kind, reason=reason) == 1, kind
        # What is nothing that was asked takes no time.
        assert counted(at, "acknowledged_seconds_count") == sum(accepted.values()) + len(refused) - 1

    at_home(tmp_path, work)
