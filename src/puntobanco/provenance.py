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
        if game.own_wagers:
            values["own_wagers"] = list(game.own_wagers)
        if self.decks is not None:
            values["decks"] = self.decks
        if self.shoe is not None:
            values["shoe"] = self._counts
        if self.removed:
            values["removed"] = list(self.removed)
        if self.seen:
            values["seen"] = self.seen
        if self.dealing is not None:
            values["burn"] = self.dealing.burn.value
            if self.rounds_per_shoe is None:
                # Where every shoe has so many rounds, nobody looks at the cut card.
                values["cut"] = self.dealing.cut_depth
        if self.rounds_per_shoe is not None:
            values["rounds_per_shoe"] = self.rounds_per_shoe
        if self.seed is not None:
            values["seed"] = self.seed
        return values

    @property
    def _counts(self) -> dict[str, int]:
        shoe = self.shoe
        return {} if shoe is None else {str(card): n for card in self.game.pack.cards if (n := shoe.count(card))}

    def as_columns(self) -> dict[str, object]:
        """The same for a table whose rows are read one by one; the game, decks and cards seen have columns already."""
        return {
            "puntobanco": __version__,
            "document": document_line(self.game),
            "rules_digest": self.game.digest,
            "reading": " ".join(f"{name}={option}" for name, option in self.game.reading.items()),
            "own_wagers": " ".join(self.game.own_wagers),
            "shoe": " ".join(f"{card}={count}" for card, count in self._counts.items()),
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
        own = self.game.own_wagers
        return (
            document_line(self.game),
            *([f"with wagers of one's own: {', '.join(own)}"] if own else ()),
            f"rules digest {self.game.digest}",
            f"reading: {reading_in_words(self.game)}; puntobanco {__version__}",
        )

    @property
    def footer(self) -> str:
        """The same and what was dealt, in one line, for a picture that is looked at without its command."""
        dealt = (
            "" if self.decks is None else f"{self.decks} decks",
            "" if self.shoe is None else f"a shoe of {self.shoe.size:,} cards",
            f"less {' '.join(self.removed)}" if self.removed else "",
            "" if self.seed is None else f"seed {self.seed}",
        )
        return "; ".join([*self.heading, ", ".join(filter(None, dealt))])


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
