"""Which passwords are accepted."""

import asyncio
import unicodedata

import pytest

from puntobanco.server.passwords import (
    COMMON,
    LONGEST,
    SHORTEST_OF_PATRONS,
    Passwords,
    check_password,
    one_time_password,
)
from puntobanco.server.problems import Problem
from server.peopled import GOOD, QUICK


@pytest.mark.parametrize(
    "password",
    [
        "",
        "ninechars",
        "x y z" * 41,
        "1234567890",
        "Password123",
        "QWERTYUIOP",
        "puntobanco",
        "aaaaaaaaaaaa",
        "121212121212",
        "Little Robin",
        "little-robin",
        "LITTLEROBIN.",
        # Twelve characters that are seven once they are written in one way.
        "e\u0301e\u0300o\u0302a\u0301u\u0300xy",
        "\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19\uff10",
    ],
)
def test_refused(password: str) -> None:
    with pytest.raises(Problem) as refused:
        check_password(password, "Little Robin", staff=False)
    assert (refused.value.status, refused.value.reason) == (400, "password-refused")
    assert not password or password not in refused.value.message


@pytest.mark.parametrize(
    "password",
    [
        "tencharsok",
        "all small letters",
        "数字と漢字のある合言葉",
        "\U0001f40e\U0001f434 horses!",
        "x y z\ud800 abcdef",
        "a b\0 cdefgh",
    ],
)
def test_accepted_and_recognised(password: str) -> None:
    check_password(password, "Little Robin", staff=False)

    async def work() -> None:
        passwords = Passwords(QUICK)
        stored = await passwords.hashed(password)
        assert await passwords.matches(password, stored)
        assert not await passwords.matches(password + "x", stored)
        assert not await passwords.matches(password[:-1], stored)
        passwords.close()

    asyncio.run(work())


def test_one_letter_is_the_same_from_every_keyboard() -> None:
    async def work() -> None:
        passwords = Passwords(QUICK)
        stored = await passwords.hashed("crème brûlée")
        assert await passwords.matches(unicodedata.normalize("NFD", "crème brûlée"), stored)
        longest = "ab cd" * (LONGEST // 5)
        stored = await passwords.hashed(longest)
        assert await passwords.matches(longest, stored)
        # What is beyond the longest is not cut off to make a password of it.
        assert not await passwords.matches(longest + "x", stored)
        passwords.close()

    asyncio.run(work())


def test_the_list_of_common_ones_has_none_that_is_too_short_anyway() -> None:
    assert {each for each in COMMON if len(each) < SHORTEST_OF_PATRONS} == set()
    assert all(each == each.casefold() for each in COMMON)


def test_one_time_passwords_are_accepted_and_differ() -> None:
    made = {one_time_password() for _ in range(200)}
    assert len(made) == 200
    for each in made:
        check_password(each, "Dora", staff=True)


def test_two_hashes_of_one_password_differ() -> None:
    async def work() -> None:
        passwords = Passwords(QUICK)
        assert await passwords.hashed(GOOD) != await passwords.hashed(GOOD)
        passwords.close()

    asyncio.run(work())
