"""What the service says has a translation, all of it: rule cards, reasons to draw, announcements, every refusal."""

# ruff: noqa: RUF001 -- Chinese has commas and brackets of its own.

import asyncio
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from puntobanco import GAMES
from puntobanco.cards import STANDARD_PACK, Deal, Shoe
from puntobanco.errors import InputError, nearest
from puntobanco.rulecard import TABLEAU_STEPS, rule_card
from puntobanco.rules.conditions import BANKER_TOTAL, BANKER_WINS, PLAYER_PAIR, PLAYER_SUIT, Condition
from puntobanco.rules.documents import cited
from puntobanco.rules.documents.document import OWN_CLAUSE
from puntobanco.rules.facts import FACTS, Kind
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import check_money
from puntobanco.server.dealer_steps import clause_text
from puntobanco.server.permissions import NEEDS_TWO
from puntobanco.server.vocabulary import vocabulary
from puntobanco.server.words import ENGLISH, LANGUAGES, TRANSLATIONS, condition_in, translation, words_in
from puntobanco.table import Irregularity
from puntobanco.table.decide import voiding_clause
from puntobanco.table.settings import Limits
from puntobanco.tableau import Hand, Tableau, count_of_cards
from server.doors import open_doors
from server.spoken import sentences, with_thousands

CHARACTERS = {"zh-Hans": "gb2312", "zh-Hant": "big5"}
"""What can be written in each: the one has no traditional forms, the other no simplified ones."""
LEFT_AS_THEY_ARE = {
    "after",
    "amount",
    "Always",
    "Content-Type",
    "HTTP",
    "JSON",
    "SGD",
    "Stands",
    "application",
    "json",
    "main",
}
NUMBERS_OF_NO_MONEY = {
    "An amount is a whole number from 1 to {0}.",  # Of the smallest unit, as whoever sends one writes it.
    "A rate is two whole numbers from 1 to {0}.",
}


def pattern(text: str, put_in: str) -> str:
    """The text with `{0}`, `{1}` wherever something of this form stands."""
    places = iter(range(100))
    return re.sub(put_in, lambda _: f"{{{next(places)}}}", text)


def of_the_card(game: Game) -> Iterator[str]:
    """Every text of a rule card but the conditions, which are put together from a vocabulary."""
    card = rule_card(game)
    yield from (game.name, game.document.publisher, game.document.title, game.pack.name, game.tableau.name)
    yield from [str(text) for text in (*card["card_values"], *game.pack.suits.values()) if not str(text).isdigit()]  # type: ignore[misc]
    for switch, options in game.switches.items():
        yield from (switch, *options)
    for wager in game.paytables.values():
        yield from (wager.name, *[line.label for line in wager.all_lines])
    for ruling in game.applicable_rulings:
        yield from (ruling.title, ruling.text, ruling.reason)
    if game.chips_only:
        yield game.chips_only


def clauses_of(game: Game) -> Iterator[str]:
    """Those that are cited in words: `How to Play 5`, `Ruling 15: 5.1`."""
    found = {getattr(game.procedure, step) for step in TABLEAU_STEPS}
    found |= {clause for clause in vars(game.procedure).values() if isinstance(clause, str)}
    for wager in game.paytables.values():
        found |= {wager.clause, *[line.clause for line in wager.all_lines]}
    yield from [pattern(clause, r"\d+(?:\.\d+)*") for clause in found if re.search("[A-Za-z]", clause)]


def why(tableau: Tableau) -> Iterator[str]:
    """Why a hand draws or stands, of every deal that differs in points."""
    ten, cards = STANDARD_PACK.card("Kc"), [STANDARD_PACK.card(rank + "h") for rank in "KA23456789"]
    deals = [Deal((), ()), Deal((ten,), ()), Deal((ten,), (ten,)), Deal((ten, ten), (ten,))]
    for player, banker, third in product(cards, cards, cards):
        before = Deal((ten, player), (ten, banker))
        deals += [before]
        if tableau.due(before).hand is Hand.PLAYER:
            drawn = Deal((ten, player, third), (ten, banker))
            deals += [drawn, Deal(drawn.player, (ten, banker, ten))]
    for deal in deals:
        for each in tableau.explain(deal):
            yield pattern(each.sentence, r"[KA2-9]h|\d")


def put_into_others() -> Iterator[str]:
    """What stands within another sentence and is made elsewhere."""
    yield from [nearest("zz", ["aaa", "bbb"]).replace("aaa, bbb", "{0}"), nearest("aab", ["aaa"]).replace("aaa", "{0}")]
    for wrong in (0, "7", 1 << 300):
        try:
            check_money("stake", wrong)
        except InputError as error:
            whole, _, found = error.message.rpartition(", not ")
            yield pattern(f"{whole}, not 0.", r"(?<!-)\b(?:0|\d+,[\d,]+)")
            yield from [pattern(found[:-1], "'7'")] if not found[:-1].isdigit() else []
    yield from [count_of_cards(range(number)) for number in (0, 1, 4, 5, 6)]
    yield pattern(Limits(20, 100, 20).words, r"\d+")
    yield cited("{0}")
    yield OWN_CLAUSE
    full = Shoe.full(STANDARD_PACK, 1)
    fewer = Shoe.of_counts(STANDARD_PACK, {"Ah": 2})
    yield from [pattern(part, r"\d+(?= )|[A-Z2-9][cdhs]$") for part in fewer.difference(full).split(", ")]
    yield from [pattern(part, r"\d+(?= )|[A-Z2-9][cdhs]$") for part in full.difference(fewer).split(", ")]
    # What a table is asked for by two people, and what a game may lack.
    yield from [each.value for each in NEEDS_TWO if "-" not in each]
    yield from ("wager", "bonus", "reading", "none")
    yield from [hand.label for hand in Hand]


def of_the_laboratory() -> Iterator[str]:
    words = vocabulary()
    for pack in words.packs:
        letters = [each.name for each in (*pack.ranks, *pack.suits) if not each.name.isdigit()]
        yield from (pack.name, *letters, *[fact.name for fact in pack.facts])
    for system in words.systems:
        yield from (system.name, system.description)


def everything() -> dict[str, str]:
    """By the text, who says it."""
    found = sentences()
    for game in GAMES:
        for text in (*of_the_card(game), *clauses_of(game), *[line for each in game.tableaux for line in why(each)]):
            found.setdefault(text, game.id)
        for kind in Irregularity:
            found.setdefault(clause_text(game, voiding_clause(game.procedure, kind)), game.id)
    for text in of_the_laboratory():
        found.setdefault(text, "the laboratory")
    for kind in Irregularity:
        found.setdefault(kind.value, "irregularities")
    for text in put_into_others():
        found.setdefault(text, "part of another sentence")
    return found


EVERYTHING = everything()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_everything_that_is_said_is_translated(language: str) -> None:
    words = translation(language).words
    missing = {text: where for text, where in EVERYTHING.items() if text not in words}
    assert not missing, f"server/translations/{language}.json lacks: {missing}"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_condition_of_every_game_is_translated(language: str) -> None:
    words = words_in(language, GAMES)
    whens = {str(line.when) for game in GAMES for wager in game.paytables.values() for line in wager.all_lines}
    assert whens <= words.keys()
    assert not [words[when] for when in whens if re.search("[a-z]", words[when])]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_vocabulary_of_conditions_has_every_fact_and_no_other(language: str) -> None:
    conditions = set(translation(language).conditions)
    facts = {name.replace("_", " "): fact for name, fact in FACTS.items()}
    expected = {f"{name} is {{0}}" for name in facts if name != "winner"}
    expected |= {f"winner is {winner}" for winner in ("player", "banker", "tie")}
    shared = [name for name, fact in facts.items() if fact.kind in (Kind.SHARED_RANK, Kind.SHARED_SUIT)]
    expected |= {form for name in shared for form in (f"{name} is none", f"not ({name} is none)")}
    assert conditions == expected | {"{0} and {1}", "{0} or {1}", "not ({0})", "({0})"}


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (BANKER_WINS & BANKER_TOTAL.is_(6), "莊家勝，且莊家 6 點"),
        (BANKER_TOTAL.is_(6, 5), "莊家 5或6 點"),
        (BANKER_WINS & (BANKER_TOTAL.is_(6) | PLAYER_PAIR.exists()), "莊家勝，且（莊家 6 點或閒家首兩張成對）"),
        (~BANKER_WINS, "並非（莊家勝）"),
        (PLAYER_SUIT.is_("d"), "閒家首兩張同屬方塊"),
        (PLAYER_SUIT.is_("d", None), None),
    ],
)
def test_a_condition_is_put_together_from_its_vocabulary(condition: Condition, said: str | None) -> None:
    assert condition_in(translation("zh-Hant"), condition, STANDARD_PACK) == said


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_translation_of_what_nobody_says_any_more(language: str) -> None:
    stale = set(translation(language).words) - set(EVERYTHING)
    assert not stale, f"server/translations/{language}.json has what nobody says: {sorted(stale)}"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_what_is_put_in_is_put_in_again(language: str) -> None:
    for english, said in (*translation(language).words.items(), *translation(language).conditions.items()):
        assert set(re.findall(r"\{(\d+)\}", english)) == set(re.findall(r"\{(\d+)(?::money)?\}", said)), english


def marked(text: str) -> set[str]:
    return set(re.findall(r"\{(\d+):money\}", text))


def test_money_is_marked_as_money_in_every_language() -> None:
    simplified, traditional = [translation(language).words for language in TRANSLATIONS]
    assert {text: marked(said) for text, said in simplified.items()} == {
        text: marked(said) for text, said in traditional.items()
    }
    amounts = {text: places for text, places in with_thousands().items() if text not in NUMBERS_OF_NO_MONEY}
    assert {text: marked(traditional[text]) for text in amounts} == amounts
    assert with_thousands().keys() >= NUMBERS_OF_NO_MONEY
    english = words_in(ENGLISH, GAMES)
    assert {text: places for text, said in traditional.items() if (places := marked(said))} == {
        text: places for text, said in english.items() if (places := marked(said))
    }
    assert english["{0} on {1} is not a multiple of {2}."] == "{0:money} on {1} is not a multiple of {2:money}."


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_characters_of_its_script_and_no_english(language: str) -> None:
    kept = translation(language)
    for english, said in (*kept.words.items(), *kept.conditions.items()):
        said.encode(CHARACTERS[language])
        english_words = set(re.findall("[A-Za-z-]{3,}", said.replace(":money", ""))) - LEFT_AS_THEY_ARE
        assert not english_words, f"{english} -> {said}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wager_is_known_by_its_name_where_a_refusal_names_its_id(language: str) -> None:
    words = words_in(language, GAMES)
    for game in GAMES:
        for wager in game.paytables.values():
            assert words[wager.id] == (wager.name if language == ENGLISH else words[wager.name])


def test_the_lists_are_served_and_kept_by_the_browser(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_doors(tmp_path) as doors:
            client = doors.client()
            for language in LANGUAGES:
                answer = await client.get(f"/api/words/{language}")
                assert answer.json() == {"language": language, "words": words_in(language, GAMES)}
                again = await client.get(f"/api/words/{language}", headers={"if-none-match": answer.headers["etag"]})
                assert (again.status_code, again.content) == (304, b"")
                assert answer.headers["cache-control"] == "no-cache"
            assert (await client.get("/api/words/fr")).status_code == 404

    asyncio.run(run())
