"""The verifier: what it accepts, what it refuses and where, and that it stands on its own."""

import ast
import json
import random
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import puntobanco
from fairness.dealt_shoes import dealt_shoe
from puntobanco.cards import Card
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.fairness import KEYS, Drawing, OpenedShoe, Signer, hashed, open_shoe, seeded_keys
from puntobanco.fairness.transcript import Transcript, seal_of
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game
from puntobanco.tableau import STANDARD
from puntobanco.verify import DoesNotFollow, by_table_of_play, draw, is_signed, verify

FILE = Path(puntobanco.__file__).parent / "verify.py"
MANILA, SIX_STAR = find_game("manila"), find_game("six-star")
BITS_CHANGED = 1_000


def signer(first: int = 0) -> Signer:
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(first, first + 32)))
    return Signer(key.sign, key.public_key().public_bytes_raw())


def verified(transcript: Transcript) -> str:
    return verify(transcript.text().encode())


def refused(values: dict[str, Any], *, sealed: bool = True) -> str:
    """The sentence that the verifier refuses the transcript with, which is sealed anew so that the seal does not."""
    if sealed:
        values = values | {"seal": seal_of(values)}
    with pytest.raises(DoesNotFollow) as found:
        verify(json.dumps(values).encode())
    return str(found.value)


class TestAccepted:
    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_whole_shoes(self, game: Game) -> None:
        for seed in range(8):
            transcript = dealt_shoe(game, seed, decks=[game.decks.minimum, game.decks.maximum][seed % 2])
            rounds = len(transcript.rounds) - 1
            alone = sum(not each.nonces for each in transcript.rounds[1:])
            left = len(transcript.opened.terms.cards) - sum(len(each.drawn) for each in transcript.rounds)
            void = sum(each.void is not None for each in transcript.rounds)
            withheld = sum(nonce.nonce is None for each in transcript.rounds for nonce in each.nonces)
            assert transcript.final is not None
            assert verified(transcript) == (
                f"Shoe 'salon-{seed}' of table 'Salon Privé' was dealt as committed; rounds: {rounds}; void: {void}; "
                f"server only: {alone}; nonces withheld: {withheld}; cards left: {left}.\n"
                f"Previous: {'00' * 32}; final: {transcript.final.hex()}.\n"
                "NOT signed: no house answers for it; one hand may have made keys and nonces."
            )

    def test_a_signed_shoe(self) -> None:
        signed = dealt_shoe(SIX_STAR, 1, signer=signer())
        key = signer().public_key.hex()
        assert verified(signed).endswith(f"\nSigned by {key}, but not its table, game, reading, numbers and voids.")
        assert verified(signed.signed(signer().sign)).endswith(f"\nSigned by {key}.")

    def test_shoes_of_one_table_that_follow_each_other(self) -> None:
        first = dealt_shoe(MANILA, 1, rounds=2)
        assert first.final is not None
        second = dealt_shoe(MANILA, 2, rounds=2, previous=first.final)
        one, two = first.text().encode(), second.text().encode()
        assert verify(two, one) == verify(two)
        other, running = dealt_shoe(MANILA, 3, rounds=2), dealt_shoe(MANILA, 1, rounds=2, over=False)
        elsewhere = json.dumps(first.as_json() | {"table": "elsewhere"}).encode()
        for before in (other.text().encode(), running.text().encode(), elsewhere, two):
            with pytest.raises(DoesNotFollow, match=r"^Shoe 'salon-2' does not follow 'salon-"):
                verify(two, before)

    def test_shoes_of_one_table_are_signed_with_one_key(self) -> None:
        keys = [signer(), signer(32), None]
        for one in keys:
            first = dealt_shoe(MANILA, 1, rounds=2, signer=one)
            assert first.final is not None
            for other in keys:
                second = dealt_shoe(MANILA, 2, rounds=2, previous=first.final, signer=other).text().encode()
                if one is other:
                    verify(second, first.text().encode())
                else:
                    with pytest.raises(DoesNotFollow, match=r"^Shoe 'salon-2' is not signed with the key of 'salon-1'"):
                        verify(second, first.text().encode())

    @pytest.mark.parametrize("before", [b"", b"null", b"[]", b"[1]", b"7", b'"shoe"', b"{}", b'{"table":"x"}', b"\xff"])
    def test_what_is_given_as_the_shoe_before_is_a_transcript(self, before: bytes) -> None:
        with pytest.raises(DoesNotFollow):
            verify(dealt_shoe(MANILA, 1, rounds=2).text().encode(), before)

    @pytest.mark.parametrize("rounds", [0, 1, 5])
    def test_a_running_shoe_as_far_as_it_goes(self, rounds: int) -> None:
        running = dealt_shoe(MANILA, 3, rounds=rounds, over=False)
        assert f"; rounds: {rounds}; " in verified(running)
        assert "; final: none, it is in play.\n" in verified(running)
        values = running.as_json()
        del values["unused_keys"], values["seal"]
        assert verify(json.dumps(values).encode()) == verified(running)

    def test_a_shoe_that_is_only_opened(self) -> None:
        opened = dealt_shoe(MANILA, 3, rounds=0).opened
        assert "rounds: 0" in verified(Transcript(opened, ()))

    def test_a_shoe_without_burn_has_a_round_0_that_draws_nothing(self) -> None:
        shoe = dealt_shoe(MANILA, 3, burn_and_cut=BurnAndCut(BurnRule.OFF), rounds=2)
        assert shoe.rounds[0].drawn == ()
        verified(shoe)

    def test_a_transcript_without_a_seal_or_written_otherwise(self) -> None:
        values = dealt_shoe(MANILA, 4, rounds=3).as_json()
        del values["seal"]
        plain = verify(json.dumps(values).encode())
        turned = dict(reversed(values.items()))
        for text in (
            json.dumps(turned),
            json.dumps(values, ensure_ascii=False, indent="\t"),
            json.dumps(values) + "\n",
        ):
            assert verify(text.encode()) == plain

    def test_the_table_of_play_as_manila_prints_it(self) -> None:
        printed = MANILA.read_as(tableau="manila-as-printed")
        found = dealt_shoe(printed, 1)
        verified(found)
        fives = [each.deal for each in found.rounds[1:] if each.deal and not each.void]
        assert any(
            sum(card.points for card in deal.player) % 10 == 5
            and len(deal.player) == 2
            and sum(card.points for card in deal.banker[:2]) % 10 < 8
            for deal in fives
        )
        assert "cards are drawn where" in refused(found.as_json() | {"reading": {"tableau": "standard"}})

    @pytest.mark.parametrize("game", [MANILA, SIX_STAR], ids=lambda game: game.id)
    def test_fifty_shoes_of_each_pack(self, game: Game) -> None:
        for seed in range(100, 150):
            verified(dealt_shoe(game, seed))


def test_the_table_of_play_is_that_of_the_tableau_for_every_deal() -> None:
    faces = [next(card for card in MANILA.pack.cards if card.points == points) for points in range(10)]

    def agree(drawn: list[Card], player: tuple[Card, ...], banker: tuple[Card, ...]) -> None:
        hand = STANDARD.decide([card.points for card in player], [card.points for card in banker]).hand
        deal, due = by_table_of_play([*map(str, drawn)], 5)
        assert deal == " ".join(["P", *map(str, player), "|", "B", *map(str, banker)])
        assert (due > len(drawn)) == (hand is not None)
        assert due >= len(drawn)
        for card in faces if hand is not None else ():
            agree(
                [*drawn, card],
                (*player, card) if hand == "player" else player,
                (*banker, card) if hand == "banker" else banker,
            )

    # Two-card totals are all that matters, so every first card is a ten.
    ten = faces[0]
    for second in faces:
        for fourth in faces:
            agree([ten, ten, second, fourth], (ten, second), (ten, fourth))
    assert all(by_table_of_play(["9c"] * count, 5)[1] > count for count in range(4))


class TestRefused:
    """Each thing that can be wrong, in the words that say where."""

    def values(self, **changed: Any) -> dict[str, Any]:
        return json.loads(json.dumps(dealt_shoe(MANILA, 9, rounds=8).as_json() | changed))  # type: ignore[no-any-return]

    def round(self, place: int, **changed: Any) -> dict[str, Any]:
        values = self.values()
        values["rounds"][place] |= changed
        return values

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"scheme": "pb2"}, "The transcript: 'scheme' is missing, unknown or not written as it should be."),
            ({"more": 1}, "The transcript: 'more' is missing, unknown"),
            ({"rules_digest": "00" * 32}, "The anchor does not follow"),
            ({"previous": "00" * 31 + "01"}, "The anchor does not follow"),
            ({"decks": 7}, "The anchor does not follow"),
            ({"decks": True}, "'decks' is missing"),
            ({"decks": 8.0}, "'decks' is missing"),
            ({"decks": "8"}, "'decks' is missing"),
            ({"decks": -8}, "'decks' is missing"),
            ({"decks": 0}, "'decks' is missing"),
            ({"cut_depth": 15}, "The anchor does not follow"),
            ({"burn": "off"}, "cards are drawn where 0 are due."),
            ({"burn": "on"}, "'burn' is missing"),
            ({"cards": ["Ac"]}, "The cards are not a known pack"),
            ({"cards": [*map(str, SIX_STAR.pack.cards)]}, "Round 0: the key draws"),
            ({"cards": [*map(str, reversed(MANILA.pack.cards))]}, "The cards are not a known pack"),
            ({"commitments": ["00" * 32] * 255}, "'commitments' is missing"),
            ({"commitments": ["00" * 32] * 256}, "The anchor does not follow"),
            ({"anchor": "00" * 32}, "The anchor does not follow"),
            ({"anchor": "AB" * 32}, "'anchor' is missing"),
            ({"signature": "00" * 64}, "The signature of the anchor was not made"),
            ({"public_key": "00" * 32}, "The signature of the anchor was not made"),
            ({"reading": {"tableau": "vienna"}}, "unknown table of play"),
            ({"reading": []}, "'reading' is missing"),
            ({"reading": {"rounding": 1}}, "'reading' is missing"),
            ({"rounds": {}}, "'rounds' is missing"),
            ({"rounds": [1]}, "Round 0: this is not an object."),
            ({"unused_keys": {}}, "The unused keys are not"),
            ({"unused_keys": None}, "'unused_keys' is missing"),
            ({"final": "00" * 32}, "The final state does not follow"),
            ({"final": None}, "'final' is missing"),
            ({"table": ""}, "'table' is missing"),
            ({"shoe": 7}, "'shoe' is missing"),
        ],
    )
    def test_a_field_of_the_shoe(self, changed: dict[str, Any], sentence: str) -> None:
        assert sentence in refused(self.values(**changed))

    @pytest.mark.parametrize("name", [*dealt_shoe(MANILA, 9, rounds=8).as_json()])
    def test_a_field_of_the_shoe_that_is_missing(self, name: str) -> None:
        values = self.values()
        del values[name]
        if name == "seal":
            verify(json.dumps(values).encode())
        else:
            assert "The unused keys" in (found := refused(values)) or f"'{name}' is missing" in found

    @pytest.mark.parametrize("name", [*dealt_shoe(MANILA, 9, rounds=8).rounds[5].as_json()])
    def test_a_field_of_a_round_that_is_missing_or_of_another_kind(self, name: str) -> None:
        for value in (True, 1.5, [1], {"a": 1}, "AB")[: 4 if name == "void" else 5]:
            assert refused(self.round(5, **{name: value})).startswith("Round 5: ")
        values = self.values()
        del values["rounds"][5][name]
        assert refused(values) == f"Round 5: '{name}' is missing, unknown or not written as it should be."

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"more": 1}, "Round 5: 'more' is missing, unknown"),
            ({"round": 6}, "Round 5: it has the place of round 6."),
            ({"number": 408}, "Round 5: the table's number does not rise."),
            ({"nonces": []}, "Round 5: the state does not follow"),
            ({"state": "00" * 32}, "Round 5: the state does not follow"),
            ({"key": "00" * 32}, "Round 5: the key is not the one committed to"),
            ({"deal": "P 9c 9d | B Kc Kd"}, "Round 5: the cards make the deal P "),
            ({"drawn": []}, "Round 5: 0 cards are drawn where 5 are due."),
            ({"void": ""}, "Round 5: 'void' is missing"),
        ],
    )
    def test_a_field_of_a_round(self, changed: dict[str, Any], sentence: str) -> None:
        assert self.values()["rounds"][5]["nonces"]
        assert refused(self.round(5, **changed)).startswith(sentence)

    def test_cards_in_another_order_or_number(self) -> None:
        drawn = self.values()["rounds"][5]["drawn"]
        assert "Round 5: the key draws " in refused(self.round(5, drawn=[*reversed(drawn)]))
        assert refused(self.round(5, drawn=drawn * 100)).startswith("Round 5: the key draws ")
        short = self.round(5, drawn=drawn[:3], void="5.5: a card was exposed")
        assert refused(short).startswith("Round 5: the cards make the deal ")
        assert refused(self.round(5, drawn=drawn[:3])).startswith("Round 5: 3 cards are drawn where 5 are due.")

    def test_a_void_round_with_a_card_too_many(self) -> None:
        honest = dealt_shoe(MANILA, 9, rounds=1, over=False)
        drawing = Drawing(honest.opened)
        for each in honest.rounds:
            drawing.begin(each.round_in_shoe, each.key, each.state)
            drawn = [str(drawing.draw()) for _ in each.drawn]
        values = honest.as_json()
        values["rounds"][1] |= {"drawn": [*drawn, str(drawing.draw())], "void": "5.5: a card too many"}
        expected = f"Round 1: {len(drawn) + 1} cards are drawn where {len(drawn)} are due."
        assert refused(values) == expected

    def test_a_nonce(self) -> None:
        values = self.values()
        place, nonces = next((place, each["nonces"]) for place, each in enumerate(values["rounds"]) if each["nonces"])
        assert nonces[0]["nonce"]
        for name, sentence in (("nonce", "the nonce of 'ida' is not"), ("commitment", "the nonce of 'ida' is not")):
            changed = [nonces[0] | {name: "00" * 32}, *nonces[1:]]
            assert refused(self.round(place, nonces=changed)).startswith(f"Round {place}: {sentence}")
        withheld = [nonces[0] | {"nonce": None}, *nonces[1:]]
        assert "the state does not follow" in refused(self.round(place, nonces=withheld))
        extra = [nonces[0] | {"more": 1}, *nonces[1:]]
        assert "'nonces' is missing, unknown" in refused(self.round(place, nonces=extra))

    def test_a_nonce_in_the_burn(self) -> None:
        nonces = self.values()["rounds"][5]["nonces"]
        assert refused(self.round(0, nonces=nonces)).startswith("Round 0: 'nonces'")

    def test_rounds_left_out_or_exchanged(self) -> None:
        values = self.values()
        rounds = values["rounds"]
        assert refused(values | {"rounds": rounds[:-1]}).startswith("The unused keys")
        assert refused(values | {"rounds": rounds[:4] + rounds[5:]}).startswith("Round 4: it has the place of round 5")
        assert refused(values | {"rounds": []}).startswith("The unused keys")

    def test_unused_keys(self) -> None:
        values = self.values()
        unused = values["unused_keys"]
        assert refused(values | {"unused_keys": unused | {"200": "00" * 32}}).startswith("The unused keys")
        assert refused(values | {"unused_keys": unused | {"256": "00" * 32}}).startswith("The unused keys")
        assert "'unused_keys'" in refused(values | {"unused_keys": unused | {"2000": "00" * 32}})
        running = {name: value for name, value in values.items() if name != "final"}
        assert refused(running).startswith("The unused keys")

    def test_a_shoe_that_ended_without_a_burn(self) -> None:
        opened = dealt_shoe(MANILA, 9, rounds=0).opened
        unused = {str(place): key.hex() for place, key in enumerate(seeded_keys(9, 1))}
        values = Transcript(opened, ()).as_json()
        assert refused(values | {"unused_keys": unused, "final": "00" * 32}).startswith("The final state")

    def test_what_no_other_hash_covers_is_sealed(self) -> None:
        for name in ("table", "game"):
            assert refused(self.values(**{name: "x"}), sealed=False).startswith("The seal does not fit")
        assert "seal" in refused(self.values(reading={}), sealed=False)
        assert "seal" in refused(self.round(8, number=99999), sealed=False)
        assert "seal" in refused(self.round(8, void="because"), sealed=False)
        assert "seal" in refused(self.values(seal="00" * 32), sealed=False)

    def test_what_is_signed_as_a_whole_is_changed_by_nobody_else(self) -> None:
        """A seal is made anew by anybody; its signature is not, and to take it away is told."""
        values = dealt_shoe(MANILA, 9, rounds=8, signer=signer()).signed(signer().sign).as_json()
        verify(json.dumps(values).encode())
        said = "The signature of the seal was not made by this public key."
        for name, value in (("table", "x"), ("game", "x"), ("reading", {})):
            assert refused(values | {name: value}) == said
        *rounds, last = values["rounds"]
        for other in (last | {"number": 99999}, last | {"void": "because"}):
            assert refused(values | {"rounds": [*rounds, other]}) == said
        assert refused(values | {"seal_signature": values["signature"]}, sealed=False) == said
        unsigned = {**values, "signature": None, "public_key": None}
        assert refused(unsigned) == said
        del unsigned["seal_signature"]
        assert "\nNOT signed: " in verify(json.dumps(unsigned | {"seal": seal_of(unsigned)}).encode())
        assert "'seal_signature'" in refused(values | {"seal_signature": "00"})

    def test_a_shoe_that_is_called_after_another_table(self) -> None:
        opened = dealt_shoe(MANILA, 9, rounds=0).opened
        named = open_shoe(replace(opened.terms, table="main", shoe="main/1"), seeded_keys(9, 1))
        values = Transcript(named, ()).as_json()
        verify(json.dumps(values).encode())
        assert refused(values | {"table": "other"}) == "The shoe is called after another table."

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"\xff",
            b"[]",
            b"null",
            b"{}",
            b"[" * 100_000,
            b'{"a": ' * 100_000,
            b'{"scheme": "pb1", "scheme": "pb1"}',
            b'{"decks": NaN}',
            b'{"decks": 1e999}',
            b'{"decks": ' + b"9" * 5_000 + b"}",
            b'"\\ud800"',
            b"\xef\xbb\xbf{}",
        ],
        ids=lambda text: repr(text[:20]),
    )
    def test_what_is_no_transcript(self, text: bytes) -> None:
        with pytest.raises(DoesNotFollow, match=r"^The transcript"):
            verify(text)

    def test_a_value_written_in_an_unusual_way(self) -> None:
        text = json.dumps(self.values())
        verify(text.encode())
        assert '"round": 0' in text
        for usual, unusual in (
            ('"round": 0', '"round": -0'),
            ('"round": 0', '"round": 0, "round": 0'),
            ("Priv\\u00e9", "Priv\\u00E9"),
            ('"pb1"', '"\\u0070b1"'),
        ):
            assert usual in text
            with pytest.raises(DoesNotFollow, match="has a field twice, or a value that is not written"):
                verify(text.replace(usual, unusual, 1).encode())

    def test_a_file_of_another_shoe_in_its_place(self) -> None:
        mine, other = self.values(), json.loads(dealt_shoe(MANILA, 10, rounds=8).text())
        for name in ("anchor", "commitments", "rounds", "unused_keys", "final"):
            refused(mine | {name: other[name]})


def test_one_bit_changed_anywhere_is_refused() -> None:
    text = dealt_shoe(SIX_STAR, 11, rounds=12, signer=signer(), over=False).text().encode()
    verify(text)
    chance = random.Random(1)
    for bit in chance.sample(range(8 * len(text)), BITS_CHANGED):
        changed = bytearray(text)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(DoesNotFollow):
            verify(bytes(changed))


def test_every_bit_of_what_only_the_seal_covers_is_refused() -> None:
    text = dealt_shoe(MANILA, 12, rounds=3).text().encode()
    heads = [line for line in text.splitlines() if line.startswith((b'"table"', b'"game"', b'"reading"', b'{"round"'))]
    for line in heads[:5]:
        start = text.index(line)
        for bit in range(8 * start, 8 * (start + min(len(line), 60))):
            changed = bytearray(text)
            changed[bit // 8] ^= 1 << bit % 8
            with pytest.raises(DoesNotFollow):
                verify(bytes(changed))


class TestSignatures:
    """RFC 8032, and the encodings that it forbids."""

    # RFC 8032, 7.1, tests 1 to 3: public key, message, signature.
    PUBLISHED = (
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a",
        ),
    )
    ORDER = 2**252 + 27742317777372353535851937790883648493

    @pytest.mark.parametrize(("key", "message", "signature"), PUBLISHED)
    def test_published(self, key: str, message: str, signature: str) -> None:
        public, text, made = map(bytes.fromhex, (key, message, signature))
        assert is_signed(text, made, public)
        assert not is_signed(text + b"x", made, public)
        # The same point and scalar in another encoding: s + L.
        other = (int.from_bytes(made[32:], "little") + self.ORDER).to_bytes(32, "little")
        assert not is_signed(text, made[:32] + other, public)

    @pytest.mark.parametrize("bit", range(0, 512, 7))
    def test_one_bit_of_a_signature(self, bit: int) -> None:
        key, message, signature = (bytes.fromhex(part) for part in self.PUBLISHED[1])
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        with suppress(DoesNotFollow):  # Half of all encodings are of no point.
            assert not is_signed(message, bytes(changed), key)

    @pytest.mark.parametrize(
        "key",
        [
            (1).to_bytes(32, "little"),  # The neutral point, which accepts s = 0 for any message.
            (2**255 - 20).to_bytes(32, "little"),  # Of order two.
            bytes(32),  # Of order four.
        ],
    )
    def test_a_key_of_small_order(self, key: bytes) -> None:
        neutral = (1).to_bytes(32, "little")
        assert not is_signed(b"any message", neutral + bytes(32), key)

    @pytest.mark.parametrize(
        "key",
        [
            (2**255 - 19 + 1).to_bytes(32, "little"),  # y is not below the prime.
            (2**255 + 1).to_bytes(32, "little"),  # x is nothing and yet has a sign.
            (2).to_bytes(32, "little"),  # On no point of the curve.
        ],
    )
    def test_an_encoding_that_is_none(self, key: bytes) -> None:
        with pytest.raises(DoesNotFollow, match="not one of Ed25519"):
            is_signed(b"", (1).to_bytes(32, "little") + bytes(32), key)


class TestItStandsAlone:
    def test_under_two_hundred_lines(self) -> None:
        assert len(FILE.read_text().splitlines()) < 200

    def test_it_imports_nothing_but_the_standard_library(self) -> None:
        imported = set()
        for node in ast.walk(ast.parse(FILE.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                imported.add(node.module or "")
        assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names
        assert "puntobanco" not in {name.split(".")[0] for name in imported}

    def test_a_copy_runs_in_an_empty_directory(self, tmp_path: Path) -> None:
        copy = tmp_path / "verify.py"
        copy.write_text(FILE.read_text())
        shoe = dealt_shoe(SIX_STAR, 13, signer=signer())
        (tmp_path / "shoe.json").write_text(shoe.text(), encoding="utf-8")
        (tmp_path / "changed.json").write_text(shoe.text().replace('"round": 7', '"round": 8'), encoding="utf-8")

        def run(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
            command = [sys.executable, "-I", "-S", "-X", "utf8", "verify.py", *arguments]
            return subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", input=text)

        done = run("shoe.json")
        assert (done.returncode, done.stdout, done.stderr) == (0, verified(shoe) + "\n", "")
        assert run("-", text=shoe.text()).stdout == done.stdout
        wrong = run("changed.json")
        assert (wrong.returncode, wrong.stdout) == (1, "")
        assert wrong.stderr == "changed.json: Round 7: it has the place of round 8.\n"
        missing = run("missing.json")
        assert missing.returncode == 1
        assert missing.stderr.count("\n") == 1
        assert shoe.final is not None
        (tmp_path / "next.json").write_text(dealt_shoe(SIX_STAR, 14, previous=shoe.final).text(), encoding="utf-8")
        assert run("shoe.json", "next.json").stdout.startswith(done.stdout)
        turned = run("next.json", "shoe.json")
        assert turned.returncode == 1
        assert turned.stderr.startswith("shoe.json: Shoe 'salon-13' does not follow 'salon-14'")


def test_a_word_above_the_bound_is_drawn_again() -> None:
    for cards in range(1, 651):
        bound = 2**32 - 2**32 % cards
        words = iter([word for word in (bound, 2**32 - 1) if bound <= word < 2**32] + [bound - 1])
        assert draw([*map(str, range(cards))], words) == str(cards - 1)


def test_a_key_that_was_known_before_is_refused() -> None:
    """Commitments name their round, so that one key committed to twice would fit both."""
    honest = dealt_shoe(MANILA, 14, rounds=2)
    keys = [seeded_keys(14, 1)[0]] * KEYS
    committed = tuple(hashed("pb1/key", "salon-14", place, key) for place, key in enumerate(keys))
    terms = honest.opened.terms
    anchor = hashed("pb1/anchor", terms.shoe, terms.rules_digest, terms.decks, 14, terms.previous, *committed)
    opened = OpenedShoe(terms, committed, anchor)
    assert open_shoe(terms, seeded_keys(14, 1)).anchor != anchor
    state = hashed("pb1/round", terms.shoe, 0, anchor, bytes(32))
    burn: dict[str, Any] = {"round": 0, "number": None, "nonces": [], "key": keys[0].hex(), "drawn": []}
    burn["state"] = state.hex()
    state = hashed("pb1/round", terms.shoe, 1, anchor, state)
    again = burn | {"round": 1, "number": 1, "state": state.hex(), "deal": "P | B", "void": "4.2: void"}
    values = Transcript(opened, ()).as_json() | {"burn": "off", "rounds": [burn, again]}
    assert refused(values) == "Round 1: the key is not the one committed to, or one that was known before."
    verify(json.dumps(values | {"rounds": [burn], "seal": seal_of(values | {"rounds": [burn]})}).encode())
