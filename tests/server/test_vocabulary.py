"""The page of the laboratory types no word of the rules: all of them come from the vocabulary."""

from puntobanco import GAMES
from puntobanco.cards import PACKS, Shoe
from puntobanco.odds import odds
from puntobanco.rules.facts import FACTS, Kind
from puntobanco.rules.game import Game
from puntobanco.rules.own_wagers import read_wagers
from puntobanco.rules.wagers import Wager
from puntobanco.server.vocabulary import FactTold, vocabulary
from puntobanco.strategies.systems import SYSTEMS


def test_every_card_can_be_spelled() -> None:
    for told, pack in zip(vocabulary().packs, PACKS, strict=True):
        spelled = [rank.letter + suit.letter for suit in told.suits for rank in told.ranks]
        assert (told.pack, spelled) == (pack.id, [str(card) for card in pack.cards])
        assert all(each.name for each in [*told.ranks, *told.suits])


def test_every_word_makes_a_wager_that_has_a_price() -> None:
    for game in GAMES:
        (told,) = [each for each in vocabulary().packs if each.pack == game.pack.id]
        shoe = Shoe.full(game.pack, game.decks.default)
        assert [each.fact for each in told.facts] == list(FACTS)
        for fact in told.facts:
            owns = [own_wager(game, {fact.fact: value}) for value in asked(fact, game.pack.ranks)]
            assert -1 < odds(game, shoe, own_wagers=[owns[0]]).wagers["own"].ev < 0


def own_wager(game: Game, when: dict[str, object]) -> Wager:
    line = {"label": "It holds", "pays": "1:10", "when": when}
    (own,) = read_wagers(game, {"wager": [{"id": "own", "lines": [line]}]})
    return own


def asked(fact: FactTold, ranks: str) -> list[object]:
    """All that can be asked of a fact."""
    hands = [ranks[:2], ranks[-1] * 3] if fact.kind is Kind.RANKS else []
    return [*fact.values, *hands, *([True, False] if fact.may_be_none else [])]


def test_systems_and_steps_are_those_of_jobs() -> None:
    told = vocabulary()
    assert [each.system for each in told.systems] == list(SYSTEMS)
    assert all(each.description for each in told.systems)
    assert {"Flat", "Big eye", "1-3-2-6"} <= {each.name for each in told.systems}
    assert told.stake_steps == {game.id: game.stake_step for game in GAMES}
