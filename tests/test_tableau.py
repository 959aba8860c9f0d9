"""The tableau against tables written out here by hand, cell by cell."""

from dataclasses import replace
from itertools import product

import pytest

from puntobanco.cards import STANDARD_PACK, Deal, read_deal
from puntobanco.errors import DeclarationError, InputError
from puntobanco.tableau import STANDARD, Decision, DrawRule, Hand, digits

# A row for each Banker total 0 to 7, a column for each point value 0 to 9 of the Player's third card.
BANKER_ROWS = """
    DDDDDDDDDD
    DDDDDDDDDD
    DDDDDDDDDD
    DDDDDDDDSD
    SSDDDDDDSS
    SSSSDDDDSS
    SSSSSSDDSS
    SSSSSSSSSS
""".split()  # noqa: SIM905  (a table is easier to proof-read as a table)

FIRST_TWO_OF = {
    0: (0, 0),
    1: (0, 1),
    2: (0, 2),
    3: (9, 4),
    4: (7, 7),
    5: (1, 4),
    6: (8, 8),
    7: (9, 8),
    8: (4, 4),
    9: (4, 5),
}


def test_every_cell_of_the_banker_table() -> None:
    for total, third in product(range(8), range(10)):
        drawn = STANDARD.decide([0, 0, third], FIRST_TWO_OF[total])
        expected = Hand.BANKER if BANKER_ROWS[total][third] == "D" else None
        assert drawn == Decision(expected, DrawRule.BANKER_DRAWS), (total, third)


def test_every_pair_of_two_card_totals() -> None:
    for player, banker in product(range(10), repeat=2):
        decision = STANDARD.decide(FIRST_TWO_OF[player], FIRST_TWO_OF[banker])
        if player >= 8 or banker >= 8:
            expected = Decision(None, DrawRule.NATURAL)
        elif player <= 5:
            expected = Decision(Hand.PLAYER, DrawRule.PLAYER_DRAWS)
        else:
            expected = Decision(Hand.BANKER if banker <= 5 else None, DrawRule.PLAYER_STOOD)
        assert decision == expected, (player, banker)


def test_initial_cards_alternate() -> None:
    player: list[int] = []
    banker: list[int] = []
    order = []
    while len(banker) < 2:
        hand, rule = STANDARD.decide(player, banker)
        assert rule is DrawRule.INITIAL_DEAL
        order.append(hand)
        (player if hand is Hand.PLAYER else banker).append(3)
    assert order == [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]


@pytest.mark.parametrize("counts", [(0, 1), (2, 0), (0, 2), (3, 1), (1, 3), (3, 0), (4, 2), (2, 4), (4, 4)])
def test_no_deal_has_such_numbers_of_cards(counts: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=f"{counts[0]} Player and {counts[1]} Banker"):
        STANDARD.decide([0] * counts[0], [0] * counts[1])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("P 9s | B 3h 4h", "The Player has 1 card in"),
        ("P 9s 9s | B 3h", "The Banker has 1 card in"),
        ("P | B", "The Player has 0 cards in"),
        ("P 9s Kd 4c | B 3h 4h", "Player's third card 4c is wrong .* the Player has a natural 9"),
        ("P 2s Kd | B 9h Th 4c", "third card 4c is wrong .* the Banker has a natural 9"),
        ("P 2s Kd | B 3h 4h", "Player's third card is missing .* the Player draws on 2"),
        ("P 6s Kd 2c | B 3h 2h 8h", r"Player's third card 2c is wrong .* the Player stands on 6\.$"),
        ("P 6s Kd | B 3h 2h", "Banker's third card is missing in .*: the Banker draws on 5 after the Player stood"),
        (
            "P 6s Kd | B 3h 3h 2s",
            "Banker's third card 2s is wrong in .*: the Banker stands on 6 after the Player stood",
        ),
        (
            "P 2s Kd 8s | B 3h Qh 2s",
            "Banker's third card 2s is wrong .* stands on 3 against the Player's third card 8s",
        ),
        ("P 2s Kd 7s | B 3h Qh", "Banker's third card is missing .* draws on 3 against the Player's third card 7s"),
        ("P 8s Kd | B 9h Kh 2h", "the Player has a natural 8 and the Banker has a natural 9"),
    ],
)
def test_unlawful_deals_name_the_card_that_is_wrong(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        STANDARD.check(read_deal(STANDARD_PACK, text))
    assert caught.value.reason == "unlawful-deal"


def test_four_cards_in_a_hand() -> None:
    card = STANDARD_PACK.card("2s")
    with pytest.raises(InputError, match="The Player has 4 cards"):
        STANDARD.check(Deal((card,) * 4, (card,) * 2))


def test_exactly_one_completion_of_every_initial_deal_is_lawful() -> None:
    """For each initial deal and third cards, of the four shapes of a deal exactly one passes the check."""
    by_points = {card.points: card for card in STANDARD_PACK.cards}
    for p1, b1, p2, b2, p3, b3 in product(range(0, 10, 1), [0, 7], range(10), range(10), [0, 3, 6, 8], [5]):
        player = (by_points[p1], by_points[p2])
        banker = (by_points[b1], by_points[b2])
        shapes = [
            Deal(player, banker),
            Deal((*player, by_points[p3]), banker),
            Deal(player, (*banker, by_points[b3])),
            Deal((*player, by_points[p3]), (*banker, by_points[b3])),
        ]
        assert sum(map(is_lawful, shapes)) == 1


def is_lawful(deal: Deal) -> bool:
    try:
        STANDARD.check(deal)
    except InputError:
        return False
    return True


def test_a_deal_in_progress_is_lawful_while_its_cards_are_due() -> None:
    for text in ["P | B", "P 2s | B", "P 2s | B 3h", "P 2s Kd | B 3h", "P 2s Kd | B 3h Qh", "P 2s Kd 7s | B 3h Qh"]:
        STANDARD.check_so_far(read_deal(STANDARD_PACK, text))
    for text in ["P | B 3h", "P 2s Kd | B", "P 9s Kd 2c | B 3h Qh", "P 2s Kd 8s | B 3h Qh 2s", "P 2s Kd 3s | B 3h"]:
        with pytest.raises(InputError):
            STANDARD.check_so_far(read_deal(STANDARD_PACK, text))


def test_explanations_at_every_step() -> None:
    def explain(text: str) -> str:
        return "; ".join(sentence for _, _, sentence in STANDARD.explain(read_deal(STANDARD_PACK, text)))

    assert explain("P | B") == "the Player's first card is due"
    assert explain("P 2s | B") == "the Banker's first card is due"
    assert explain("P 2s | B 3h") == "the Player's second card is due"
    assert explain("P 2s Kd | B 3h") == "the Banker's second card is due"
    assert explain("P 2s Kd | B 3h Qh") == "the Player draws on 2"
    assert explain("P 2s Kd 7s | B 3h Qh") == "the Banker draws on 3 against the Player's third card 7s"
    assert explain("P 2s Kd 7s | B 3h Qh 2h") == "both hands are complete"
    assert explain("P 2s 5d | B 3h Qh") == "the Player stands on 7; the Banker draws on 3 after the Player stood"


def test_each_hand_is_told_the_rule_that_is_its_own() -> None:
    def told(text: str) -> list[str]:
        deal = read_deal(STANDARD_PACK, text)
        return [STANDARD.explain_to(hand, deal).rule for hand in Hand]

    assert told("P 2s 4d | B 3h Qh") == [DrawRule.PLAYER_DRAWS, DrawRule.PLAYER_STOOD]
    assert told("P 2s 4d | B 3h 4h") == [DrawRule.PLAYER_DRAWS, DrawRule.PLAYER_STOOD]
    assert told("P 2s Kd | B 3h Qh") == [DrawRule.PLAYER_DRAWS] * 2
    assert told("P 2s Kd 7s | B 3h Qh") == [DrawRule.BANKER_DRAWS] * 2
    assert told("P 2s 6d | B 3h Qh") == [DrawRule.NATURAL] * 2
    # Both are complete by the rule that gave the last card.
    assert told("P 2s 4d | B 3h Qh 2h") == [DrawRule.PLAYER_STOOD] * 2
    assert told("P 2s Kd 7s | B 3h Qh 2h") == [DrawRule.BANKER_DRAWS] * 2


def test_cells_are_read_as_printed() -> None:
    assert digits("0-7 9") == {0, 1, 2, 3, 4, 5, 6, 7, 9}
    assert digits("") == frozenset()
    with pytest.raises(DeclarationError):
        digits("6-10")


def test_a_tableau_without_a_row_does_not_construct() -> None:
    rows = {total: cell for total, cell in STANDARD.banker_draws.items() if total != 5}
    with pytest.raises(DeclarationError, match="needs a Banker row"):
        replace(STANDARD, banker_draws=rows)
