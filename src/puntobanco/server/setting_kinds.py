"""The kinds of settings: how a value is written in a flag, a variable and a TOML file, and what it may be.

A kind reads a text (of a flag or a variable) or a value of TOML, and says in words what it takes. `Unfit` means that
it takes something else; whoever asked knows the name of the setting and where the value came from.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar
from urllib.parse import urlsplit

from puntobanco.immutable import FrozenMap
from puntobanco.ledger.accounts import CHIPS
from puntobanco.rules.currencies import CURRENCIES
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.store.places import SCHEMES

Value = TypeVar("Value")
Item = TypeVar("Item")
Network: TypeAlias = IPv4Network | IPv6Network

NONE = "none"
"""Stands for a list of nothing, where a text cannot be empty."""
UNITS = (*CURRENCIES, CHIPS)
USUAL_PORTS = {"http": 80, "https": 443}


class Unfit(ValueError):
    """A value that a setting does not take."""


class Kind(ABC, Generic[Value]):
    """One kind of values."""

    what: str
    """What it takes, as it stands after `is` in a sentence."""
    example: str
    """In --help, for the value of the flag."""

    @abstractmethod
    def read(self, text: str) -> Value:
        """From a flag or a variable."""

    def take(self, value: object) -> Value:
        """From a TOML file."""
        if not isinstance(value, str):
            raise Unfit
        return self.read(value)

    def words(self, value: Value) -> str:
        """For people."""
        return str(value)

    def toml(self, value: Value) -> str:
        """As a TOML file has it."""
        return f'"{value}"'


class Whole(Kind[int]):
    """A whole number."""

    example = "N"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most
        self.what = f"a whole number from {least:,} to {most:,}"

    def read(self, text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise Unfit
        return self.take(int(text))

    def take(self, value: object) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            raise Unfit
        return value

    def words(self, value: int) -> str:
        return f"{value:,}"

    def toml(self, value: int) -> str:
        return str(value)


class Port(Whole):
    """A number that nobody reads with separators."""

    def __init__(self) -> None:
        super().__init__(0, 65535)
        self.what = "a number from 0 to 65535"

    def words(self, value: int) -> str:
        return str(value)


class Seconds(Kind[float]):
    """A time in seconds, to the millisecond."""

    example = "S"

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most
        self.what = f"a number of seconds from {least:g} to {most:,g}"

    def read(self, text: str) -> float:
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
            raise Unfit
        return self.take(float(text))

    def take(self, value: object) -> float:
        if type(value) not in (int, float):
            raise Unfit
        assert isinstance(value, int | float)
        if not math.isfinite(value) or not self.least <= value <= self.most:
            raise Unfit
        return float(value)

    def words(self, value: float) -> str:
        return f"{value:g}"

    def toml(self, value: float) -> str:
        return f"{value:g}"


class Switch(Kind[bool]):
    """On or off."""

    what = "on or off"
    example = ""
    WORDS = FrozenMap({"on": True, "true": True, "1": True, "off": False, "false": False, "0": False})

    def read(self, text: str) -> bool:
        if text.lower() not in self.WORDS:
            raise Unfit
        return self.WORDS[text.lower()]

    def take(self, value: object) -> bool:
        if type(value) is not bool:
            raise Unfit
        return value

    def words(self, value: bool) -> str:
        return "on" if value else "off"

    def toml(self, value: bool) -> str:
        return "true" if value else "false"


class Choice(Kind[str]):
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        self.options = options
        self.what = f"{', '.join(options[:-1])} or {options[-1]}"
        self.example = "|".join(options)

    def read(self, text: str) -> str:
        if text not in self.options:
            raise Unfit
        return text


class Host(Kind[str]):
    """An address or a name of this machine."""

    what = "an address or a name of this machine, such as 0.0.0.0"
    example = "HOST"

    def read(self, text: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9.:%_-]{1,255}", text):
            raise Unfit
        return text


class Folder(Kind[Path]):
    """A directory."""

    what = "the name of a directory"
    example = "DIR"

    def read(self, text: str) -> Path:
        if not text or "\0" in text:
            raise Unfit
        return Path(text)


class DatabaseUrl(Kind[str | None]):
    """Where a PostgreSQL database is. It may hold a password."""

    what = "a URL that begins with postgresql://"
    example = "URL"

    def read(self, text: str) -> str:
        if not text.startswith(SCHEMES):
            raise Unfit
        return text


class Listed(Kind[tuple[Item, ...]]):
    """Several of a kind: the flag repeated, a variable with commas or spaces, a list in TOML; `none` for no one."""

    def __init__(self, item: Kind[Item], what: str) -> None:
        self.item, self.what, self.example = item, what, item.example

    def read(self, text: str) -> tuple[Item, ...]:
        return self.take([each for each in re.split(r"[,\s]+", text) if each])

    def take(self, value: object) -> tuple[Item, ...]:
        if not isinstance(value, list):
            raise Unfit
        if value == [NONE]:
            return ()
        return tuple(dict.fromkeys([self.item.take(each) for each in value]))

    def words(self, value: tuple[Item, ...]) -> str:
        return ", ".join(map(self.item.words, value)) or NONE

    def toml(self, value: tuple[Item, ...]) -> str:
        return f"[{', '.join(map(self.item.toml, value))}]"


class Word(Kind[str]):
    """A name of small letters, digits and dashes."""

    what = "a name"

    def __init__(self, example: str) -> None:
        self.example = example

    def read(self, text: str) -> str:
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", text):
            raise Unfit
        return text


class Origin(Kind[str]):
    """Where a page comes from, as browsers say it: scheme, host, and a port that is not the usual one.

    >>> Origin().read("https://Tables.example:443")
    'https://tables.example'
    """

    what = "an origin such as https://tables.example"
    example = "ORIGIN"

    def read(self, text: str) -> str:
        try:
            parts = urlsplit(text.lower())
            port = parts.port
        except ValueError:
            raise Unfit from None
        shown_host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        rest = (parts.path.strip("/"), parts.query, parts.fragment, parts.username)
        if parts.scheme not in USUAL_PORTS or not parts.hostname or any(rest) or not parts.hostname.isascii():
            raise Unfit
        if re.search(r"[^a-z0-9.:%_-]", parts.hostname):
            raise Unfit
        return origin(parts.scheme, str(shown_host), port)


def origin(scheme: str, host: str, port: int | None) -> str:
    """As a browser says it: without a port that is the usual one."""
    return f"{scheme}://{host}" if port in (None, USUAL_PORTS[scheme]) else f"{scheme}://{host}:{port}"


class Addresses(Kind[Network]):
    """An address, or a network of them."""

    what = "an address or a network, such as 10.0.0.0/8"
    example = "ADDRESS"

    def read(self, text: str) -> Network:
        try:
            return ip_network(text)
        except ValueError:
            raise Unfit from None

    def words(self, value: Network) -> str:
        return str(value.network_address) if value.num_addresses == 1 else str(value)

    def toml(self, value: Network) -> str:
        return f'"{self.words(value)}"'


class Money(Kind[Mapping[str, int]]):
    """Amounts by currency: `SGD=1000000`, repeated or with commas; a table in TOML; `none` for nothing."""

    what = f"amounts by currency, such as SGD=1000000, of {', '.join(UNITS)}"
    example = "UNIT=AMOUNT"

    def read(self, text: str) -> Mapping[str, int]:
        return self.take([each for each in re.split(r"[,\s]+", text) if each])

    def take(self, value: object) -> Mapping[str, int]:
        if isinstance(value, list):
            value = {} if value == [NONE] else self._pairs(value)
        if not isinstance(value, dict):
            raise Unfit
        for unit, amount in value.items():
            if unit not in UNITS or type(amount) is not int or not 0 <= amount <= MONEY_LIMIT:
                raise Unfit
        return FrozenMap({unit: amount for unit, amount in value.items() if amount})

    def _pairs(self, texts: list[object]) -> dict[str, int]:
        found = dict[str, int]()
        for text in texts:
            pair = re.fullmatch(r"([A-Z]+)=([0-9]{1,13})", text) if isinstance(text, str) else None
            if pair is None or pair[1] in found:
                raise Unfit
            found[pair[1]] = int(pair[2])
        return found

    def words(self, value: Mapping[str, int]) -> str:
        return ", ".join(f"{unit} {amount:,}" for unit, amount in value.items()) or NONE

    def toml(self, value: Mapping[str, int]) -> str:
        return "{ " + ", ".join(f"{unit} = {amount}" for unit, amount in value.items()) + " }"
