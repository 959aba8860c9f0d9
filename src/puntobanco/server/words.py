"""What the service says, in the reader's language: lists by which a page translates what it is told.

The service itself speaks English, in its record as on the wire. A list gives, by the English text, the other; in a
text with something put in, that is `{0}`, `{1}`, and in its translation `{0:money}` where it is an amount, so that a
page can show it as it shows all money. English has a list too, of those sentences alone.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from puntobanco.cards import Pack
from puntobanco.rules.conditions import All, Any, Condition, Is, Not
from puntobanco.rules.facts import FACTS, FactValue, Kind
from puntobanco.rules.game import Game
from puntobanco.table import Irregularity

ENGLISH = "en"
TRANSLATIONS = ("zh-Hans", "zh-Hant")
LANGUAGES = (ENGLISH, *TRANSLATIONS)
MONEY = ":money}"


class Translation(NamedTuple):
    """A language as its file has it."""

    words: Mapping[str, str]
    conditions: Mapping[str, str]
    """The vocabulary of which the conditions of paytables are made: by fact, and how they are joined."""


@cache
def translation(language: str) -> Translation:
    text = files("puntobanco.server").joinpath("translations", f"{language}.json").read_text(encoding="utf-8")
    return Translation(**json.loads(text))


def words_in(language: str, games: Iterable[Game]) -> dict[str, str]:
    """The whole list of a language: what its file has, and what follows from the declarations of these games."""
    games = tuple(games)
    if language == ENGLISH:
        # Where money stands is marked in the translations alone, once: every language has it in the same places.
        marked = translation(TRANSLATIONS[0]).words
        found = {english: _with_money(english, said) for english, said in marked.items() if MONEY in said}
        # Programs read `foreign-card`, and people two words.
        return {**found, **{kind.value: kind.value.replace("-", " ") for kind in Irregularity}, **_by_id(games)}
    kept = translation(language)
    found = dict(kept.words)
    for game in games:
        for line in [line for wager in game.paytables.values() for line in wager.all_lines]:
            if said := condition_in(kept, line.when, game.pack):
                found[str(line.when)] = said
    # A refusal names a wager by its id; whoever reads it knows it by its name.
    return {**{id: kept.words[name] for id, name in _by_id(games).items() if name in kept.words}, **found}


def _with_money(english: str, said: str) -> str:
    for place in range(english.count("{")):
        if f"{{{place}{MONEY}" in said:
            english = english.replace(f"{{{place}}}", f"{{{place}{MONEY}")
    return english


def _by_id(games: Iterable[Game]) -> dict[str, str]:
    return {wager.id: wager.name for game in games for wager in game.paytables.values()}


def condition_in(kept: Translation, condition: Condition, pack: Pack) -> str | None:
    """A condition in words; None where the vocabulary lacks one."""
    words = kept.conditions
    # What is said otherwise than its parts would make it: that a pair is not none.
    if (whole := words.get(str(condition))) is not None:
        return whole
    match condition:
        case Is():
            values = [_value(kept, condition.fact, value, pack) for value in sorted(condition.values, key=str)]
            known = words.get(f"{condition.fact.replace('_', ' ')} is {{0}}")
            return None if known is None or None in condition.values else known.format(_joined(words, "or", values))
        case Not():
            part = condition_in(kept, condition.part, pack)
            return None if part is None else words["not ({0})"].format(part)
        case All() | Any():
            is_all, parts = isinstance(condition, All), []
            for each in condition.parts:
                part = condition_in(kept, each, pack)
                if part is None:
                    return None
                parts.append(words["({0})"].format(part) if is_all and isinstance(each, Any) else part)
            return _joined(words, "and" if is_all else "or", parts)
    return None


def _joined(words: Mapping[str, str], how: str, parts: Iterable[str]) -> str:
    first, *others = parts
    for each in others:
        first = words[f"{{0}} {how} {{1}}"].format(first, each)
    return first


def _value(kept: Translation, fact: str, value: FactValue, pack: Pack) -> str:
    """What a fact is said to be: suits and ranks by their names, which differ from pack to pack."""
    match FACTS[fact].kind:
        case Kind.SHARED_SUIT:
            name = pack.suits.get(str(value), str(value))
            return kept.words.get(name, name)
        case Kind.SHARED_RANK | Kind.RANKS:
            names = [pack.rank_names.get(rank, rank) for rank in str(value)]
            return "".join([kept.words.get(name, name) for name in names])
    return str(value)
