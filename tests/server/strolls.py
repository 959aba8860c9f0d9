"""A house led through anything that can happen to it, the same way for one seed; after every step it is as the model.

Patrons stake and take back, commit to nonces and keep them to themselves; a dealer keys cards, right ones and others;
staff pause, void, correct and disagree; messages come twice, together and in another order; the process ends between
any two commits, and another goes on.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from puntobanco import find_game
from puntobanco.dealing import BurnAndCut
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.persons import Role, Signed
from puntobanco.table import Dealing
from puntobanco.verify import verify
from reference.settlement import PACK_52, PACK_65, POINTS, lawful
from server.felts import IN_ROUND, Felt, Nonce, Purses, Spots, due_hand
from server.services import BETTING, BETWEEN, CARD, REVEAL, Json, Service, Viewer

GUEST_MONEY = {"PHP": 90_000, "SGD": 60_000}
DECKS = 4
TABLES = {"felt": ("manila-no-commission", False), "mirror": ("manila", True), "stars": ("six-star", True)}
"""By name, the game and whether it is virtual; two of them share the patrons' pesos."""
MOST_PATRONS = 5
OWN = frozenset({"balance", "wagers", "net", "moved"})
"""What a message has only for whom it concerns."""
OBSERVED = frozenset({"table-paused", "table-resumed", "round-voided", "round-corrected", "cut-card-appeared"})
"""What staff decide together at a table with a dealer: told as it comes, not foretold."""
IN_THE_LOG_ONLY = frozenset({"stake-changed", "nonce-committed", "nonce-revealed", "table-opened"})


@dataclass
class Said:
    """A message that was answered."""

    table: str
    signed: Signed
    message: Json
    answer: Json


@dataclass
class Asked:
    """Something that waits for a second person."""

    id: str
    by: str
    command: Json
    pauses: bool
    """Whether the table was paused for it."""


@dataclass
class Seat:
    """Somebody at a table, and what they have heard."""

    viewer: Viewer
    heard: int = 0
    version: int = 0


@dataclass
class Public:
    """An event as everybody was told of it, and what some were told beyond that."""

    message: Json
    told: dict[str, Json]


@dataclass
class Table:
    """A table beside its model."""

    felt: Felt
    seats: dict[str, Seat] = field(default_factory=dict)
    """By patron; the empty name is that of somebody who only watches."""
    events: dict[tuple[int, str], Public] = field(default_factory=dict)
    expected: list[tuple[Json, dict[str, Json]]] = field(default_factory=list)
    asked: Asked | None = None
    decided: list[Asked] = field(default_factory=list)
    shoe_id: str = ""


class Stroll:
    """One walk through a house."""

    def __init__(self, at: Service, seed: int) -> None:
        self.at, self.random = at, Random(seed)
        self.purses = Purses()
        self.tables: dict[str, Table] = {}
        self.patrons: list[Signed] = []
        self.said: list[Said] = []
        self.seen = Counter[str]()
        """How often something worth a test has come about."""

    # The beginning and the end.

    async def begin(self) -> None:
        for name, (game, is_virtual) in TABLES.items():
            pack = PACK_65 if game == "six-star" else PACK_52
            # As short as shoes can be, so that one comes to its end.
            cut = DECKS * len(pack) // 2
            settings = usual_settings(
                find_game(game),
                decks=DECKS,
                burn_and_cut=BurnAndCut(cut_depth=cut),
                dealing=Dealing.VIRTUAL if is_virtual else Dealing.DEALER,
            )
            live = await self.at.add_table(FloorTable(name, name.capitalize(), settings))
            listed = live.listed()
            limits = listed["limits"]["tie"]
            spots = Spots(tuple(listed["limits"]), limits["minimum"], limits["maximum"], limits["step"])
            unit = listed["currency"]
            felt = Felt(game, unit, spots, pack, DECKS, cut, is_virtual, BETTING, self.purses)
            self.tables[name] = Table(felt)
        self.dealer = await self.at.staff("Dora", Role.DEALER)
        self.supervisors = [await self.at.staff(name, Role.SUPERVISOR) for name in ("Sam", "Sue")]
        self.auditor = await self.at.staff("Ada", Role.AUDITOR)
        for name in self.tables:
            await self.sits("", name)
        await self.check()
        for _ in range(3):
            await self.guest_comes()
        await self.check()

    async def guest_comes(self) -> None:
        signed = await self.at.guest()
        self.patrons.append(signed)
        for unit, amount in GUEST_MONEY.items():
            self.purses.stands[signed.person.id, unit] += amount
        for name in self.tables:
            await self.sits(signed.person.id, name)

    async def end(self) -> None:
        """The last rounds are played, every shoe ends, and all of it is looked at again."""
        for name, table in self.tables.items():
            if table.felt.paused:
                await self.staff_says(name, self.supervisors[0], do="resume")
        await self.at.advance(BETTING + REVEAL + 10 * CARD)
        await self.check()
        for name, table in self.tables.items():
            # Nobody is left at it, so that no new round and no new shoe begins.
            for _ in range(12):
                if table.felt.phase not in IN_ROUND or table.felt.is_virtual:
                    break
                await self.key_right(name)
            if table.felt.is_virtual:
                while table.felt.phase != "ready":
                    await self.at.advance(CARD)
                    await self.check()
                await self.staff_says(name, self.supervisors[0], do="end-shoe", note="closing time")
                await self.at.advance(BETWEEN)
                await self.check()
        await self._check_shoes()
        await self._check_money()

    async def _check_shoes(self) -> None:
        for name, table in self.tables.items():
            if not table.felt.is_virtual:
                continue
            known: dict[tuple[int, int], dict[str, str | None]] = {}
            for number in range(1, table.felt.shoe + 1):
                transcript = await self.at.house.transcript(name, number)
                verify(json.dumps(transcript).encode())
                for each in transcript["rounds"][1:]:
                    known[number, each["round"]] = {one["patron"]: one["nonce"] for one in each["nonces"]}
                self.seen["shoe verified"] += "final" in transcript
            foretold = {
                place: {patron: each.nonce if each.is_revealed else None for patron, each in nonces.items()}
                for place, nonces in table.felt.all_nonces.items()
            }
            assert known == {place: foretold[place] for place in known}

    async def _check_money(self) -> None:
        accounts, sums = await self.at.accounts(), Counter[str]()
        for account, balance in accounts.items():
            kind, *rest = account.split("/")
            sums[rest[1] if kind == "held" else rest[0]] += balance
        assert not any(sums.values()), "money was made or lost"
        for unit, amount in GUEST_MONEY.items():
            assert accounts[f"issue/{unit}"] == -amount * len(self.patrons)
            house = sum(table.felt.house for table in self.tables.values() if table.felt.unit == unit)
            assert accounts.get(f"house/{unit}", 0) == house

    # After every step.

    async def check(self) -> None:
        await self.at.settle()
        for name in self.tables:
            self._hear(name)
        await self._compare_money()

    async def _compare_money(self) -> None:
        house = self.at.house
        for signed in self.patrons:
            patron = signed.person.id
            balances, owed = await house.purses.balances(patron), await house.purses.owed(patron)
            held = Counter[str]()
            for name, table in self.tables.items():
                slip = table.felt.slips.get(patron, {})
                held[table.felt.unit] += sum(slip.values())
                shown = house.tables[name].snapshot(signed.person, balances[table.felt.unit])["table"]
                assert shown["stakes"] == slip
            for unit in GUEST_MONEY:
                assert balances[unit] == self.purses.has(patron, unit), (patron, unit)
                assert owed.get(unit, 0) == self.purses.owes(patron, unit)
            assert house.purses.held(patron) == {unit: amount for unit, amount in held.items() if amount}

    def _hear(self, name: str) -> None:
        """What was said at a table since: first to whoever only watches, then to each patron."""
        table = self.tables[name]
        for patron in sorted(table.seats):
            seat = table.seats[patron]
            for raw in seat.viewer.sent[seat.heard :]:
                self._hear_one(name, patron, seat, raw)
            seat.heard = len(seat.viewer.sent)
        assert not table.expected or "" not in table.seats, f"{table.expected} was not told"

    def _hear_one(self, name: str, patron: str, seat: Seat, raw: bytes) -> None:
        table, message = self.tables[name], json.loads(raw)
        for other in self.patrons:
            assert other.person.id == patron or other.person.id.encode() not in raw, "nobody hears of others"
        version = message["version"]
        if message["type"] == "snapshot":
            self._compare_snapshot(name, patron, message)
            seat.version = version
            return
        if message["type"] == "own":
            # How things stand with them, told after a resumption or a change from elsewhere: no event of its own.
            assert version >= seat.version, "nobody is told of the past"
            assert all(stake > 0 for stake in message["stakes"].values())
            assert message["balance"] >= 0
            return
        assert version > seat.version, "versions rise"
        seat.version = version
        if not patron:
            assert not OWN & set(message), "who only watches has nothing"
            self._happens(table, message)
            return
        own = {key: message.pop(key) for key in OWN & set(message)}
        public = table.events[version, message["event"]]
        assert message == public.message
        if "wagers" in own:
            own["wagers"] = {wager: each["net"] for wager, each in own["wagers"].items()}
        assert own == public.told.get(patron, {}), (patron, own, public)

    def _happens(self, table: Table, message: Json) -> None:
        """Somebody who watches was told of an event."""
        felt, event = table.felt, message["event"]
        assert ("due" in message) == (event in ("betting-closed", "card-dealt", "card-taken-back"))
        if event == "stakes-changed":
            assert message["round"] <= felt.round
            table.events[message["version"], event] = Public(message, {})
            return
        is_foretold = bool(table.expected) and table.expected[0][0]["event"] == event
        if is_foretold or not (felt.is_virtual or event in OBSERVED):
            expected, told = table.expected.pop(0)
            assert expected.items() <= message.items(), (expected, message)
        else:
            felt.happens(message, message["time"])
            told = felt.told
        if event in ("round-settled", "round-voided", "round-corrected") and not table.expected:
            assert message["results"] == felt.results
        if event == "shoe-committed":
            table.shoe_id = message["committed"]["shoe"]
        table.events[message["version"], event] = Public(message, told)
        self.seen[event] += 1
        if told:
            self.seen[f"paid after {event}"] += 1

    def _compare_snapshot(self, name: str, patron: str, message: Json) -> None:
        shown, felt = message["table"], self.tables[name].felt
        assert shown["phase"] == felt.phase
        assert (shown["shoe"], shown["round"], shown["paused"]) == (felt.shoe, felt.round, felt.paused or None)
        assert (shown["deal"]["player"], shown["deal"]["banker"]) == (felt.player, felt.banker)
        assert shown["due"] == (due_hand(felt.player, felt.banker) if felt.phase == "dealing" else None)
        assert (shown["spots"], shown["results"]) == (felt.totals(), felt.results)
        assert (shown["cards_left"], shown["rounds_left"]) == (felt.cards, felt.rounds_left)
        assert shown["closes_at"] == felt.closes_at
        assert message["time"] == self.at.clock.now()
        if patron:
            assert shown["stakes"] == felt.slips.get(patron, {})
            assert shown["balance"] == self.purses.has(patron, felt.unit)
            assert shown["you"] == patron
        else:
            assert not {"stakes", "balance", "you"} & set(shown)
        self.seen["snapshot"] += 1

    # Who is there.

    async def sits(self, patron: str, name: str, after: int | None = None) -> None:
        person = next((each.person for each in self.patrons if each.person.id == patron), None)
        viewer = await self.at.join(name, person, after)
        self.tables[name].seats[patron] = Seat(viewer, version=after or 0)

    async def comes_back(self) -> None:
        """Somebody leaves, misses something, and comes back for it."""
        name, patron = self.table(), self.random.choice(self.patrons).person.id
        seat = self.tables[name].seats[patron]
        self.at.house.tables[name].leave(seat.viewer)
        await self.at.advance(self.random.choice([0, 700, 12_000]))
        await self.check()
        await self.sits(patron, name, self.random.choice([seat.version, seat.version, None]))
        self.seen["came back"] += 1

    async def everybody_leaves(self) -> None:
        """A table at which nobody is plays its round to the end, and no other."""
        name = self.random.choice([name for name, (_, is_virtual) in TABLES.items() if is_virtual])
        table = self.tables[name]
        away = dict(table.seats)
        for seat in away.values():
            self.at.house.tables[name].leave(seat.viewer)
        await self.at.advance(3 * BETTING)
        self.seen["rested"] += not self.at.house.tables[name].table.phase.in_round
        for patron in sorted(away):
            await self.sits(patron, name, away[patron].version)
            if not patron:
                known = len(table.events)
                await self._read_before_a_snapshot(name)
                missed = [event for _, event in list(table.events)[known:]]
                missed += [each.get("event", "") for each in table.seats[patron].viewer.messages]
                assert "betting-opened" not in missed[:-1], "nobody was there for another round"
            self._hear(name)

    # Choosing.

    def table(self) -> str:
        return self.random.choice(list(self.tables))

    def some(self, *weighted: tuple[int, Callable[[], Awaitable[None]]]) -> Callable[[], Awaitable[None]]:
        return self.random.choices([each for _, each in weighted], [weight for weight, _ in weighted])[0]

    async def step(self) -> None:
        waits = [name for name, table in self.tables.items() if table.felt.paused]
        if waits and self.random.random() < 0.35:
            # Or nothing would ever go on.
            await self.goes_on(self.random.choice(waits))
            await self.check()
            return
        work = self.some(
            (26, self.patron_stakes),
            (12, self.nonce),
            (12, self.time_passes),
            (30, self.dealer_keys),
            (5, self.dealer_errs),
            (2, self.pauses),
            (4, self.two_people),
            (6, self.says_again),
            (3, self.same_id_again),
            (6, self.all_at_once),
            (3, self.comes_back),
            (1, self.everybody_leaves),
            (1, self.an_hour_goes_by),
            (2, self.crashes),
            (1, self.crashes_at_a_step),
            (3, self.tries_what_is_not_allowed),
            (1, self.shoe_ends),
            (1, self.somebody_new),
        )
        await work()
        await self.check()

    async def somebody_new(self) -> None:
        if len(self.patrons) < MOST_PATRONS:
            await self.guest_comes()

    # Patrons.

    def stake_message(self, name: str, patron: str) -> Json:
        felt, pick = self.tables[name].felt, self.random.choice
        spots, slip = felt.spots, felt.slips.get(patron, {})
        purse = self.purses.has(patron, felt.unit)
        usual = spots.minimum + spots.step * self.random.randrange(0, 100)
        odd = [0, 0, purse // spots.step * spots.step, purse + spots.step, usual + 1, spots.minimum - spots.step]
        amount = pick([*odd, spots.maximum + spots.step, *[usual] * 16])
        wager = pick([*spots.wagers, *slip, *slip, "tie"])
        message: Json = {"do": "stake", "wager": wager, "amount": max(0, amount)}
        if self.random.random() < 0.3:
            slip = {pick(spots.wagers): pick([usual, spots.minimum, 0]) for _ in range(self.random.randrange(4))}
            message = {"do": "stakes", "stakes": slip}
        if self.random.random() < 0.03:
            message = {"do": "stake", "wager": "dragon", "amount": usual}
        if self.random.random() < 0.2:
            message["round"] = max(1, felt.round + pick([0, 0, 0, -1, 1]))
        return message

    def foretell_stake(self, name: str, patron: str, message: Json) -> bool:
        wanted = message["stakes"] if message["do"] == "stakes" else {message["wager"]: message["amount"]}
        felt = self.tables[name].felt
        return felt.takes_stakes(patron, dict(wanted), message["do"] == "stakes", message.get("round"))

    def check_answer(self, name: str, patron: str, message: Json, answer: Json, accepted: bool) -> None:
        felt = self.tables[name].felt
        assert (answer["type"] == "accepted") == accepted, (message, answer)
        assert answer["id"] == message["id"]
        if accepted:
            self.seen["staked"] += 1
            assert answer["stakes"] == felt.slips.get(patron, {})
            assert answer["balance"] == self.purses.has(patron, felt.unit)
        else:
            assert answer["status"] == 409
            self.seen[f"refused: {answer['reason']}"] += 1

    async def says(self, name: str, signed: Signed, message: Json) -> Json:
        message = {"id": self.at.new_id(), **message}
        answer = await self.at.say(name, signed, **message)
        self.said.append(Said(name, signed, message, answer))
        return answer

    def open_table(self) -> str:
        """A table that takes wagers, as a rule."""
        found = [name for name, table in self.tables.items() if table.felt.phase == "betting"]
        return self.random.choice(found) if found and self.random.random() < 0.8 else self.table()

    async def patron_stakes(self) -> None:
        for _ in range(self.random.randrange(1, 4)):
            await self.patron_stakes_once()

    async def patron_stakes_once(self) -> None:
        name, signed = self.open_table(), self.random.choice(self.patrons)
        message = {"id": self.at.new_id(), **self.stake_message(name, signed.person.id)}
        accepted = self.foretell_stake(name, signed.person.id, message)
        answer = await self.says(name, signed, message)
        self.check_answer(name, signed.person.id, message, answer, accepted)

    async def nonce(self) -> None:
        named = [name for name, table in self.tables.items() if table.felt.is_virtual]
        waited = [
            name for name in named if self.tables[name].felt.phase == "dealing" and not self.tables[name].felt.is_sealed
        ]
        name = self.random.choice(waited or named)
        table, signed = self.tables[name], self.random.choice(self.patrons)
        felt, patron = table.felt, signed.person.id
        if felt.phase == "dealing" and felt.nonces and self.random.random() < 0.8:
            patron = self.random.choice(sorted(felt.nonces))
            signed = next(each for each in self.patrons if each.person.id == patron)
            nonce = felt.nonces[patron].nonce if self.random.random() < 0.8 else self.random.randbytes(32).hex()
            accepted = felt.takes_nonce(patron, nonce)
            answer = await self.says(name, signed, {"do": "reveal", "nonce": nonce})
            self.seen["revealed"] += accepted
        else:
            secret = self.random.randbytes(32)
            committed = _hashed("pb1/nonce", table.shoe_id, felt.round_in_shoe, patron, secret)
            accepted = felt.takes_commitment(patron, Nonce(committed, secret.hex()))
            answer = await self.says(name, signed, {"do": "commit", "commitment": committed})
            self.seen["committed"] += accepted
        assert (answer["type"] == "accepted") == accepted, answer

    # Time.

    async def time_passes(self) -> None:
        closes = [table.felt.closes_at for table in self.tables.values() if table.felt.closes_at]
        milliseconds = self.random.choice([50, CARD, 700, 1_600, 3_000])
        if closes and self.random.random() < 0.5:
            # To the moment of a close, or to the one before it.
            milliseconds = max(0, self.random.choice(closes) - self.at.clock.now() - self.random.choice([0, 1]))
        await self.at.advance(milliseconds)

    async def an_hour_goes_by(self) -> None:
        """Or as good as one: rounds without anybody's doing."""
        await self.at.advance(8 * (BETTING + REVEAL + 6 * CARD + BETWEEN))
        self.seen["went on alone"] += 1

    # The dealer.

    def keep(self, name: str, command: Json) -> bool:
        """Whether a command of staff is accepted; then what it does has happened in the model."""
        table = self.tables[name]
        events = table.felt.keys(command)
        for event in events or ():
            if not table.felt.is_virtual:
                foretold = {**event, "spots": table.felt.totals()} if event["event"] == "betting-closed" else event
                table.felt.happens(event, self.at.clock.now())
                table.expected.append((foretold, table.felt.told))
        return events is not None

    async def staff_says(self, name: str, signed: Signed, **message: Any) -> Json:
        message = {"id": self.at.new_id(), **message}
        accepted = self.keep(name, message)
        answer = await self.says(name, signed, message)
        assert (answer["type"] == "accepted") == accepted, (message, answer)
        await self.check()
        return answer

    def right_key(self, name: str) -> Json:
        felt = self.tables[name].felt
        match felt.phase:
            case "closed":
                return {"do": "open-shoe"}
            case "burn due":
                first = self.card(felt)
                return {"do": "burn", "shown": [first], "face_down": POINTS[first] or 10}
            case "ready":
                over = felt.rounds_left == 0 or felt.cards < 6
                return {"do": "open-shoe"} if over else {"do": "open-betting"}
            case "betting":
                return {"do": "close-betting"}
            case "dealing":
                message: Json = {"do": "deal", "card": self.card(felt)}
                if self.random.random() < 0.5:
                    message["hand"] = due_hand(felt.player, felt.banker)
                return message
            case "complete":
                return {"do": "announce"}
        return {"do": "settle"}

    def card(self, felt: Felt) -> str:
        return self.random.choice([card for card in felt.pack if felt.seen[card] < felt.decks])

    async def key_right(self, name: str) -> None:
        await self.staff_says(name, self.dealer, **self.right_key(name))

    async def dealer_keys(self) -> None:
        for _ in range(self.random.randrange(1, 4)):
            if self.tables["felt"].felt.phase == "betting" and self.random.random() < 0.7:
                return
            await self.key_right("felt")

    async def dealer_errs(self) -> None:
        felt, pick = self.tables["felt"].felt, self.random.choice
        gone = [card for card in felt.pack if felt.seen[card] >= felt.decks]
        wrong: list[dict[str, Any]] = [
            {"do": "undo-card"},
            {"do": "undo-card"},
            {"do": "deal", "card": self.card(felt), "hand": pick(["player", "banker"])},
            {"do": "deal", "card": pick(gone or ["Ac"])},
            {"do": "burn", "shown": [self.card(felt)], "face_down": 3},
            {"do": pick(["open-shoe", "open-betting", "close-betting", "announce", "settle"])},
        ]
        message = pick(wrong)
        await self.staff_says("felt", self.dealer, **message)
        self.seen[f"tried {message['do']}"] += 1

    async def shoe_ends(self) -> None:
        name = self.table()
        if self.tables[name].asked is None:
            await self.staff_says(name, self.supervisors[0], do="end-shoe", note="enough")

    async def pauses(self) -> None:
        name = self.table()
        table = self.tables[name]
        if table.asked is None and table.felt.paused:
            await self.staff_says(name, self.supervisors[0], do="resume")
        elif table.asked is None or self.random.random() < 0.2:
            await self.staff_says(name, self.random.choice([self.dealer, *self.supervisors]), do="pause", reason="rest")

    async def goes_on(self, name: str) -> None:
        if self.tables[name].asked is None:
            await self.staff_says(name, self.random.choice(self.supervisors), do="resume")
        else:
            await self.decides(name)

    # What needs two people.

    async def two_people(self) -> None:
        last = self.tables["felt"].felt.last
        # Only of a round that was settled a moment ago the cards can be corrected.
        name = "felt" if last is not None and not last.is_void else self.table()
        if self.tables[name].asked is None:
            await self.asks(name)
        else:
            await self.decides(name)

    async def asks(self, name: str) -> None:
        table, pick = self.tables[name], self.random.choice
        felt, by = table.felt, pick([self.dealer, self.supervisors[0]])
        command: Json = {"do": "void", "irregularity": pick(IRREGULARITIES), "note": "seen by all"}
        possible = felt.can_void(command["irregularity"])
        if felt.last is not None and felt.phase == "ready" and not felt.is_virtual and self.random.random() < 0.6:
            player, banker = self.other_deal(felt)
            command = {"do": "correct", "deal": f"P {' '.join(player)} | B {' '.join(banker)}", "note": "keyed wrongly"}
            possible = felt.can_correct(player, banker)
        was_paused = bool(felt.paused)
        answer = await self.says(name, by, command)
        assert (answer["type"] == "accepted") == possible, (command, answer)
        await self.check()
        if possible:
            assert felt.paused
            table.asked = Asked(answer["request"], by.person.id, command, not was_paused)
            self.seen[f"asked for {command['do']}"] += 1

    def other_deal(self, felt: Felt) -> tuple[list[str], list[str]]:
        """A deal that might have been; now and then one that cannot have been."""
        assert felt.last is not None
        for _ in range(40):
            cards = [self.card(felt) for _ in range(6)]
            player, banker = cards[: self.random.choice([2, 3])], cards[3 : 3 + self.random.choice([2, 3])]
            if lawful(player, banker) and max(Counter(player + banker).values()) == 1:
                return player, banker
        return felt.last.player[:2], felt.last.banker[:2]

    async def decides(self, name: str) -> None:
        table = self.tables[name]
        asked = table.asked
        assert asked is not None
        chance = self.random.random()
        second = self.supervisors[1]
        if chance < 0.25:
            signed = self.random.choice([self.dealer, self.auditor, self.patrons[0]])
            if asked.by == self.supervisors[0].person.id:
                signed = self.supervisors[0]
            answer = await self.says(name, signed, {"do": "approve", "request": asked.id})
            assert (answer["type"], answer["status"]) == ("refused", 403)
            self.seen["the same person twice"] += signed in self.supervisors
            return
        if chance < 0.5:
            answer = await self.says(name, second, {"do": "decline", "request": asked.id})
            assert answer["type"] == "accepted"
            await self.check()
            assert bool(table.felt.paused) != asked.pauses
        else:
            version = self.at.house.tables[name].version
            answer = await self.says(name, second, {"do": "approve", "request": asked.id})
            assert answer["type"] == "accepted", answer
            assert answer["version"] > version
            await self.check()
            assert bool(table.felt.paused) != asked.pauses
            self.seen[f"approved {asked.command['do']}"] += 1
        table.decided.append(asked)
        table.asked = None
        # Whatever was decided is decided: another word about it changes nothing.
        before = self.at.house.tables[name].version
        for do in ("approve", "decline"):
            answer = await self.says(name, self.supervisors[1], {"do": do, "request": asked.id})
            assert (answer["type"], answer["status"]) == ("refused", 409), answer
        assert self.at.house.tables[name].version == before

    # The same again.

    async def says_again(self) -> None:
        """What was answered is answered the same; nothing happens twice."""
        if not self.said:
            return
        each = self.random.choice(self.said[-40:])
        is_looked_at_first = each.message["do"] in ("void", "correct")
        if each.answer.get("status") not in ((None, 403) if is_looked_at_first else (None, 403, 409)):
            # What was refused before the record was asked is not kept.
            return
        rows = await self.at.house.record.database.count("event")
        answers = await asyncio.gather(*[self.at.say(each.table, each.signed, **each.message) for _ in range(2)])
        for answer in answers:
            assert _kept(each.message, answer) == _kept(each.message, each.answer), (each, answer)
        assert await self.at.house.record.database.count("event") == rows
        self.seen["said again"] += 1

    async def same_id_again(self) -> None:
        """The same id for something else is refused, and nothing is done."""
        found = [each for each in self.said[-40:] if each.answer.get("status") in (None, 409)]
        found = [each for each in found if each.message["do"] in CHANGED]
        found = [each for each in found if each.answer.get("reason") not in NOT_KEPT]
        if not found:
            return
        each = self.random.choice(found)
        if each.answer["type"] == "refused" and each.message["do"] in ("void", "correct"):
            return
        message = {**each.message, **CHANGED[each.message["do"]]}
        rows = await self.at.house.record.database.count("event")
        answer = await self.at.say(each.table, each.signed, **message)
        assert (answer["type"], answer.get("reason"), answer.get("status")) == ("refused", "id-reused", 409), message
        assert await self.at.house.record.database.count("event") == rows
        self.seen["id used again"] += 1

    async def all_at_once(self) -> None:
        """Messages of several people in one moment, some twice: each as if it had come alone, in the order of arrival.

        At the table with the dealer the dealer is among them, so that a wager may come before the close or after it.
        """
        name = self.open_table()
        felt, messages = self.tables[name].felt, list[tuple[Signed, Json]]()
        for _ in range(self.random.randrange(3, 9)):
            signed = self.random.choice(self.patrons)
            messages.append((signed, {"id": self.at.new_id(), **self.stake_message(name, signed.person.id)}))
        if not felt.is_virtual and felt.phase in ("betting", "dealing"):
            key = self.right_key(name)
            messages.append((self.dealer, {"id": self.at.new_id(), **key}))
        messages += self.random.sample(messages, 2)
        self.random.shuffle(messages)
        await self._at_once(name, messages)
        self.seen["at once"] += 1

    async def _at_once(self, name: str, messages: list[tuple[Signed, Json]]) -> None:
        foretold: dict[tuple[str, str], bool] = {}
        stand: dict[tuple[str, str], tuple[Json, int]] = {}
        felt = self.tables[name].felt
        for signed, message in messages:
            patron, key = signed.person.id, (signed.person.id, message["id"])
            if key in foretold:
                continue
            is_stake = signed in self.patrons
            foretold[key] = self.foretell_stake(name, patron, message) if is_stake else self.keep(name, message)
            stand[key] = dict(felt.slips.get(patron, {})), self.purses.has(patron, felt.unit)
        answers = await asyncio.gather(*[self.at.say(name, signed, **message) for signed, message in messages])
        for (signed, message), answer in zip(messages, answers, strict=True):
            key = signed.person.id, message["id"]
            assert (answer["type"] == "accepted") == foretold[key], (message, answer)
            if foretold[key] and signed in self.patrons:
                assert (answer["stakes"], answer["balance"]) == stand[key]
            self.said.append(Said(name, signed, message, answer))

    # The end of the process.

    async def hang_at_a_commit(self, *, is_written: bool) -> asyncio.Event:
        """From now on the process does not come back from its next commit, which is written or not."""
        database, reached = self.at.house.record.database, asyncio.Event()
        commit = database.commit

        async def hangs() -> None:
            if is_written:
                await commit()
            reached.set()
            await asyncio.Event().wait()

        database.commit = hangs  # type: ignore[method-assign]
        return reached

    async def start_again(self) -> None:
        for name in self.tables:
            self._hear(name)
        await self.at.crash()
        seats = {name: dict(table.seats) for name, table in self.tables.items()}
        await self.at.open()
        for name, table in self.tables.items():
            taken_up_at = self.at.house.tables[name].audience.known_from - 1
            await self._read_what_nobody_was_told(name, taken_up_at)
            table.felt.starts_again(self.at.clock.now())
            for patron in sorted(seats[name]):
                await self.sits(patron, name, seats[name][patron].version)
                if not patron:
                    await self._read_before_a_snapshot(name)
                self._hear(name)

    async def _read_before_a_snapshot(self, name: str) -> None:
        """Whoever only watches was not told what led there."""
        messages = self.tables[name].seats[""].viewer.messages
        if messages and messages[0]["type"] == "snapshot":
            await self._read_what_nobody_was_told(name, messages[0]["version"])

    async def _read_what_nobody_was_told(self, name: str, last: int) -> None:
        """Events that were durable when the process ended, or came before anybody was back, from the log itself."""
        table = self.tables[name]
        known = max([version for version, _ in table.events], default=0)
        async for portion in self.at.house.record.database.events(f"table/{name}", after=known):
            for _, row in portion:
                body = json.loads(row.body)
                if row.version > last or body["event"] in IN_THE_LOG_ONLY:
                    continue
                message = {**_as_told(body, table.felt, row.time), "version": row.version, "time": row.time}
                assert table.felt.is_virtual, "nothing was asked of the dealer"
                table.felt.happens(message, row.time)
                if "committed" in message:
                    table.shoe_id = message["committed"]["shoe"]
                table.events[row.version, message["event"]] = Public(message, {})
                self.seen["read from the log"] += 1

    async def crashes(self) -> None:
        """The process ends while wagers wait for their commit; whoever asks again learns what became of theirs."""
        name, is_written = self.open_table(), self.random.random() < 0.5
        messages = list[tuple[Signed, Json]]()
        for _ in range(3):
            signed = self.random.choice(self.patrons)
            messages.append((signed, {"id": self.at.new_id(), **self.stake_message(name, signed.person.id)}))
        reached = await self.hang_at_a_commit(is_written=is_written)
        waiting = [asyncio.create_task(self.at.say(name, signed, **message)) for signed, message in messages]
        await asyncio.wait_for(reached.wait(), 20)
        answered = [task.result() for task in waiting if task.done()]
        assert all(each.get("reason") in NOT_KEPT for each in answered), "nobody is answered before the commit"
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        # What was written has happened in the model too; what was not is asked again, and happens then.
        if is_written:
            for signed, message in messages:
                self.foretell_stake(name, signed.person.id, message)
            await self.start_again()
            answers = [await self.at.say(name, signed, **message) for signed, message in messages]
            for (signed, message), answer in zip(messages, answers, strict=True):
                self.said.append(Said(name, signed, message, answer))
        else:
            await self.start_again()
            await self.check()
            await self._at_once(name, messages)
        self.seen["crashed"] += 1

    async def crashes_at_a_step(self) -> None:
        """The process ends while a virtual dealer waits for a commit."""
        reached = await self.hang_at_a_commit(is_written=self.random.random() < 0.5)
        clock = self.at.clock
        alarms = [each for each in clock._waiting if each.until is not None]
        leads = [each for each in alarms if each.task and "_lead" in each.task.get_coro().__qualname__]  # type: ignore[union-attr]
        if leads:
            first = min(leads, key=lambda each: each.until or 0)
            clock._now = max(clock._now, first.until or 0)
            first.alarm.set()
            await asyncio.wait_for(reached.wait(), 20)
        await self.start_again()
        self.seen["crashed at a step"] += bool(leads)

    # What is not allowed.

    async def tries_what_is_not_allowed(self) -> None:
        name, pick = self.table(), self.random.choice
        attempts: list[tuple[Signed, Json]] = [
            (self.dealer, {"do": "stake", "wager": "tie", "amount": 2000}),
            (self.supervisors[0], {"do": "stakes", "stakes": {"tie": 2000}}),
            (self.auditor, {"do": "pause", "reason": "looks odd"}),
            (self.dealer, {"do": "resume"}),
            (pick(self.patrons), {"do": "deal", "card": "Ac"}),
            (pick(self.patrons), {"do": "settle"}),
            (pick(self.patrons), {"do": "void", "irregularity": "technical-fault", "note": "I lost"}),
            (self.auditor, {"do": "end-shoe"}),
            (self.supervisors[1], {"do": "deal", "card": "Ac"}),
        ]
        signed, message = pick(attempts)
        answer = await self.says(name, signed, message)
        assert (answer["type"], answer["status"], answer["reason"]) == ("refused", 403, "not-allowed"), message
        if name != "felt":
            key = {"do": pick(["open-shoe", "open-betting", "close-betting", "announce", "settle"])}
            answer = await self.says(name, self.dealer, key)
            assert (answer["status"], answer["reason"]) == (409, "virtual-shoe")
        self.seen["not allowed"] += 1


NOT_KEPT = frozenset({"decided", "id-reused", "unknown-wager", "virtual-shoe"})
"""Refusals that the record is not asked for, so that their ids are free."""
IRREGULARITIES = ("technical-fault", "technical-fault", "wrong-number-of-cards", "foreign-card", "simultaneous-cards")
CHANGED: dict[str, Json] = {
    "stake": {"amount": 7},
    "stakes": {"stakes": {"tie": 7}},
    "commit": {"commitment": "ab" * 32},
    "pause": {"reason": "another"},
    "end-shoe": {"note": "another"},
    "void": {"note": "another"},
    "correct": {"note": "another"},
    "decline": {"note": "another"},
}
"""By kind, how a message differs that has the id of another."""


def _kept(message: Json, answer: Json) -> Json:
    """An answer but for the moment at which it is given, and whether something waited at that moment."""
    left_out = {"time", "waiting"} if message["do"] in ("void", "correct") else {"time"}
    return {key: value for key, value in answer.items() if key not in left_out}


def _hashed(*parts: bytes | str | int) -> str:
    """As docs/fairness.md says: every part after its length in four bytes."""
    data = [p if isinstance(p, bytes) else p.encode() if isinstance(p, str) else p.to_bytes(4, "big") for p in parts]
    return sha256(b"".join(len(each).to_bytes(4, "big") + each for each in data)).hexdigest()


def _as_told(body: Json, felt: Felt, time: int) -> Json:
    """A row of the log in the words in which everybody is told."""
    found = {key: value for key, value in body.items() if key != "v"}
    if "round_number" in found:
        found["round"] = found.pop("round_number")
    match found["event"]:
        case "shoe-opened":
            found |= {"shoe": body["shoe_number"], "cards": sum(body["shoe"]["counts"].values())}
        case "shoe-committed":
            found["committed"] = {"shoe": body["shoe"]}
        case "betting-opened":
            found["closes_at"] = time + felt.betting
        case "table-resumed":
            found["closes_at"] = time + (felt.betting if felt.left is None else felt.left)
        case "betting-closed":
            found["spots"] = felt.totals()
        case "round-settled":
            found["deal"] = f"P {' '.join(felt.player)} | B {' '.join(felt.banker)}"
        case "cut-card-appeared":
            found["rounds_left"] = 2 if felt.phase in IN_ROUND else 1
    return found
