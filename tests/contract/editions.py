"""A game whose rules have changed: what the package has, and what a later one might."""

from dataclasses import replace

from puntobanco import GAMES, Game, find_game
from puntobanco.rules.wagers import Ratio

OLD = find_game("manila")


def _with_another_tie(game: Game) -> Game:
    """The next edition: a tie pays 9 to 1."""
    changed = [
        replace(wager, lines=tuple([replace(line, pays=Ratio(9, 1)) for line in wager.lines]))
        if wager.id == "tie"
        else wager
        for wager in game.wagers
    ]
    return replace(game, wagers=tuple(changed))


NEW = _with_another_tie(OLD)
NEW_GAMES = tuple(NEW if game is OLD else game for game in GAMES)
