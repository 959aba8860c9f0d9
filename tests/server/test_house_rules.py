"""The defaults of the settings are those of the parts that they set, and each setting reaches its part."""

import pytest

from puntobanco.server.configuration import Configuration
from puntobanco.server.house_rules import rates_of, terms_of
from puntobanco.server.rates import Rate, Rates
from puntobanco.server.terms import Terms


def test_the_usual_settings_are_the_usual_terms_and_rates() -> None:
    assert terms_of(Configuration()) == Terms()
    assert rates_of(Configuration()) == Rates()


@pytest.mark.parametrize(
    ("setting", "term", "value"),
    [
        ({"secure_cookies": True}, "https", True),
        ({"patron_idle_hours": 2}, "patron_idle", 7_200_000),
        ({"patron_session_days": 2}, "patron_longest", 172_800_000),
        ({"staff_idle_minutes": 2}, "staff_idle", 120_000),
        ({"staff_session_hours": 2}, "staff_longest", 7_200_000),
        ({"wrong_passwords": 2}, "wrong_passwords", 2),
        ({"longest_lock_minutes": 2}, "longest_lock", 120_000),
    ],
)
def test_each_term_has_its_setting(setting: dict[str, int], term: str, value: int) -> None:
    assert getattr(terms_of(Configuration(**setting)), term) == value  # type: ignore[arg-type]


def test_each_rate_has_its_setting_and_all_are_off_for_a_load_test() -> None:
    found = rates_of(
        Configuration(
            requests_per_second=1,
            commands_per_second=2,
            sign_ins_per_minute=3,
            guests_per_minute=4,
            sockets_per_address=5,
        )
    )
    assert (found.requests, found.commands) == (Rate(1, 1_000, 4), Rate(2, 1_000, 6))
    assert (found.sign_ins, found.guests, found.sockets) == (Rate(3, 60_000, 3), Rate(4, 60_000, 4), 5)
    off = rates_of(Configuration(rate_limits=False))
    assert {off.requests, off.commands, off.sign_ins, off.guests, off.sockets} == {None}
