"""Wagers of one's own, read a second time: the vocabulary of the files over card texts, in the plainest words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from reference.enumeration import Hand, Round
from reference.settlement import PACK_52, PACK_65, point_total

RANKS_IN_ORDER = {52: "A23456789TJQK", 65: "A23456789TSLF"}
Outcome = tuple[int | None, tuple[int, ...]]
"""The line that decides, by place, and the bonuses on top of it."""


def shared(texts: Iterable[str]) -> str | None:
    """What all of the texts are, if they are the same."""
    found = set(texts)
    return found.pop() if len(found) == 1 else None


def fact(name: str, player: Hand, banker: Hand) -> str | int | None:
    """One fact of a finished round, from the words of the documentation."""
    if name == "winner":
        margin = point_total(player) - point_total(banker)
        return "tie" if margin == 0 else "player" if margin > 0 else "banker"
    if name == "cards":
        return len(player) + len(banker)
    if name == "one_suit":
        return shared(card[1] for card in player + banker)
    side, _, what = name.partition("_")
    hand = player if side == "player" else banker
    if what == "total":
        return point_total(hand)
    if what == "cards":
        return len(hand)
    if what == "pair":
        return shared(card[0] for card in hand[:2])
    if what == "suit":
        return shared(card[1] for card in hand[:2])
    assert what == "ranks"
    pack = 52 if all(card in PACK_52 for card in player + banker) else 65
    assert pack == 52 or all(card in PACK_65 for card in player + banker)
    return "".join(sorted((card[0] for card in hand), key=RANKS_IN_ORDER[pack].index))


def holds(condition: dict[str, Any], player: Hand, banker: Hand) -> bool:
    """Whether a condition, as a file states it, holds."""
    for name, value in condition.items():
        if name == "all":
            true = all(holds(part, player, banker) for part in value)
        elif name == "any":
            true = any(holds(part, player, banker) for part in value)
        elif name == "not":
            true = not holds(value, player, banker)
        elif value is True:
            true = fact(name, player, banker) is not None
        elif value is False:
            true = fact(name, player, banker) is None
        else:
            true = fact(name, player, banker) in (value if isinstance(value, list) else [value])
        if not true:
            return False
    return True


def outcome(wager: dict[str, Any], player: Hand, banker: Hand) -> Outcome:
    """What becomes of the wager: the first line that holds decides, and bonuses come on top if it pays."""
    for place, line in enumerate(wager["lines"]):
        if holds(line["when"], player, banker):
            if line["pays"] == "push":
                return place, ()
            bonuses = enumerate(wager.get("bonuses", []))
            return place, tuple(at for at, bonus in bonuses if holds(bonus["when"], player, banker))
    return None, ()


def outcomes(wager: dict[str, Any], rounds: Sequence[Round]) -> Counter[Outcome]:
    found: Counter[Outcome] = Counter()
    for player, banker, ways in rounds:
        found[outcome(wager, player, banker)] += ways
    return found
