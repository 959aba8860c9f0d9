"""The battery passes the draw of the code and catches each named mutant; the others are caught by proof."""

import json
from collections.abc import Sequence

import pytest

from fairness.battery import CAUGHT, STATISTICAL_MUTANTS, battery, committed_shoes, exact_chances, fair, shoes_of, worst
from fairness.dealt_shoes import dealt_shoe
from puntobanco.errors import Fault, InputError
from puntobanco.fairness import Drawing, Nonce, OpenedShoe, hashed, seeded_keys, shoe
from puntobanco.games import find_game
from puntobanco.verify import DoesNotFollow, verify

MANILA = find_game("manila")


def test_the_draw_of_the_code_passes() -> None:
    scores = battery(committed_shoes(300))
    assert abs(worst(scores)[1]) < 4, scores


def test_a_fair_draw_passes() -> None:
    scores = battery(shoes_of(fair, 1_000))
    assert abs(worst(scores)[1]) < 4, scores


@pytest.mark.parametrize("name", STATISTICAL_MUTANTS)
def test_a_biased_draw_is_caught(name: str) -> None:
    statistic, score = worst(battery(shoes_of(STATISTICAL_MUTANTS[name], 1_000)))
    assert abs(score) > CAUGHT, (statistic, score)


@pytest.mark.parametrize("bits", [8, 10, 12])
def test_a_modulo_of_few_bits_is_caught_by_the_count_too(bits: int) -> None:
    """What the proof of zero bias counts is not equal for a modulo without rejection."""
    uneven = [cards for cards in range(1, 651) if len({len(range(p, 1 << bits, cards)) for p in range(cards)}) > 1]
    assert len(uneven) > 600


def test_the_exact_chances_are_those_of_a_full_shoe() -> None:
    chances = exact_chances()
    assert sum(chances.values()) == pytest.approx(1)
    assert chances["tie"] == pytest.approx(0.0951559, abs=1e-6)


class TestCaughtByProof:
    """Faults that no sample shows: each is refused by the verifier, or by a count."""

    def test_a_reused_key(self) -> None:
        keys = seeded_keys(1, 1)
        with pytest.raises(InputError, match="no key twice"):
            dealt_shoe(MANILA, 1, keys=(keys[0],) * 256)

        class OneKey(Drawing):
            def begin(self, round_in_shoe: int, key: bytes, state: bytes) -> None:
                super().begin(round_in_shoe, keys[0], state)

        with pytest.raises(Fault, match="key of round 1 is not the one"):
            dealt_shoe(MANILA, 1, drawing_of=OneKey)

    def test_a_skipped_rejection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would change one word in ten million: the count of words shows it, and a word above the bound."""
        monkeypatch.setattr(shoe, "words_taken", lambda _: 2**32)
        words_of = {len(range(place, shoe.words_taken(416), 416)) for place in range(416)}
        assert len(words_of) == 2
        assert shoe.words_taken(416) - 1 >= 2**32 - 2**32 % 416

    def test_a_forgotten_chain_of_states(self) -> None:
        def unchained(opened: OpenedShoe, place: int, previous: bytes, nonces: Sequence[Nonce]) -> bytes:
            return shoe.round_state(opened, place, bytes(32), nonces)

        with pytest.raises(DoesNotFollow, match="Round 1: the state does not follow"):
            verify(dealt_shoe(MANILA, 1, state_of=unchained).text().encode())

    def test_a_state_without_nonces(self) -> None:
        def alone(opened: OpenedShoe, place: int, previous: bytes, nonces: Sequence[Nonce]) -> bytes:
            return shoe.round_state(opened, place, previous)

        with pytest.raises(DoesNotFollow, match="the state does not follow"):
            verify(dealt_shoe(MANILA, 1, state_of=alone).text().encode())

    def test_a_state_that_knows_the_wagers(self) -> None:
        def staked(opened: OpenedShoe, place: int, previous: bytes, nonces: Sequence[Nonce]) -> bytes:
            return hashed("pb1/round", shoe.round_state(opened, place, previous, nonces), b"Banker 2,000")

        with pytest.raises(DoesNotFollow, match="Round 0: the state does not follow"):
            verify(dealt_shoe(MANILA, 1, state_of=staked).text().encode())

    @pytest.mark.parametrize("fault", ["the last card is left in place", "output runs on from round to round"])
    def test_a_draw_in_another_way(self, fault: str) -> None:
        class Otherwise(Drawing):
            def draw(self):  # type: ignore[no-untyped-def]
                if fault.startswith("the last"):
                    card = super().draw()
                    self._remaining.sort(key=lambda each: each.index)
                    return card
                return super().draw()

            def begin(self, round_in_shoe: int, key: bytes, state: bytes) -> None:
                left = self._output
                super().begin(round_in_shoe, key, state)
                if fault.startswith("output"):
                    self._output = left

        with pytest.raises(DoesNotFollow, match="the key draws"):
            verify(dealt_shoe(MANILA, 1, drawing_of=Otherwise).text().encode())

    def test_a_card_chosen_by_the_house(self) -> None:
        values = json.loads(dealt_shoe(MANILA, 1, rounds=3).text())
        values["rounds"][3]["drawn"][0] = "Kc"
        del values["seal"]
        with pytest.raises(DoesNotFollow, match="Round 3: the key draws"):
            verify(json.dumps(values).encode())
