"""Passwords: which are accepted, and how they are hashed without getting in the way of the tables."""

import asyncio
import os
import secrets
import threading
import unicodedata
from base64 import b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

from puntobanco.extras import optional_package
from puntobanco.server.names import sign_in_name
from puntobanco.server.problems import Problem
from puntobanco.server.terms import Terms

with optional_package("argon2-cffi", "Passwords are kept"):
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST_OF_PATRONS, SHORTEST_OF_STAFF, LONGEST = 10, 12, 200

_COMMON = (
    "1234567890 12345678910 123456789012 0123456789 0987654321 9876543210 1234567891 1q2w3e4r5t 1q2w3e4r5t6y "
    "1qaz2wsx3edc qwertyuiop qwerty12345 qwerty123456 qwertyuiop123 asdfghjkl123 zxcvbnm123 zaq12wsxcde3 abcdefghij "
    "abcdefghijkl abcd123456 abc1234567 a123456789 a1234567890 password12 password123 password1234 password12345 "
    "passw0rd123 p@ssw0rd123 p@ssword123 passwordpassword letmein123 letmein1234 welcome123 welcome1234 welcome2024 "
    "welcome2025 iloveyou12 iloveyou123 iloveyou1234 sunshine123 princess123 football123 baseball123 superman123 "
    "dragon12345 monkey12345 master12345 changeme123 changemenow administrator admin12345 admin123456 administrator1 "
    "trustno1trustno1 correcthorsebatterystaple puntobanco puntobanco1 puntobanco123 baccarat123 baccarat1234 "
    "luckylucky 8888888888 1122334455 1357924680 1472583690 q1w2e3r4t5 q1w2e3r4t5y6 woaini1314 "
    "woaini520520 5201314520 qazwsxedcrfv testtest123 test1234567 default1234 secret12345 summer2025 winter2025"
)
COMMON = frozenset(_COMMON.split())
"""Of those that are long enough; there is no use in a list of the others."""
FEWEST_DIFFERENT = 4

ONE_TIME_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike on paper."""

Answer = TypeVar("Answer")


def busy() -> Problem:
    return Problem(503, "busy", "Too many people sign in at this moment; try again in a few seconds.")


def check_password(password: str, name: str, *, staff: bool) -> None:
    """Refuses a password that would be guessed. Length decides; nobody is made to use signs and digits."""
    shortest = SHORTEST_OF_STAFF if staff else SHORTEST_OF_PATRONS
    if not shortest <= len(_normal(password[: LONGEST + 1])) or len(password) > LONGEST:
        raise _refused(f"A password has {shortest} to {LONGEST} characters.")
    folded = sign_in_name(password)
    if folded in COMMON or len(set(folded)) < FEWEST_DIFFERENT:
        raise _refused("That password is among the first that are tried; choose another.")
    if _letters(folded) == _letters(sign_in_name(name)):
        raise _refused("A password is not the name again; choose another.")


def one_time_password() -> str:
    """Sixteen letters in four groups, 79 bits: to be read from a slip of paper, typed once and changed."""
    return "-".join("".join(secrets.choice(ONE_TIME_LETTERS) for _ in range(4)) for _ in range(4))


class Passwords:
    """Hashes with argon2id in a few threads of low priority; whoever finds too many waiting is turned away."""

    def __init__(self, terms: Terms) -> None:
        self._hasher = PasswordHasher(
            time_cost=terms.hash_passes, memory_cost=terms.hash_kibibytes, parallelism=1, hash_len=32, salt_len=16
        )
        # No password has this hash, and to find that out takes as long as with any other.
        salt, digest = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
        self._nobodys = f"$argon2id$v=19$m={terms.hash_kibibytes},t={terms.hash_passes},p=1${salt}${digest}"
        self._threads = ThreadPoolExecutor(terms.hash_workers, "password", initializer=_yield_to_others)
        self._places = terms.hash_workers + terms.hash_waiting

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the queue for the work of the block; a problem where there is none left."""
        if self._places <= 0:
            raise busy()
        self._places -= 1
        try:
            yield
        finally:
            self._places += 1

    async def hashed(self, password: str) -> str:
        return await self._in_thread(lambda: self._hasher.hash(_bytes(password)))

    async def matches(self, password: str, stored: str | None) -> bool:
        """Whether that is the password; with nothing stored the same work is done, and it is not."""
        found = await self._in_thread(lambda: self._verified(stored or self._nobodys, password))
        return found and stored is not None and len(password) <= LONGEST

    def is_out_of_date(self, stored: str) -> bool:
        """Whether it was hashed on other terms than today's."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)

    def _verified(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _refused(message: str) -> Problem:
    return Problem(400, "password-refused", message)


def _normal(password: str) -> str:
    # Two keyboards may write the same letter in two ways.
    return unicodedata.normalize("NFKC", password)


def _bytes(password: str) -> bytes:
    # A lone surrogate is no text, but no reason to fail either.
    return _normal(password[: LONGEST + 1]).encode("utf-8", "surrogatepass")


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _yield_to_others() -> None:
    """A hash keeps a core busy for tens of milliseconds: the thread that serves the tables goes first."""
    # Only Linux gives a thread a priority of its own.
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)
