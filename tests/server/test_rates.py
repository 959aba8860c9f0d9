"""Rates: exact, per key, and bounded in memory."""

from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import DeclarationError
from puntobanco.server.problems import Problem
from puntobanco.server.rates import Buckets, Rate, RateLimits, Rates, Sockets, network_of

START = 1_700_000_000_000


def test_a_burst_then_the_rate() -> None:
    buckets = Buckets(Rate(20, 1_000, 60))
    assert [buckets.take("a", START) for _ in range(60)] == [0] * 60
    assert buckets.take("a", START) == 50
    assert buckets.take("a", START + 49) == 1
    assert buckets.take("a", START + 50) == 0
    assert buckets.take("a", START + 50) == 50
    # Another is not concerned, and a rest fills it.
    assert buckets.take("b", START + 50) == 0
    assert [buckets.take("a", START + 60_000) for _ in range(61)] == [0] * 60 + [50]


def test_a_rate_that_is_no_whole_number_of_milliseconds_loses_nothing() -> None:
    """Seven a second for an hour: not one more or less than the burst and seven for each second."""
    buckets = Buckets(Rate(7, 1_000, 3))
    taken = sum(buckets.take("a", START + time) == 0 for time in range(0, 3_600_000, 5))
    assert taken == 3 + 7 * 3600 - 1


@given(
    st.builds(Rate, st.integers(1, 30), st.integers(1, 2_000), st.integers(1, 10)),
    st.lists(st.integers(0, 500), max_size=200),
)
def test_as_a_bucket_that_is_filled_drop_by_drop(rate: Rate, waits: list[int]) -> None:
    buckets, now = Buckets(rate), START
    held, before = rate.burst * rate.milliseconds, now
    for wait in waits:
        now += wait
        held, before = min(rate.burst * rate.milliseconds, held + (now - before) * rate.count), now
        asked_to_wait = buckets.take("a", now)
        if held >= rate.milliseconds:
            held -= rate.milliseconds
            assert asked_to_wait == 0
        else:
            # To the millisecond: it is enough, and less is not.
            assert held + asked_to_wait * rate.count >= rate.milliseconds
            assert held + (asked_to_wait - 1) * rate.count < rate.milliseconds


def test_memory_is_bounded_and_who_asks_too_often_is_not_forgotten_for_it() -> None:
    buckets = Buckets(Rate(1, 1_000, 5), remembered=1_000)
    for _ in range(5):
        assert buckets.take("flood", START) == 0
    for number in range(10_000):
        assert buckets.take(number, START + number // 10) == 0
        assert len(buckets) <= 1_000
        assert buckets.take("flood", START) > 0
    assert buckets.take("flood", START + 1_000) == 0


def test_full_buckets_are_forgotten_first() -> None:
    buckets = Buckets(Rate(1, 1_000, 5), remembered=100)
    for number in range(100):
        buckets.take(number, START)
    buckets.take("late", START + 1_000)
    assert len(buckets) == 1


def test_limits_of_the_house() -> None:
    limits = RateLimits(Rates())
    for _ in range(150):
        limits.command(b"a", START)
    for _ in range(60):
        limits.sign_in("192.0.2.1", START)
    for _ in range(300):
        limits.guest("192.0.2.1", START)
        limits.registration("192.0.2.1", START)
    for _ in range(1600):
        limits.request("192.0.2.1", START)
    asked: list[Callable[[], None]] = [
        lambda: limits.command(b"a", START),
        lambda: limits.sign_in("192.0.2.1", START),
        lambda: limits.guest("::ffff:192.0.2.1", START),
        lambda: limits.registration("192.0.2.1", START),
        lambda: limits.request("192.0.2.1", START),
    ]
    for too_often in asked:
        with pytest.raises(Problem) as problem:
            too_often()
        assert (problem.value.status, problem.value.reason) == (429, "too-often")
    limits.command(b"b", START)
    limits.sign_in("192.0.2.2", START)
    with pytest.raises(Problem, match=r"wait 1 second\."):
        limits.sign_in("192.0.2.1", START)
    limits.sign_in("192.0.2.1", START + 1_000)


def test_a_class_of_two_hundred_behind_one_address() -> None:
    """All come within a minute, take names, sign in again with the right password, and open a table."""
    limits, address = RateLimits(Rates()), "192.0.2.1"
    for number in range(200):
        now = START + number * 300
        for _ in range(6):
            limits.request(address, now)
        limits.guest(address, now)
        limits.registration(address, now)
        limits.sign_in(address, now)
        limits.was_right(address)
        limits.enter_socket(address, str(number).encode(), now)
        assert limits.connections.enter(address)


def test_only_wrong_passwords_count() -> None:
    limits = RateLimits(Rates(sign_ins=Rate(2, 60_000, 2)))
    for _ in range(10):
        limits.sign_in("192.0.2.1", START)
        limits.was_right("192.0.2.1")
    limits.sign_in("192.0.2.1", START)
    limits.sign_in("192.0.2.1", START)
    with pytest.raises(Problem):
        limits.sign_in("192.0.2.1", START)
    # A right one gives nothing back but itself, and nothing to who has taken nothing.
    limits.was_right("192.0.2.2")
    limits.was_right("192.0.2.1")
    limits.sign_in("192.0.2.1", START)
    with pytest.raises(Problem):
        limits.sign_in("192.0.2.1", START)


def test_no_limits_for_a_load_test() -> None:
    limits = RateLimits(Rates(None, None, None, None, None))
    for _ in range(10_000):
        limits.command(b"a", START)
        limits.request("127.0.0.1", START)
        limits.sign_in("127.0.0.1", START)
        limits.guest("127.0.0.1", START)
        assert limits.sockets.enter("127.0.0.1")


def test_sockets_of_an_address() -> None:
    sockets = Sockets(3)
    assert [sockets.enter("192.0.2.1") for _ in range(5)] == [True] * 3 + [False] * 2
    assert sockets.enter("192.0.2.2")
    sockets.leave("192.0.2.1")
    assert [sockets.enter("192.0.2.1") for _ in range(2)] == [True, False]
    waiting = deque(["192.0.2.1"] * 3 + ["192.0.2.2"])
    while waiting:
        sockets.leave(waiting.popleft())
    assert not len(sockets)
    sockets.leave("192.0.2.1")
    assert [sockets.enter("192.0.2.1") for _ in range(4)] == [True] * 3 + [False]


def test_a_customer_with_many_addresses_is_one() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9%eth0")
    assert network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert len(network_of("x" * 1_000)) <= 64


@pytest.mark.parametrize("given", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1.5, 1, 1), (True, 1, 1)])
def test_no_rate(given: tuple[int, int, int]) -> None:
    with pytest.raises(DeclarationError):
        Rate(*given)
