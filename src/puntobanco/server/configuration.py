"""The settings of the service, each declared once: by this list flags, variables, TOML keys and the documentation go.

A setting has one name everywhere: `betting_seconds` here is `--betting-seconds`, PUNTOBANCO_BETTING_SECONDS, and
`betting-seconds` in the TOML file. A flag decides before a variable, a variable before the file, the file before the
default.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from puntobanco.cards import shown
from puntobanco.errors import InputError, nearest
from puntobanco.immutable import FrozenMap
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server.setting_kinds import (
    UNITS,
    Addresses,
    Choice,
    DatabaseUrl,
    Folder,
    Host,
    Kind,
    Listed,
    Money,
    Network,
    Origin,
    Port,
    Seconds,
    Switch,
    Unfit,
    Whole,
    Word,
    origin,
)
from puntobanco.store.places import default_folder

Value = TypeVar("Value")

CONFIG_FLAG = "--config"
CONFIG_VARIABLE = "PUNTOBANCO_CONFIG"
EVERY_GAME = "all"

GUEST_MONEY: Mapping[str, int] = FrozenMap(dict.fromkeys([unit for unit in UNITS if unit != "USD"], 1_000_000))
THIS_MACHINE = tuple(Addresses().read(each) for each in ("127.0.0.0/8", "::1"))
TRUSTED_WORDS = "addresses or networks, such as 10.0.0.0/8"


def setting(
    default: Value | Callable[[], Value],
    kind: Kind[Value],
    about: str,
    *,
    default_words: str = "",
    secret: bool = False,
) -> Any:
    """A field of the configuration: what it is if nobody says otherwise, what it may be, and one sentence about it."""
    about_it = {"kind": kind, "about": about, "default_words": default_words, "secret": secret}
    # A secret is left out of every repr, and so of tracebacks and logs.
    if callable(default):
        return field(default_factory=default, repr=not secret, metadata=about_it)
    return field(default=default, repr=not secret, metadata=about_it)


@dataclass(frozen=True)
class Configuration:
    """How the service runs. What is not given is as usual."""

    host: str = setting("127.0.0.1", Host(), "The address to listen on; 0.0.0.0 is every address of the machine.")
    port: int = setting(8000, Port(), "The port to listen on; 0 takes a free one.")
    data: Path = setting(  # noqa: RUF009  What it calls is a field.
        default_folder,
        Folder(),
        "The data directory, with the keys of the record and its SQLite database.",
        default_words="puntobanco among the user's data",
    )
    database: str | None = setting(
        None,
        DatabaseUrl(),
        "A PostgreSQL database that holds the record instead, postgresql://..; prefer the variable or the file, "
        "because others see the arguments of a command.",
        default_words="SQLite in the data directory",
        secret=True,
    )
    first_tables: tuple[str, ...] = setting(
        (EVERY_GAME,),
        Listed(Word("GAME"), "the ids of games, all, or none"),
        "The games of which a virtual table is made while the floor has none at all.",
    )

    betting_seconds: float = setting(
        20.0, Seconds(0.05, 3600), "How long betting is open at a virtual table that sets no time of its own."
    )
    card_seconds: float = setting(
        1.0, Seconds(0, 60), "The time between two cards of a virtual table; 0 shows all of them at once."
    )
    reveal_seconds: float = setting(
        1.5, Seconds(0, 60), "How long patrons have after the close to reveal the nonces that they committed to."
    )
    pause_seconds: float = setting(
        4.0, Seconds(0, 3600), "The time between the settlement of a round and the betting of the next."
    )
    guest_money: Mapping[str, int] = setting(
        GUEST_MONEY, Money(), "The play money that a guest begins with, in the smallest unit of each currency."
    )

    desk_alone: int = setting(
        1_000_000,
        Whole(0, MONEY_LIMIT),
        "How much one supervisor alone may give a patron at the desk, take back or change, in a day and a currency, in "
        "its smallest unit; more needs two people.",
    )

    origin: tuple[str, ...] = setting(
        (),
        Listed(Origin(), "origins such as https://tables.example"),
        "The origins from which browsers may act; with a proxy, the public address.",
        default_words="the address it serves on, localhost and 127.0.0.1, with that port",
    )
    secure_cookies: bool = setting(
        False, Switch(), "Whether cookies go over HTTPS alone; on behind a proxy that speaks TLS."
    )
    trusted_proxy: tuple[Network, ...] = setting(
        (), Listed(Addresses(), TRUSTED_WORDS), "The proxies whose X-Forwarded-For tells who asks."
    )
    metrics_to: tuple[Network, ...] = setting(
        THIS_MACHINE, Listed(Addresses(), TRUSTED_WORDS), "Who may read /metrics."
    )

    patron_idle_hours: int = setting(
        12, Whole(1, 8760), "A session of a guest or patron ends when nothing was heard of it for so long."
    )
    patron_session_days: int = setting(
        30, Whole(1, 3650), "A session of a guest or patron ends after so long, whatever was heard of it."
    )
    staff_idle_minutes: int = setting(
        30, Whole(1, 1440), "A session of staff ends when nothing was heard of it for so long."
    )
    staff_session_hours: int = setting(12, Whole(1, 168), "A session of staff ends after so long.")
    wrong_passwords: int = setting(
        5,
        Whole(1, 1000),
        "After so many wrong passwords in a row a name is locked for the address that they come from, for a minute and "
        "then ever longer; after ten times as many, for every address from which that person has not signed in before.",
    )
    longest_lock_minutes: int = setting(
        60, Whole(1, 10_080), "How long a name is locked at most after wrong passwords."
    )

    rate_limits: bool = setting(
        True, Switch(), "Whether the limits below hold; off is for load tests alone, because anybody may then ask on."
    )
    requests_per_second: int = setting(
        400, Whole(1, 100_000), "How many requests an address may make; after a rest, four times as many at once."
    )
    commands_per_second: int = setting(
        50, Whole(1, 100_000), "How many commands a session may give; after a rest, three times as many at once."
    )
    sign_ins_per_minute: int = setting(
        60, Whole(1, 100_000), "How many wrong passwords an address may send; right ones are not counted."
    )
    guests_per_minute: int = setting(
        300, Whole(1, 100_000), "How many guests may come from one address, and how many may register."
    )
    sockets_per_address: int = setting(500, Whole(1, 1_000_000), "How many sockets an address may have open.")
    most_sockets: int = setting(
        20_000, Whole(1, 1_000_000), "How many sockets one process has open at most; who comes later is told to wait."
    )

    log_format: str = setting("text", Choice("text", "json"), "How lines of the log are written to standard error.")
    log_level: str = setting(
        "info", Choice("debug", "info", "warning", "error"), "What is logged; debug has every refusal too."
    )
    stop_seconds: int = setting(
        10, Whole(0, 600), "How long a stop waits for requests that are being answered before it drops them."
    )

    @property
    def origins(self) -> frozenset[str]:
        """Where pages may come from; for port 0, ask once the port is known."""
        if self.origin:
            return frozenset(self.origin)
        hosts = {in_address(self.host), "localhost", "127.0.0.1"}
        return frozenset(origin("http", host, self.port) for host in hosts)

    @property
    def address(self) -> str:
        """Where it is served, for people."""
        return f"http://{in_address(self.host)}:{self.port}"


def in_address(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host.lower()


class Setting(NamedTuple):
    """One setting, as the list has it."""

    name: str
    kind: Kind[Any]
    about: str
    default_words: str
    """The default, for people."""
    is_secret: bool

    @property
    def key(self) -> str:
        """In the TOML file."""
        return self.name.replace("_", "-")

    @property
    def flag(self) -> str:
        return f"--{self.key}"

    @property
    def variable(self) -> str:
        return f"PUNTOBANCO_{self.name.upper()}"

    def refused(self, value: object, source: str) -> InputError:
        given = "" if self.is_secret else f", not {shown(value)}"
        return InputError("bad-setting", f"The setting {self.key} is {self.kind.what}{given} (from {source}).")


def _listed() -> dict[str, Setting]:
    found = {}
    for each in fields(Configuration):
        kind, about = each.metadata["kind"], each.metadata["about"]
        words = each.metadata["default_words"] or kind.words(each.default)
        found[each.name] = Setting(each.name, kind, about, words, each.metadata["secret"])
    return found


SETTINGS: Mapping[str, Setting] = _listed()
"""By name, in the order of the documentation."""


def read_configuration(given: Mapping[str, object], environment: Mapping[str, str]) -> Configuration:
    """The configuration from flags by the names of settings, and `config`; None is a flag that was not given."""
    file = given.get("config") or environment.get(CONFIG_VARIABLE) or None
    values = {} if file is None else _from_file(str(file))
    for each in SETTINGS.values():
        flag, variable = given.get(each.name), environment.get(each.variable)
        if flag is not None:
            values[each.name] = _read(each, flag, each.flag)
        elif variable:  # A variable that a script left empty was not given.
            values[each.name] = _read(each, variable, f"the variable {each.variable}")
    return Configuration(**values)


def _read(each: Setting, value: object, source: str) -> Any:
    """What a flag or a variable says: a text, several of them, or a switch that is set already."""
    try:
        return each.kind.read(value) if isinstance(value, str) else each.kind.take(value)
    except Unfit:
        said = " ".join(value) if isinstance(value, list) else value
        raise each.refused(said, source) from None


def _from_file(name: str) -> dict[str, Any]:
    try:
        with Path(name).open("rb") as file:
            found = tomllib.load(file)
    except OSError as error:
        raise InputError("bad-setting", f"The settings cannot be read from {shown(name)}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        # Only where, and not what: the line may hold a password.
        place = str(error).rpartition("(at ")[2].rstrip(")") if "(at " in str(error) else "some place"
        raise InputError("bad-setting", f"The settings in {shown(name)} are not TOML, at {place}.") from None
    except ValueError:
        raise InputError("bad-setting", f"{shown(name)} is no name of a file.") from None
    values = dict[str, Any]()
    by_key = {each.key: each for each in SETTINGS.values()}
    for key, value in found.items():
        if key not in by_key:
            message = f"There is no setting {shown(key)} (from {shown(name)}){_meant(key, list(by_key))}"
            raise InputError("bad-setting", message)
        try:
            values[by_key[key].name] = by_key[key].kind.take(value)
        except Unfit:
            raise by_key[key].refused(value, shown(name)) from None
    return values


def _meant(key: str, keys: list[str]) -> str:
    """The end of the sentence; a list of all settings would be too long for it."""
    end = nearest(key.replace("_", "-"), keys)
    return end if "did you mean" in end and len(end) < 100 else "; docs/settings.md lists them."
