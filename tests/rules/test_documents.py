import ast
import copy
import pickle
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

import puntobanco.rules.documents
from puntobanco import GAMES
from puntobanco.rules.documents import (
    BACCARAT_TOURNAMENT,
    DOCUMENTS,
    FABULOUS_4,
    FORTUNE_SIX_TOURNAMENT,
    MANILA,
    SIX_STAR,
    Document,
)

NUMBERED = (BACCARAT_TOURNAMENT, FORTUNE_SIX_TOURNAMENT, SIX_STAR, FABULOUS_4)
IRREGULARITIES = ("5.1", "5.1.1", "5.1.2", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7")
INTRODUCTIONS = {"1", "2", "3", "4", "5", "1.1", "2.2", "3.3", "3.4"}


def place(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def document(clauses: dict[str, str], not_software: dict[str, str]) -> Document:
    return Document("sample", "Publisher", "Title", None, None, clauses, not_software)


def test_the_documents_are_told_apart_by_their_ids() -> None:
    assert len({document.id for document in DOCUMENTS}) == len(DOCUMENTS)


def test_the_documents_are_those_of_the_games_in_their_order() -> None:
    assert tuple(dict.fromkeys(game.document for game in GAMES)) == DOCUMENTS


@pytest.mark.parametrize(
    ("document", "version", "effective"),
    [
        (BACCARAT_TOURNAMENT, "5", datetime(2017, 2, 17)),
        (FORTUNE_SIX_TOURNAMENT, "2", datetime(2017, 5, 5)),
        (SIX_STAR, None, datetime(2017, 3, 17)),
        (FABULOUS_4, "2", datetime(2019, 5, 9, 17, 0)),
        (MANILA, None, None),
    ],
    ids=lambda value: value.id if isinstance(value, Document) else "",
)
def test_version_and_effective_date(document: Document, version: str | None, effective: datetime | None) -> None:
    assert document.version == version
    assert (document.effective and datetime.fromisoformat(document.effective)) == effective


# The counts were taken from the documents; each section counts its own title.
@pytest.mark.parametrize(
    ("document", "counts"),
    [
        (BACCARAT_TOURNAMENT, {1: 9, 2: 7, 3: 24, 4: 2, 5: 10}),
        (FORTUNE_SIX_TOURNAMENT, {1: 10, 2: 8, 3: 25, 4: 2, 5: 10}),
        (SIX_STAR, {1: 16, 2: 9, 3: 28, 4: 4, 5: 10}),
        (FABULOUS_4, {1: 17, 2: 8, 3: 20, 4: 3, 5: 10}),
    ],
    ids=lambda value: value.id if isinstance(value, Document) else "",
)
def test_every_section_has_the_clauses_of_the_document(document: Document, counts: dict[int, int]) -> None:
    assert Counter(place(number)[0] for number in document.clauses) == counts


@pytest.mark.parametrize("document", NUMBERED, ids=lambda d: d.id)
def test_numbered_clauses_are_in_order_without_gaps_or_orphans(document: Document) -> None:
    places = [place(number) for number in document.clauses]
    assert places == sorted(places)
    for here in places:
        *parent, last = here
        assert last == 1 or (*parent, last - 1) in places, f"nothing stands before {here}"
        assert not parent or tuple(parent) in places, f"{here} has no parent"


def test_manila_statements_are_named_by_their_headings_in_order_and_then_by_ruling() -> None:
    assert list(MANILA.clauses) == [
        *(f"How to Play {statement}" for statement in range(1, 10)),
        *(f"Hand Totals {statement}" for statement in range(1, 6)),
        "Example of Hands",
        "No Commission 1",
        "No Commission 2",
        "Super 6",
        *(f"Table of Play {statement}" for statement in range(1, 4)),
        *(f"Currency {statement}" for statement in range(1, 4)),
        "Ruling 2",
        "Ruling 14",
        "Ruling 14: tie",
        *(f"Ruling 15: {number}" for number in IRREGULARITIES),
    ]


@pytest.mark.parametrize("number", IRREGULARITIES)
def test_an_irregularity_reads_the_same_in_all_documents_but_for_5_1_of_fabulous_4(number: str) -> None:
    expected = BACCARAT_TOURNAMENT.clauses[number]
    assert FORTUNE_SIX_TOURNAMENT.clauses[number] == expected
    assert SIX_STAR.clauses[number] == expected
    assert MANILA.clauses[f"Ruling 15: {number}"] == expected
    assert (FABULOUS_4.clauses[number] == expected) is (number != "5.1")


def test_5_1_of_fabulous_4_covers_extra_and_missing_cards() -> None:
    assert "extra cards, missing cards" in FABULOUS_4.clauses["5.1"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.id)
def test_each_paraphrase_is_one_sentence_and_no_two_clauses_share_it(document: Document) -> None:
    for number, text in document.clauses.items():
        assert text.endswith("."), number
        assert ". " not in text, number
    assert len(set(document.clauses.values())) == len(document.clauses)


def test_no_text_is_written_twice_in_the_sources() -> None:
    written = Counter(
        node.value
        for source in Path(puntobanco.rules.documents.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 30
    )
    assert len(written) > 50
    assert [text for text, times in written.items() if times > 1] == []


@pytest.mark.parametrize("document", NUMBERED, ids=lambda d: d.id)
def test_only_titles_introductions_and_diagrams_are_not_software(document: Document) -> None:
    assert set(document.not_software) == INTRODUCTIONS


def test_all_of_manila_is_software() -> None:
    assert not MANILA.not_software


def test_a_clause_marked_as_not_software_must_exist() -> None:
    with pytest.raises(ValueError, match=r"'9\.9' is marked as not software but is no clause of sample"):
        document({"1": "A rule."}, {"9.9": "A reason."})


@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_paraphrase_must_not_be_blank(blank: str) -> None:
    with pytest.raises(ValueError, match=r"clause 1\.1 of sample has no paraphrase"):
        document({"1": "A rule.", "1.1": blank}, {})


def test_not_software_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="without a reason"):
        document({"1": "A rule."}, {"1": " "})


def test_a_document_cannot_be_altered_through_the_mappings_it_was_made_of() -> None:
    clauses, not_software = {"1": "A rule."}, {"1": "A reason."}
    made = document(clauses, not_software)
    clauses["2"] = "Another rule."
    not_software.clear()
    assert made == document({"1": "A rule."}, {"1": "A reason."})
    with pytest.raises(TypeError):
        made.clauses["2"] = "Another rule."  # type: ignore[index]


def test_a_document_can_be_hashed_copied_and_sent_to_another_process() -> None:
    assert len({*DOCUMENTS, copy.deepcopy(MANILA)}) == len(DOCUMENTS)
    restored = pickle.loads(pickle.dumps(SIX_STAR))
    assert restored == SIX_STAR
    assert list(restored.clauses) == list(SIX_STAR.clauses)
