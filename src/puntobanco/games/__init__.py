"""The registry: one line a game."""

from collections.abc import Iterable

from puntobanco.errors import InputError, nearest
from puntobanco.games.baccarat_tournament import BACCARAT_TOURNAMENT
from puntobanco.games.fabulous_4 import FABULOUS_4
from puntobanco.games.fortune_six_tournament import FORTUNE_SIX_TOURNAMENT
from puntobanco.games.manila import MANILA
from puntobanco.games.manila_no_commission import MANILA_NO_COMMISSION
from puntobanco.games.six_star import SIX_STAR
from puntobanco.rules.game import Game

GAMES: tuple[Game, ...] = (
    BACCARAT_TOURNAMENT,
    FORTUNE_SIX_TOURNAMENT,
    SIX_STAR,
    FABULOUS_4,
    MANILA,
    MANILA_NO_COMMISSION,
)
"""The games of the package, each a declaration of its own."""


def find_game(name: str, games: Iterable[Game] = GAMES) -> Game:
    """The game of that id, among those of the package or among others."""
    by_id = {game.id: game for game in games}
    if name in by_id:
        return by_id[name]
    raise InputError("unknown-game", f"There is no game {name[:40]!r}{nearest(name, list(by_id))}")
