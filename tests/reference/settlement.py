"""Settlement written straight from the rule documents: plain, one function a game, to tick off by hand.

Nothing here knows the package under test. Cards are strings ("9f" is the Nine of Fire), money is whole
numbers. The result for a wager is (net, [(clause, amount), ..]): a lost wager is (-stake, []), a returned
one (0, [(clause, 0)]).
"""

from collections.abc import Sequence

Hand = Sequence[str]
Stakes = dict[str, int]
Result = tuple[int, list[tuple[str, int]]]
Results = dict[str, Result]

PACK_52 = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
PACK_65 = [rank + element for element in "fgedw" for rank in "A23456789TSLF"]

POINTS_OF_RANK = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 0}
POINTS_OF_RANK |= {"J": 0, "Q": 0, "K": 0}
POINTS_OF_RANK |= {"S": 0, "L": 0, "F": 0}

POINTS = {card: POINTS_OF_RANK[card[0]] for card in PACK_52 + PACK_65}


def point_total(hand: Hand) -> int:
    """The right-hand digit of the sum of the cards."""
    total = POINTS[hand[0]] + POINTS[hand[1]]
    if len(hand) == 3:
        total += POINTS[hand[2]]
    return total % 10


def draw_rule(player: int, banker: int, next_card: int, printed_manila: bool = False) -> tuple[bool, bool]:
    """Who takes a third card, (player, banker), by the totals of the initial deal and the next card's points.

    The next card of the shoe is the Player's third card if the Player draws, and tells nothing otherwise.
    """
    # A natural on either side: nobody draws.
    if player == 8 or player == 9 or banker == 8 or banker == 9:
        return False, False

    # The Player draws on 0 to 5 and stands on 6 and 7; in the Manila table as printed the 5 stands too.
    if player <= 4:
        player_draws = True
    elif player == 5:
        player_draws = not printed_manila
    else:
        player_draws = False

    # The Player stood: the Banker draws on 0 to 5.
    if not player_draws:
        return False, banker <= 5

    # The Player drew: the Banker looks at the Player's third card.
    if banker == 0 or banker == 1 or banker == 2:
        return True, True
    if banker == 3:
        return True, next_card != 8
    if banker == 4:
        return True, 2 <= next_card <= 7
    if banker == 5:
        return True, 4 <= next_card <= 7
    if banker == 6:
        return True, next_card == 6 or next_card == 7
    return True, False


def lawful(cards_player: Hand, cards_banker: Hand, printed_manila: bool = False) -> bool:
    """Whether the draw rule ends a round with exactly these two hands."""
    player_count = len(cards_player)
    banker_count = len(cards_banker)
    if player_count not in (2, 3) or banker_count not in (2, 3):
        return False
    for card in (*cards_player, *cards_banker):
        if card not in POINTS:
            return False
    player = (POINTS[cards_player[0]] + POINTS[cards_player[1]]) % 10
    banker = (POINTS[cards_banker[0]] + POINTS[cards_banker[1]]) % 10
    next_card = POINTS[cards_player[2]] if player_count == 3 else 0
    return draw_rule(player, banker, next_card, printed_manila) == (player_count == 3, banker_count == 3)


def is_pair(hand: Hand) -> bool:
    """The first two cards have one rank, whatever their suits."""
    return hand[0][0] == hand[1][0]


def is_flaming_nines(hand: Hand) -> bool:
    """6 Star 1.1.4: a natural nine of two Fire cards."""
    return len(hand) == 2 and hand[0][1] == "f" and hand[1][1] == "f" and point_total(hand) == 9


def is_sau_luk_fuk(hand: Hand) -> bool:
    """One hand's half of 6 Star 1.1.1: three cards, a Sau, a Luk and a Fuk, in any order, of any element."""
    return len(hand) == 3 and {hand[0][0], hand[1][0], hand[2][0]} == {"S", "L", "F"}


def is_two_fours(hand: Hand) -> bool:
    """One hand's half of Fabulous 4 1.1.11: two cards, both of them fours, of any element."""
    return len(hand) == 2 and hand[0][0] == "4" and hand[1][0] == "4"


def share(stake: int, numerator: int, denominator: int, rounding: str) -> int:
    """A part of the stake in whole money, rounded down unless the house rounds up."""
    if rounding == "up":
        return -(-stake * numerator // denominator)
    return stake * numerator // denominator


def won(clause: str, amount: int) -> Result:
    return amount, [(clause, amount)]


def lost(stake: int) -> Result:
    return -stake, []


def returned(clause: str) -> Result:
    return 0, [(clause, 0)]


def baccarat_tournament(player: Hand, banker: Hand, stakes: Stakes) -> Results:
    """Baccarat Tournament, version 5, 17 February 2017."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results = {}

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            results["banker"] = won("4.1", stake)
        elif banker_points == player_points:
            results["banker"] = returned("3.10.1")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            results["player"] = won("4.1", stake)
        elif player_points == banker_points:
            results["player"] = returned("3.10.1")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            results["tie"] = won("4.1", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("player-pair")
    if stake is not None:
        if is_pair(player):
            results["player-pair"] = won("4.1", stake * 11)
        else:
            results["player-pair"] = lost(stake)

    stake = stakes.get("banker-pair")
    if stake is not None:
        if is_pair(banker):
            results["banker-pair"] = won("4.1", stake * 11)
        else:
            results["banker-pair"] = lost(stake)

    return results


def fortune_six_tournament(player: Hand, banker: Hand, stakes: Stakes) -> Results:
    """Fortune Six Baccarat Tournament, version 2, 5 May 2017."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results = {}

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            results["banker"] = won("4.1", stake)
        elif banker_points == player_points:
            results["banker"] = returned("3.10.1")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            results["player"] = won("4.1", stake)
        elif player_points == banker_points:
            results["player"] = returned("3.10.1")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            results["tie"] = won("4.1", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("player-pair")
    if stake is not None:
        if is_pair(player):
            results["player-pair"] = won("4.1", stake * 11)
        else:
            results["player-pair"] = lost(stake)

    stake = stakes.get("banker-pair")
    if stake is not None:
        if is_pair(banker):
            results["banker-pair"] = won("4.1", stake * 11)
        else:
            results["banker-pair"] = lost(stake)

    stake = stakes.get("fortune-six")
    if stake is not None:
        if banker_points > player_points and banker_points == 6:
            if len(banker) == 2:
                results["fortune-six"] = won("4.1", stake * 12)
            else:
                results["fortune-six"] = won("4.1", stake * 20)
        else:
            results["fortune-six"] = lost(stake)

    return results


def six_star(player: Hand, banker: Hand, stakes: Stakes, rounding: str) -> Results:
    """6 Star No Commission Baccarat, 17 March 2017."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results: Results = {}

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            if banker_points == 6:
                results["banker"] = won("4.1", share(stake, 1, 2, rounding))
            elif is_flaming_nines(banker):
                results["banker"] = won("4.1", share(stake, 12, 10, rounding))
            else:
                results["banker"] = won("4.1", stake)
        elif banker_points == player_points:
            results["banker"] = returned("3.10.1")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            if is_flaming_nines(player):
                results["player"] = won("4.1", share(stake, 12, 10, rounding))
            else:
                results["player"] = won("4.1", stake)
        elif player_points == banker_points:
            results["player"] = returned("3.10.1")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            if is_flaming_nines(player) and is_flaming_nines(banker):
                results["tie"] = stake * 8 + 300_000, [("4.1", stake * 8), ("4.3", 300_000)]
            elif is_sau_luk_fuk(player) and is_sau_luk_fuk(banker):
                results["tie"] = stake * 8 + 3_000_000, [("4.1", stake * 8), ("4.3", 3_000_000)]
            else:
                results["tie"] = won("4.1", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("player-pair")
    if stake is not None:
        if is_pair(player):
            results["player-pair"] = won("4.1", stake * 11)
        else:
            results["player-pair"] = lost(stake)

    stake = stakes.get("banker-pair")
    if stake is not None:
        if is_pair(banker):
            results["banker-pair"] = won("4.1", stake * 11)
        else:
            results["banker-pair"] = lost(stake)

    stake = stakes.get("fortune-six")
    if stake is not None:
        if banker_points > player_points and banker_points == 6:
            if len(banker) == 2:
                results["fortune-six"] = won("4.1", stake * 12)
            else:
                results["fortune-six"] = won("4.1", stake * 20)
        else:
            results["fortune-six"] = lost(stake)

    stake = stakes.get("element-bonus")
    if stake is not None:
        elements = {card[1] for card in (*player, *banker)}
        count = len(player) + len(banker)
        if len(elements) > 1:
            results["element-bonus"] = lost(stake)
        elif count == 4:
            results["element-bonus"] = won("4.2", stake * 50)
        elif count == 5:
            results["element-bonus"] = won("4.2", stake * 500)
        else:
            results["element-bonus"] = won("4.2", stake * 5000)

    return results


def precious_pair(hand: Hand, stake: int) -> Result:
    """Fabulous 4 4.2: paid once, by the dearest description that fits the first two cards."""
    first = hand[0]
    second = hand[1]
    if first[0] != second[0]:
        return lost(stake)
    if first == "4g" and second == "4g":
        return won("4.2", stake * 30)
    if first[0] == "4":
        return won("4.2", stake * 15)
    if first[1] == "g" and second[1] == "g":
        return won("4.2", stake * 12)
    return won("4.2", stake * 9)


def fabulous_4(player: Hand, banker: Hand, stakes: Stakes, element_eights: str, rounding: str) -> Results:
    """Fa Fa Fabulous 4 Baccarat, version 2, 9 May 2019."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results: Results = {}

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            if banker_points == 4:
                results["banker"] = returned("4.1")
            elif banker_points == 1:
                results["banker"] = won("4.1", stake * 2)
            else:
                results["banker"] = won("4.1", stake)
        elif banker_points == player_points:
            results["banker"] = returned("3.10")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            if player_points == 4:
                results["player"] = won("4.1", share(stake, 1, 2, rounding))
            elif player_points == 1:
                results["player"] = won("4.1", stake * 2)
            else:
                results["player"] = won("4.1", stake)
        elif player_points == banker_points:
            results["player"] = returned("3.10")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            if is_two_fours(player) and is_two_fours(banker):
                if element_eights == "on-top":
                    results["tie"] = stake * 808, [("4.1", stake * 8), ("4.1", stake * 800)]
                else:
                    results["tie"] = won("4.1", stake * 800)
            else:
                results["tie"] = won("4.1", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("player-fabulous-4")
    if stake is not None:
        if player_points > banker_points and player_points == 4:
            results["player-fabulous-4"] = won("4.1", stake * 50)
        else:
            results["player-fabulous-4"] = lost(stake)

    stake = stakes.get("banker-fabulous-4")
    if stake is not None:
        if banker_points > player_points and banker_points == 4:
            results["banker-fabulous-4"] = won("4.1", stake * 25)
        else:
            results["banker-fabulous-4"] = lost(stake)

    stake = stakes.get("player-precious-pair")
    if stake is not None:
        results["player-precious-pair"] = precious_pair(player, stake)

    stake = stakes.get("banker-precious-pair")
    if stake is not None:
        results["banker-precious-pair"] = precious_pair(banker, stake)

    return results


def manila(player: Hand, banker: Hand, stakes: Stakes, rounding: str) -> Results:
    """City of Dreams Manila, Banker paid 1 to 1 less a commission of 5%."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results = {}

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            results["player"] = won("How to Play 5", stake)
        elif player_points == banker_points:
            results["player"] = returned("Ruling 14: tie")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            results["banker"] = won("How to Play 6", share(stake, 95, 100, rounding))
        elif banker_points == player_points:
            results["banker"] = returned("Ruling 14: tie")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            results["tie"] = won("How to Play 7", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("player-pair")
    if stake is not None:
        if is_pair(player):
            results["player-pair"] = won("How to Play 9", stake * 11)
        else:
            results["player-pair"] = lost(stake)

    stake = stakes.get("banker-pair")
    if stake is not None:
        if is_pair(banker):
            results["banker-pair"] = won("How to Play 9", stake * 11)
        else:
            results["banker-pair"] = lost(stake)

    stake = stakes.get("super-six")
    if stake is not None:
        if banker_points > player_points and banker_points == 6:
            results["super-six"] = won("Super 6", stake * 12)
        else:
            results["super-six"] = lost(stake)

    return results


def manila_no_commission(player: Hand, banker: Hand, stakes: Stakes, rounding: str) -> Results:
    """City of Dreams Manila, No Commission Baccarat: Banker paid 1 to 1, but 1 to 2 with a six."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results = {}

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            results["player"] = won("How to Play 5", stake)
        elif player_points == banker_points:
            results["player"] = returned("Ruling 14: tie")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            if banker_points == 6:
                results["banker"] = won("No Commission 1", share(stake, 1, 2, rounding))
            else:
                results["banker"] = won("No Commission 2", stake)
        elif banker_points == player_points:
            results["banker"] = returned("Ruling 14: tie")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            results["tie"] = won("How to Play 7", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("player-pair")
    if stake is not None:
        if is_pair(player):
            results["player-pair"] = won("How to Play 9", stake * 11)
        else:
            results["player-pair"] = lost(stake)

    stake = stakes.get("banker-pair")
    if stake is not None:
        if is_pair(banker):
            results["banker-pair"] = won("How to Play 9", stake * 11)
        else:
            results["banker-pair"] = lost(stake)

    stake = stakes.get("super-six")
    if stake is not None:
        if banker_points > player_points and banker_points == 6:
            results["super-six"] = won("Super 6", stake * 12)
        else:
            results["super-six"] = lost(stake)

    return results


def ez_baccarat(player: Hand, banker: Hand, stakes: Stakes) -> Results:
    """EZ Baccarat, as the Wizard of Odds describes it: a game of the tests only."""
    player_points = point_total(player)
    banker_points = point_total(banker)
    results: Results = {}

    stake = stakes.get("player")
    if stake is not None:
        if player_points > banker_points:
            results["player"] = won("Baccarat 7", stake)
        elif player_points == banker_points:
            results["player"] = returned("Baccarat 8")
        else:
            results["player"] = lost(stake)

    stake = stakes.get("banker")
    if stake is not None:
        if banker_points > player_points:
            if banker_points == 7 and len(banker) == 3:
                results["banker"] = returned("Banker 2")
            else:
                results["banker"] = won("Banker 1", stake)
        elif banker_points == player_points:
            results["banker"] = returned("Baccarat 8")
        else:
            results["banker"] = lost(stake)

    stake = stakes.get("tie")
    if stake is not None:
        if player_points == banker_points:
            results["tie"] = won("Baccarat 8", stake * 8)
        else:
            results["tie"] = lost(stake)

    stake = stakes.get("dragon-7")
    if stake is not None:
        if banker_points > player_points and banker_points == 7 and len(banker) == 3:
            results["dragon-7"] = won("Dragon 7", stake * 40)
        else:
            results["dragon-7"] = lost(stake)

    stake = stakes.get("panda-8")
    if stake is not None:
        if player_points > banker_points and player_points == 8 and len(player) == 3:
            results["panda-8"] = won("Panda 8", stake * 25)
        else:
            results["panda-8"] = lost(stake)

    return results


def settle(
    game_id: str,
    player: Hand,
    banker: Hand,
    stakes: Stakes,
    *,
    element_eights: str = "on-top",
    rounding: str = "down",
    printed_manila: bool = False,
) -> Results:
    """What one patron's stakes win or lose on a finished round."""
    if not lawful(player, banker, printed_manila):
        raise ValueError(f"no round ends with P {' '.join(player)} | B {' '.join(banker)}")
    if rounding != "down" and rounding != "up":
        raise ValueError(f"money is rounded down or up, not {rounding!r}")
    if element_eights != "on-top" and element_eights != "instead":
        raise ValueError(f"Element Eights are paid on-top or instead, not {element_eights!r}")

    if game_id == "baccarat-tournament":
        results = baccarat_tournament(player, banker, stakes)
    elif game_id == "fortune-six-tournament":
        results = fortune_six_tournament(player, banker, stakes)
    elif game_id == "six-star":
        results = six_star(player, banker, stakes, rounding)
    elif game_id == "fabulous-4":
        results = fabulous_4(player, banker, stakes, element_eights, rounding)
    elif game_id == "manila":
        results = manila(player, banker, stakes, rounding)
    elif game_id == "manila-no-commission":
        results = manila_no_commission(player, banker, stakes, rounding)
    elif game_id == "ez-baccarat":
        results = ez_baccarat(player, banker, stakes)
    else:
        raise ValueError(f"no document describes the game {game_id!r}")

    if len(results) != len(stakes):
        raise ValueError(f"{game_id} has no wager {sorted(set(stakes) - set(results))}")
    return results
