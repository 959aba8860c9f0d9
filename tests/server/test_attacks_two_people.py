"""What needs two people: no one does it alone, nobody does it twice, and whoever is concerned is told."""

import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from unittest import mock

import pytest

from puntobanco.ledger import IssueMoney
from puntobanco.server.house import DESK
from puntobanco.server.logs import set_up
from puntobanco.server.persons import Role
from puntobanco.server.requests import DECIDING
from puntobanco.store.slips import SetStakes
from puntobanco.table import ResumeTable
from server.attacked import MONEY, PATIENCE, PIT, Attacked, Who

VOID = {"do": "void", "irregularity": "technical-fault", "note": "The reader failed."}
CORRECT = {"do": "correct", "deal": "P 9s 8d | B 3h 4h", "note": "The king was an eight."}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


class Floor:
    """A round at a table of its own, and those who lead it."""

    def __init__(self, service: Attacked, table: str = "") -> None:
        self.service, self._number = service, 0
        self.table = table or f"pit-{len(service.house._wanted)}"
        if not table:
            added = {"id": self.table, "game": "manila", "dealing": "dealer"}
            assert service.ask("director", "POST", "/api/tables", added).status_code == 201

    def id_of(self, name: str) -> str:
        """An id that no other test has."""
        return f"{self.table}-{name}"

    def say(self, who: str | Who, what: Mapping[str, Any], *, message_id: str = "") -> Any:
        self._number += 1
        said = {"id": self.id_of(message_id or f"{self._number:06}"), **what}
        return self.service.command(who, self.table, said)

    def do(self, who: str | Who, do: str, **fields: Any) -> Any:
        answer = self.say(who, {"do": do, **fields})
        assert answer.status_code == 200, (do, answer.text)
        return answer.json()

    def open_round(self, *, shoe: bool = True) -> None:
        if shoe:
            self.do("dealer", "open-shoe")
            # A nine: nine cards face down.
            self.do("dealer", "burn", shown=["9c"], face_down=9)
        self.do("dealer", "open-betting")
        self.do("patron", "stake", wager="player", amount=4000)
        self.do("other-patron", "stake", wager="banker", amount=4000)

    def deal(self) -> None:
        self.do("dealer", "close-betting")
        for card in ("9s", "3h", "Kd", "4h"):
            self.do("dealer", "deal", card=card)

    def settle(self) -> None:
        self.do("dealer", "announce")
        self.do("dealer", "settle")

    def ask_void(self, who: str | Who = "dealer", **fields: Any) -> str:
        answer = self.say(who, {**VOID, **fields})
        assert answer.status_code == 200, answer.text
        assert answer.json()["waiting"] is True
        return str(answer.json()["request"])

    @property
    def paused(self) -> str:
        return self.service.house.find(self.table).table.paused

    @property
    def phase(self) -> str:
        return self.service.house.find(self.table).table.phase.value

    def requests(self) -> list[dict[str, Any]]:
        """Those that wait, of this table and of the desk."""
        found: list[dict[str, Any]] = self.service.ask("auditor", "GET", "/api/requests").json()["requests"]
        return [each for each in found if each["stream"] in (f"table/{self.table}", DESK)]


@pytest.fixture
def floor(service: Attacked) -> Floor:
    found = Floor(service)
    found.open_round()
    return found


def reason(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["reason"]


# At a table.


def test_nothing_happens_before_the_second_person_and_everybody_is_told_then(floor: Floor) -> None:
    service = floor.service
    with service.socket("patron", floor.table) as mine, service.socket(None, floor.table) as watching:
        mine.hear("snapshot")
        watching.hear("snapshot")
        before = service.money()
        request = floor.ask_void()
        for wire in (mine, watching):
            assert wire.hear("event")["event"] == "table-paused"
        assert service.money() == before
        assert floor.paused
        assert reason(floor.say("other-patron", {"do": "stake", "wager": "tie", "amount": 2000})) == (409, "paused")
        answer = floor.do("supervisor", "approve", request=request)
        assert answer["request"] == request
        told = [wire.hear("event") for wire in (mine, watching)]
        for each in told:
            assert (each["event"], each["note"]) == ("round-voided", "The reader failed.")
            assert each["clause"], "by which rule"
        assert told[0]["moved"] == 4000
        assert "moved" not in told[1], "what it moves for one patron is nobody else's business"
        assert mine.hear("event")["event"] == "table-resumed"
    assert not floor.paused
    assert service.money()[f"held/{floor.table}/PHP/{service.who['patron'].id}"] == 0
    assert floor.requests() == []


def test_not_the_same_person_by_any_door(floor: Floor) -> None:
    """Whoever asks is another person than who approves, with another session or over another way too."""
    service, supervisor = floor.service, floor.service.who["supervisor"]
    request = floor.ask_void("supervisor")

    async def another_session() -> str:
        people = service.house.people
        async with people._beside.writing() as connection:
            return await people._sessions.begin(connection, supervisor.id)

    again = supervisor._replace(token=service.run(another_session()))
    for who in (supervisor, again):
        assert reason(floor.say(who, {"do": "approve", "request": request})) == (403, "not-allowed")
        answer = service.ask(who, "POST", f"/api/requests/{request}/approve", {"id": floor.id_of("desk-approve")})
        assert reason(answer) == (403, "not-allowed")
        with service.socket(who, floor.table) as wire:
            assert (
                wire.ask({"id": floor.id_of("by-socket"), "do": "approve", "request": request})["reason"]
                == "not-allowed"
            )
    assert floor.phase == "betting"
    floor.do("second-supervisor", "approve", request=request)
    assert floor.phase != "betting"


@pytest.mark.parametrize("who", ["guest", "patron", "dealer", "auditor"])
def test_only_who_may_is_the_second(floor: Floor, who: str) -> None:
    request = floor.ask_void("supervisor")
    for do in ("approve", "decline"):
        assert reason(floor.say(who, {"do": do, "request": request})) == (403, "not-allowed")
        answer = floor.service.ask(who, "POST", f"/api/requests/{request}/{do}", {"id": floor.id_of(f"desk-{do}")})
        assert reason(answer) == (403, "not-allowed")
        # Nor do they learn which requests there are.
        assert reason(floor.say(who, {"do": do, "request": "0" * 32})) == (403, "not-allowed")
    assert len(floor.requests()) == 1


@pytest.mark.parametrize("who", ["dealer", "supervisor"])
@pytest.mark.parametrize("door", ["commands", "requests"])
def test_whoever_asked_may_withdraw_it(floor: Floor, who: str, door: str) -> None:
    service, logged = floor.service, len(floor.service.log.getvalue())
    request = floor.ask_void(who)
    assert floor.paused
    said = {"id": floor.id_of("withdraw"), "note": "It was the right card."}
    for _ in range(2):
        if door == "commands":
            answer = service.command(who, floor.table, {**said, "do": "decline", "request": request})
        else:
            answer = service.ask(who, "POST", f"/api/requests/{request}/decline", said)
        assert answer.status_code == 200, "and a retry is answered as before"
    assert (floor.paused, floor.phase, floor.requests()) == ("", "betting", [])
    assert service.log.getvalue()[logged:].count("request-withdrawn") == 1
    late = floor.say("second-supervisor", {"do": "approve", "request": request})
    assert reason(late) == (409, "decided")


def test_a_dealer_sees_what_became_of_their_own_requests_and_of_no_others(floor: Floor) -> None:
    service = floor.service
    dealers, others = floor.ask_void(), floor.ask_void("supervisor")
    floor.do("second-supervisor", "decline", request=dealers, note="The camera shows it.")
    found = service.ask("dealer", "GET", "/api/requests").json()["requests"]
    mine = {each["id"]: each for each in found}
    assert others not in mine
    assert (mine[dealers]["state"], mine[dealers]["note"]) == ("declined", "The camera shows it.")
    assert {each["asked_by"] for each in found} == {service.who["dealer"].id}
    floor.do("supervisor", "decline", request=others)
    assert reason(service.ask("patron", "GET", "/api/requests")) == (403, "not-allowed")


def test_staff_at_the_table_hear_what_is_asked_and_what_became_of_it(floor: Floor) -> None:
    """With the words of whoever asked and of whoever decided; patrons hear nothing of it."""
    service, who = floor.service, floor.service.who
    with service.socket("dealer", floor.table) as dealer, service.socket("patron", floor.table) as patron:
        request = floor.ask_void(note="The reader failed.")
        made = dealer.hear("request-made")
        assert made | {"time": 0} == {
            "type": "request-made",
            "time": 0,
            "request": request,
            "do": "void",
            "table": floor.table,
            "round": made["round"],
            "patron": None,
            "asked_by": who["dealer"].id,
            "note": "The reader failed.",
            "names": {who["dealer"].id: who["dealer"].name},
        }
        floor.do("supervisor", "decline", request=request, note="It did not.")
        decided = dealer.hear("request-decided")
        assert (decided["request"], decided["state"]) == (request, "declined")
        assert (decided["decided_by"], decided["note"]) == (who["supervisor"].id, "It did not.")
        assert patron.hear("snapshot")["type"] == "snapshot"
        patron.say({"id": floor.id_of("the-end"), "do": "none such"})
        assert patron.hear("request-made", "request-decided", "refused")["type"] == "refused"


@pytest.mark.parametrize("asks", ["who made", "who was made"])
def test_nobody_is_two_people_by_making_another(floor: Floor, asks: str) -> None:
    """Whoever has made a colleague has seen their first password, and may be both."""
    director = floor.service.who["director"]
    ghost = ghost_of(floor, director, "Ghost")
    asker, second = (director, ghost) if asks == "who made" else (ghost, director)
    request = floor.ask_void(asker)
    for do in ("approve", "decline"):
        assert reason(floor.say(second, {"do": do, "request": request})) == (403, "not-allowed")
    floor.do("supervisor", "approve", request=request)


def ghost_of(floor: Floor, director: Who, name: str, role: Role = Role.SUPERVISOR) -> Who:
    """Somebody whom a director has made, and may be."""
    service = floor.service
    made = service.ask(director, "POST", "/api/staff", {"name": f"{name} {floor.table}", "role": role}).json()
    one_time = {"name": made["name"], "password": made["one_time_password"]}
    first = service.ask(None, "POST", "/api/sessions", one_time)
    ghost = Who(made["id"], made["name"], role, first.cookies["pb_session"])
    chosen = {"old": one_time["password"], "new": "nobody would guess this one"}
    return ghost._replace(token=service.ask(ghost, "POST", "/api/password", chosen).cookies["pb_session"])


def test_nobody_is_two_people_by_making_two(floor: Floor) -> None:
    """Nor by making one who makes another."""
    director = floor.service.who["director"]
    one, other = ghost_of(floor, director, "One"), ghost_of(floor, director, "Other", Role.DIRECTOR)
    third = ghost_of(floor, other, "Third")
    request = floor.ask_void(one)
    for second in (director, other, third):
        assert reason(floor.say(second, {"do": "approve", "request": request})) == (403, "not-allowed")
    # Whoever was made by nobody here is the second to all of them.
    floor.do("supervisor", "approve", request=request)


def test_a_new_password_makes_nobody_a_stranger(floor: Floor) -> None:
    """Two whom a director has made give each other passwords: they are the director's as before."""
    service, director = floor.service, floor.service.who["director"]
    one, other = [ghost_of(floor, director, name, Role.DIRECTOR) for name in ("Left", "Right")]
    for giver, to in ((one, other), (other, one)):
        assert service.run(service.house.people.give_new_password(to.id, giver.id))
    for pair in ((one, other), (one, director), (other, director)):
        assert service.run(service.house.people.are_known_to_each_other(pair[0].id, pair[1].id))


def test_a_new_password_is_from_whoever_gave_it(floor: Floor) -> None:
    service, director = floor.service, floor.service.who["director"]
    added, once = service.run(service.house.people.add_staff(f"Lost {floor.table}", Role.DEALER))
    old = service.ask(None, "POST", "/api/sessions", {"name": added.name, "password": once}).cookies["pb_session"]
    who = Who(added.id, added.name, Role.DEALER, old)
    assert not service.run(service.house.people.are_known_to_each_other(added.id, director.id))
    answer = service.ask(director, "PATCH", f"/api/staff/{added.id}", {"role": "supervisor"})
    assert (answer.status_code, answer.json()["role"]) == (200, "supervisor")
    assert service.ask(who, "GET", "/api/me").status_code == 401, "they sign in again"
    given = service.ask(director, "POST", f"/api/staff/{added.id}/password", {}).json()["one_time_password"]
    assert service.run(service.house.people.are_known_to_each_other(added.id, director.id))
    for password, status in ((once, 401), (given, 201)):
        body = {"name": added.name, "password": password}
        assert service.ask(None, "POST", "/api/sessions", body).status_code == status
    # Not for oneself, and nobody but staff has a role to be given.
    asked: tuple[tuple[str, str, Any], ...]
    asked = (("PATCH", "", {"role": "dealer"}), ("POST", "/password", {}), ("DELETE", "", None))
    for method, path, said in asked:
        assert reason(service.ask(director, method, f"/api/staff/{director.id}{path}", said)) == (409, "own-account")
        patron = service.who["patron"].id
        assert reason(service.ask(director, method, f"/api/staff/{patron}{path}", said)) == (404, "not-found")


def test_people_who_were_made_by_each_other_are_one(service: Attacked) -> None:
    """A circle of passwords ends."""
    people = service.house.people
    made = [service.run(people.add_staff(f"Circle {n}", Role.DIRECTOR))[0].id for n in range(3)]
    for place, each in enumerate(made):
        service.run(people.give_new_password(each, made[place - 1]))
    assert service.run(people.are_known_to_each_other(made[0], made[1]))
    assert not service.run(people.are_known_to_each_other(made[0], service.who["director"].id))
    # A password that was given on the command line is from nobody who works here.
    for each in made:
        service.run(people.give_new_password(each))
    assert not service.run(people.are_known_to_each_other(made[0], made[1]))


@pytest.mark.parametrize("when", ["in the round", "after it was settled"])
def test_nobody_decides_about_their_own_money(service: Attacked, when: str) -> None:
    """Staff do not wager; whatever brought their money to the table, others decide about it."""
    floor, supervisor = Floor(service), service.who["supervisor"]

    async def stakes_of_staff() -> None:
        record = service.house.record
        issue, stake = IssueMoney(supervisor.id, "PHP", 100_000, "test"), SetStakes(supervisor.id, {"player": 4000})
        await record.submit(DESK, [issue], actor="test", command_id=floor.id_of("issue"))
        assert (
            await record.submit(f"table/{floor.table}", [stake], actor="test", command_id=floor.id_of("stake"))
        ).accepted

    floor.open_round()
    service.run(stakes_of_staff())
    floor.deal()
    kind = VOID
    if when == "after it was settled":
        floor.settle()
        kind = {**VOID, "irregularity": "wrong-number-of-cards"}
    request = floor.ask_void(**{name: value for name, value in kind.items() if name != "do"})
    assert reason(floor.say("supervisor", {"do": "approve", "request": request})) == (403, "not-allowed")
    assert reason(floor.say("supervisor", {"do": "decline", "request": request})) == (403, "not-allowed")
    floor.do("second-supervisor", "approve", request=request)


@pytest.mark.parametrize("kind", [VOID, CORRECT], ids=["void", "correct"])
@pytest.mark.parametrize("words", [None, "", "   ", "\u200b"])
def test_a_reason_is_given(floor: Floor, kind: Mapping[str, Any], words: str | None) -> None:
    said = {name: value for name, value in kind.items() if name != "note"} | ({} if words is None else {"note": words})
    assert reason(floor.say("dealer", said)) == (400, "malformed")
    without = {name: value for name, value in VOID.items() if name != "irregularity"}
    assert reason(floor.say("dealer", without)) == (400, "malformed"), "nor without the rule by which it is void"
    assert floor.requests() == []
    assert not floor.paused


def test_what_would_be_refused_is_refused_at_once(floor: Floor) -> None:
    answer = floor.say("dealer", {**VOID, "irregularity": "wrong-number-of-cards"})
    assert reason(answer) == (409, "no-cards-dealt")
    assert reason(floor.say("dealer", {**VOID, "round": 7})) == (409, "not-this-round")
    assert floor.requests() == []
    assert not floor.paused


def test_a_correction_by_two(floor: Floor) -> None:
    """The player had nine and has seven: the money goes the other way for both."""
    floor.deal()
    floor.settle()
    service = floor.service
    before = service.money()
    request = str(floor.do("dealer", **CORRECT)["request"])
    assert service.money() == before
    with service.socket("other-patron", floor.table) as wire:
        wire.hear("snapshot")
        floor.do("supervisor", "approve", request=request)
        told = wire.hear("event")
        assert (told["event"], told["note"]) == ("round-corrected", CORRECT["note"])
        assert told["clause"]
    after = service.money()
    assert after != before
    assert sum(after.values()) == sum(before.values()) == 0


def test_the_record_names_both_people_and_so_do_reports_and_exports(floor: Floor) -> None:
    """What the plain table of requests says can be changed by whoever has the file; the events are signed."""
    service, dealer, supervisor = floor.service, floor.service.who["dealer"], floor.service.who["supervisor"]
    floor.deal()
    floor.settle()
    floor.do("supervisor", "approve", request=floor.do("dealer", **CORRECT)["request"])
    floor.do("supervisor", "approve", request=floor.ask_void(irregularity="wrong-number-of-cards"))
    names = {"by": dealer.id, "and_by": supervisor.id}

    async def events() -> list[dict[str, Any]]:
        database = service.house.record.database
        rows = [row async for portion in database.events(f"table/{floor.table}") for _, row in portion]
        return [json.loads(row.body) for row in rows]

    changed = [each for each in service.run(events()) if each["event"] in ("round-corrected", "round-voided")]
    assert [{name: each[name] for name in names} for each in changed] == [names, names]
    told = service.ask("auditor", "GET", f"/api/reports/changes?table={floor.table}").json()["changes"]
    exported = service.ask("auditor", "GET", "/api/exports/changes.json").json()
    exported = [each for each in exported if each["table"] == floor.table]
    assert [{name: each[name] for name in names} for each in (*told, *exported)] == [names] * 4
    header, *_ = service.ask("auditor", "GET", "/api/exports/changes.csv").text.splitlines()
    assert "by,and_by" in header


def test_a_declined_request_lets_the_table_go_on(floor: Floor) -> None:
    service = floor.service
    before = service.money()
    request = floor.ask_void()
    floor.do("supervisor", "decline", request=request, note="The camera shows it.")
    assert not floor.paused
    assert (floor.phase, service.money()) == ("betting", before)
    assert reason(floor.say("second-supervisor", {"do": "approve", "request": request})) == (409, "decided")
    assert floor.phase == "betting"
    floor.do("patron", "stake", wager="player", amount=5000)


def test_a_table_that_waits_for_something_else_waits_on(floor: Floor) -> None:
    floor.do("dealer", "pause", reason="A drink was spilt.")
    first, second = floor.ask_void(), floor.ask_void("second-supervisor", note="The display failed.")
    floor.do("supervisor", "decline", request=first)
    assert floor.paused == "A drink was spilt."
    floor.do("supervisor", "decline", request=second)
    assert floor.paused == "A drink was spilt.", "that is for a supervisor to end, and not for a request"


def test_of_two_requests_the_last_one_lets_the_table_go_on(floor: Floor) -> None:
    first, second = floor.ask_void(), floor.ask_void("second-supervisor", note="The display failed.")
    assert first != second
    floor.do("supervisor", "decline", request=first)
    assert floor.paused
    floor.do("supervisor", "decline", request=second)
    assert not floor.paused


def test_an_approval_that_comes_too_late(floor: Floor) -> None:
    """The table went on all the same, and another round began: it is not that round which is void."""
    request, service = floor.ask_void(), floor.service
    assert reason(floor.say("supervisor", {"do": "resume"})) == (409, "request-waits")
    with service.socket("supervisor", floor.table) as wire:
        assert wire.ask({"id": floor.id_of("resume"), "do": "resume"})["reason"] == "request-waits"
    record, stream = service.house.record, f"table/{floor.table}"
    service.run(record.submit(stream, [ResumeTable()], actor="server", command_id=floor.id_of("goes-on")))
    floor.deal()
    floor.settle()
    floor.open_round(shoe=False)
    before = floor.service.money()
    status, why = reason(floor.say("supervisor", {"do": "approve", "request": request}))
    assert (status, why) == (409, "lapsed")
    assert (floor.phase, floor.service.money()) == ("betting", before)
    assert floor.requests() == [], "it has lapsed with its round"


def test_the_same_request_again(floor: Floor) -> None:
    first = floor.say("dealer", VOID, message_id="void-0001")
    again = floor.say("dealer", VOID, message_id="void-0001")
    assert first.json()["request"] == again.json()["request"]
    other = floor.say("dealer", {**VOID, "note": "Something else."}, message_id="void-0001")
    assert reason(other) == (409, "id-reused")
    # Two long ids that begin alike are two requests.
    long = [floor.say("dealer", VOID, message_id="x" * 55 + end).json()["request"] for end in "ab"]
    assert len({first.json()["request"], *long}) == 3
    # And once it is decided it is there still.
    floor.do("supervisor", "approve", request=first.json()["request"])
    late = floor.say("dealer", VOID, message_id="void-0001")
    assert late.json()["request"] == first.json()["request"]


def test_an_approval_that_is_sent_again(floor: Floor) -> None:
    request = floor.ask_void()
    approve = {"do": "approve", "request": request}
    first = floor.say("supervisor", approve, message_id="approve-0001")
    money = floor.service.money()
    again = floor.say("supervisor", approve, message_id="approve-0001")
    assert (again.status_code, again.json()["version"]) == (200, first.json()["version"])
    for who, message_id in (("supervisor", "approve-0002"), ("second-supervisor", "approve-0001")):
        assert reason(floor.say(who, approve, message_id=message_id)) == (409, "decided")
        decline = {"do": "decline", "request": request}
        assert reason(floor.say(who, decline, message_id=f"no-{message_id}")) == (409, "decided")
    assert floor.service.money() == money


def at_once(asks: list[tuple[str, str]], ask: Any) -> list[Any]:
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda who=who, by=by: answers.append(ask(who, by))) for who, by in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return answers


def test_two_who_decide_at_once(floor: Floor) -> None:
    service, request = floor.service, floor.ask_void()

    def ask(who: str, message_id: str) -> int:
        with service.socket(who, floor.table) as wire:
            said = {"id": floor.id_of(message_id), "do": message_id.partition("-")[0], "request": request}
            return 200 if wire.ask(said)["type"] == "accepted" else 409

    asks = [(who, f"{do}-{who}-{n}") for n in range(3) for do in ("approve", "decline") for who in
            ("supervisor", "second-supervisor", "director")]  # fmt: skip
    assert sorted(at_once(asks, ask)).count(200) == 1
    events = service.house.find(floor.table).audience.told
    assert len([each for each in events if each.common["event"] == "round-voided"]) <= 1


def test_a_request_of_another_table(floor: Floor) -> None:
    request = floor.ask_void()
    answer = floor.service.command(
        "supervisor", "manila", {"id": floor.id_of("elsewhere"), "do": "approve", "request": request}
    )
    assert reason(answer) == (404, "not-found")


def test_requests_outlive_the_process(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service:
        floor = Floor(service, PIT)
        floor.open_round()
        request, supervisor = floor.ask_void(), service.who["supervisor"]
    with Attacked(tmp_path) as service:
        floor = Floor(service, PIT)
        assert [each["id"] for each in floor.requests()] == [request]
        assert floor.paused
        answer = service.command(supervisor, PIT, {"id": "approve-0001", "do": "approve", "request": request})
        assert answer.status_code == 200, answer.text
        assert not floor.paused


def test_an_approval_that_a_crash_has_cut_off(tmp_path: Path) -> None:
    """The decision was kept and nothing done yet: it is carried out once, as it was decided, whoever comes next."""
    with Attacked(tmp_path) as service:
        floor = Floor(service, PIT)
        floor.open_round()
        request, first = floor.ask_void(), service.who["supervisor"]

        async def cut_off() -> None:
            requests = service.house.requests
            await requests.decide(await requests.find(request), DECIDING, first.id, "approve-0001", 1)

        service.run(cut_off())
    with Attacked(tmp_path) as service:
        floor = Floor(service, PIT)
        answer = service.command("second-supervisor", PIT, {"id": "no-00001", "do": "decline", "request": request})
        assert reason(answer) == (409, "decided")
        assert floor.phase == "ready"
        assert floor.requests() == []
        again = service.command(first, PIT, {"id": "approve-0001", "do": "approve", "request": request})
        assert again.status_code == 200


# At the desk (ruling 22).


@pytest.fixture
def played(floor: Floor) -> Floor:
    floor.deal()
    floor.settle()
    return floor


def adjust(floor: Floor, **changes: Any) -> Any:
    usual = {"id": floor.id_of("adjust"), "patron": floor.service.who["patron"].id, "unit": "PHP", "amount": 500}
    usual |= {"table": floor.table, "round": 1, "reason": "Paid short by five."}
    return floor.service.ask("supervisor", "POST", "/api/adjustments", {**usual, **changes})


def decide(floor: Floor, who: str | Who, request: str, message_id: str = "decide", do: str = "approve") -> Any:
    body = {"id": floor.id_of(message_id)}
    return floor.service.ask(who, "POST", f"/api/requests/{request}/{do}", body)


def balance(service: Attacked, who: str = "patron") -> int:
    return service.money()[f"patron/PHP/{service.who[who].id}"]


@pytest.mark.parametrize("amount", [500, -500])
def test_an_adjustment_by_two(played: Floor, amount: int) -> None:
    service = played.service
    had, house = balance(service), service.money().get("house/PHP", 0)
    asked = adjust(played, amount=amount)
    assert asked.status_code == 202, asked.text
    request = asked.json()["id"]
    assert (asked.json()["state"], balance(service)) == ("waiting", had)
    with service.socket("patron", "manila") as mine, service.socket("other-patron", played.table) as others:
        mine.hear("snapshot")
        others.hear("snapshot")
        answer = decide(played, "second-supervisor", request)
        assert (answer.status_code, answer.json()["state"]) == (200, "approved")
        told = mine.hear("account-adjusted")
        assert (told["amount"], told["currency"], told["balance"]) == (amount, "PHP", had + amount)
        assert (told["round"], told["reason"]) == (f"{played.table}/1", "Paid short by five.")
        others.say({"id": "anything-0001", "do": "resume"})
        assert others.hear("refused", "account-adjusted")["type"] == "refused", "nobody else is told"
    assert (balance(service), service.money().get("house/PHP", 0)) == (had + amount, house - amount)
    row = service.ask("patron", "GET", "/api/ledger").json()["postings"][0]
    assert (row["event"], row["amount"], row["table"]) == ("account-adjusted", amount, played.table)
    assert (row["round"], row["reason"]) == (1, "Paid short by five.")
    # Both people are in the record for ever.
    (event,) = [each for each in service.events(DESK) if f"{played.table}/1" in each]
    assert service.who["supervisor"].id in event
    assert service.who["second-supervisor"].id in event


def test_an_adjustment_is_done_once(played: Floor) -> None:
    service = played.service
    had, request = balance(service), adjust(played).json()["id"]
    assert adjust(played).json()["id"] == request, "asked again"
    assert reason(adjust(played, amount=600)) == (409, "id-reused")
    assert reason(decide(played, "supervisor", request)) == (403, "not-allowed")
    asks = [(who, f"decide-{n:04}") for n in range(4) for who in ("second-supervisor", "director")]
    answers = at_once(asks, lambda who, by: ask_alone(service, who, request, played.id_of(by)))
    assert sorted(answers) == [200] + [409] * (len(asks) - 1)
    assert balance(service) == had + 500
    for n, who in enumerate(("second-supervisor", "director")):
        assert reason(decide(played, who, request, f"later-{n:04}")) == (409, "decided")
        assert reason(decide(played, who, request, f"no-{n:05}", "decline")) == (409, "decided")
    assert balance(service) == had + 500


def ask_alone(service: Attacked, who: str, request: str, message_id: str) -> int:
    """Over a connection of its own: the client of the service is for one thread."""
    body = f'{{"id":"{message_id}"}}'
    text = (
        f"POST /api/requests/{request}/approve HTTP/1.1\r\nHost: x\r\nOrigin: {service.origin}\r\n"
        f"Cookie: pb_session={service.token(who)}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
    )
    return int(service.raw(text.encode()).split(b" ")[1])


def test_an_approved_adjustment_that_is_approved_again(played: Floor) -> None:
    service = played.service
    had, request = balance(service), adjust(played).json()["id"]
    for _ in range(3):
        assert decide(Floor(service, PIT), "director", request).status_code == 200
    assert balance(service) == had + 500


def test_a_declined_adjustment(played: Floor) -> None:
    service = played.service
    had, request = balance(service), adjust(played).json()["id"]
    assert decide(played, "director", request, do="decline").json()["state"] == "declined"
    assert reason(decide(played, "second-supervisor", request)) == (409, "decided")
    assert balance(service) == had


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"amount": 0}, (400, "malformed")),
        ({"amount": -(10**12)}, (409, "insufficient-funds")),
        ({"amount": 10**12 + 1}, (400, "malformed")),
        ({"unit": "php"}, (400, "malformed")),
        ({"reason": ""}, (400, "malformed")),
        ({"reason": " "}, (400, "malformed")),
        ({"reason": "a\u202eb"}, (400, "malformed")),
        ({"table": "nowhere"}, (404, "not-found")),
        ({"round": 99}, (409, "no-round")),
        ({"round": 0}, (400, "malformed")),
        ({"patron": "g-00000000000000000000"}, (404, "not-found")),
        ({"patron": "a\x00b"}, (400, "malformed")),
    ],
    ids=str,
)
def test_adjustments_that_are_none(played: Floor, changes: dict[str, Any], expected: tuple[int, str]) -> None:
    assert reason(adjust(played, **changes)) == expected
    assert played.requests() == []


def test_the_round_in_progress_is_not_adjusted(floor: Floor) -> None:
    assert reason(adjust(floor)) == (409, "no-round")


def test_whoever_had_no_stake_in_a_round_is_not_adjusted_for_it(played: Floor) -> None:
    absent = played.service.come("Absent", Role.PATRON).id
    assert reason(adjust(played, patron=absent)) == (409, "no-stake")
    assert reason(adjust(played, round=2)) == (409, "no-round")
    assert played.requests() == []


def test_a_round_of_a_closed_table_is_adjusted(played: Floor) -> None:
    service = played.service
    played.do("dealer", "end-shoe", note="The end of the day.")
    assert service.ask("director", "DELETE", f"/api/tables/{played.table}").status_code == 200
    until = monotonic() + PATIENCE
    while played.table in service.house.tables and monotonic() < until:
        sleep(0.05)
    request = adjust(played).json()["id"]
    assert decide(played, "director", request).json()["state"] == "approved"


def test_staff_are_not_adjusted(played: Floor) -> None:
    service = played.service
    for who in ("supervisor", "second-supervisor", "dealer"):
        assert reason(adjust(played, patron=service.who[who].id)) == (404, "not-found")


def test_an_adjustment_that_the_desk_refuses_waits_on(played: Floor) -> None:
    """The patron has spent it meanwhile: the desk makes nobody owe."""
    service = played.service
    request = adjust(played, amount=-900_000).json()["id"]
    taken = {
        "id": played.id_of("return"),
        "patron": service.who["patron"].id,
        "unit": "PHP",
        "amount": 500_000,
        "reason": "Cash.",
    }
    assert service.ask("director", "POST", "/api/desk/returns", taken).status_code == 201
    had = balance(service)
    assert reason(decide(played, "director", request)) == (409, "insufficient-funds")
    assert balance(service) == had
    assert [each["state"] for each in played.requests()] == ["waiting"]
    assert decide(played, "director", request, "no-00001", "decline").status_code == 200


# Money given and taken at the desk.

ALONE = 1_000_000
"""What the house leaves to one person, for each patron and day, unless it says otherwise."""


def move(service: Attacked, who: str, patron: Who, message_id: str, amount: int, do: str = "issues") -> Any:
    body = {"id": f"{patron.id[-8:]}-{message_id}", "patron": patron.id, "unit": "PHP", "amount": amount}
    return service.ask(who, "POST", f"/api/desk/{do}", {**body, "reason": "Bought in."})


@pytest.mark.parametrize("do", ["issues", "returns"])
def test_much_money_is_moved_by_two(service: Attacked, do: str) -> None:
    """However many parts it is asked for in, and whoever of staff asks."""
    patron = service.come(f"Rich for {do}", Role.PATRON)
    account, sign = f"patron/PHP/{patron.id}", 1 if do == "issues" else -1
    set_up(service.configuration, service.log)

    async def rich() -> None:
        own = IssueMoney(patron.id, "PHP", 5 * ALONE, "test")
        await service.house.record.submit(DESK, [own], actor=patron.id, command_id="rich-0001")

    service.run(rich())
    had = service.money()[account]
    assert move(service, "supervisor", patron, "first-0001", ALONE - 400_000, do).status_code == 201
    assert service.money()[account] == had + sign * (ALONE - 400_000)
    asked = move(service, "second-supervisor", patron, "over-00001", 400_001, do)
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting"), asked.text
    request = asked.json()["id"]
    again = move(service, "second-supervisor", patron, "over-00001", 400_001, do)
    assert (again.status_code, again.json()["id"]) == (202, request)
    assert reason(move(service, "second-supervisor", patron, "over-00001", 1, do)) == (409, "id-reused")
    # What was done alone is answered again, and is not done again.
    assert move(service, "supervisor", patron, "first-0001", ALONE - 400_000, do).status_code == 201
    assert service.money()[account] == had + sign * (ALONE - 400_000)
    body = {"id": f"{patron.id[-8:]}-approve"}
    own = service.ask("second-supervisor", "POST", f"/api/requests/{request}/approve", body)
    assert reason(own) == (403, "not-allowed")
    assert move(service, "director", patron, "more-00001", 400_000, "issues").status_code == 201, "the rest of it"
    had += 400_000
    with service.socket(patron, "manila") as mine:
        mine.hear("snapshot")
        approved = service.ask("supervisor", "POST", f"/api/requests/{request}/approve", body)
        assert (approved.status_code, approved.json()["state"]) == (200, "approved")
        told = mine.hear("money-issued" if do == "issues" else "money-returned")
    moved = sign * (ALONE - 400_000 + 400_001)
    assert service.money()[account] == had + moved
    assert (told["amount"], told["currency"], told["balance"]) == (sign * 400_001, "PHP", had + moved)
    assert told["reason"] == "Bought in."
    # Both are in the record for ever, and everybody in the log.
    (event,) = [each for each in service.events(DESK) if patron.id in each and "400001" in each]
    assert service.who["second-supervisor"].id in event
    assert service.who["supervisor"].id in event
    lines = [each for each in service.log.getvalue().splitlines() if patron.id in each]
    kind = "money-issued" if do == "issues" else "money-returned"
    assert [each for each in lines if kind in each and service.who["supervisor"].id in each]
    last = move(service, "director", patron, "again-0001", 1, do)
    assert last.status_code == 202
    decline = {"id": f"{patron.id[-8:]}-decline"}
    assert service.ask("supervisor", "POST", f"/api/requests/{last.json()['id']}/decline", decline).status_code == 200
    # What is longer ago than a day does not count.
    with mock.patch("puntobanco.server.two_people.DAY", 0):
        assert move(service, "supervisor", patron, "again-0002", 1, do).status_code == 201


def rate(service: Attacked, message_id: str, gives: str, takes: str, numerator: int, denominator: int) -> Any:
    body = {"id": message_id, "gives": gives, "takes": takes, "numerator": numerator, "denominator": denominator}
    return service.ask("director", "POST", "/api/rates", body)


def posted(service: Attacked, gives: str, takes: str) -> tuple[int, int] | None:
    found = service.ask(None, "GET", "/api/rates").json()["rates"]
    rates = {(each["gives"], each["takes"]): (each["numerator"], each["denominator"]) for each in found}
    return rates.get((gives, takes))


def approve(service: Attacked, who: str, request: str, message_id: str) -> Any:
    return service.ask(who, "POST", f"/api/requests/{request}/approve", {"id": message_id})


def test_a_rate_is_posted_by_two(service: Attacked) -> None:
    asked = rate(service, "rate-by-two", "HKD", "USD", 1, 5)
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting"), asked.text
    request = asked.json()["id"]
    assert rate(service, "rate-by-two", "HKD", "USD", 1, 5).json()["id"] == request
    assert posted(service, "HKD", "USD") is None
    assert reason(approve(service, "director", request, "rate-by-one")) == (403, "not-allowed")
    assert approve(service, "supervisor", request, "rate-second").json()["state"] == "approved"
    assert posted(service, "HKD", "USD") == (1, 5)
    (event,) = [each for each in service.events(DESK) if "rate-posted" in each and "USD" in each]
    assert service.who["director"].id in event
    assert service.who["supervisor"].id in event


def test_no_rates_make_money_of_nothing(service: Attacked) -> None:
    there = rate(service, "rate-there", "SGD", "PHP", 40, 1).json()["id"]
    assert approve(service, "supervisor", there, "rate-there-2").status_code == 200
    # Each of two that wait could be posted, and not both.
    back = [rate(service, f"rate-back-{n}", "PHP", "SGD", 1, 40).json()["id"] for n in (1, 2)]
    dearer = rate(service, "rate-dearer", "SGD", "PHP", 41, 1).json()["id"]
    assert approve(service, "supervisor", back[0], "rate-back-3").status_code == 200
    assert reason(approve(service, "supervisor", dearer, "rate-dearer-2")) == (409, "bad-rate")
    assert reason(rate(service, "rate-gain", "PHP", "SGD", 10, 399)) == (409, "bad-rate")
    assert reason(rate(service, "rate-slip", "PHP", "SGD", 1, 81)) == (409, "bad-rate")
    for place, request in enumerate((dearer, back[1])):
        body = {"id": f"rate-decline-{place}"}
        assert service.ask("supervisor", "POST", f"/api/requests/{request}/decline", body).status_code == 200


def test_much_money_is_changed_by_two(service: Attacked) -> None:
    patron = service.come("Changes much", Role.PATRON)
    there = rate(service, "rate-much", "HKD", "SGD", 1, 10).json()["id"]
    assert approve(service, "supervisor", there, "rate-much-2").status_code == 200

    def change(who: str, message_id: str, amount: int) -> Any:
        body = {"id": f"{patron.id[-8:]}-{message_id}", "patron": patron.id, "gives": "HKD"}
        return service.ask(who, "POST", "/api/desk/changes", {**body, "amount": amount, "takes": "SGD"})

    assert change("supervisor", "first-0001", 600_000).json()["balances"]["SGD"] == MONEY["SGD"] + 60_000
    body = {"id": f"{patron.id[-8:]}-more-00001", "patron": patron.id, "unit": "HKD", "reason": "Bought in."}
    assert service.ask("director", "POST", "/api/desk/issues", {**body, "amount": 400_001}).status_code == 202
    asked = change("director", "second-001", 400_001)
    assert asked.status_code == 409, "there is not so much"
    assert service.ask(
        "director", "POST", "/api/desk/issues", {**body, "id": body["id"] + "2", "amount": 100}
    ).is_success
    asked = change("director", "third-0001", 399_901)
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting"), asked.text
    assert reason(approve(service, "director", asked.json()["id"], "much-by-one")) == (403, "not-allowed")
    assert approve(service, "supervisor", asked.json()["id"], "much-by-two").status_code == 200
    assert service.money()[f"patron/SGD/{patron.id}"] == MONEY["SGD"] + 60_000 + 39_990
    for place, each in enumerate(service.ask("auditor", "GET", "/api/requests").json()["requests"]):
        if each["stream"] == DESK:
            body = {"id": f"decline-much-{place:04}"}
            service.ask("second-supervisor", "POST", f"/api/requests/{each['id']}/decline", body)


def test_a_patron_is_told_what_one_person_alone_moves(service: Attacked) -> None:
    patron = service.come("Told of it", Role.PATRON)
    had = service.money()[f"patron/PHP/{patron.id}"]
    with service.socket(patron, "manila") as mine:
        mine.hear("snapshot")
        assert move(service, "supervisor", patron, "alone-0001", 700).status_code == 201
        assert mine.hear("money-issued")["balance"] == had + 700
        assert move(service, "supervisor", patron, "alone-0002", 200, "returns").status_code == 201
        assert mine.hear("money-returned")["balance"] == had + 500


def test_much_money_at_once(service: Attacked) -> None:
    patron = service.come("Very rich", Role.PATRON)

    def ask(who: str, message_id: str) -> int:
        body = json.dumps(
            {"id": message_id, "patron": patron.id, "unit": "PHP", "amount": ALONE // 2, "reason": "Bought in."}
        )
        text = (
            f"POST /api/desk/issues HTTP/1.1\r\nHost: x\r\nCookie: pb_session={service.who[who].token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
        )
        return int(service.raw(text.encode()).split(b" ")[1])

    answers = at_once([(who, f"{who}-{n:04}") for n in range(4) for who in ("supervisor", "director")], ask)
    assert sorted(answers) == [201] * 2 + [202] * 6
    for place, each in enumerate(service.ask("auditor", "GET", "/api/requests").json()["requests"]):
        if each["stream"] == DESK:
            body = {"id": f"decline-{place:04}"}
            service.ask("second-supervisor", "POST", f"/api/requests/{each['id']}/decline", body)


def test_only_money_that_the_house_has(played: Floor) -> None:
    """An adjustment is in what its round was played in; the desk gives out what is played with here."""
    service, patron = played.service, played.service.who["patron"]
    for unit in ("ZZZ", "SGD"):
        assert reason(adjust(played, unit=unit)) == (409, "bad-unit")
    assert played.requests() == []
    moved = {"id": played.id_of("zzz-0001"), "patron": patron.id, "unit": "ZZZ", "amount": 5, "reason": "Why not."}
    assert reason(service.ask("supervisor", "POST", "/api/desk/issues", moved)) == (409, "bad-unit")
    rate = {"id": played.id_of("zzz-0002"), "gives": "SGD", "takes": "ZZZ", "numerator": 1, "denominator": 1}
    assert reason(service.ask("director", "POST", "/api/rates", rate)) == (409, "bad-unit")
    # One that nobody is given at first, and no table is played in, is in the list all the same.
    moved |= {"id": played.id_of("usd-0001"), "unit": "USD"}
    had = service.ask(patron, "GET", "/api/me").json()["balances"].get("USD", 0)
    assert service.ask("supervisor", "POST", "/api/desk/issues", moved).json()["balances"]["USD"] == had + 5
    assert service.ask(patron, "GET", "/api/me").json()["balances"]["USD"] == had + 5


def test_money_for_nothing(service: Attacked) -> None:
    """Twenty who ask at once for more play money, having nearly none, have it once."""
    poor = service.come("Poor", Role.PATRON)
    body = {"id": "return-0001", "patron": poor.id, "unit": "SGD", "amount": 999_999, "reason": "Cash."}
    assert service.ask("director", "POST", "/api/desk/returns", body).status_code == 201

    def ask(_: str, message_id: str) -> int:
        body = f'{{"id":"{message_id}","unit":"SGD"}}'
        text = (
            f"POST /api/fresh-money HTTP/1.1\r\nHost: x\r\nCookie: pb_session={poor.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
        )
        return int(service.raw(text.encode()).split(b" ")[1])

    answers = at_once([("", f"fresh-{n:04}") for n in range(20)], ask)
    assert answers.count(201) == 1
    assert service.money()[f"patron/SGD/{poor.id}"] == 1_000_001


def test_adjustments_outlive_the_process(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service:
        floor = Floor(service, PIT)
        floor.open_round()
        floor.deal()
        floor.settle()
        patron, request = service.who["patron"], adjust(floor).json()["id"]
    with Attacked(tmp_path) as service:
        assert decide(Floor(service, PIT), "director", request).status_code == 200
        assert (
            service.money()[f"patron/PHP/{patron.id}"]
            == service.ask(patron, "GET", "/api/me").json()["balances"]["PHP"]
        )
        assert [each for each in service.log.getvalue().splitlines() if "account-adjusted" in each]


# What staff read of it.


def test_what_was_decided_can_be_read_by_all_who_read_requests(floor: Floor) -> None:
    service, second = floor.service, floor.service.who["second-supervisor"]

    def listed(who: str, state: str | None) -> list[dict[str, Any]]:
        query = "" if state is None else f"?state={state}"
        found = service.ask(who, "GET", f"/api/requests{query}").json()["requests"]
        return [each for each in found if each["stream"] == f"table/{floor.table}"]

    first = floor.ask_void("supervisor")
    floor.do("second-supervisor", "decline", request=first, note="The camera shows it.")
    then = floor.ask_void()
    floor.do("second-supervisor", "approve", request=then)
    floor.do("dealer", "open-betting")
    waits = floor.ask_void()
    for who in ("supervisor", "director", "auditor"):
        assert [each["id"] for each in listed(who, None)] == [each["id"] for each in listed(who, "waiting")] == [waits]
        assert [each["id"] for each in listed(who, "decided")] == [then, first], "newest first"
        assert [each["id"] for each in listed(who, "declined")] == [first]
        assert listed(who, "lapsed") == []
    assert {each["id"] for each in listed("dealer", None)} == {waits, then}
    assert [each["id"] for each in listed("dealer", "decided")] == [then]
    (declined,) = listed("auditor", "declined")
    assert (declined["state"], declined["decided_by"], declined["note"]) == (
        "declined",
        second.id,
        "The camera shows it.",
    )
    assert declined["names"] == {each.id: each.name for each in (service.who["supervisor"], second)}
    assert reason(service.ask("auditor", "GET", "/api/requests?state=everything")) == (400, "malformed")
    floor.do("second-supervisor", "decline", request=waits)


def test_staff_read_names_and_find_whom_they_look_for(floor: Floor) -> None:
    service, patron = floor.service, floor.service.who["patron"]
    floor.deal()
    floor.settle()
    body = {"unit": "PHP", "amount": 100, "table": floor.table, "round": 1, "reason": "It was paid short."}
    asked = {"id": floor.id_of("adjusted"), "patron": patron.id, **body}
    answer = service.ask("supervisor", "POST", "/api/adjustments", asked)
    assert answer.status_code == 202, "it waits"
    assert answer.json()["names"] == {each.id: each.name for each in (service.who["supervisor"], patron)}
    declined = f"/api/requests/{answer.json()['id']}/decline"
    service.ask("second-supervisor", "POST", declined, {"id": floor.id_of("declined")})
    said = {"table": floor.table, "round": 1, "said": "I had a natural."}
    opened = service.ask("patron", "POST", "/api/disputes", said).json()["dispute"]
    assert opened["names"] == {}
    service.ask("supervisor", "POST", f"/api/disputes/{opened['id']}/assign", {})
    for who, names in (("auditor", {patron.id, service.who["supervisor"].id}), ("patron", set())):
        found = service.ask(who, "GET", f"/api/disputes/{opened['id']}").json()["dispute"]
        assert set(found["names"]) == names, "who works here is no patron's business"
    for who in ("supervisor", "auditor", "director"):
        found = service.ask(who, "GET", "/api/patrons?search=oTHER").json()["patrons"]
        other = service.who["other-patron"]
        assert {"id": other.id, "name": other.name, "role": "patron"} in found
        assert not [each for each in found if each["id"].startswith("s-")]
    assert reason(service.ask("director", "GET", "/api/patrons")) == (400, "malformed")
    assert reason(service.ask("dealer", "GET", "/api/patrons?search=oTHER")) == (403, "not-allowed")
