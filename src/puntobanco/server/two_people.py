"""Voids, corrections, adjustments, rates and much money: one person asks, and another carries it out or does not.

A request is kept before it is answered, so that it outlives the process. It is carried out under the id of the message
that approved it: however often that comes, and whatever crashes in between, it has one effect.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from puntobanco.extras import optional_package
from puntobanco.ledger import (
    AdjustAccount,
    ChangeMoney,
    DeskCommand,
    IssueMoney,
    MoneyChanged,
    MoneyIssued,
    MoneyReturned,
    PostRate,
    ReturnMoney,
)
from puntobanco.ledger.accounts import owed_account, patron_account
from puntobanco.server import wire
from puntobanco.server.live_table import LiveTable
from puntobanco.server.logs import log
from puntobanco.server.orders import commands_of
from puntobanco.server.permissions import Permission, denied, second_person
from puntobanco.server.persons import Signed
from puntobanco.server.problems import Problem, not_allowed, nothing_there
from puntobanco.server.requests import (
    APPROVED,
    DECIDING,
    DECLINED,
    LAPSED,
    WAITING,
    WITHDRAWN,
    Request,
    decided_already,
    lapsed,
)
from puntobanco.server.rounds import round_for
from puntobanco.server.terms import DAY
from puntobanco.server.views import DESK_MOVES
from puntobanco.store.record import Answer, Written
from puntobanco.store.streams import DeskStream, Stream, StreamCommand, StreamEvent, TableStream
from puntobanco.table import CorrectRound, PauseTable, ResumeTable, VoidRound

with optional_package("msgspec", "Messages are read"):
    import msgspec
if TYPE_CHECKING:
    from puntobanco.server.house import House

Json = dict[str, Any]

SECOND = "second-person"
"""Stands for whoever will approve, while it is asked whether the desk would do it at all."""


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="adjust"):
    """What is asked of the desk (ruling 22)."""

    patron: str
    unit: str
    amount: int
    table: str
    round: int
    reason: str


class Giving(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="issue"):
    """More play money for a patron than one person alone gives."""

    patron: str
    unit: str
    amount: int
    reason: str


class Taking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="return"):
    """More play money from a patron than one person alone takes."""

    patron: str
    unit: str
    amount: int
    reason: str


class Changing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="change"):
    """More of a patron's money than one person alone changes."""

    patron: str
    gives: str
    amount: int
    takes: str


class Rating(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="rate"):
    """A rate to be posted: whoever could alone would make money of nothing."""

    gives: str
    takes: str
    numerator: int
    denominator: int


Movement = Giving | Taking | Changing
DeskRequest = Adjustment | Movement | Rating


class TwoPeople:
    """What needs two people, at the tables and at the desk of a house."""

    def __init__(self, house: "House", desk: str) -> None:
        self._house, self._desk = house, desk

    # The first person.

    async def ask(self, live: LiveTable, signed: Signed, said: wire.TableMessage) -> tuple[Json, Answer]:
        """Keep what is asked for; the table waits with it. What is told, and whether it was before."""
        house, stream, as_said = self._house, f"table/{live.name}", wire.said_by(said)
        _check(signed, Permission(wire.kind_of(said)))
        house.check(live, signed, said)
        await house.check_id(stream, signed.person.id, said.id, as_said)
        request_id = _request_id(signed, said.id)
        kept = await house.requests.kept(request_id)
        number = kept.round if kept is not None and kept.round is not None else live.table.round_number
        if kept is None:
            (command,) = _by_two(commands_of(said, live.table, signed.person.id), signed.person.id, SECOND)
            # Refused now where it would be refused in any case.
            live.stream.decide(command, await house.record.database.standing(sorted(live.stream.accounts(command))))
        if getattr(said, "round", 0) is None:
            # A round that is not named is the one of this moment, also when the message comes again later.
            said = wire.with_round(said, number)
        body = wire.said_by(said).decode()
        asked = Request(request_id, stream, body, signed.person.id, house.clock.now(), version=live.version)
        request = await house.requests.ask(asked)
        answer = await self._take_id(request, said.id, as_said)
        if live.is_closed:
            # In the very moment in which it was asked: nobody could decide it any more.
            await house.requests.lapse(request, house.clock.now())
            house.check(live, signed, said)
        if request.state == WAITING and not live.table.paused:
            await self._pause_for(request, signed, wire.kind_of(said))
        await house.request_news.tell()
        told = {"type": "accepted", "id": said.id, "version": request.version, "time": house.clock.now()}
        # Asked again when something has become of it, it waits no more.
        return {**told, "request": request.id, "waiting": request.waits}, answer

    async def _take_id(self, request: Request, message_id: str, asked: bytes) -> Answer:
        """From now on the id of the message stands for this request alone."""
        try:
            return await self._claimed(request, request.asked_by, message_id, asked, request.version)
        except ValueError:
            # Two messages under one id in one moment: this one was not first.
            await self._house.requests.lapse(request, self._house.clock.now())
            raise

    async def _claimed(self, request: Request, actor: str, message_id: str, asked: bytes, version: int) -> Answer:
        """Nothing happens at the table for it, and yet the id is taken: it is answered with the same version always."""
        taken = await self._house.record.claim(
            request.stream, actor=actor, command_id=message_id, asked=asked, told={"version": version}
        )
        return taken._replace(version=msgspec.json.decode(taken.text)["version"])

    async def holds_up(self, live: LiveTable) -> bool:
        """Whether something waits at the table for a second person: if it went on, nobody could decide it any more."""
        return bool(await self.waiting(f"table/{live.name}"))

    async def _pause_for(self, request: Request, signed: Signed, what: str) -> None:
        """The table waits until it is decided; unless its server has begun the next round meanwhile."""

        def meant(stream: Stream) -> list[StreamCommand]:
            assert isinstance(stream, TableStream)
            if stream.table is not None and request.round is not None and request.round < stream.table.round_number:
                raise lapsed()
            return [PauseTable(f"{what} asked for: a supervisor is called", request.id)]

        asked = f"pause for {request.id}".encode()
        house, command_id = self._house, f"pause-{request.id}"
        try:
            await house.record.ask(request.stream, meant, actor=signed.person.id, command_id=command_id, asked=asked)
        except Problem:
            await house.requests.lapse(request, house.clock.now())
            raise

    async def ask_adjustment(self, signed: Signed, message_id: str, asked: Adjustment) -> Request:
        """A payment was wrong, and no rule can change its round any more."""
        house = self._house
        _check(signed, Permission.ADJUST_ACCOUNT)
        if house.is_stopping:
            raise Problem(503, "stopping", "The house is closing; nothing more is taken.")
        await house.check_patron(asked.patron)
        if f"table/{asked.table}" not in house.record.streams:
            raise nothing_there("There is no such table.")
        try:
            # Also of a table that is closed by now.
            played = await round_for(house, asked.table, asked.round, asked.patron)
        except Problem as problem:
            if problem.status != 404:
                raise
            played = {"time": None}
        if played["time"] is None:
            raise Problem(
                409, "no-round", "No such round is over: an account is adjusted for one that is.", "Ruling 22"
            )
        if not played["wagers"]:
            raise Problem(409, "no-stake", "The patron had no stake in that round.", "Ruling 22")
        if asked.unit != played["unit"]:
            message = f"That round was played in {played['unit']}, and so is its adjustment."
            raise Problem(409, "bad-unit", message, "Ruling 22")
        return await self._ask_desk(signed, message_id, asked)

    async def ask_rate(self, signed: Signed, message_id: str, asked: Rating) -> Request:
        """A rate that the desk is to change at."""
        _check(signed, Permission.POST_RATE)
        return await self._ask_desk(signed, message_id, asked)

    async def move_money(self, signed: Signed, message_id: str, asked: Movement) -> "int | Request":
        """Give, take or change a patron's money: done, and its version, or what waits for a second person.

        A person alone moves so much of a patron's money in a day and no more, in however many parts it is asked for,
        and by however many processes.
        """
        house, person = self._house, signed.person
        await house.check_patron(asked.patron)
        if await house.requests.kept(_request_id(signed, message_id)) is None:
            command, provided = _of_the_desk(asked, "", ""), partial(self._check_for_one, asked)
            with suppress(_ForTwo):
                return await house.at_the_desk(command, person.id, message_id, provided=provided)
        return await self._ask_desk(signed, message_id, asked)

    async def _ask_desk(self, signed: Signed, message_id: str, asked: DeskRequest) -> Request:
        """Refused now where it would be refused in any case; otherwise kept until somebody agrees."""
        house, person = self._house, signed.person
        request_id, body = _request_id(signed, message_id), msgspec.json.encode(asked).decode()
        await house.check_id(self._desk, person.id, message_id, body.encode())
        if await house.requests.kept(request_id) is None:
            command = _of_the_desk(asked, person.id, SECOND)
            stream = house.record.stream(self._desk)
            stream.decide(command, await house.record.database.standing(sorted(stream.accounts(command))))
        version = house.record.version(self._desk)
        asked_for = Request(request_id, self._desk, body, person.id, house.clock.now(), version=version)
        request = await house.requests.ask(asked_for)
        await self._take_id(request, message_id, body.encode())
        await house.request_news.tell()
        return request

    async def waiting(self, stream: str | None = None) -> list[Request]:
        """What waits for a second person; what was about a round that stands by now lapses first (5.2)."""
        found = []
        for each in await self._house.requests.waiting(stream):
            live = self._house.tables.get(each.stream.removeprefix("table/"))
            if live is not None and live.trouble is None and _is_too_late(each, live):
                await self._house.requests.lapse(each, self._house.clock.now())
            else:
                found.append(each)
        return found

    async def _check_for_one(self, asked: Movement, desk: Stream, just_done: Sequence[Written]) -> None:
        """Raise unless one person alone may move so much: decided in the order of the record, as the money itself."""
        assert isinstance(desk, DeskStream)
        house, patron, moves = self._house, asked.patron, _moves(asked, desk)
        accounts = [account for unit in moves for account in (patron_account(unit, patron), owed_account(unit, patron))]
        rows = await house.record.database.events_that_moved(accounts, self._desk, house.clock.now() - DAY)
        done = [(row.actor, desk.read_event(row.body)) for row in rows]
        moved = Counter[str]()
        for actor, event in [*done, *[(each.actor, each.event) for each in just_done]]:
            # What they have given themselves is bounded elsewhere.
            if isinstance(event, DESK_MOVES) and event.patron == patron != actor:
                moved.update(_moved_alone(event))
        if any(moved[unit] + amount > house.configuration.desk_alone for unit, amount in moves.items()):
            raise _ForTwo

    # The second person.

    async def decide(
        self, live: LiveTable, signed: Signed, said: wire.Approve | wire.Decline
    ) -> tuple[Request, Answer]:
        """Approve or decline what was asked for at a table, or withdraw what one has asked for oneself."""
        house = self._house
        withdraws = check_decides(signed, await house.requests.kept(said.request), Permission(wire.kind_of(said)))
        house.check(live, signed, said)
        request = await house.requests.find(said.request)
        if request.stream != f"table/{live.name}":
            raise nothing_there("There is no such request at this table.")
        table = live.table
        moved = table.stakes if table.phase.in_round or table.last is None else table.last.stakes
        if not withdraws:
            await self._check_second(request, signed, moved)
        if _is_too_late(request, live):
            await house.requests.lapse(request, house.clock.now())
            raise lapsed()
        request = await self._settled(request, signed, said.id)
        if isinstance(said, wire.Approve):
            request = await self._begin(request, signed, said.id)
            answer = await self._carry_out_at_table(live, request)
        else:
            answer = await self._claimed(request, signed.person.id, said.id, wire.said_by(said), live.version)
            request = await self._decline(request, signed, said.id, said.note)
            if await self._was_called_for(live, request):
                await self._resume(request, signed)
        await house.request_news.tell()
        return request, answer

    async def decide_adjustment(
        self, request: Request, signed: Signed, message_id: str, *, approve: bool, note: str = ""
    ) -> None:
        """Approve or decline what was asked for at the desk, or withdraw it; a refusal of the desk is raised."""
        withdraws = check_decides(signed, request, Permission.APPROVE if approve else Permission.DECLINE)
        asked = msgspec.json.decode(request.body, type=DeskRequest)
        if not withdraws:
            await self._check_second(request, signed, [] if isinstance(asked, Rating) else [asked.patron])
        request = await self._settled(request, signed, message_id)
        if not approve:
            said = f"decline {request.id} {note}".encode()
            await self._claimed(request, signed.person.id, message_id, said, request.version)
            await self._decline(request, signed, message_id, note)
            await self._house.request_news.tell()
            return
        request = await self._begin(request, signed, message_id)
        answer = await self._carry_out_at_desk(request)
        await self._house.request_news.tell()
        await self._house.done(answer)

    async def _check_second(self, request: Request, signed: Signed, concerned: Collection[str]) -> None:
        problem = second_person(request.asked_by, signed.person, concerned)
        if problem is None and await self._house.people.are_known_to_each_other(request.asked_by, signed.person.id):
            # Whoever gave somebody a password may be that person too.
            problem = not_allowed(
                "Somebody decides whose password is neither of the other's giving nor of the same person's."
            )
        if problem is not None:
            raise problem

    async def _settled(self, request: Request, signed: Signed, message_id: str) -> Request:
        """One that somebody else had approved when the process was stopped is carried out first, as they decided."""
        if request.state == DECIDING and not request.is_decision_of(signed.person.id, message_id):
            if request.stream == self._desk:
                await self._carry_out_at_desk(request)
            else:
                await self._carry_out_at_table(self._house.find(request.stream.removeprefix("table/")), request)
            request = await self._house.requests.find(request.id)
        if request.state in (APPROVED, DECLINED, WITHDRAWN) and not request.is_decision_of(
            signed.person.id, message_id
        ):
            raise decided_already()
        return request

    async def _begin(self, request: Request, signed: Signed, message_id: str) -> Request:
        now = self._house.clock.now()
        return await self._house.requests.decide(request, DECIDING, signed.person.id, message_id, now)

    async def _decline(self, request: Request, signed: Signed, message_id: str, note: str) -> Request:
        now, person = self._house.clock.now(), signed.person.id
        if person != request.asked_by:
            return await self._house.requests.decide(request, DECLINED, person, message_id, now, note)
        withdrawn = await self._house.requests.decide(request, WITHDRAWN, person, message_id, now, note)
        if request.state == WAITING:
            what = msgspec.json.decode(request.body)
            log("request-withdrawn", what=what["do"], stream=request.stream, round=what.get("round"), by=person)
        return withdrawn

    # What happens then.

    async def _carry_out_at_table(self, live: LiveTable, request: Request) -> Answer:
        asked = wire.read_message(request.body.encode())
        assert request.decided_by is not None, "somebody has approved it"
        commands = _by_two(commands_of(asked, live.table, request.asked_by), request.asked_by, request.decided_by)
        if await self._was_called_for(live, request):
            commands.append(ResumeTable())
        answer = await self._carry_out(request, commands)
        if answer.accepted and request.state == DECIDING:
            log(
                "round-voided" if isinstance(asked, wire.Void) else "round-corrected",
                table=live.name,
                round=getattr(asked, "round", None),
                by=request.asked_by,
                and_by=request.decided_by,
            )
        return answer

    async def _carry_out_at_desk(self, request: Request) -> Answer:
        asked = msgspec.json.decode(request.body, type=DeskRequest)
        assert request.decided_by is not None, "somebody has approved it"
        command = _of_the_desk(asked, request.asked_by, request.decided_by)
        answer = await self._carry_out(request, [command])
        if answer.accepted and request.state == DECIDING:
            log_desk(command, request.decided_by)
        return answer

    async def _carry_out(self, request: Request, commands: list[StreamCommand]) -> Answer:
        """Once, whoever asks again; where it is refused, the request waits as before."""
        house, requests = self._house, self._house.requests
        assert request.decided_by is not None
        assert request.decision is not None
        try:
            answer = await house.record.submit(
                request.stream,
                commands,
                actor=request.decided_by,
                command_id=request.decision,
                asked=f"approve {request.id} {request.body}".encode(),
            )
        except ValueError:
            # The id was used for something else.
            await requests.put_back(request)
            raise
        await (requests.carried_out if answer.accepted else requests.put_back)(request)
        return answer

    async def _was_called_for(self, live: LiveTable, request: Request) -> bool:
        """Whether the table waits for this request, and for no other."""
        waiting = await self.waiting(request.stream)
        return live.table.paused_for is not None and not [each for each in waiting if each.id != request.id]

    async def _resume(self, request: Request, signed: Signed) -> None:
        await self._house.record.submit(
            request.stream, [ResumeTable()], actor=signed.person.id, command_id=f"resume-{request.id}"
        )


def _is_too_late(request: Request, live: LiveTable) -> bool:
    """Whether a request that waits is about a round that stands, because the next has begun."""
    if request.state not in (WAITING, LAPSED) or request.stream != f"table/{live.name}":
        return False
    return request.round is not None and request.round < live.table.round_number


def check_decides(signed: Signed, request: Request | None, permission: Permission) -> bool:
    """Raise a problem unless they may decide it; whether they take back what they have asked for themselves."""
    if permission is Permission.DECLINE and request is not None and request.asked_by == signed.person.id:
        # Whoever may ask may think better of it.
        _check(signed, Permission.VOID)
        return True
    _check(signed, permission)
    return False


def _check(signed: Signed, permission: Permission) -> None:
    problem = denied(signed, permission)
    if problem is not None:
        raise problem


def _by_two(commands: Sequence[StreamCommand], by: str, and_by: str) -> list[StreamCommand]:
    """The same with the names of both, which the record keeps and signs."""
    return [
        replace(each, by=by, and_by=and_by) if isinstance(each, VoidRound | CorrectRound) else each for each in commands
    ]


def _request_id(signed: Signed, message_id: str) -> str:
    """Of whoever asks and the id of their message, so that a retry finds it; nobody else's comes to the same."""
    return sha256(f"{signed.person.id}\n{message_id}".encode()).hexdigest()[:32]


def _of_the_desk(asked: DeskRequest, by: str, and_by: str) -> DeskCommand:
    match asked:
        case Giving():
            return IssueMoney(asked.patron, asked.unit, asked.amount, asked.reason, by, and_by)
        case Taking():
            return ReturnMoney(asked.patron, asked.unit, asked.amount, asked.reason, by, and_by)
        case Changing():
            return ChangeMoney(asked.patron, asked.gives, asked.amount, asked.takes, by, and_by)
        case Rating():
            return PostRate(asked.gives, asked.takes, asked.numerator, asked.denominator, by, and_by)
        case Adjustment():
            address = f"{asked.table}/{asked.round}"
            return AdjustAccount(asked.patron, asked.unit, asked.amount, address, asked.reason, by, and_by)


class _ForTwo(Exception):
    """It is more than one person alone may move."""


def _moves(asked: Movement, desk: DeskStream) -> dict[str, int]:
    """By unit, how much it moves, one way or the other."""
    if not isinstance(asked, Changing):
        return {asked.unit: asked.amount}
    return {asked.gives: asked.amount, asked.takes: desk.desk.worth(asked.gives, asked.amount, asked.takes)}


def _moved_alone(event: StreamEvent) -> dict[str, int]:
    """By unit, how much of a patron's money one person alone has moved."""
    match event:
        case MoneyIssued(unit=unit, amount=amount, by="") | MoneyReturned(unit=unit, amount=amount, by=""):
            return {unit: amount}
        case MoneyChanged(gives=gives, amount=amount, takes=takes, received=received, by=""):
            return {gives: amount, takes: received}
    return {}


def log_desk(command: DeskCommand, actor: str) -> None:
    """Every act of the desk, with whom it concerns and who did it."""
    match command:
        case AdjustAccount(patron, unit, amount, address, _, by, and_by):
            table, _, number = address.rpartition("/")
            values = {"table": table, "round": number, "patron": patron, "unit": unit, "amount": amount}
            log("account-adjusted", **values, by=by, and_by=and_by)
        case IssueMoney(patron, unit, amount, _, by, and_by):
            log("money-issued", patron=patron, unit=unit, amount=amount, by=by or actor, and_by=and_by or None)
        case ReturnMoney(patron, unit, amount, _, by, and_by):
            log("money-returned", patron=patron, unit=unit, amount=amount, by=by or actor, and_by=and_by or None)
        case ChangeMoney(patron, gives, amount, takes, by, and_by):
            about = {"patron": patron, "unit": gives, "amount": amount, "takes": takes}
            log("money-changed", **about, by=by or actor, and_by=and_by or None)
        case PostRate(gives, takes, numerator, denominator, by, and_by):
            about = {"unit": gives, "takes": takes, "numerator": numerator, "denominator": denominator}
            log("rate-posted", **about, by=by or actor, and_by=and_by or None)
