"""Published figures (tests/vectors/figures.json): how they are read, and what the product says beside them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from puntobanco import Game, Shoe, find_game
from puntobanco.odds import WagerOdds, odds
from puntobanco.rules.own_wagers import read_wagers

FIGURES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "figures.json").read_text(encoding="utf-8")
)
PLAIN_GAME = find_game("manila")
"""A game of the 52-card pack beside whose wagers those of other houses are priced."""


def rounded(value: Fraction, text: str) -> str:
    """The value to as many digits as the published text has, in the same writing: with a sign, in percent."""
    percent = text.endswith("%")
    digits = len(text.rstrip("%").partition(".")[2])
    whole = round(value * (100 if percent else 1) * 10**digits)
    shown = f"{abs(whole):0{digits + 1}d}"
    sign = "-" if whole < 0 else "+" if text.startswith("+") else ""
    point = f".{shown[-digits:]}" if digits else ""
    return f"{sign}{shown[: len(shown) - digits]}{point}{'%' if percent else ''}"


def game_of(figure: dict[str, Any]) -> Game:
    return find_game(figure["game"]) if "game" in figure else PLAIN_GAME


def price(figure: dict[str, Any], shoe: Shoe | None = None) -> WagerOdds:
    """The wager that a figure is about, of a game or of another house, from its full shoe or another one."""
    game = game_of(figure)
    shoe = shoe or Shoe.full(game.pack, figure["decks"])
    if "game" in figure:
        return odds(game, shoe).wagers[figure["wager"]]
    own = read_wagers(game, {"wager": [figure["own"]]})
    return odds(game, shoe, own_wagers=own).wagers[own[0].id]
