"""Who asks: the address behind the proxies that are trusted."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

from puntobanco.server.setting_kinds import Network

UNKNOWN = "unknown"
"""For a peer without an address, such as a socket of a file."""
MOST_FORWARDED = 20


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Whether the address is of one of the networks."""
    try:
        found = _plain(address)
    except ValueError:
        return False
    return any(found in network for network in networks)


def client_address(peer: str | None, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """The address of whoever asks.

    It is that of the connection, unless a trusted proxy is at its other end: then the last address of X-Forwarded-For
    that is not a trusted proxy itself. What stands before it was written by somebody who is not trusted.

    >>> from ipaddress import ip_network
    >>> client_address("10.0.0.1", ["6.6.6.6, 9.9.9.9", "10.0.0.2"], [ip_network("10.0.0.0/8")])
    '9.9.9.9'
    """
    if peer is None:
        return UNKNOWN
    found = peer
    hops = [each.strip() for line in forwarded_for for each in line.split(",")]
    for hop in reversed(hops[-MOST_FORWARDED:]):
        if not is_within(found, trusted):
            break
        try:
            found = str(_plain(_without_port(hop)))
        except ValueError:
            # A trusted proxy passed on what is no address: nobody knows who asks, so the proxy does.
            break
    try:
        return str(_plain(found))
    except ValueError:
        return UNKNOWN


def _plain(address: str) -> IPv4Address | IPv6Address:
    """Without the zone of an interface; one of IPv4 that came over IPv6, as it is."""
    found = ip_address(address.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _without_port(hop: str) -> str:
    """Some proxies write a port too: `9.9.9.9:1234`, `[2001:db8::1]:1234`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
