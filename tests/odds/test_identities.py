"""What must hold exactly between numbers, whatever they are."""

from dataclasses import replace
from fractions import Fraction

import pytest

from odds.shoes import Picker, dealt_shoe
from odds.two_ways import CASES, case_name, line_counts, product_shoe
from puntobanco import FIVE_ELEMENTS, GAMES, STANDARD_PACK, Card, Game, Shoe, find_game
from puntobanco.odds import odds
from puntobanco.rules.conditions import All, Any, Condition, Is, Not
from puntobanco.rules.wagers import Wager

EVERY_CASE = [pytest.param(game, id=case_name(game)) for game in CASES]


def shoes_to_try(game: Game) -> list[Shoe]:
    picker = Picker(f"identities {game.id}")
    dealt = [product_shoe(game, dealt_shoe(len(game.pack), 8, share, picker)) for share in (0.3, 0.7, 0.9)]
    return [Shoe.full(game.pack, decks) for decks in (1, 4, 8, 10)] + dealt


@pytest.mark.parametrize("game", EVERY_CASE)
def test_all_lines_and_the_loss_add_up_to_all_draws(game: Game) -> None:
    for shoe in shoes_to_try(game):
        found = odds(game, shoe)
        product = 1
        for taken in range(6):
            product *= shoe.size - taken
        assert found.total == product
        for wager in found.wagers.values():
            assert sum(line.count for line in wager.lines if not line.on_top) + wager.lost == product
            assert sum((line.probability for line in wager.lines if not line.on_top), Fraction(0)) <= 1
            assert all(0 <= line.count <= product for line in wager.lines)


def reads_suits(wager: Wager) -> bool:
    return any(test.fact.endswith("suit") for line in wager.lines + wager.bonuses for test in line.when.tests())


def on_52_cards(condition: Condition) -> Condition:
    """The condition with Jack, Queen and King for Sau, Luk and Fuk."""
    if isinstance(condition, Is):
        translated = str.maketrans("SLF", "JQK")
        if condition.fact.endswith(("_pair", "_ranks")):
            values = {value.translate(translated) if isinstance(value, str) else value for value in condition.values}
            return Is(condition.fact, frozenset(values))
        return condition
    if isinstance(condition, Not):
        return Not(on_52_cards(condition.part))
    assert isinstance(condition, All | Any)
    return type(condition)(tuple(map(on_52_cards, condition.parts)))


def test_eight_decks_of_65_are_ten_decks_of_52_to_wagers_that_ignore_suits() -> None:
    elsewhere, compared = find_game("manila"), []
    ten_decks = Shoe.full(STANDARD_PACK, 10)
    for game in CASES:
        if game.pack is not FIVE_ELEMENTS:
            continue
        found = odds(game, Shoe.full(FIVE_ELEMENTS, 8))
        for wager in game.paytables.values():
            # Of 6 Star's Tie, leave out the one bonus that looks at Fire.
            kept = replace(wager, bonuses=tuple(line for line in wager.bonuses if "Flaming" not in line.label))
            if reads_suits(kept):
                continue
            lines = tuple(replace(line, when=on_52_cards(line.when)) for line in kept.lines)
            bonuses = tuple(replace(line, when=on_52_cards(line.when)) for line in kept.bonuses)
            own = replace(kept, id=f"own-{kept.id}", lines=lines, bonuses=bonuses)
            other = line_counts(odds(elsewhere, ten_decks, own_wagers=(own,)).wagers[own.id])
            here = line_counts(found.wagers[wager.id])
            assert {label: here[label] for label in other} == other
            compared.append(f"{case_name(game)} {wager.id}")
    # 6 Star: Tie, both pairs, Fortune Six. Fabulous 4, in each reading: all but the Precious Pairs.
    assert len(compared) == 4 + 5 + 5


def one_more_card(shoe: Shoe) -> list[tuple[Card, int]]:
    return [(card, shoe.count(card)) for card in shoe.pack.cards if shoe.count(card)]


@pytest.mark.parametrize("game", EVERY_CASE)
def test_effects_of_removal_weighed_by_their_cards_cancel(game: Game) -> None:
    # To burn a card unseen changes nothing: the average over the card burned is the shoe before.
    picker = Picker("removal")
    for shoe in (Shoe.full(game.pack, 8), product_shoe(game, dealt_shoe(len(game.pack), 8, 0.9, picker))):
        before = odds(game, shoe)
        after = [(count, odds(game, shoe.without([card]))) for card, count in one_more_card(shoe)]
        for name, wager in before.wagers.items():
            assert sum(count * (burned.wagers[name].ev - wager.ev) for count, burned in after) == 0
            for place, line in enumerate(wager.lines):
                kept = sum(count * burned.wagers[name].lines[place].probability for count, burned in after)
                assert kept == shoe.size * line.probability


@pytest.mark.parametrize("slot", [1, 3])
@pytest.mark.parametrize("game", EVERY_CASE)
def test_chances_after_one_card_average_to_those_before(game: Game, slot: int) -> None:
    shoe = Shoe.full(game.pack, 8)
    before = odds(game, shoe)
    sums: dict[tuple[str, int], int] = {}
    for card, count in one_more_card(shoe):
        after = odds(game, shoe.without([card]), {slot: card})
        for name, wager in after.wagers.items():
            for place, line in enumerate(wager.lines):
                sums[name, place] = sums.get((name, place), 0) + count * line.count
    for name, wager in before.wagers.items():
        assert [sums[name, place] for place in range(len(wager.lines))] == [line.count for line in wager.lines]


@pytest.mark.parametrize(
    "text",
    ["p1 p2", "p1 b1", "b1 b2", "p1 p2 b1", "p1 b1 b2", "p1 p2 b1 b2"],
)
def test_chances_step_by_step_average_to_those_before(text: str) -> None:
    # From any cards seen to one more, on a random shoe: the chain that a hand on the screen goes through.
    slots = [{"p1": 0, "p2": 1, "b1": 3, "b2": 4}[name] for name in text.split()]
    for game in GAMES:
        picker = Picker(f"steps {game.id} {text}")
        left = dealt_shoe(len(game.pack), 8, 0.8, picker)
        seen = {slot: game.pack.card(picker.card(left)) for slot in slots[:-1]}
        shoe = product_shoe(game, {card: count for card, count in left.items() if count})
        before = odds(game, shoe, seen)
        after = [
            (count, odds(game, shoe.without([card]), {**seen, slots[-1]: card})) for card, count in one_more_card(shoe)
        ]
        for name, wager in before.wagers.items():
            for place, line in enumerate(wager.lines):
                assert sum(count * each.wagers[name].lines[place].count for count, each in after) == line.count


@pytest.mark.parametrize("decks", [1, 4, 6, 8, 10])
def test_identities_between_wagers(decks: int) -> None:
    shoe = Shoe.full(STANDARD_PACK, decks)
    tournament = odds(find_game("fortune-six-tournament"), shoe).wagers
    manila = odds(find_game("manila"), shoe).wagers
    no_commission = odds(find_game("manila-no-commission"), shoe).wagers
    two_cards, three_cards = (line.probability for line in tournament["fortune-six"].lines)
    assert tournament["banker"].ev == -tournament["player"].ev
    assert no_commission["banker"].ev == tournament["banker"].ev - (two_cards + three_cards) / 2
    assert tournament["fortune-six"].ev - manila["super-six"].ev == 8 * three_cards
    assert manila["super-six"].hit == two_cards + three_cards
    assert manila["banker"].ev == tournament["banker"].ev - tournament["banker"].hit / 20
    assert manila["player-pair"].ev == manila["banker-pair"].ev
    for game in GAMES:
        if game.pack is FIVE_ELEMENTS:
            wagers = odds(game, Shoe.full(FIVE_ELEMENTS, decks)).wagers
            pairs = [wagers[name] for name in wagers if name.endswith("-pair")]
            assert pairs[0].outcomes == pairs[1].outcomes


def test_worth_of_the_tie_bonus_and_the_stake_that_breaks_even() -> None:
    tie = odds(find_game("six-star")).wagers["tie"]
    flaming, stars = (line for line in tie.lines if line.on_top)
    # Ruling 6, in cents: both bonuses together are worth 25.47 a round, so that a stake under 1.78 dollars gains.
    worth = flaming.probability * 300_000 + stars.probability * 3_000_000
    assert round(worth, 2) == Fraction("25.47")
    stake = tie.break_even_stake
    assert stake is not None
    assert worth + stake * tie.ev == 0
    assert tie.ev_at(177) > 0 > tie.ev_at(178) > tie.ev_at(100_000)


def test_the_other_tie_bonus_grows_with_the_stake_and_has_no_stake_that_breaks_even() -> None:
    on_top = odds(find_game("fabulous-4")).wagers["tie"]
    instead = odds(find_game("fabulous-4").read_as(element_eights="instead")).wagers["tie"]
    assert on_top.break_even_stake is None
    assert on_top.ev == on_top.ev_at(1) == on_top.ev_at(10**12)
    eights = instead.lines[0].probability
    assert on_top.lines[1].probability == eights
    assert on_top.ev - instead.ev == 8 * eights
