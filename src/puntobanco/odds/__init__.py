"""Exact odds of every wager, from any shoe, in mid-round too."""

from puntobanco.odds.position import Position, position_of, read_position
from puntobanco.odds.pricing import LineOdds, Odds, WagerOdds, odds

__all__ = ["LineOdds", "Odds", "Position", "WagerOdds", "odds", "position_of", "read_position"]
