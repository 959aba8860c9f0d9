"""Casino baccarat, exact: the rules of each game, settlement clause by clause, tables and roads."""

from puntobanco.cards import FIVE_ELEMENTS, STANDARD_PACK, Card, Deal, Pack, Shoe, read_deal
from puntobanco.errors import DeclarationError, Fault, InputError, Unlawful
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game
from puntobanco.settle import Settlement, settle

__version__ = "0.1.0"
__all__ = [
    "FIVE_ELEMENTS",
    "GAMES",
    "STANDARD_PACK",
    "Card",
    "Deal",
    "DeclarationError",
    "Fault",
    "Game",
    "InputError",
    "Pack",
    "Settlement",
    "Shoe",
    "Unlawful",
    "find_game",
    "read_deal",
    "settle",
]
