"""Wagers of one's own: the house's vocabulary of facts and payments, from a TOML or JSON file.

    [[wager]]
    id = "dragon-seven"
    name = "Dragon Seven"

    [[wager.lines]]
    label = "Banker wins with seven on three cards"
    pays = "40:1"
    when = { winner = "banker", banker_total = 7, banker_cards = 3 }

In `when`, every entry must hold. A list names several values, `true` means that there is one at all (`player_pair =
true`), `false` that there is none; `not = {..}` turns a condition round, and `any = [{..}, {..}]` asks for one of
several. A line whose `pays` is "push" returns the stake. `bonuses` come on top of a line that pays, as a
ratio or, with `amount`, as a fixed sum of money.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from puntobanco.cards import shown
from puntobanco.errors import DeclarationError, InputError
from puntobanco.rules.conditions import All, Any, Condition, Subject
from puntobanco.rules.documents.document import OWN_CLAUSE
from puntobanco.rules.facts import FACTS, FactValue
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Line, Wager, check_money, fixed, pays, push
from puntobanco.rules.wellformed import shared_labels, wager_problems

if TYPE_CHECKING:
    from pathlib import Path

Table = Mapping[str, object]


def load_wagers(game: Game, path: "Path") -> tuple[Wager, ...]:
    """The wagers of a file, checked against the game's pack and names."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError("unreadable-file", f"{shown(path)} cannot be read: {reason}.") from None
    try:
        if path.suffix.lower() == ".json":
            found = json.loads(text)
        else:
            import tomllib  # Only needed for such files.

            found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("unreadable-file", f"{shown(path)} is not readable: {str(error)[:100]}.") from None
    return read_wagers(game, found)


def read_wagers(game: Game, found: object) -> tuple[Wager, ...]:
    """The wagers of data such as a TOML or JSON file holds."""
    wagers = unchecked_wagers(found)
    check_own_wagers(game, wagers)
    return wagers


def unchecked_wagers(found: object) -> tuple[Wager, ...]:
    """As `read_wagers`, before they are held against a game: that takes the longer the more they look at."""
    table = _table("the file", found, {"wager"})
    entries = _list("wager", table.get("wager", []))
    if not entries:
        raise InputError("bad-wager", "The file has no wager; write each under [[wager]].")
    return tuple(_wager(entry) for entry in entries)


def with_own_wagers(game: Game, wagers: Sequence[Wager]) -> Game:
    """The game with these wagers beside the house's, on a row of the felt of their own; it has another digest."""
    check_own_wagers(game, wagers)
    if not wagers:
        return game
    row = "  ".join(wager.id for wager in wagers)
    return replace(game, wagers=(*game.wagers, *wagers), layout=f"{game.layout}\n{row}")


def check_own_wagers(game: Game, wagers: Sequence[Wager]) -> None:
    """Raise InputError unless the wagers are well formed for the game's pack and have names of their own."""
    names = [*game.paytables]
    for wager in wagers:
        for problem in wager_problems(wager, game.pack):
            raise InputError("bad-wager", problem[:1].upper() + problem[1:])
        if wager.id in names:
            raise InputError("bad-wager", f"There is a wager {wager.id!r} already; give yours another id.")
        names.append(wager.id)
    for problem in shared_labels((*game.wagers, *wagers)):
        raise InputError("bad-wager", problem[:1].upper() + problem[1:])


def _wager(found: object) -> Wager:
    table = _table("a wager", found, {"id", "name", "lines", "bonuses"})
    name = _text("id", table.get("id"))
    try:
        return Wager(
            id=name,
            name=_text("name", table.get("name", name)),
            clause=OWN_CLAUSE,
            lines=tuple(_line(entry) for entry in _list("lines", table.get("lines"))),
            bonuses=tuple(_bonus(entry) for entry in _list("bonuses", table.get("bonuses", []))),
        )
    except DeclarationError as error:
        raise InputError("bad-wager", f"In wager {name!r}: {error}") from None


def _line(found: object) -> Line:
    table = _table("a line", found, {"label", "pays", "when"})
    label, when = _text("label", table.get("label")), _condition(table.get("when"))
    ratio = _text("pays", table.get("pays"))
    return push(label, when, clause=OWN_CLAUSE) if ratio == "push" else pays(ratio, label, when, clause=OWN_CLAUSE)


def _bonus(found: object) -> Line:
    table = _table("a bonus", found, {"label", "pays", "amount", "when"})
    label, when = _text("label", table.get("label")), _condition(table.get("when"))
    if "amount" in table:
        if "pays" in table:
            raise InputError("bad-wager", f"The bonus {shown(label)} has both pays and amount; give one.")
        return fixed(check_money("bonus", table["amount"]), label, when, clause=OWN_CLAUSE)
    return pays(_text("pays", table.get("pays")), label, when, clause=OWN_CLAUSE)


DEEPEST = 20
"""How deep conditions may stand in one another: far more than a wager that a person can read."""


def _condition(found: object, depth: int = 0) -> Condition:
    if depth > DEEPEST:
        raise InputError("bad-wager", f"The conditions stand more than {DEEPEST} deep in one another.")
    table = _table("when", found, {*FACTS, "all", "any", "not"})
    parts: list[Condition] = []
    for name, value in table.items():
        if name == "not":
            parts.append(~_condition(value, depth + 1))
        elif name in ("all", "any"):
            several = tuple(_condition(each, depth + 1) for each in _list(name, value))
            if not several:
                raise InputError("bad-wager", f"{name!r} names at least one condition.")
            parts.append(All(several) if name == "all" else Any(several))
        else:
            parts.append(_test(name, value))
    if not parts:
        raise InputError("bad-wager", "A condition names at least one fact.")
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _test(name: str, value: object) -> Condition:
    fact = Subject(name)
    if value is True:
        return fact.exists()
    if value is False:
        return fact.is_(None)
    values = value if isinstance(value, list) else [value]
    if not values or not all(type(each) in (str, int) for each in values):
        raise InputError(
            "bad-wager", f"The fact {name} is a value, a list of values, true or false, not {shown(value)}."
        )
    return fact.is_(*cast(list[FactValue], values))


def _table(what: str, found: object, allowed: set[str]) -> Table:
    if not isinstance(found, dict):
        raise InputError("bad-wager", f"{what[:1].upper()}{what[1:]} is a table, not {shown(found)}.")
    for name in found:
        if name not in allowed:
            raise InputError(
                "bad-wager", f"{what[:1].upper()}{what[1:]} has no {shown(name)}; it has {', '.join(sorted(allowed))}."
            )
    return found


def _list(what: str, found: object) -> list[object]:
    if not isinstance(found, list):
        raise InputError("bad-wager", f"{what!r} is a list, not {shown(found)}.")
    return found


def _text(what: str, found: object) -> str:
    if not isinstance(found, str) or not found.strip():
        raise InputError("bad-wager", f"{what!r} is a text, not {shown(found)}.")
    return found
