"""The games that the contract is held to: those of the package, and one declared outside it."""

import pytest

from contract.ez_baccarat import EZ_BACCARAT
from puntobanco import GAMES

EVERY_GAME = (*GAMES, EZ_BACCARAT)
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in EVERY_GAME])
