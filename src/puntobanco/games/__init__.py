"""The registry: one line a game."""

from collections.abc import Iterable, Mapping

from puntobanco.cards import shown
from puntobanco.errors import Fault, InputError, nearest
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

EARLIER_EDITIONS: tuple[Game, ...] = ()
"""Declarations that were in force once. Nobody opens a table of one; rounds that were played by it are read by it."""

RULES_NOT_HERE = frozenset({"unknown-game", "unknown-reading", "unknown-bonus", "different-rules"})
"""The reasons for which `find_edition` finds none."""


def find_game(name: str, games: Iterable[Game] = GAMES) -> Game:
    """The game of that id, among those of the package or among others; of several editions the first."""
    by_id = {game.id: game for game in reversed(tuple(games))}
    if name in by_id:
        return by_id[name]
    raise InputError("unknown-game", f"There is no game {name[:40]!r}{nearest(name, [*reversed(by_id)])}")


def every_edition(games: Iterable[Game] = GAMES) -> tuple[Game, ...]:
    """The games as they are declared now, and then as they were before."""
    return (*games, *EARLIER_EDITIONS)


def editions(name: str, games: Iterable[Game] = GAMES) -> tuple[Game, ...]:
    """The game of that id as it is declared now, and as it was before."""
    return tuple([game for game in every_edition(games) if game.id == name])


def find_edition(
    name: str, digest: str, reading: Mapping[str, str], bonuses: Mapping[str, int], games: Iterable[Game] = GAMES
) -> Game:
    """The game under the rules of that digest; ruling 18: a round is never settled by any other."""
    here, unfit = list[Game](), list[InputError]()
    for edition in editions(name, games):
        try:
            game = edition.read_as(**reading)
            here.append(game.with_bonuses(bonuses) if bonuses else game)
        except InputError as error:
            # A switch or a bonus that one edition has, and another has not.
            unfit.append(error)
    for game in here:
        if game.digest == digest:
            return game
    if here:
        raise Fault(
            "different-rules",
            f"The settings are of {name} under the rules {digest[:64]!r}; here they are {here[0].digest}.",
        )
    raise (
        unfit[0] if unfit else InputError("unknown-game", f"The settings are of a game {shown(name)} that is not here.")
    )
