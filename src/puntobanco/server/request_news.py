"""What needs two people, as staff hear of it: that somebody asks for it, and what has become of it.

It is looked up and not handed on, so that staff learn of it whichever process it was asked of or decided by.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from puntobanco.server.logs import log
from puntobanco.server.people import names_of
from puntobanco.server.permissions import Permission, may
from puntobanco.server.persons import STAFF
from puntobanco.server.problems import problem_of
from puntobanco.server.requests import DECIDING, WAITING, Request
from puntobanco.server.wire import encoded

if TYPE_CHECKING:
    from puntobanco.server.house import House

RECENT_MILLISECONDS = 60_000
"""For so long something new is looked for: another process may have done it, by a clock of its own."""


class RequestNews:
    """Tells the staff at a table what is asked of it, whoever may decide in the lobby, and whoever asked anywhere."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._told: dict[tuple[str, str], int] = {}
        """What was told of which request, and when."""

    async def tell(self) -> None:
        """Tell what is new; what cannot be looked up now is told in a moment."""
        now = self._house.clock.now()
        try:
            recent = await self._house.requests.changed_since(now - RECENT_MILLISECONDS)
            new = [each for each in recent if self._is_new(each)]
            names = await names_of(self._house.beside, [person for each in new for person in each.people])
        except Exception as error:
            log("storage-fault", reason=problem_of(error).reason, message=problem_of(error).in_full)
            return
        for each in new:
            # Asked again: it may have been told while the names were looked up.
            if self._is_new(each):
                self._told[each.id, each.state] = now
                self._send(each, names)
        self._told = {key: told for key, told in self._told.items() if now - told <= 2 * RECENT_MILLISECONDS}

    def _is_new(self, request: Request) -> bool:
        return request.state != DECIDING and (request.id, request.state) not in self._told

    def _send(self, request: Request, names: Mapping[str, str]) -> None:
        said = told(request, names)
        message = encoded(said)
        self._house.lobby.tell(
            message, lambda person: may(person.role, Permission.APPROVE) or person.id == request.asked_by
        )
        for live in self._house.tables.values():
            for connection in list(live.connections):
                person = connection.person
                if person is None or person.role not in STAFF:
                    continue
                if live.name == said["table"] or person.id == request.asked_by:
                    connection.send(message)


def told(request: Request, names: Mapping[str, str]) -> dict[str, Any]:
    """A request, or what has become of it, as staff are told of it."""
    body = json.loads(request.body)
    at_table = request.stream.startswith("table/")
    said = {
        "request": request.id,
        "do": body["do"],
        "table": request.stream.removeprefix("table/") if at_table else body.get("table"),
        "round": body.get("round"),
        "patron": request.patron,
        "asked_by": request.asked_by,
        "names": {person: names[person] for person in request.people if person in names},
    }
    if request.state == WAITING:
        note = body.get("note") or body.get("reason", "")
        return {"type": "request-made", "time": request.asked, **said, "note": note}
    decided = {"state": request.state, "decided_by": request.decided_by, "note": request.note or ""}
    return {"type": "request-decided", "time": request.decided, **said, **decided}
