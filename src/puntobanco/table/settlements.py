"""What a round pays all its patrons."""

from collections.abc import Mapping

from puntobanco.cards import Deal
from puntobanco.immutable import FrozenMap
from puntobanco.rules.game import Game
from puntobanco.settle import Settlement, Settler
from puntobanco.table.state import LastRound, Stakes


def settlements_of(game: Game, deal: Deal, stakes: Stakes) -> FrozenMap[str, Settlement]:
    """What the deal pays every patron, in the order of their names."""
    return FrozenMap(Settler(game, deal).settle(stakes.in_order()))


def returned(settlements: Mapping[str, Settlement]) -> dict[str, int]:
    """What each patron gets back: stakes and winnings."""
    return {patron: settled.returned for patron, settled in settlements.items()}


def staked(stakes: Stakes) -> dict[str, int]:
    """What each patron has on the felt."""
    return {patron: sum(slip.values()) for patron, slip in stakes.in_order().items()}


def returned_by(last: LastRound) -> dict[str, int]:
    """What each patron has got back of the last round so far, reckoned again: the state does not keep it."""
    if last.round.void:
        return staked(last.stakes)
    return returned(settlements_of(last.settings.game, last.round.deal, last.stakes))
