"""Names: one way to write each, one script, nothing that hides or pretends."""
# ruff: noqa: RUF001

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.server.guest_names import ANIMALS, MOODS, guest_name
from puntobanco.server.names import ALONGSIDE, LONGEST, SHORTEST, shown_name, sign_in_name
from puntobanco.server.problems import Problem


@pytest.mark.parametrize(
    "name",
    [
        "Anna", "Li", "O'Brien", "Jean-Luc 2", "anna_b.c", "Zoë", "Ångström", "Nguyễn Văn", "Łukasz", "straße",
        "3 Aces",
        "王小明", "林さん", "タナカ", "トニー", "佐々木", "김민준", "Ольга", "Αθηνά",
        "דוד", "محمد", "สมชาย", "अनिता", "நிலா",
        "Adele", "Recorder", "Houseman", "Dealey", "Bankera", "Whitehouse", "x" * LONGEST,
    ],
)  # fmt: skip
def test_accepted_as_it_is(name: str) -> None:
    assert shown_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  Anna ", "Anna"),
        ("Ａｎｎａ", "Anna"),
        ("Zoe\u0308", "Zoë"),
        ("Anna\u00a0B", "Anna B"),
        ("ﬁnn", "finn"),
        ("𝐀nna", "Anna"),
    ],
)
def test_another_way_to_write_it_is_the_same_name(written: str, shown: str) -> None:
    assert shown_name(written) == shown
    assert sign_in_name(written) == sign_in_name(shown) == sign_in_name(shown.upper())


@pytest.mark.parametrize(
    "name",
    [
        # Lengths.
        "", " ", "A", "x" * (LONGEST + 1), "x" * 100_000, "ﷺ" * 2,
        # Markup and what scripts or shells read.
        "<b>Anna</b>", "Anna<script>", "a&amp;b", '"Anna"', "Anna;--", "{{7*7}}", "${x}", "`id`", "a/b", "a\\b",
        "a@b.c",
        "javascript:x", "+1234", "=1+1", "#Anna", "a,b",
        # Controls, line ends, and characters that cannot be seen or that turn the text around.
        "An\x00na", "An\nna", "An\tna", "An\x1b[31mna", "An\x7fna", "An\x85na", "An\u2028na",
        "An\u200bna", "An\u200cna", "An\u200dna", "An\u2060na", "\ufeffAnna", "An\u00adna", "An\u034fna", "An\u061cna",
        "\u202eannA", "An\u202ana\u202c", "\u2066Anna\u2069", "Anna\u200f", "Anna\ufe0f",
        "An\u180ena", "Anna\U000e0041",
        "\u3164\u3164", "김\u3164", "김\u115f", "ក\u17b4ក", "\u2800\u2800", "An\ud800na", "An\ue000na",
        "An\U000f0000na",
        # Two scripts.
        "Аnna", "Annа", "Αnna", "Anna王", "Ольga", "ОльγА", "ann\u0131\u0456", "김Anna", "ひらabc", "김ひら", "Annaא",
        # Letters that are signs in disguise, stacks of marks, other digits, pictures.
        "Anna\u01c3", "Ann\u0261", "Ann\u0251", "Z\u0351\u0352\u0353algo", "Anna\u0338",
        "ก\u0e49\u0e49\u0e49", "Anna\u0663", "Anna١",
        "Anna😀", "🂡🂢", "Ⓐnna①②★", "½½½",
        # The shape.
        "12345", "..", "--", "-Anna", ".Anna", "_Anna", "'Anna", "Anna  B", "\u0e49ก",
    ],
)  # fmt: skip
def test_refused_without_an_echo(name: str) -> None:
    for staff in (False, True):
        with pytest.raises(Problem) as refused:
            shown_name(name, staff=staff)
        assert (refused.value.status, refused.value.reason) == (400, "name-refused")
        if len(name) > 1 and name.strip(" .-_'"):
            assert name not in refused.value.message


@pytest.mark.parametrize(
    "name",
    [
        "dealer", "Dealer", "DEALER", "Dealer 1", "dealer7", "The Dealer", "Dealer-Anna", "d.e.a.l.e.r", "dea1er",
        "deaIer",
        "d3al3r", "Déäler", "admin", "Adm1n", "ADMlN", "adrnin", "Administrator", "supervisor",
        "5upervisor", "Super-Visor",
        "Staff Anna", "auditor", "director 2", "Player", "Banker", "Bank3r", "tie", "T1e", "guest",
        "荷官", "荷官一号", "管理員",
        # All Cyrillic, and all Greek.
        "ԁеаӏег", "тιε".replace("т", "τ"),
    ],
)  # fmt: skip
def test_names_of_staff_and_of_the_hands_are_not_for_patrons(name: str) -> None:
    with pytest.raises(Problem):
        shown_name(name)


@pytest.mark.parametrize(
    "name",
    ["house", "House", "H0use", "record", "R3cord", "house 2", "puntobanco", "System"],
)
def test_names_of_the_house_are_for_nobody(name: str) -> None:
    for staff in (False, True):
        with pytest.raises(Problem):
            shown_name(name, staff=staff)


@pytest.mark.parametrize("name", ["dealer1", "Dealer Anna", "admin", "Supervisor"])
def test_staff_may_be_called_what_they_are(name: str) -> None:
    assert shown_name(name, staff=True) == name


def test_names_that_begin_as_actors_of_the_record_do() -> None:
    for name in ("dealer/main", "Dealer/1", "dealer\u2215main", "dealer\uff0fmain"):
        for staff in (False, True):
            with pytest.raises(Problem):
                shown_name(name, staff=staff)


def test_every_guest_has_a_name_that_a_patron_could_have() -> None:
    assert len(MOODS) * len(ANIMALS) * 900 > 3_000_000
    for mood in MOODS:
        assert shown_name(f"{mood} Heron 482")
    for animal in ANIMALS:
        assert shown_name(f"Calm {animal} 482")
    assert len({guest_name() for _ in range(100)}) > 90


@given(st.text(max_size=40))
def test_what_is_accepted_is_stable_short_and_seen(text: str) -> None:
    folded = sign_in_name(text)
    assert sign_in_name(folded) == folded
    try:
        name = shown_name(text)
    except Problem:
        return
    assert SHORTEST <= len(name) <= LONGEST
    assert name.isprintable()
    assert shown_name(name) == name
    assert sign_in_name(name) == folded
    assert all(each in ALONGSIDE or unicodedata.category(each)[0] in "LM" for each in name)


@given(
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"]), min_size=1, max_size=3),
    st.integers(0, 4),
)
def test_nothing_unseen_is_ever_in_a_name(unseen: str, place: int) -> None:
    with pytest.raises(Problem):
        shown_name("Anna"[:place] + unseen + "Anna"[place:])
