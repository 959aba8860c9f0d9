"""What a result must name so that it can be filed: by which rules, from which shoe, with which seed it was made.

>>> from puntobanco.games import find_game
>>> made = Provenance(find_game("manila").read_as(rounding="up"), decks=6)
>>> made.as_json()["changed_readings"]
{'rounding': 'up'}
>>> reading_in_words(made.game)
'tableau = standard, rounding = up (the default is down)'
"""

import json
from dataclasses import dataclass

from puntobanco import __version__
from puntobanco.cards import Shoe
from puntobanco.dealing import BurnAndCut
from puntobanco.rulecard import document_line, document_of
from puntobanco.rules.game import Game

METADATA_PREFIX = "puntobanco."
"""What the keys begin with in a file that others may write their own keys into."""


@dataclass(frozen=True)
class Provenance:
    """The origin of a result. What has no part in it, such as a seed where nothing is drawn, is left None or empty."""

    game: Game
    decks: int | None = None
    shoe: Shoe | None = None
    """The shoe before anything was removed, where it was given card by card and not as a number of decks."""
    removed: tuple[str, ...] = ()
    """What was taken out of the shoe, as it was asked for: `6` is a six of any suit."""
    seen: str = ""
    """The cards on the table, such as `P 9s ? | B 3h ?`."""
    dealing: BurnAndCut | None = None
    rounds_per_shoe: int | None = None
    seed: int | None = None

    def as_json(self) -> dict[str, object]:
        """Everything, in values that JSON has."""
        game = self.game
        values: dict[str, object] = {
            "puntobanco": __version__,
            "game": game.id,
            "name": game.name,
            "document": document_of(game),
            "rules_digest": game.digest,
            "reading": dict(game.reading),
            "changed_readings": dict(changed_readings(game)),
        }
        if self.decks is not None:
            values["decks"] = self.decks
        if self.shoe is not None:
            values["shoe"] = {str(card): count for card in game.pack.cards if (count := self.shoe.count(card))}
        if self.removed:
            values["removed"] = list(self.removed)
        if self.seen:
            values["seen"] = self.seen
        if self.dealing is not None:
            values |= {"burn": self.dealing.burn.value, "cut": self.dealing.cut_depth}
        if self.rounds_per_shoe is not None:
            values["rounds_per_shoe"] = self.rounds_per_shoe
        if self.seed is not None:
            values["seed"] = self.seed
        return values

    def as_columns(self) -> dict[str, object]:
        """The same for a table whose rows are read one by one; the game, decks and cards seen have columns already."""
        return {
            "puntobanco": __version__,
            "document": document_line(self.game),
            "rules_digest": self.game.digest,
            "reading": " ".join(f"{name}={option}" for name, option in self.game.reading.items()),
            "removed": " ".join(self.removed),
        }

    def as_metadata(self) -> dict[str, str]:
        """The same as texts by key, for the head of a file: what is no text is JSON."""
        named = self.as_json()
        named["version"] = named.pop("puntobanco")
        return {
            METADATA_PREFIX + name: value if isinstance(value, str) else json.dumps(value)
            for name, value in named.items()
        }

    @property
    def heading(self) -> tuple[str, ...]:
        """The lines that stand above a printed result, under the name of the game and before its shoe."""
        return (
            document_line(self.game),
            f"rules digest {self.game.digest}",
            f"reading: {reading_in_words(self.game)}; puntobanco {__version__}",
        )


def changed_readings(game: Game) -> list[tuple[str, str]]:
    """The switches that are not at their default, each with the option in force."""
    return [(name, option) for name, option in game.reading.items() if option != game.switches[name][0]]


def reading_in_words(game: Game) -> str:
    """Every switch with the option in force, and the default where that is another."""
    changed = dict(changed_readings(game))
    return ", ".join(
        f"{name} = {option}" + (f" (the default is {game.switches[name][0]})" if name in changed else "")
        for name, option in game.reading.items()
    )
