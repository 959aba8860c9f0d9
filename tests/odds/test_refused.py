"""What cannot be priced is refused with its reason, never guessed."""

import pytest

from contract.games import every_game
from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Card, Deal, Game, InputError, Shoe, find_game
from puntobanco.odds import odds, position_of, read_position


def few_cards(game: Game, count: int) -> Shoe:
    return Shoe.of_counts(game.pack, {"5d": count}) if count else Shoe.of_counts(game.pack, {})


@every_game
@pytest.mark.parametrize("seen", ["P | B", "P 2d ? | B ? ?", "P 2d 2d | B 2d 2d", "P 2d 2d 2d | B 2d 2d"])
def test_a_shoe_too_small_for_a_round(game: Game, seen: str) -> None:
    position = read_position(game.pack, game.tableau, seen)
    needed = 6 - len(position)
    for count in range(needed):
        with pytest.raises(InputError) as caught:
            odds(game, few_cards(game, count), position)
        assert caught.value.reason == "insufficient-cards"
        assert f"may take {needed} more cards and the shoe holds {count}" in caught.value.message
        assert game.procedure.insufficient_cards in caught.value.message
    assert odds(game, few_cards(game, needed), position).total >= 1


@every_game
def test_a_shoe_of_the_other_pack(game: Game) -> None:
    other = FIVE_ELEMENTS if game.pack is STANDARD_PACK else STANDARD_PACK
    with pytest.raises(InputError, match=f"is played with the {game.pack.name}") as caught:
        odds(game, Shoe.full(other, 8))
    assert caught.value.reason == "wrong-composition"


@pytest.mark.parametrize(
    ("text", "reason", "message"),
    [
        ("9s 3h", "unreadable-deal", "is not a position: write it like"),
        ("P 9s 3h", "unreadable-deal", "is not a position: write it like"),
        ("P 9s | 3h", "unreadable-deal", "is not a position: write it like"),
        ("B 9s | P 3h", "unreadable-deal", "is not a position: write it like"),
        ("P 9s | B 3h | B 4h", "unreadable-deal", "is not a position: write it like"),
        ("", "unreadable-deal", "is not a position: write it like"),
        ("P 9f | B ?", "unknown-card", "'9f' is not a card of the 52-card pack"),
        ("P 9s?? | B ?", "unknown-card", "'9s??' is not a card of the 52-card pack"),
        ("P 2s 2s 2s 2s | B ?", "unlawful-deal", "A hand has at most three cards, not 4"),
        ("P ? ? ? | B ? ? ? ?", "unlawful-deal", "A hand has at most three cards, not 4"),
        ("P 2s 2s 2s | B 2s ?", "unlawful-deal", "only when the first two of both hands are seen"),
        ("P ? ? | B 2s 2s 2s", "unlawful-deal", "only when the first two of both hands are seen"),
        ("P 9s Ts 2s | B 2h 2h", "unlawful-deal", "The Player's third card 2s is wrong"),
        ("P 6s Ts 2s | B 2h 2h", "unlawful-deal", "The Player's third card 2s is wrong"),
        ("P 2s Ts ? | B 2h 2h 3h", "unlawful-deal", "The Player's third card is missing"),
        ("P 2s Ts 3s | B 7h Th 2h", "unlawful-deal", "The Banker's third card 2h is wrong"),
        ("P 6s Ts | B 6h Th 2h", "unlawful-deal", "The Banker's third card 2h is wrong"),
        ("P 8s Ts | B 2h Th 2h", "unlawful-deal", "The Banker's third card 2h is wrong"),
        ("P 9s Ts ? | B 2h 2h", "unlawful-deal", "The Player awaits no third card: the Player has a natural 9"),
        ("P 6s Ts ? | B 2h 2h", "unlawful-deal", "The Player awaits no third card: the Player stands on 6"),
        ("P 6s Ts | B 6h Th ?", "unlawful-deal", "The Banker awaits no third card: the Banker stands on 6"),
        ("P 2s Ts 3s | B 7h Th ?", "unlawful-deal", "The Banker awaits no third card: the Banker stands on 7"),
        ("P ? ? | B 2h 2h ?", "unlawful-deal", "can be awaited only when the first two of both hands are seen"),
    ],
)
def test_positions_that_no_round_shows(text: str, reason: str, message: str) -> None:
    game = find_game("manila")
    with pytest.raises(InputError) as caught:
        read_position(game.pack, game.tableau, text)
    assert caught.value.reason == reason
    assert message in caught.value.message


def test_a_position_may_be_unlawful_under_one_reading_only() -> None:
    game = find_game("manila")
    five = "P 2s 3s 4s | B 2h Th"
    assert odds(game, seen=read_position(game.pack, game.tableau, five)).total
    with pytest.raises(InputError, match="The Player's third card 4s is wrong"):
        read_position(game.pack, game.read_as(tableau="manila-as-printed").tableau, five)
    # The library looks again, however the position was made.
    cards = dict(zip((0, 1, 2, 3, 4), game.pack.read("2s 3s 4s 2h Th"), strict=True))
    with pytest.raises(InputError, match="The Player's third card 4s is wrong"):
        odds(game.read_as(tableau="manila-as-printed"), seen=cards)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("P | B", {}),
        ("P ? ? | B ? ?", {}),
        ("P 9s ? | B 3h ?", {0: "9s", 3: "3h"}),
        ("P ? 9s | B ? 3h", {1: "9s", 4: "3h"}),
        ("p 10S kd|b 3H", {0: "Ts", 1: "Kd", 3: "3h"}),
        ("P 2s 2s ? | B 3h 3h ?", {0: "2s", 1: "2s", 3: "3h", 4: "3h"}),
        ("P 2s 2s 6d | B 3h 3h ?", {0: "2s", 1: "2s", 2: "6d", 3: "3h", 4: "3h"}),
        ("P 6s Ts | B 2h Th 2d", {0: "6s", 1: "Ts", 3: "2h", 4: "Th", 5: "2d"}),
    ],
)
def test_positions_as_they_are_written(text: str, slots: dict[int, str]) -> None:
    game = find_game("manila")
    assert read_position(game.pack, game.tableau, text) == {at: game.pack.card(card) for at, card in slots.items()}


def test_the_position_of_a_deal_and_a_finished_round_is_certain() -> None:
    game = find_game("manila")
    deal = Deal(game.pack.read("6s Ts"), game.pack.read("2h Th 4d"))
    seen = position_of(deal)
    assert seen == read_position(game.pack, game.tableau, str(deal))
    found = odds(game, seen=seen).wagers
    assert {name: wager.ev for name, wager in found.items()} == {
        "player": 0, "banker": 0, "tie": 8, "player-pair": -1, "banker-pair": -1, "super-six": -1,
    }  # fmt: skip
    assert all(wager.variance == 0 for wager in found.values())


@pytest.mark.parametrize(
    "text", ["P 9d 9d | B 2d 3d", "P 6d Td | B 2d Td 4d", "P 2d Td 3d | B 7d Td", "P 2d 2d 2d | B 2d 2d 2d"]
)
@every_game
def test_a_round_that_is_over_needs_no_more_cards(game: Game, text: str) -> None:
    seen = read_position(game.pack, game.tableau, text)
    certain = odds(game, Shoe.full(game.pack, 8), seen).wagers
    for count in range(6):
        found = odds(game, few_cards(game, count), seen).wagers
        assert {name: wager.ev for name, wager in found.items()} == {name: wager.ev for name, wager in certain.items()}
        assert all(wager.variance == 0 for wager in found.values())


# Seen cards and own wagers that do not belong to the game, given to the library rather than read from text.


def test_a_seen_card_of_the_other_pack() -> None:
    with pytest.raises(InputError):
        odds(find_game("manila"), seen={0: FIVE_ELEMENTS.card("9f")})


def test_a_slot_that_no_round_has() -> None:
    seen: dict[int, Card] = {6: STANDARD_PACK.card("9s")}
    with pytest.raises(InputError):
        odds(find_game("manila"), seen=seen)


def test_an_own_wager_with_the_id_of_the_houses() -> None:
    manila, six_star = find_game("manila"), find_game("six-star")
    with pytest.raises(ValueError, match="tie"):
        odds(manila, own_wagers=(six_star.paytables["fortune-six"], six_star.paytables["tie"]))


def test_an_own_wager_of_the_other_pack() -> None:
    with pytest.raises(ValueError, match="does not have"):
        odds(find_game("manila"), own_wagers=(find_game("fabulous-4").paytables["player-precious-pair"],))
