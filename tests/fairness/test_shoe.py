"""The committed shoe: every hash by hand, the draw without bias, and what is refused."""

from collections import Counter
from hashlib import sha256
from typing import cast

import pytest

from fairness.dealt_shoes import dealt_shoe
from puntobanco.cards import FIVE_ELEMENTS, STANDARD_PACK, Card
from puntobanco.errors import Fault, InputError
from puntobanco.fairness import (
    KEYS,
    NO_STATE,
    ROUNDS_AT_MOST,
    Drawing,
    HmacDrbg,
    Nonce,
    OpenedShoe,
    ShoeTerms,
    Signer,
    commitments,
    final_state,
    hashed,
    new_keys,
    nonce_commitment,
    open_shoe,
    round_state,
    seeded_keys,
    seeded_nonce,
    shoe,
)
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game

MANILA = find_game("manila")
KEPT = seeded_keys(1, 1)
MOST_CARDS = 650


def terms(**changed: object) -> ShoeTerms:
    values = {"table": "salon", "shoe": "salon-7", "decks": 8} | changed
    return ShoeTerms.of(MANILA, **values)  # type: ignore[arg-type]


OPENED = open_shoe(terms(), KEPT)


def by_hand(*parts: bytes) -> bytes:
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


class TestHashes:
    """Each hash of the scheme, put together from bytes."""

    def test_texts_are_utf8_and_integers_four_bytes(self) -> None:
        expected = by_hand(b"tag", "Åsa".encode(), b"\x00\x00\x01\x02", b"\xff")
        assert hashed("tag", "Åsa", 258, b"\xff") == expected

    def test_parts_cannot_run_into_each_other(self) -> None:
        assert hashed("tag", "ab", "c") != hashed("tag", "a", "bc") != hashed("tag", "abc")

    def test_the_commitment_of_a_key(self) -> None:
        expected = [by_hand(b"pb1/key", b"salon-7", number(place), key) for place, key in enumerate(KEPT)]
        assert list(commitments("salon-7", KEPT)) == expected

    def test_the_anchor(self) -> None:
        digest = bytes.fromhex(MANILA.digest)
        first = by_hand(b"pb1/anchor", b"salon-7", digest, number(8), number(14), bytes(32), *OPENED.commitments)
        assert OPENED.anchor == first
        after = open_shoe(terms(previous=b"F" * 32, decks=6), KEPT)
        assert after.anchor == by_hand(
            b"pb1/anchor", b"salon-7", digest, number(6), number(14), b"F" * 32, *OPENED.commitments
        )

    def test_the_state_of_a_round(self) -> None:
        withheld = Nonce("ida", b"q" * 32)
        nonce = b"n" * 32
        revealed = Nonce("åsa", by_hand(b"pb1/nonce", b"salon-7", number(3), "åsa".encode(), nonce), nonce)
        expected = by_hand(
            b"pb1/round",
            b"salon-7",
            number(3),
            OPENED.anchor,
            b"T" * 32,
            b"ida",
            b"\x00" + b"q" * 32,
            "åsa".encode(),
            b"\x01" + nonce,
        )
        assert round_state(OPENED, 3, b"T" * 32, [withheld, revealed]) == expected
        assert round_state(OPENED, 3, b"T" * 32, [revealed, withheld]) != expected

    def test_the_final_state(self) -> None:
        assert final_state(OPENED, b"T" * 32) == by_hand(b"pb1/final", b"salon-7", OPENED.anchor, b"T" * 32)

    def test_keys_and_nonces_of_a_seed(self) -> None:
        assert seeded_keys(-5, 2)[9] == by_hand(b"pb1/seed/key", b"-5", number(2), number(9))
        assert seeded_nonce(5, 2, 9) == by_hand(b"pb1/seed/nonce", b"5", number(2), number(9))


class TestZeroBias:
    """Every card that is left is drawn with exactly the same chance: shown by counting, not by sampling."""

    def test_every_place_has_as_many_words_as_any_other(self) -> None:
        for cards in range(1, MOST_CARDS + 1):
            taken = shoe.words_taken(cards)
            # Of the numbers 0 to taken - 1 so many leave each remainder.
            words_of = [len(range(place, taken, cards)) for place in range(cards)]
            assert len(set(words_of)) == 1, cards
            # No word is drawn again without need, and none is left over.
            assert 2**32 - cards < taken <= 2**32
            assert sum(words_of) == taken

    @pytest.mark.parametrize("cards", [3, 7, 52, 415, 416, 519, 520, 649, 650])
    def test_the_draw_uses_that_bound(self, cards: int, monkeypatch: pytest.MonkeyPatch) -> None:
        taken = shoe.words_taken(cards)
        above = [word for word in (taken, taken + 1, 2**32 - 1) if taken <= word < 2**32]
        assert taken == 2**32 or above
        drawing = numbered(cards, monkeypatch, [*above, taken - 1])
        assert drawing.place() == cards - 1

    def test_the_last_card_takes_the_place_of_the_one_drawn(self, monkeypatch: pytest.MonkeyPatch) -> None:
        drawing = numbered(5, monkeypatch, [1, 1, 2, 5, 0])
        assert [drawing.place() for _ in range(5)] == [1, 4, 2, 3, 0]
        assert drawing.cards_left == 0


def numbered(cards: int, monkeypatch: pytest.MonkeyPatch, words: list[int]) -> "Numbered":
    """A drawing from numbers in place of cards, whose generator gives these words."""

    class Scripted(HmacDrbg):
        def generate(self, size: int) -> bytes:
            return b"".join(map(number, words))

    monkeypatch.setattr(shoe, "HmacDrbg", Scripted)
    return Numbered(OPENED, cards)


class Numbered(Drawing):
    def __init__(self, opened: OpenedShoe, cards: int) -> None:
        super().__init__(opened)
        self._remaining = list(range(cards))  # type: ignore[arg-type]
        self.begin(0, KEPT[0], round_state(opened, 0, NO_STATE))

    def place(self) -> int:
        return cast(int, self.draw())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_shoe_drawn_to_its_end_has_every_card_once_for_each_deck(game: Game) -> None:
    opened = open_shoe(ShoeTerms.of(game, table="t", shoe="s", decks=game.decks.maximum), KEPT)
    drawing, drawn = Drawing(opened), list[Card]()
    state = NO_STATE
    for place in range(KEYS):
        state = round_state(opened, place, state)
        drawing.begin(place, KEPT[place], state)
        drawn += [drawing.draw() for _ in range(min(6, drawing.cards_left))]
    assert Counter(drawn) == dict.fromkeys(game.pack.cards, game.decks.maximum)
    with pytest.raises(Fault, match="no card left"):
        drawing.draw()


def test_the_canonical_order_is_deck_by_deck_suit_by_suit_rank_by_rank() -> None:
    expected = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] * 8
    assert [*map(str, terms().cards)] == expected
    five = ShoeTerms.of(find_game("six-star"), table="t", shoe="s", decks=4)
    assert [*map(str, five.cards)] == [rank + suit for suit in "fgedw" for rank in "A23456789TSLF"] * 4
    assert (STANDARD_PACK.id, FIVE_ELEMENTS.id) == (terms().pack.id, five.pack.id)


def test_the_output_is_that_of_the_scheme() -> None:
    state = round_state(OPENED, 0, NO_STATE)
    drawing = Drawing(OPENED)
    drawing.begin(0, KEPT[0], state)
    generator = HmacDrbg(KEPT[0], state, b"pb1/draw" + b"salon-7" + number(0))
    output = generator.generate(256) + generator.generate(256)
    remaining = terms().cards
    for place in range(0, 400, 4):
        word = int.from_bytes(output[place : place + 4], "big")
        card = remaining[word % len(remaining)]
        remaining[word % len(remaining)] = remaining[-1]
        del remaining[-1]
        assert drawing.draw() is card


def test_only_what_is_asked_for_is_drawn_and_a_restart_draws_the_same() -> None:
    first = dealt_shoe(MANILA, 3)
    again = Drawing(first.opened)
    for each in first.rounds:
        again.begin(each.round_in_shoe, each.key, each.state)
        assert tuple(again.draw() for _ in each.drawn) == each.drawn
    assert again.cards_left == 416 - sum(len(each.drawn) for each in first.rounds)


def test_what_is_left_of_the_output_is_discarded_at_the_end_of_a_round() -> None:
    states = [round_state(OPENED, 0, NO_STATE)]
    states.append(round_state(OPENED, 1, states[0]))
    drawing, remaining = Drawing(OPENED), terms().cards
    for place in (0, 1):
        drawing.begin(place, KEPT[place], states[place])
        generator = HmacDrbg(KEPT[place], states[place], b"pb1/draw" + b"salon-7" + number(place))
        at = int.from_bytes(generator.generate(4), "big") % len(remaining)
        assert drawing.draw() is remaining[at]
        remaining[at] = remaining[-1]
        del remaining[-1]


class TestRefused:
    def test_a_key_that_is_not_the_one_committed_to(self) -> None:
        with pytest.raises(Fault, match="key of round 0 is not the one"):
            Drawing(OPENED).begin(0, KEPT[1], round_state(OPENED, 0, NO_STATE))

    def test_a_round_out_of_turn(self) -> None:
        drawing = Drawing(OPENED)
        with pytest.raises(InputError, match="Round 0 of the shoe is next"):
            drawing.begin(1, KEPT[1], NO_STATE)
        with pytest.raises(InputError, match="No round"):
            drawing.draw()

    @pytest.mark.parametrize("place", [-1, KEYS, True, "1"])
    def test_a_round_that_no_shoe_has(self, place: int) -> None:
        assert KEYS - 1 == ROUNDS_AT_MOST == 255
        with pytest.raises(InputError, match="rounds 0 to 255"):
            round_state(OPENED, place, NO_STATE)

    def test_keys_that_are_not_a_shoe_of_keys(self) -> None:
        for keys in (KEPT[:-1], (*KEPT, KEPT[0]), (*KEPT[:-1], b"short")):
            with pytest.raises(InputError, match="256 keys of 32 bytes"):
                open_shoe(terms(), keys)
        with pytest.raises(InputError, match="no key twice"):
            open_shoe(terms(), (*KEPT[:-1], KEPT[0]))

    def test_a_nonce_that_is_not_the_one_committed_to(self) -> None:
        nonce = b"n" * 32
        committed = nonce_commitment("salon-7", 2, "ida", nonce)
        round_state(OPENED, 2, NO_STATE, [Nonce("ida", committed, nonce)])
        for place, patron, given in ((3, "ida", nonce), (2, "åsa", nonce), (2, "ida", b"m" * 32), (2, "ida", b"n")):
            with pytest.raises(InputError, match="is not the one committed to"):
                round_state(OPENED, place, NO_STATE, [Nonce(patron, committed, given)])
        with pytest.raises(InputError, match="commits to is 32 bytes"):
            round_state(OPENED, 2, NO_STATE, [Nonce("ida", b"q")])
        for patron in ("", "\ud800", "a\nb"):
            with pytest.raises(InputError, match="A patron has a name"):
                round_state(OPENED, 2, NO_STATE, [Nonce(patron, committed)])

    def test_a_nonce_in_the_burn(self) -> None:
        with pytest.raises(InputError, match="No patron takes part"):
            round_state(OPENED, 0, NO_STATE, [Nonce("ida", b"q" * 32)])

    @pytest.mark.parametrize("changed", [{"shoe": ""}, {"table": "a\ud800"}, {"previous": b""}, {"decks": 33}])
    def test_terms_that_are_none(self, changed: dict[str, object]) -> None:
        with pytest.raises(InputError):
            terms(**changed)


def test_a_signer_signs_the_anchor() -> None:
    signed = open_shoe(terms(), KEPT, Signer(lambda anchor: b"signed " + anchor, b"public"))
    assert (signed.signature, signed.public_key) == (b"signed " + OPENED.anchor, b"public")
    assert (OPENED.signature, OPENED.public_key) == (None, None)


def test_new_keys_are_new() -> None:
    keys = {*new_keys(), *new_keys()}
    assert len(keys) == 2 * KEYS
    assert {len(key) for key in keys} == {32}
    assert len({*seeded_keys(1, 1), *seeded_keys(1, 2), *seeded_keys(2, 1)}) == 3 * KEYS


def test_secrets_are_in_no_representation() -> None:
    shown = repr(dealt_shoe(MANILA, 1, rounds=3))
    assert not any(key.hex() in shown or repr(key) in shown for key in seeded_keys(1, 1))
