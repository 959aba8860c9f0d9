"""A whole record read back and checked by sums that share nothing with the program that wrote it."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from puntobanco.store.database import CommandKey, Database
from puntobanco.store.keys import is_signed
from puntobanco.store.rows import GENESIS, CommandRow, EventRow
from store.houses import KEYS


@dataclass
class Examined:
    """What a record holds, and what is wrong with it."""

    commands: dict[CommandKey, CommandRow] = field(default_factory=dict)
    events: dict[str, list[EventRow]] = field(default_factory=lambda: defaultdict(list))
    balances: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def doubled(self) -> list[CommandKey]:
        """The commands whose events do not stand together: their work was done more than once."""
        places: dict[tuple[str, CommandKey], list[int]] = defaultdict(list)
        for stream, rows in self.events.items():
            for row in rows:
                places[stream, (row.actor, row.command)].append(row.version)
        return [key for (_, key), found in places.items() if found != [*range(found[0], found[0] + len(found))]]


async def examine(database: Database) -> Examined:
    """Read everything. The database is started already."""
    found = Examined()
    async for events in database.events():
        for _, row in events:
            found.events[row.stream].append(row)
    async for commands in database.commands():
        for command in commands:
            found.commands[command.actor, command.id] = command
    async for accounts in database.accounts():
        found.balances.update(accounts)
    problems = found.problems
    problems += await database.integrity_problems()
    problems += await _chain_problems(database, found)
    problems += _command_problems(found)
    problems += await _money_problems(database, found)
    return found


async def _chain_problems(database: Database, found: Examined) -> list[str]:
    problems = []
    heads = {head.stream: head for head in await database.heads()}
    if set(heads) != set(found.events):
        problems.append(f"heads of {sorted(heads)} and events of {sorted(found.events)}")
    for stream, rows in found.events.items():
        last = GENESIS
        for version, row in enumerate(rows, start=1):
            if (row.version, row.previous) != (version, last):
                problems.append(f"event {row.version} of {stream} does not follow")
            last = row.hash()
        head = heads.get(stream)
        if head is None or (head.version, head.hash) != (len(rows), last):
            problems.append(f"the head of {stream} is not its end")
        elif not is_signed(KEYS.public_key, head.signature, head.signed):
            problems.append(f"the head of {stream} is not signed")
    return problems


def _command_problems(found: Examined) -> list[str]:
    problems = [f"{key} was carried out twice" for key in found.doubled()]
    ends = {(row.actor, row.command): row for rows in found.events.values() for row in rows}
    for key, row in ends.items():
        answered = found.commands.get(key)
        if answered is None or (answered.stream, answered.version) != (row.stream, row.version):
            problems.append(f"the answer to {key} does not name its last event, {row.version} of {row.stream}")
    for key, answered in found.commands.items():
        if answered.version is not None and key not in ends:
            problems.append(f"{key} was accepted and has no event")
        if answered.version is None and key in ends:
            problems.append(f"{key} was refused and has events")
    return problems


def unit(account: str) -> str:
    """What an account is counted in: after the table's name where money is held at a table."""
    parts = account.split("/")
    return parts[2] if parts[0] == "held" else parts[1]


async def _money_problems(database: Database, found: Examined) -> list[str]:
    problems = []
    sums, by_event, by_unit = Counter[str](), Counter[tuple[str, int, str]](), Counter[str]()
    async for entries in database.entries():
        for entry in entries:
            sums[entry.account] += entry.amount
            by_event[entry.stream, entry.version, unit(entry.account)] += entry.amount
            if not 1 <= entry.version <= len(found.events[entry.stream]):
                problems.append(f"{entry} has no event")
    problems += [f"the postings of {key} come to {total}" for key, total in by_event.items() if total]
    for account, balance in found.balances.items():
        by_unit[unit(account)] += balance
        kind, _, whose = account.partition("/")
        if kind == "owed" and balance and found.balances.get(f"patron/{whose}"):
            problems.append(f"{whose} owes and has something at once")
        if balance != sums[account]:
            problems.append(f"{account} stands at {balance}, and its entries come to {sums[account]}")
    problems += [f"{account} has entries and no balance" for account in sums.keys() - found.balances.keys()]
    problems += [f"all accounts in {name} come to {total}" for name, total in by_unit.items() if total]
    return problems
