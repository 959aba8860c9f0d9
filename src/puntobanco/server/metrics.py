"""What is counted and measured of a process, for Prometheus, in a registry of its own.

What happens is told as it happens (`wager_accepted`, `committed`); what stands at some figure is read when somebody
asks for `/metrics`, from a `Reading`. No figure is about one patron.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from puntobanco.extras import optional_package

with optional_package("prometheus-client", "Metrics are counted"):
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
    from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE: str = CONTENT_TYPE_LATEST
MOST_REASONS = 100
"""Of each kind; a reason more is counted as another one, because every label is a series for ever."""
REASON = re.compile(r"[a-z][a-z0-9-]{0,39}")
OTHER = "other"
WAGERS = frozenset({"stake", "stakes"})
"""The kinds of commands that place or change stakes."""
UNREADABLE = "unreadable"
"""Stands for the kind of a message that is none."""

ACKNOWLEDGED_SECONDS = (0.001, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
COMMIT_SECONDS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
GROUP_SIZES = (1, 2, 5, 10, 20, 50, 100, 150, 200, 256)
REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Dropped(StrEnum):
    """Why the server dropped a socket."""

    SLOW = "slow"
    """It did not read what was sent to it."""
    HOSTILE = "hostile"
    """It sent what nobody may send."""
    STOPPING = "stopping"
    FAILED = "failed"
    """Something failed on our side; it may come back."""
    SIGNED_OUT = "signed-out"


@dataclass(frozen=True)
class Reading:
    """How things stand at this moment."""

    phases: Mapping[str, int] = field(default_factory=dict)
    """Of the tables that this process leads, how many are in each phase; `stopped` where a fault has stopped them."""
    held: Mapping[str, int] = field(default_factory=dict)
    """The stakes that lie on the felt, by unit, in its smallest part."""
    inbox: int = 0
    """The commands that wait for the writer."""
    patrons: int = 0
    """How many patrons are at tables of this process."""


class Metrics:
    """The figures of one process."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._sockets = Gauge("puntobanco_sockets", "Sockets that are open.", registry=registry)
        self._dropped = Counter(
            "puntobanco_sockets_dropped", "Sockets that the server dropped.", ["reason"], registry=registry
        )
        self._accepted = Counter("puntobanco_wagers_accepted", "Wagers that were accepted.", registry=registry)
        self._refused = Counter(
            "puntobanco_commands_refused", "Commands that were refused.", ["kind", "reason"], registry=registry
        )
        self._commands = Counter(
            "puntobanco_commands_accepted", "Commands that were accepted, wagers too.", ["kind"], registry=registry
        )
        self._acknowledged = Histogram(
            "puntobanco_acknowledged_seconds",
            "From when a command is asked to its answer, which is durable.",
            buckets=ACKNOWLEDGED_SECONDS,
            registry=registry,
        )
        self._group = Histogram(
            "puntobanco_commit_group_commands", "Commands in one transaction.", buckets=GROUP_SIZES, registry=registry
        )
        self._commit = Histogram(
            "puntobanco_commit_seconds", "How long a transaction took.", buckets=COMMIT_SECONDS, registry=registry
        )
        self._requests = Histogram(
            "puntobanco_request_seconds",
            "How long a request over HTTP took, by class of its status.",
            ["status"],
            buckets=REQUEST_SECONDS,
            registry=registry,
        )
        self._sign_ins_failed = Counter("puntobanco_sign_ins_failed", "Sign-ins that failed.", registry=registry)
        self._too_often = Counter(
            "puntobanco_too_often", "Requests beyond a rate limit, by what was limited.", ["what"], registry=registry
        )
        self._faults = Counter("puntobanco_faults", "Faults of the service, by reason.", ["reason"], registry=registry)
        self._taken_over = Counter(
            "puntobanco_tables_taken_over", "Tables that this process took over from another.", registry=registry
        )
        self._rounds = Counter("puntobanco_rounds_settled", "Rounds that were settled.", registry=registry)
        self._voided = Counter("puntobanco_rounds_voided", "Rounds that were voided.", registry=registry)
        self._tables = Gauge(
            "puntobanco_tables", "Tables that this process leads, by phase.", ["phase"], registry=registry
        )
        self._held = Gauge(
            "puntobanco_held_money", "Stakes on the felt, in the smallest unit.", ["unit"], registry=registry
        )
        self._inbox = Gauge("puntobanco_inbox_commands", "Commands that wait for the writer.", registry=registry)
        self._patrons = Gauge("puntobanco_patrons", "Patrons at tables of this process.", registry=registry)
        self._accepted_by_kind: dict[str, Counter] = {}
        """As `labels` gives them, which takes longer than to count."""
        self._reasons: dict[str, set[str]] = {}

    # What happens.

    def socket_opened(self) -> None:
        self._sockets.inc()

    def socket_closed(self) -> None:
        self._sockets.dec()

    def socket_dropped(self, reason: Dropped) -> None:
        """The server ends it; `socket_closed` is told as well, when it is closed."""
        self._dropped.labels(reason.value).inc()

    def command_accepted(self, kind: str, seconds: float) -> None:
        """A command of this kind, such as `stake`, was carried out so long after it was asked."""
        counter = self._accepted_by_kind.get(kind)
        if counter is None:
            counter = self._accepted_by_kind[kind] = self._commands.labels(kind)
        counter.inc()
        if kind in WAGERS:
            self._accepted.inc()
        self._acknowledged.observe(seconds)

    def command_refused(self, kind: str, reason: str, seconds: float) -> None:
        self._refused.labels(kind, self._known("refused", reason)).inc()
        self._acknowledged.observe(seconds)

    def unreadable(self, reason: str) -> None:
        """A message was no command at all."""
        self._refused.labels(UNREADABLE, self._known("refused", reason)).inc()

    def committed(self, commands: int, seconds: float) -> None:
        """A group of commands was made durable."""
        self._group.observe(commands)
        self._commit.observe(seconds)

    def answered(self, status: int, seconds: float) -> None:
        """A request over HTTP was answered."""
        self._requests.labels(f"{status // 100}xx").observe(seconds)

    def sign_in_failed(self) -> None:
        self._sign_ins_failed.inc()

    def too_often(self, what: str) -> None:
        self._too_often.labels(self._known("too often", what)).inc()

    def fault(self, reason: str) -> None:
        """Something of the service failed: storage, a broken invariant."""
        self._faults.labels(self._known("fault", reason)).inc()

    def table_taken_over(self) -> None:
        self._taken_over.inc()

    def round_settled(self) -> None:
        self._rounds.inc()

    def round_voided(self) -> None:
        self._voided.inc()

    def _known(self, kind: str, reason: str) -> str:
        """The reason, unless it is none or there are too many of them: what comes from outside makes no series."""
        known = self._reasons.setdefault(kind, set())
        if reason not in known:
            if len(known) >= MOST_REASONS or not REASON.fullmatch(reason):
                return OTHER
            known.add(reason)
        return reason

    # How things stand.

    def text(self, reading: Reading) -> bytes:
        """All figures, as Prometheus reads them."""
        for gauge, found in ((self._tables, reading.phases), (self._held, reading.held)):
            # A phase in which no table is any more would otherwise stay at its last figure.
            gauge.clear()
            for name, figure in found.items():
                gauge.labels(name).set(figure)
        self._inbox.set(reading.inbox)
        self._patrons.set(reading.patrons)
        return generate_latest(self.registry)
