"""`puntobanco staff`: who works in the house."""

import argparse
import json
from typing import TYPE_CHECKING

from puntobanco.cli.record_options import completed
from puntobanco.cli.service_options import RECORD, add_settings, beside_the_record, chosen_configuration
from puntobanco.errors import InputError

if TYPE_CHECKING:
    from puntobanco.server.people import People

HELP = (
    "Add, list and remove dealers, supervisors, auditors and directors, on the database itself; a server may run "
    "meanwhile. A password is shown once, is for the first sign-in only, and has to be changed then."
)
EXAMPLE = 'puntobanco staff add "Mei Tan" --role dealer --data data'
DETAILS = """\
add NAME --role ROLE   somebody new, with a one-time password
password NAME          another one-time password, for somebody who has lost theirs; they are signed out
role NAME --role ROLE  another role; they are signed out
remove NAME            they are signed out and come in no more
list                   everybody
"""
ACTIONS = ("add", "list", "password", "role", "remove")
ROLES = ("dealer", "supervisor", "auditor", "director")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{DETAILS}\n{parser.epilog}"
    parser.add_argument("action", choices=ACTIONS, help="what to do")
    parser.add_argument("name", metavar="NAME", nargs="?", help="by which they sign in, and are known to all")
    parser.add_argument("--role", choices=ROLES, help="what they are")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_settings(parser, RECORD)


def run(arguments: argparse.Namespace) -> int:
    """Do it, and print what is to be known of it."""
    action, name, role = arguments.action, arguments.name, arguments.role
    if (name is None) != (action == "list"):
        what = "takes no name" if action == "list" else "takes the name of somebody"
        raise InputError("bad-usage", f"staff {action} {what} (see puntobanco staff --help).")
    if (role is not None) != (action in ("add", "role")):
        what = "needs --role" if action in ("add", "role") else "takes no --role"
        raise InputError("bad-usage", f"staff {action} {what} (see puntobanco staff --help).")
    configuration = chosen_configuration(arguments)
    from puntobanco.server.clock import SystemClock
    from puntobanco.server.house_rules import terms_of
    from puntobanco.server.people import People

    async def work() -> dict[str, object] | list[dict[str, object]]:
        async with beside_the_record(configuration, new=action == "add") as beside:
            people = People(beside, SystemClock(), terms_of(configuration))
            try:
                return await _done(people, action, name, role)
            finally:
                await people.close()

    found = completed(work())
    print(json.dumps(found) if arguments.json else _in_words(action, found))
    return 0


async def _done(people: "People", action: str, name: str, role: str) -> dict[str, object] | list[dict[str, object]]:
    from puntobanco.server.people import Role

    if action == "list":
        return [{"name": each.name, "role": each.role, "id": each.id} for each in await people.staff()]
    if action == "add":
        person, password = await people.add_staff(name, Role(role))
        return {"name": person.name, "role": person.role, "id": person.id, "password": password}
    person = await people.staff_named(name)
    told: dict[str, object] = {"name": person.name, "role": person.role, "id": person.id}
    if action == "password":
        told["password"] = await people.give_new_password(person.id)
    elif action == "role":
        told["role"] = (await people.give_role(person.id, Role(role))).role
    else:
        await people.remove_staff(person.id)
    return told


def _in_words(action: str, found: dict[str, object] | list[dict[str, object]]) -> str:
    if isinstance(found, list):
        width = max([len(str(each["name"])) for each in found], default=0)
        lines = [f"{each['name']:<{width}}  {each['role']}" for each in found]
        return "\n".join(lines) or "Nobody works here yet: puntobanco staff add NAME --role dealer."
    match action:
        case "add" | "password":
            return (
                f"{found['name']}, {found['role']}, signs in once with the password {found['password']}\n"
                "It is not shown again, and has to be changed at the first sign-in."
            )
        case "role":
            return f"{found['name']} is {found['role']} now, and signs in again."
        case _:
            return f"{found['name']} is signed out and comes in no more."
