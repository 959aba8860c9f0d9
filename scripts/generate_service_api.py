"""Writes docs/service-api.md from the routes, messages and events of the service; --check only tells if it is stale.

The words are those of the code: edit src/puntobanco/server instead. The worked round is run by a test.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from inspect import getdoc
from pathlib import Path
from typing import Any, get_args

from puntobanco.server import messages, wire
from puntobanco.server.app import application
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.description import table_messages, told_messages
from puntobanco.server.house import House
from puntobanco.server.permissions import Permission, may
from puntobanco.server.persons import Role

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/service-api.md"
Json = dict[str, Any]

INTRODUCTION = """\
<!-- Made by scripts/generate_service_api.py from src/puntobanco/server: edit that instead. -->
# The service over HTTP and sockets

What `puntobanco serve` answers: routes, the commands of a table, and what its socket tells. `/api/openapi.json` has
the same for programs, with every type; [client.md](client.md) is the service from Python.

- Everything is JSON, also errors: `{"error": {"reason": "late-wager", "clause": "5.6", "message": ".."}}`. What came
  too late for a round has `closed_at` beside these, the time when its betting closed. 400
  unreadable or malformed, 401 not signed in, 403 not allowed, 404 nothing there, 409 refused by a rule, a limit or a
  balance, 413 too large, 429 too often, 503 down.
- Money is a whole number of the smallest unit, `time` milliseconds since 1970 by the server's clock.
- Who one is, is in the cookie `pb_session`. A browser's page may act only from the origin of the service; a program
  sends no `Origin`.
- A command has an `id` of 8 to 64 characters, which whoever sends it makes up. The same id with the same body gives
  the same answer again, so that whoever has heard nothing may ask again; with another body it is refused as
  `id-reused`.
- Stakes are said as they are to be: `stake` sets one wager (0 withdraws it), `stakes` the whole slip. What lies there
  already is refused as `nothing-to-change`: nothing was done, and nothing needs to be.

## A round, by curl

A patron and a dealer at a table with a shoe of cards, from nothing to the payment. It wants a service that runs
(`puntobanco serve`) and the same data directory for `table` and `staff` (`--data`, or `PUNTOBANCO_DATA`).

"""
ROUND = """\
at=http://127.0.0.1:8000/api
json='Content-Type: application/json'

# A table that a dealer leads; a service that runs takes it up within two seconds.
puntobanco table add pit-1 --game manila --dealing dealer
# Its dealer: a password for the first sign-in, and then one of their own.
password=$(puntobanco staff add "Mei Tan" --role dealer --json | sed 's/.*"password": "\\([^"]*\\)".*/\\1/')
curl -sSf -c dealer.txt -H "$json" $at/sessions -d '{"name": "Mei Tan", "password": "'$password'"}'
curl -sSf -b dealer.txt -c dealer.txt -H "$json" $at/password \\
  -d '{"old": "'$password'", "new": "nine herons on the pier"}'
# A patron, who comes as a guest and has play money.
curl -sSf -c patron.txt -H "$json" $at/guests -d '{}'
until curl -sf $at/tables/pit-1; do sleep 0.2; done

says() { curl -sSf -b $1.txt -H "$json" $at/tables/pit-1/commands -d "$2"; echo; }
says dealer '{"id": "round-1-shoe", "do": "open-shoe"}'
says dealer '{"id": "round-1-burn", "do": "burn", "shown": ["Ac"], "face_down": 1}'
says dealer '{"id": "round-1-open", "do": "open-betting"}'
says patron '{"id": "my-first-stake", "do": "stake", "wager": "player", "amount": 2000}'
says dealer '{"id": "round-1-close", "do": "close-betting"}'
for card in 5h Th 4c 7d; do
  says dealer '{"id": "round-1-'$card'", "do": "deal", "card": "'$card'"}'
done
says dealer '{"id": "round-1-result", "do": "announce"}'
says dealer '{"id": "round-1-settle", "do": "settle"}'

# The round for ever, with one's own wagers.
curl -sSf -b patron.txt $at/tables/pit-1/rounds/1
"""
COMES_TO = """\
The last line says, among other things:

```json
{"deal": "P 5h 4c | B Th 7d", "player_total": 9, "banker_total": 7, "winner": "player",
 "wagers": {"player": {"stake": 2000, "net": 2000}}}
```

"""


def description() -> Json:
    """What a service says of itself."""

    async def asked() -> Json:
        with tempfile.TemporaryDirectory() as folder:
            house = await House.open(Configuration(data=Path(folder), first_tables=()), SystemClock())
            try:
                return application(house).openapi()
            finally:
                await house.close()

    return asyncio.run(asked())


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def fields(schema: Mapping[str, Any], but: Sequence[str] = ()) -> str:
    """The names of an object's fields, those that may be left out in brackets."""
    needed = set(schema.get("required", ()))
    names = [name for name in schema.get("properties", {}) if name not in but]
    return ", ".join([f"`{name}`" if name in needed else f"[`{name}`]" for name in names])


def referred(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def routes(described: Json) -> Iterator[str]:
    schemas = described["components"]["schemas"]
    yield "## Routes\n\nA field in brackets may be left out.\n"
    yield "| request | | takes | gives |\n|---|---|---|---|"
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            words = operation.get("description") or operation.get("summary", "")
            asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            takes = "a command, as below" if path.endswith("/commands") else fields(referred(asked, schemas))
            queries = [f"`?{each['name']}`" for each in operation.get("parameters", ()) if each["in"] == "query"]
            status, answer = next((each, of) for each, of in operation["responses"].items() if int(each) < 400)
            kind = answer.get("content", {}).get("application/json", {}).get("schema", {})
            given = fields(referred(kind, schemas)) or answer.get("description", "")
            gives = status if given == "Successful Response" else f"{status}: {given.replace('[', '').replace(']', '')}"
            cells = (f"`{method.upper()} {path}`", words, ", ".join(filter(None, [takes, *queries])), gives)
            yield f"| {' | '.join(map(cell, cells))} |"


def commands() -> Iterator[str]:
    yield "\n## Commands of a table\n"
    yield "Over the socket, or one by one with `POST /api/tables/TABLE/commands`. Each has `id` and `do` beside its own"
    yield "fields. What needs two people waits for an `approve` of another; a guest may do what a patron may.\n"
    yield "| `do` | | fields | who |\n|---|---|---|---|"
    schemas = table_messages()
    for kind in get_args(wire.TableMessage):
        do = str(kind.__struct_config__.tag)
        words = getdoc(kind) if "__doc__" in vars(kind) and vars(kind)["__doc__"] else ""
        said = "" if words == getdoc(wire.Said) else words or ""
        who = ", ".join(role.value for role in Role if role is not Role.GUEST and may(role, Permission(do)))
        own = fields(schemas[kind.__name__], but=("id", "do"))
        yield f"| `{do}` | {cell(said)} | {own} | {who} |"


def socket() -> Iterator[str]:
    yield "\n## The socket\n"
    yield "`/api/tables/TABLE/live?after=VERSION`: messages as text, each of at most 4,096 bytes on the way in. `after`"
    yield "resumes behind the version of the last event that came; without it, or where too much has passed, a snapshot"
    yield "comes first. Whoever has no session, or one that has ended, watches. Whoever cannot be let in is told so"
    yield "over the socket, because a browser's page learns nothing of an upgrade that is refused: `refused` with `id`"
    yield "null, and the close, 1013 where it is worth to come again and 1008 where it is not. Only what is no proper"
    yield "request for a socket, or of a page of another origin, is refused at the upgrade.\n"
    yield "| `type` | | fields |\n|---|---|---|"
    schemas = told_messages()
    for kind in get_args(messages.OtherTold):
        told = schemas[kind.__name__]
        yield f"| `{kind.__struct_config__.tag}` | {cell(told['description'])} | {fields(told, but=('type',))} |"
    yield "\nThe events that everybody is told, with `type` `event`, in rising order of `version`. What is in brackets"
    yield "is told only to those whom it concerns:\n"
    yield "| `event` | | fields |\n|---|---|---|"
    for kind in get_args(messages.EventTold):
        told = schemas[kind.__name__]
        own = fields(told, but=("type", "event", "version", "time"))
        yield f"| `{kind.__struct_config__.tag}` | {cell(told['description'])} | {own} |"


def lobby() -> Iterator[str]:
    yield "\n## The lobby\n"
    yield "`/api/live`: a socket on which nothing is asked. With a session it also tells what concerns oneself.\n"
    yield "| `type` | | fields |\n|---|---|---|"
    schemas = told_messages()
    for kind in get_args(messages.LobbyTold):
        told = schemas[kind.__name__]
        yield f"| `{kind.__struct_config__.tag}` | {cell(told['description'])} | {fields(told, but=('type',))} |"


def page() -> str:
    worked = f"{INTRODUCTION}```sh\n{ROUND}```\n\n{COMES_TO}"
    return worked + "\n".join([*routes(description()), *commands(), *socket(), *lobby()]) + "\n"


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    options = parser.parse_args(arguments)
    path, text = root / PAGE, page()
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(f"{PAGE} is out of date: run scripts/docs", file=sys.stderr)
        return 1
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
