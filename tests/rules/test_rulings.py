import pytest

from puntobanco.rules.rulings import RULINGS, Switch
from puntobanco.rules.rulings import ruling as find_ruling


def test_the_rulings_are_numbered_1_to_19_in_order() -> None:
    assert [ruling.number for ruling in RULINGS] == list(range(1, 20))


def test_every_ruling_has_a_title_of_its_own_a_text_and_a_reason() -> None:
    assert len({ruling.title for ruling in RULINGS}) == len(RULINGS)
    for ruling in RULINGS:
        assert ruling.text.endswith("."), ruling.number
        assert ruling.reason.endswith("."), ruling.number
        assert ruling.text != ruling.reason, ruling.number


def test_the_switches_with_their_defaults_first() -> None:
    assert {ruling.number: ruling.switch for ruling in RULINGS if ruling.switch} == {
        1: Switch("tableau", ("standard", "manila-as-printed")),
        5: Switch("element_eights", ("on-top", "instead")),
        12: Switch("rounding", ("down", "up")),
    }


def test_the_default_of_a_switch_is_its_first_option() -> None:
    assert Switch("rounding", ("down", "up")).default == "down"


@pytest.mark.parametrize("options", [(), ("down",), ("down", "down"), ("down", "up", "down")])
def test_a_switch_has_two_or_more_different_options(options: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="switch rounding needs two or more different options"):
        Switch("rounding", options)


@pytest.mark.parametrize(
    ("number", "figures"),
    [
        (1, ("0.786862%", "1.057906%")),
        (5, ("800 to 1", "808")),
        (6, ("$3,000", "$30,000", "$0.2547", "$1.78")),
        (8, ("1.2 to 1",)),
        (10, ("12 to 1", "20 to 1")),
        (11, ("5%", "95")),
        (12, ("19:20", "6:5", "1:2")),
        (13, ("1.24%",)),
        (15, ("fewer than six cards",)),
        (17, ("14 from the end",)),
    ],
)
def test_the_figures_a_ruling_rests_on_are_stated(number: int, figures: tuple[str, ...]) -> None:
    found = find_ruling(number)
    for figure in figures:
        assert figure in f"{found.text} {found.reason}"


def test_a_ruling_is_found_by_its_number() -> None:
    assert find_ruling(18).title == "Effective dates"


@pytest.mark.parametrize("number", [0, -1, 20])
def test_a_number_without_a_ruling_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"there is no ruling {number}; they are numbered 1 to 19"):
        find_ruling(number)
