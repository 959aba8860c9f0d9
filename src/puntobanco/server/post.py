"""Letters between processes: what is asked of a table goes to the process that leads it, and its answer comes back.

    post = Post(url, ownership, doorbell, carry_out)
    await post.start()
    answer = await post.command("main", {"person": .., "message": ..}, timeout=5)

A letter lies in the database until it is answered; the doorbell tells that there is one. What is carried out has an id
of the client's, so that asking twice is harmless: if the table changes hands meanwhile, its new owner is asked again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from puntobanco.extras import optional_package
from puntobanco.server.doorbell import PAUSE_SECONDS, Doorbell
from puntobanco.server.leases import Ownership, post_bell, stream_of
from puntobanco.server.link import ANSWER_SECONDS, Link, ended, is_set
from puntobanco.server.logs import log_problem
from puntobanco.server.problems import Problem, problem_of
from puntobanco.store.database import Fenced, StorageFault

with optional_package("msgspec", "Letters between processes are written"):
    import msgspec

LOOK_SECONDS = 1.0
"""How often the post is fetched though nobody rang."""
KEPT_MILLISECONDS = 60_000
"""A letter that old has no reader any more."""
MOST_AT_ONCE = 256

Body = dict[str, Any]
CarryOut = Callable[[str, Body], Awaitable[Body]]
"""What the owner of a table does with a letter, given the table and the body: the same as for its own patrons."""

NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# Numbers are given in the order in which the rows come.
SEND = f"""
    INSERT INTO letter (receiver, sender, body, sent)
    SELECT given.receiver, $1, given.body, {NOW}
    FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (receiver, body, place) ORDER BY given.place
    RETURNING number
"""
RECEIVED = f"""
    SELECT number, sender, body FROM letter
    WHERE receiver = $1 AND answer IS NULL AND number <> ALL ($2::bigint[]) ORDER BY number LIMIT {MOST_AT_ONCE}
"""
ANSWER = """
    UPDATE letter SET answer = given.answer FROM unnest($1::bigint[], $2::text[]) AS given (number, answer)
    WHERE letter.number = given.number
"""
ANSWERS = "DELETE FROM letter WHERE sender = $1 AND answer IS NOT NULL RETURNING number, answer"
TAKE_BACK = "DELETE FROM letter WHERE number = ANY ($1::bigint[]) AND answer IS NULL"
CLEAR_OLD = f"DELETE FROM letter WHERE sent < {NOW} - {KEPT_MILLISECONDS}"


@dataclass(eq=False)
class _Letter:
    """A letter of ours that is under way."""

    receiver: str
    table: str
    text: str
    answer: "asyncio.Future[Body]"
    number: int | None = None


@dataclass
class _Reply:
    """An answer of ours that is to be written down."""

    number: int
    sender: str
    text: str = ""


@dataclass
class _Desk:
    """What lies on the desk of the process."""

    to_send: list[_Letter] = field(default_factory=list)
    sent: dict[int, _Letter] = field(default_factory=dict)
    to_take_back: list[int] = field(default_factory=list)
    to_answer: list[_Reply] = field(default_factory=list)
    in_hand: set[int] = field(default_factory=set)
    """Letters that are being carried out, or whose answer is not written down yet."""


class Post:
    """One task sends, fetches and answers, many letters at a time."""

    def __init__(self, url: str, ownership: Ownership, doorbell: Doorbell, carry_out: CarryOut) -> None:
        self._ownership, self._doorbell, self._carry_out = ownership, doorbell, carry_out
        self._link = Link(url)
        self._desk = _Desk()
        self._owners_changed = asyncio.Event()
        self._something_to_do = asyncio.Event()
        self._rung = True
        self._working: asyncio.Task[None] | None = None
        self._carrying_out: set[asyncio.Task[None]] = set()
        self._cleared = 0.0

    @property
    def _me(self) -> str:
        return self._ownership.process

    async def start(self) -> None:
        self._doorbell.hear(post_bell(self._me), self._fetch_soon)
        self._ownership.changed.append(self._look_at_owners)
        await self._fetch()
        self._working = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Answer what is being carried out, then stop."""
        if self._carrying_out:
            await asyncio.wait(self._carrying_out, timeout=ANSWER_SECONDS)
        for task in [*self._carrying_out, self._working]:
            await ended(task)
        self._working = None
        with suppress(StorageFault):
            await self._write_answers()
        await self._link.close()

    async def command(self, table: str, body: Body, timeout: float) -> Body:
        """Have a table's owner carry something out, whoever that is, here or elsewhere; its answer, or its problem."""
        try:
            async with asyncio.timeout(timeout):
                while True:
                    self._owners_changed.clear()
                    owner = self._ownership.owner_of(table)
                    try:
                        if owner == self._me:
                            return await self._carry_out(table, body)
                        if owner is not None:
                            return await self._sent(owner, table, body)
                    except Fenced:
                        self._ownership.wake()
                    # Soon there is another owner. One who is asked too early says so at once: no need to hurry.
                    await is_set(self._owners_changed, PAUSE_SECONDS)
        except TimeoutError:
            raise _no_answer() from None

    async def ask(self, owner: str, body: Body, timeout: float, table: str = "") -> Body:
        """Ask one process: a problem if it has not answered in time, or leads the table no more that is named."""
        try:
            async with asyncio.timeout(timeout):
                return await self._sent(owner, table, body)
        except (TimeoutError, Fenced):
            raise _no_answer() from None

    async def _sent(self, owner: str, table: str, body: Body) -> Body:
        text = msgspec.json.encode({"table": table, "body": body}).decode()
        letter = _Letter(owner, table, text, asyncio.get_running_loop().create_future())
        self._desk.to_send.append(letter)
        self._something_to_do.set()
        try:
            return await letter.answer
        finally:
            self._put_away(letter)

    def _put_away(self, letter: _Letter) -> None:
        """Nobody waits for it any more: what was not answered need not be."""
        if letter.number is None:
            with suppress(ValueError):
                self._desk.to_send.remove(letter)
        elif self._desk.sent.pop(letter.number, None) is not None:
            self._desk.to_take_back.append(letter.number)
            self._something_to_do.set()

    def _look_at_owners(self) -> None:
        self._owners_changed.set()
        for letter in [*self._desk.to_send, *self._desk.sent.values()]:
            if letter.table and self._ownership.owner_of(letter.table) != letter.receiver and not letter.answer.done():
                letter.answer.set_exception(_moved(letter))

    def _fetch_soon(self) -> None:
        self._rung = True
        self._something_to_do.set()

    # The work.

    async def _work(self) -> None:
        while True:
            if not await is_set(self._something_to_do, LOOK_SECONDS):
                self._rung = True
            self._something_to_do.clear()
            try:
                await self._send()
                await self._write_answers()
                if self._rung:
                    self._rung = False
                    await self._fetch()
            except StorageFault:
                self._fetch_soon()
                await asyncio.sleep(PAUSE_SECONDS)

    async def _send(self) -> None:
        desk = self._desk
        letters = [letter for letter in desk.to_send if not letter.answer.done()][:MOST_AT_ONCE]
        if letters:
            texts = [letter.text for letter in letters]
            rows = await self._link.ask(SEND, self._me, [letter.receiver for letter in letters], texts)
            for number, letter in zip(sorted([row[0] for row in rows]), letters, strict=True):
                letter.number = number
                desk.sent[number] = letter
                if letter.answer.done():
                    self._put_away(letter)
            sent = set(map(id, letters))
            desk.to_send = [letter for letter in desk.to_send if id(letter) not in sent]
            self._doorbell.ring(*{post_bell(letter.receiver) for letter in letters})
        if desk.to_send:
            self._something_to_do.set()
        if desk.to_take_back:
            numbers = desk.to_take_back[:]
            await self._link.ask(TAKE_BACK, numbers)
            del desk.to_take_back[: len(numbers)]

    async def _write_answers(self) -> None:
        replies = self._desk.to_answer[:]
        if replies:
            await self._link.ask(ANSWER, [each.number for each in replies], [each.text for each in replies])
            del self._desk.to_answer[: len(replies)]
            self._desk.in_hand -= {each.number for each in replies}
            self._doorbell.ring(*{post_bell(each.sender) for each in replies})

    async def _fetch(self) -> None:
        for number, text in await self._link.ask(ANSWERS, self._me):
            letter = self._desk.sent.pop(number, None)
            if letter is not None and not letter.answer.done():
                _settle(letter, text)
        received = await self._link.ask(RECEIVED, self._me, list(self._desk.in_hand))
        for number, sender, text in received:
            self._desk.in_hand.add(number)
            task = asyncio.create_task(self._reply(_Reply(number, sender), text))
            self._carrying_out.add(task)
            task.add_done_callback(self._carrying_out.discard)
        if len(received) == MOST_AT_ONCE:
            self._fetch_soon()
        now = asyncio.get_running_loop().time()
        if now - self._cleared > KEPT_MILLISECONDS / 1000:
            self._cleared = now
            await self._link.ask(CLEAR_OLD)

    async def _reply(self, reply: _Reply, text: str) -> None:
        said: Body
        try:
            letter = msgspec.json.decode(text)
            table = letter["table"]
            if table and not self._ownership.owns(table):
                said = {"moved": True}
            else:
                said = {"answer": await self._carry_out(table, letter["body"])}
        except Fenced:
            said = {"moved": True}
        except Exception as error:
            problem = problem_of(error)
            if problem.reason == "fault":
                log_problem(problem, fault=error)
            said = {"problem": [problem.status, problem.reason, problem.message, problem.clause, problem.closed_at]}
        reply.text = msgspec.json.encode(said).decode()
        self._desk.to_answer.append(reply)
        self._something_to_do.set()


def _settle(letter: _Letter, text: str) -> None:
    said = msgspec.json.decode(text)
    if "answer" in said:
        letter.answer.set_result(said["answer"])
    elif "problem" in said:
        letter.answer.set_exception(Problem(*said["problem"]))
    else:
        letter.answer.set_exception(_moved(letter))


def _moved(letter: _Letter) -> Fenced:
    """The table has another owner: that one is asked."""
    return Fenced([stream_of(letter.table)])


def _no_answer() -> Problem:
    return Problem(503, "ask-again", "Whoever leads this table has not answered; ask again.")
