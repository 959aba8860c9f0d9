"""Whole shoes dealt from committed keys, with every kind of round, for tests and benches."""

import random
from collections.abc import Callable

from puntobanco.cards import Card, Deal
from puntobanco.dealing import BurnAndCut
from puntobanco.fairness import (
    NO_STATE,
    Drawing,
    FinishedRound,
    Nonce,
    OpenedShoe,
    ShoeTerms,
    Signer,
    Transcript,
    nonce_commitment,
    open_shoe,
    round_state,
    seeded_keys,
    seeded_nonce,
)
from puntobanco.rules.game import Game
from puntobanco.tableau import Hand

StateOf = Callable[[OpenedShoe, int, bytes, tuple[Nonce, ...]], bytes]


def dealt_shoe(
    game: Game,
    seed: int,
    *,
    decks: int | None = None,
    burn_and_cut: BurnAndCut | None = None,
    previous: bytes = NO_STATE,
    rounds: int | None = None,
    signer: Signer | None = None,
    over: bool = True,
    keys: tuple[bytes, ...] | None = None,
    drawing_of: Callable[[OpenedShoe], Drawing] = Drawing,
    state_of: StateOf = round_state,
) -> Transcript:
    """A shoe dealt to its cut card, or so many rounds of it; nonces, voids and names follow from the seed."""
    chance = random.Random(seed)
    burn_and_cut = burn_and_cut or BurnAndCut()
    terms = ShoeTerms.of(
        game,
        table="Salon Privé",
        shoe=f"salon-{seed}",
        decks=decks or game.decks.default,
        burn_and_cut=burn_and_cut,
        previous=previous,
    )
    keys = keys or seeded_keys(seed, 1)
    opened = open_shoe(terms, keys, signer)
    drawing = drawing_of(opened)
    state = state_of(opened, 0, NO_STATE, ())
    drawing.begin(0, keys[0], state)
    burned: list[Card] = []
    if burn_and_cut.burns:
        burned.append(drawing.draw())
        burned += [drawing.draw() for _ in range(burn_and_cut.burned_after(burned[0]))]
    finished = [FinishedRound(0, None, (), state, keys[0], tuple(burned))]
    while drawing.cards_left > max(burn_and_cut.cut_depth, 5) and len(finished) - 1 != rounds:
        place = len(finished)
        # One round in sixteen is void, and half of those before the close, when nobody was asked for a nonce.
        void = chance.choice(["5.5: a card was exposed", "4.2: betting was not closed"] + [None] * 30)
        nonces = () if void and void.startswith("4.2") else tuple(_nonces(terms.shoe, place, seed, chance))
        state = state_of(opened, place, state, nonces)
        drawing.begin(place, keys[place], state)
        drawn, deal = _dealt(game, drawing, (0 if not nonces else chance.randrange(5)) if void else 6)
        number = 400 + 2 * place
        finished.append(FinishedRound(place, number, nonces, state, keys[place], drawn, deal, void))
    unused = {place: keys[place] for place in range(len(finished), len(keys))}
    return Transcript(opened, tuple(finished), unused if over else None)


def _nonces(shoe: str, place: int, seed: int, chance: random.Random) -> list[Nonce]:
    found = []
    for patron in ("ida", "Åsa 陈", 'o"neill')[: chance.randrange(4)]:
        nonce = seeded_nonce(seed + 1, ord(patron[0]), place)
        committed = nonce_commitment(shoe, place, patron, nonce)
        found.append(Nonce(patron, committed, None if chance.random() < 0.2 else nonce))
    return found


def _dealt(game: Game, drawing: Drawing, most: int) -> tuple[tuple[Card, ...], Deal]:
    """At most so many cards, to the hands that the table of play names."""
    deal, drawn = Deal(), list[Card]()
    while len(drawn) < most and (hand := game.tableau.due(deal).hand) is not None:
        card = drawing.draw()
        drawn.append(card)
        if hand is Hand.PLAYER:
            deal = Deal((*deal.player, card), deal.banker)
        else:
            deal = Deal(deal.player, (*deal.banker, card))
    return tuple(drawn), deal
