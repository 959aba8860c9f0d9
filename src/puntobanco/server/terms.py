"""The terms on which people come and stay: how long sessions last, how many wrong passwords a name has."""

from dataclasses import dataclass

from puntobanco.errors import DeclarationError
from puntobanco.server.persons import STAFF, Role

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True)
class Terms:
    """Every time is in milliseconds."""

    https: bool = False
    """Whether browsers reach the service by https; then the cookie never travels without it."""
    patron_idle: int = 12 * HOUR
    patron_longest: int = 30 * DAY
    staff_idle: int = 30 * MINUTE
    staff_longest: int = 12 * HOUR

    wrong_passwords: int = 5
    """So many in a row, with less than `wrong_password_window` between them, lock a name for their address."""
    times_for_a_name: int = 10
    """So many times as many, from wherever they come, lock it for all addresses that are not familiar."""
    wrong_password_window: int = 15 * MINUTE
    first_lock: int = MINUTE
    """Each wrong password after a lock doubles the next, up to the longest."""
    longest_lock: int = HOUR

    familiar_for: int = 90 * DAY
    """For so long after the last sign-in an address is familiar."""

    hash_kibibytes: int = 19 * 1024
    hash_passes: int = 2
    hash_workers: int = 2
    hash_waiting: int = 32
    """So many may wait for a worker; more are told that the service is busy."""

    sessions_in_memory: int = 50_000
    agree_every: int = 2 * SECOND
    """How often a process asks which sessions others have ended."""
    seen_every: int = MINUTE
    """How often it is written at most that a session was used."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if name != "https" and (type(value) is not int or value < (0 if name == "hash_waiting" else 1)):
                raise DeclarationError(f"{name} is a whole number above zero.")

    def idle(self, role: Role) -> int:
        return self.staff_idle if role in STAFF else self.patron_idle

    def longest(self, role: Role) -> int:
        return self.staff_longest if role in STAFF else self.patron_longest

    def lock(self, failures: int, times: int = 1) -> int:
        """For how long a name is locked after so many wrong passwords in a row; `times` as many are let pass."""
        beyond = failures - times * self.wrong_passwords
        return 0 if beyond < 0 else min(self.first_lock << min(beyond, 40), self.longest_lock)
