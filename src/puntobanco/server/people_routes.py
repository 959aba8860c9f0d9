"""Coming as a guest, taking a name, signing in and out, and who one is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from puntobanco.extras import optional_package
from puntobanco.server.asking import Asker, ChangingAsker, MaybeAsker, PersonId, Strict, address_of, require
from puntobanco.server.disputes import told
from puntobanco.server.logs import log
from puntobanco.server.people import WrongPassword
from puntobanco.server.permissions import Permission
from puntobanco.server.persons import Role, Signed
from puntobanco.server.problems import Problem

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Request, Response
    from pydantic import BaseModel, StringConstraints

if TYPE_CHECKING:
    from puntobanco.server.house import House

NameText = Annotated[str, StringConstraints(min_length=1, max_length=64)]
PasswordText = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Nothing(Strict):
    """An empty object."""


class Credentials(Strict):
    name: NameText
    password: PasswordText


class NewPassword(Strict):
    old: PasswordText
    new: PasswordText


StaffRole = Annotated[str, StringConstraints(pattern="^(dealer|supervisor|auditor|director)$")]


class NewStaff(Strict):
    name: NameText
    role: StaffRole


class NewRole(Strict):
    role: StaffRole


class Come(BaseModel):
    """Who one is now."""

    patron: str
    name: str
    role: str
    balances: dict[str, int]


class SignedIn(BaseModel):
    patron: str | None
    role: str | None


class Visit(BaseModel):
    since: int
    net: dict[str, int]


class Notice(BaseModel):
    """A decision that the patron has not said to have seen, as the socket tells it."""

    type: str
    time: int
    dispute: str
    table: str
    round: int
    outcome: str
    decision: str


class Me(BaseModel):
    patron: str
    name: str
    role: str
    balances: dict[str, int]
    held: dict[str, int]
    owed: dict[str, int]
    session: Visit
    notices: list[Notice]
    must_change_password: bool


class Staff(BaseModel):
    id: str
    name: str
    role: str
    one_time_password: str | None = None


class StaffList(BaseModel):
    staff: list[Staff]


def routes(house: "House") -> APIRouter:
    router = APIRouter(prefix="/api", tags=["people"])
    people, rates, clock = house.people, house.rates, house.clock

    @contextmanager
    def counted(address: str) -> Iterator[None]:
        """A password that is tried: counted before it is looked at, and forgotten where it was right."""
        rates.sign_in(address, clock.now())
        try:
            yield
        except WrongPassword as wrong:
            house.metrics.sign_in_failed()
            about = {"person": wrong.person.id if wrong.person else None, "address": address}
            log("sign-in-failed", reason=wrong.reason, **about)
            if wrong.locks:
                log("account-locked", **about)
            raise
        except Problem as problem:
            if problem.reason == "locked":
                log("sign-in-failed", reason=problem.reason, address=address)
            raise
        rates.was_right(address)

    @router.post("/guests", status_code=201, summary="Come as a guest, with play money")
    async def come(request: Request, response: Response, body: Nothing, signed: MaybeAsker) -> Come:
        rates.guest(address_of(request), clock.now())
        person, token, balances = await house.welcome()
        response.headers["set-cookie"] = people.cookie(token, person.role)
        return Come(patron=person.id, name=person.name, role=person.role, balances=balances)

    @router.post("/patrons", status_code=201, summary="Take a name and a password, and keep everything")
    async def register(request: Request, response: Response, body: Credentials, signed: ChangingAsker) -> Come:
        rates.registration(address_of(request), clock.now())
        if signed.person.role is not Role.GUEST:
            raise Problem(409, "registered", "You have a name and a password already.")
        person, token = await people.register(signed.person, body.name, body.password)
        response.headers["set-cookie"] = people.cookie(token, person.role)
        return Come(
            patron=person.id, name=person.name, role=person.role, balances=await house.purses.balances(person.id)
        )

    @router.post("/sessions", status_code=201, summary="Sign in")
    async def sign_in(request: Request, response: Response, body: Credentials, signed: MaybeAsker) -> Come:
        address, before = address_of(request), signed.session if signed else None
        with counted(address):
            person, token = await people.sign_in(body.name, body.password, before, address=address)
        log("signed-in", person=person.id, role=person.role.value, address=address)
        response.headers["set-cookie"] = people.cookie(token, person.role)
        return Come(
            patron=person.id, name=person.name, role=person.role, balances=await house.purses.balances(person.id)
        )

    @router.get("/session", summary="Who is signed in, if anybody is")
    async def signed_in(signed: MaybeAsker) -> SignedIn:
        # A page asks this before anything else, and that nobody is here yet is no error.
        return SignedIn(patron=signed.person.id if signed else None, role=signed.person.role if signed else None)

    @router.delete("/session", status_code=204, summary="Sign out")
    async def sign_out(response: Response, signed: Asker) -> None:
        await people.sign_out(signed.session)
        log("signed-out", person=signed.person.id)
        response.headers["set-cookie"] = people.no_cookie()

    @router.post("/password", status_code=204, summary="Change one's password")
    async def change_password(request: Request, response: Response, body: NewPassword, signed: ChangingAsker) -> None:
        address = address_of(request)
        with counted(address):
            person, token = await people.change_password(signed.person, body.old, body.new, address=address)
        response.headers["set-cookie"] = people.cookie(token, person.role)

    @router.get("/me", summary="Who one is, and what one has")
    async def me(signed: Asker) -> Me:
        person = signed.person
        since, net = await house.visit(signed)
        return Me(
            patron=person.id,
            name=person.name,
            role=person.role,
            balances=await house.purses.balances(person.id),
            held=house.purses.held(person.id),
            owed=await house.purses.owed(person.id),
            session=Visit(since=since, net=net),
            notices=[Notice(**told(each)) for each in await house.disputes.unseen_decisions(person.id)],
            must_change_password=signed.must_change_password,
        )

    @router.get("/staff", summary="Who works here")
    async def staff(signed: Asker) -> StaffList:
        require(signed, Permission.ADD_STAFF)
        return StaffList(staff=[Staff(id=each.id, name=each.name, role=each.role) for each in await people.staff()])

    @router.post("/staff", status_code=201, summary="Somebody new on the staff, with a password for the first time")
    async def add_staff(body: NewStaff, signed: ChangingAsker) -> Staff:
        require(signed, Permission.ADD_STAFF)
        person, password = await people.add_staff(body.name, Role(body.role), signed.person.id)
        log("staff-changed", what="added", person=person.id, role=person.role.value, by=signed.person.id)
        return Staff(id=person.id, name=person.name, role=person.role, one_time_password=password)

    def check_another(person: str, signed: Signed) -> None:
        if person == signed.person.id:
            raise Problem(409, "own-account", "Another director does that; your own password you change yourself.")

    @router.patch("/staff/{person}", summary="Another role for somebody of the staff, who signs in again")
    async def give_role(person: PersonId, body: NewRole, signed: ChangingAsker) -> Staff:
        require(signed, Permission.CHANGE_STAFF)
        check_another(person, signed)
        changed = await people.give_role(person, Role(body.role))
        log("staff-changed", what="role", person=changed.id, role=changed.role.value, by=signed.person.id)
        return Staff(id=changed.id, name=changed.name, role=changed.role)

    @router.post("/staff/{person}/password", status_code=201, summary="A new one-time password for who has lost theirs")
    async def give_new_password(person: PersonId, body: Nothing, signed: ChangingAsker) -> Staff:
        require(signed, Permission.CHANGE_STAFF)
        check_another(person, signed)
        password, changed = await people.give_new_password(person, signed.person.id), await people.person(person)
        assert changed is not None, "somebody has it now"
        log("staff-changed", what="password", person=changed.id, role=changed.role.value, by=signed.person.id)
        return Staff(id=changed.id, name=changed.name, role=changed.role, one_time_password=password)

    @router.delete("/staff/{person}", status_code=204, summary="Somebody leaves the staff")
    async def remove_staff(person: PersonId, signed: ChangingAsker) -> None:
        require(signed, Permission.REMOVE_STAFF)
        left = await people.remove_staff(person)
        log("staff-changed", what="removed", person=left.id, role=left.role.value, by=signed.person.id)

    return router
