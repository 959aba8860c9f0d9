"""How often is too often, per session and per address. Pure: the time is given, and memory has a bound."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from ipaddress import IPv6Address, ip_address

from puntobanco.errors import DeclarationError
from puntobanco.server.problems import Problem, too_often

SHUT_OUT_MILLISECONDS = 10_000


@dataclass(frozen=True)
class Rate:
    """So many in so many milliseconds, and so many at once after a rest."""

    count: int
    milliseconds: int
    burst: int

    def __post_init__(self) -> None:
        if not all(type(each) is int and each >= 1 for each in (self.count, self.milliseconds, self.burst)):
            raise DeclarationError(f"{self} is no rate: all three are whole numbers above zero.")


@dataclass(frozen=True)
class Rates:
    """None sets no limit, as a load test from one address needs it."""

    commands: Rate | None = Rate(50, 1_000, 150)
    """Per session: commands and other requests that change something."""
    requests: Rate | None = Rate(400, 1_000, 1_600)
    """Per address: everything, signed in or not. Many patrons may sit behind one address."""
    sign_ins: Rate | None = Rate(60, 60_000, 60)
    """Per address: wrong passwords, on signing in or changing one."""
    guests: Rate | None = Rate(300, 60_000, 300)
    """Per address: new guests, and as many who register."""
    sockets: int | None = 500
    """Per address: open at once."""
    session_sockets: int | None = 20
    """Per session: open at once."""
    all_sockets: int | None = 20_000
    """Of one process: open at once. Each holds memory, whoever has it."""
    connections: int | None = 1_000
    """Per address: HTTP connections at once, whatever comes or does not come over them."""
    remembered: int = 100_000
    """Sessions or addresses that are kept in mind for each of these."""


class Buckets:
    """A bucket of tokens for each key: a rest fills it to the burst, each act takes one.

    Only the moment at which a bucket is full again is kept, in whole units that make no rate uneven. A bucket that is
    full is as good as none.
    """

    def __init__(self, rate: Rate | None, remembered: int = 100_000) -> None:
        self._rate, self._remembered = rate, max(remembered, 1)
        self._full_at: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Hashable, now: int) -> int:
        """Takes a token and gives 0; or takes none and gives the milliseconds until there is one."""
        rate = self._rate
        if rate is None:
            return 0
        # A millisecond has `count` units, a token `milliseconds` of them.
        time, token = now * rate.count, rate.milliseconds
        full_at = max(self._full_at.get(key, 0), time) + token
        excess = full_at - time - rate.burst * token
        if excess > 0:
            return -(-excess // rate.count)
        if key not in self._full_at and len(self._full_at) >= self._remembered:
            self._make_room(time)
        self._full_at[key] = full_at
        return 0

    def give_back(self, key: Hashable) -> None:
        """What was taken before is as if it had not been."""
        if self._rate is not None and key in self._full_at:
            self._full_at[key] -= self._rate.milliseconds

    def _make_room(self, time: int) -> None:
        """Forget the full buckets; then, of the others, the quarter that forgives the least."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > time}
        over = len(self._full_at) - self._remembered * 3 // 4
        for key in nsmallest(over, self._full_at, key=self._full_at.__getitem__) if over > 0 else ():
            del self._full_at[key]


class AtOnce:
    """How many of something each has open."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._open: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return sum(self._open.values())

    def enter(self, key: Hashable) -> bool:
        """Whether one more may open; who enters leaves."""
        count = self._open.get(key, 0)
        if self._most is not None and count >= self._most:
            return False
        self._open[key] = count + 1
        return True

    def leave(self, key: Hashable) -> None:
        count = self._open.get(key, 0) - 1
        if count > 0:
            self._open[key] = count
        else:
            self._open.pop(key, None)


class Sockets:
    """How many sockets each address has open."""

    def __init__(self, most: int | None) -> None:
        self._at_once = AtOnce(most)

    def __len__(self) -> int:
        return len(self._at_once)

    def enter(self, address: str) -> bool:
        """Whether one more may open; who enters leaves."""
        return self._at_once.enter(network_of(address))

    def leave(self, address: str) -> None:
        self._at_once.leave(network_of(address))


class RateLimits:
    """The limits of one process. Each raises a problem where it was too often."""

    def __init__(self, rates: Rates) -> None:
        self._commands = Buckets(rates.commands, rates.remembered)
        self._requests = Buckets(rates.requests, rates.remembered)
        self._sign_ins = Buckets(rates.sign_ins, rates.remembered)
        self._guests = Buckets(rates.guests, rates.remembered)
        self._registrations = Buckets(rates.guests, rates.remembered)
        self.sockets, self.connections = Sockets(rates.sockets), Sockets(rates.connections)
        self._shut_out: dict[Hashable, int] = {}
        self._remembered = rates.remembered
        self._session_sockets, self._all_sockets = AtOnce(rates.session_sockets), AtOnce(rates.all_sockets)

    def shut_out(self, address: str, session: bytes | None, now: int) -> None:
        """Whoever was dropped for a flood has no socket for a while, so that it is not worth to come back at once."""
        if len(self._shut_out) >= self._remembered:
            self._shut_out = {key: until for key, until in self._shut_out.items() if until > now}
        if len(self._shut_out) < self._remembered:
            self._shut_out[session or network_of(address)] = now + SHUT_OUT_MILLISECONDS

    def enter_socket(self, address: str, session: bytes | None, now: int) -> None:
        """One more socket of an address and, where somebody is signed in, of a session; who enters leaves."""
        _check(max(0, self._shut_out.get(session or network_of(address), 0) - now))
        if not self._all_sockets.enter("all"):
            raise Problem(503, "busy", "Too many people are here at this moment; come back in a while.")
        if not self.sockets.enter(address):
            self._all_sockets.leave("all")
            raise too_often("Too many sockets are open from this address.")
        if session is not None and not self._session_sockets.enter(session):
            self._all_sockets.leave("all")
            self.sockets.leave(address)
            raise too_often("You have too many sockets open.")

    def leave_socket(self, address: str, session: bytes | None) -> None:
        self._all_sockets.leave("all")
        self.sockets.leave(address)
        if session is not None:
            self._session_sockets.leave(session)

    def command(self, session: Hashable, now: int) -> None:
        """By session; by address where nobody is signed in."""
        _check(self._commands.take(session, now))

    def request(self, address: str, now: int) -> None:
        _check(self._requests.take(network_of(address), now))

    def sign_in(self, address: str, now: int) -> None:
        _check(self._sign_ins.take(network_of(address), now))

    def was_right(self, address: str) -> None:
        """The password was right: only wrong ones count, or a class behind one address could not come in."""
        self._sign_ins.give_back(network_of(address))

    def guest(self, address: str, now: int) -> None:
        _check(self._guests.take(network_of(address), now))

    def registration(self, address: str, now: int) -> None:
        _check(self._registrations.take(network_of(address), now))


def _check(wait_milliseconds: int) -> None:
    if wait_milliseconds:
        seconds = -(-wait_milliseconds // 1000)
        raise too_often(f"That was too often; wait {seconds} second{'s' if seconds > 1 else ''}.")


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What counts as one address: of IPv6 the half that a single customer is given, of IPv4 all of it.

    >>> network_of("2001:db8::1") == network_of("2001:db8::ffff:2"), network_of("::ffff:192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
