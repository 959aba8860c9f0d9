"""The tables and the money of a house as a patron with paper and pencil would keep them: a model for the service.

It shares nothing with the product. What a deal pays, and who draws, is reckoned by the reference that was written from
the rule documents; the rest is in the rulings and in the contract. A virtual table is led by its clock, so its public
events move the model, which asks of each whether it may happen and whether it is in time; at a table with a dealer the
model says which events a command has.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from reference.settlement import POINTS, draw_rule, lawful, point_total, settle

Json = dict[str, Any]
Slip = dict[str, int]
IN_ROUND = frozenset({"betting", "dealing", "complete", "announced"})
CARDS_FOR_A_ROUND = 6


@dataclass
class Purses:
    """How everybody stands, by patron and unit: above zero it is what they have, below what they owe (ruling 21)."""

    stands: Counter[tuple[str, str]] = field(default_factory=Counter)

    def has(self, patron: str, unit: str) -> int:
        return max(0, self.stands[patron, unit])

    def owes(self, patron: str, unit: str) -> int:
        return max(0, -self.stands[patron, unit])


@dataclass
class Nonce:
    commitment: str
    nonce: str
    is_revealed: bool = False


@dataclass
class Finished:
    """The last round, for as long as it can be put right."""

    slips: dict[str, Slip]
    paid: Counter[str]
    player: list[str]
    banker: list[str]
    is_void: bool = False


@dataclass(frozen=True)
class Spots:
    """What one may stake."""

    wagers: tuple[str, ...]
    minimum: int
    maximum: int
    step: int


def due_hand(player: list[str], banker: list[str]) -> str | None:
    """Which hand gets the next card, by the table of play."""
    if len(player) < 2 or len(banker) < 2:
        return "player" if len(player) == len(banker) else "banker"
    first, second = point_total(player[:2]), point_total(banker[:2])
    if len(player) == 2:
        player_draws, banker_draws = draw_rule(first, second, 0)
        if player_draws:
            return "player"
        return "banker" if banker_draws and len(banker) == 2 else None
    _, banker_draws = draw_rule(first, second, POINTS[player[2]])
    return "banker" if banker_draws and len(banker) == 2 else None


@dataclass
class Felt:
    """One table."""

    game: str
    unit: str
    spots: Spots
    pack: list[str]
    decks: int
    cut_depth: int
    is_virtual: bool
    betting: int
    """How long betting is open at a virtual table."""
    purses: Purses

    phase: str = "closed"
    paused: str = ""
    shoe: int = 0
    round: int = 0
    round_in_shoe: int = 0
    slips: dict[str, Slip] = field(default_factory=lambda: defaultdict(dict))
    player: list[str] = field(default_factory=list)
    banker: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    cards: int = 0
    rounds_left: int | None = None
    can_undo: str | None = None
    """The hand whose last card can be taken back."""
    results: str = ""
    last: Finished | None = None
    last_of_this_shoe: bool = False
    nonces: dict[str, Nonce] = field(default_factory=dict)
    is_sealed: bool = False
    all_nonces: dict[tuple[int, int], dict[str, Nonce]] = field(default_factory=dict)
    """Of every round that was sealed, by shoe and place in it."""
    closes_at: int | None = None
    left: int | None = None
    house: int = 0
    told: dict[str, Json] = field(default_factory=dict)
    """What each patron is told of the last event that moved their money."""

    # What patrons ask.

    def takes_stakes(self, patron: str, wanted: Slip, is_whole: bool, round_number: int | None) -> bool:
        """Whether the change is accepted; then it is made."""
        now = self.slips.get(patron, {})
        if is_whole:
            wanted = {**dict.fromkeys(now, 0), **{wager: stake for wager, stake in wanted.items() if stake}}
        changed = {wager: stake for wager, stake in wanted.items() if stake != now.get(wager, 0)}
        more = sum(stake - now.get(wager, 0) for wager, stake in changed.items())
        raises = any(stake > now.get(wager, 0) for wager, stake in changed.items())
        if not changed or self.phase != "betting" or self.paused or round_number not in (None, self.round):
            return False
        spots = self.spots
        for wager, stake in changed.items():
            fits = spots.minimum <= stake <= spots.maximum and stake % spots.step == 0
            if wager not in spots.wagers or (stake and not fits):
                return False
        # What is taken off the felt settles first what is owed; nobody stakes what they then have not.
        if raises and more > self.purses.stands[patron, self.unit]:
            return False
        self.purses.stands[patron, self.unit] -= more
        self.slips[patron] = {wager: stake for wager, stake in {**now, **changed}.items() if stake}
        if not self.slips[patron]:
            del self.slips[patron]
        return True

    def takes_commitment(self, patron: str, nonce: Nonce) -> bool:
        if not self.is_virtual or self.phase != "betting" or patron in self.nonces:
            return False
        self.nonces[patron] = nonce
        return True

    def takes_nonce(self, patron: str, nonce: str) -> bool:
        known = self.nonces.get(patron)
        if self.phase != "dealing" or self.is_sealed or known is None or known.is_revealed or known.nonce != nonce:
            return False
        known.is_revealed = True
        return True

    # What a dealer does at a table with a shoe of cards; the events that it has, or None where it is refused.

    def keys(self, command: Json) -> list[Json] | None:
        done: Any = getattr(self, f"_{command['do'].replace('-', '_')}")(command)
        return [done] if isinstance(done, dict) else done

    def _open_shoe(self, command: Json) -> Json | None:
        is_over = self.rounds_left == 0 or self.cards < CARDS_FOR_A_ROUND
        if self.paused or not (self.phase == "closed" or (self.phase == "ready" and is_over)):
            return None
        return {"event": "shoe-opened", "shoe": self.shoe + 1, "cards": self.decks * len(self.pack)}

    def _burn(self, command: Json) -> Json | None:
        shown = command.get("shown", [])
        if self.paused or self.phase != "burn due" or not shown:
            return None
        burned = len(shown) - 1 + command.get("face_down", 0)
        if burned != (POINTS[shown[0]] or 10):
            return None
        return {"event": "cards-burned", "shown": shown, "face_down": command.get("face_down", 0)}

    def _open_betting(self, command: Json) -> Json | None:
        if self.paused or self.phase != "ready" or self.rounds_left == 0 or self.cards < CARDS_FOR_A_ROUND:
            return None
        return {"event": "betting-opened", "round": self.round + 1}

    def _close_betting(self, command: Json) -> Json | None:
        if self.paused or self.phase != "betting":
            return None
        return {"event": "betting-closed", "round": self.round, "spots": self.totals(), "due": "player"}

    def _deal(self, command: Json) -> list[Json] | None:
        due = due_hand(self.player, self.banker) if self.phase == "dealing" else None
        hand, card = command.get("hand", due), command["card"]
        if self.paused or due is None or hand != due or card not in self.pack or self.seen[card] >= self.decks:
            return None
        hands = {"player": [*self.player], "banker": [*self.banker]}
        hands[hand].append(card)
        due_then = due_hand(hands["player"], hands["banker"])
        found = [{"event": "card-dealt", "round": self.round, "hand": hand, "card": card, "due": due_then}]
        if self.rounds_left is None and self.cards - 1 <= self.cut_depth:
            found.append({"event": "cut-card-appeared", "rounds_left": 2})
        return found

    def _undo_card(self, command: Json) -> Json | None:
        if self.phase not in IN_ROUND or self.can_undo is None:
            return None
        hand = self.can_undo
        card = (self.player if hand == "player" else self.banker)[-1]
        return {"event": "card-taken-back", "round": self.round, "hand": hand, "card": card, "due": hand}

    def _announce(self, command: Json) -> Json | None:
        if self.paused or self.phase != "complete":
            return None
        totals = {"player_total": point_total(self.player), "banker_total": point_total(self.banker)}
        winner = winner_of(self.player, self.banker)
        return {"event": "result-announced", "round": self.round, "winner": winner, **totals}

    def _settle(self, command: Json) -> Json | None:
        if self.paused or self.phase != "announced":
            return None
        deal = f"P {' '.join(self.player)} | B {' '.join(self.banker)}"
        return {"event": "round-settled", "round": self.round, "deal": deal}

    def _pause(self, command: Json) -> Json | None:
        return None if self.paused else {"event": "table-paused", "reason": command["reason"]}

    def _resume(self, command: Json) -> Json | None:
        return {"event": "table-resumed"} if self.paused else None

    def _end_shoe(self, command: Json) -> Json | None:
        allowed = ("ready",) if self.is_virtual else ("ready", "burn due")
        return {"event": "shoe-ended"} if self.phase in allowed else None

    def can_void(self, irregularity: str) -> bool:
        if self.phase in IN_ROUND:
            about_cards = ("wrong-number-of-cards", "simultaneous-cards")
            return not (self.phase == "betting" and irregularity in about_cards)
        return self.last is not None and not self.last.is_void and irregularity == "wrong-number-of-cards"

    def can_correct(self, player: list[str], banker: list[str]) -> bool:
        """Of a finished round only: that is where money has moved."""
        last = self.last
        if self.is_virtual or self.phase in IN_ROUND or last is None or last.is_void or not lawful(player, banker):
            return False
        if (player, banker) == (last.player, last.banker) or not self.last_of_this_shoe:
            return False
        more = Counter([*player, *banker]) - Counter([*last.player, *last.banker])
        return all(self.seen[card] + count <= self.decks for card, count in more.items())

    # What happens.

    def totals(self) -> Json:
        found: dict[str, Json] = {}
        for slip in self.slips.values():
            for wager, stake in slip.items():
                spot = found.setdefault(wager, {"stake": 0, "patrons": 0})
                spot["stake"] += stake
                spot["patrons"] += 1
        return found

    def happens(self, event: Json, time: int) -> None:
        """Everybody was told this, or will be."""
        self.told = {}
        work: Any = getattr(self, f"_after_{event['event'].replace('-', '_')}", None)
        assert work is not None, f"nobody knows the event {event['event']}"
        work(event, time)

    def _after_shoe_opened(self, event: Json, time: int) -> None:
        is_over = self.rounds_left == 0 or self.cards < CARDS_FOR_A_ROUND
        assert self.phase == "closed" or (self.phase == "ready" and is_over)
        assert (event["shoe"], event["cards"]) == (self.shoe + 1, self.decks * len(self.pack))
        self.phase, self.shoe, self.cards, self.rounds_left = "burn due", self.shoe + 1, event["cards"], None
        self.seen, self.results, self.round_in_shoe, self.last_of_this_shoe = Counter(), "", 0, False

    def _after_shoe_committed(self, event: Json, time: int) -> None:
        assert self.is_virtual
        assert self.phase == "burn due"
        assert event["committed"]["shoe"].endswith(f"/{self.shoe}")

    def _after_cards_burned(self, event: Json, time: int) -> None:
        assert self.phase == "burn due"
        shown = event["shown"]
        assert len(shown) - 1 + event["face_down"] == (POINTS[shown[0]] or 10)
        self._out(shown)
        self.cards -= event["face_down"]
        self.phase = "ready"

    def _out(self, cards: list[str]) -> None:
        self.seen.update(cards)
        assert all(self.seen[card] <= self.decks for card in cards)
        self.cards -= len(cards)

    def _after_betting_opened(self, event: Json, time: int) -> None:
        assert self.phase == "ready"
        assert self.rounds_left != 0
        assert not self.paused
        assert event["round"] == self.round + 1
        self.phase, self.round, self.last = "betting", self.round + 1, None
        self.round_in_shoe += 1
        self.nonces, self.is_sealed = {}, False
        if self.is_virtual:
            self.closes_at = time + self.betting
            assert event["closes_at"] == self.closes_at

    def _after_betting_closed(self, event: Json, time: int) -> None:
        assert self.phase == "betting"
        assert not self.paused
        assert event["spots"] == self.totals()
        assert not self.is_virtual or time == self.closes_at, "betting closes when it was said to"
        self.phase, self.closes_at = "dealing", None

    def _after_round_sealed(self, event: Json, time: int) -> None:
        assert self.is_virtual
        if event["round_in_shoe"]:
            self.is_sealed = True
            self.all_nonces[self.shoe, event["round_in_shoe"]] = self.nonces if self.phase == "dealing" else {}

    def _after_card_dealt(self, event: Json, time: int) -> None:
        assert self.phase == "dealing"
        assert not self.paused
        assert not self.is_virtual or self.is_sealed, "no card before the round is sealed"
        assert event["hand"] == due_hand(self.player, self.banker), "the hand that is due gets the card"
        self._hand(event["hand"]).append(event["card"])
        self._out([event["card"]])
        self.can_undo = event["hand"]
        due = due_hand(self.player, self.banker)
        assert event.get("due", due) == due
        self.phase = "dealing" if due else "complete"

    def _hand(self, hand: str) -> list[str]:
        return self.player if hand == "player" else self.banker

    def _after_card_taken_back(self, event: Json, time: int) -> None:
        card = self._hand(event["hand"]).pop()
        assert card == event["card"]
        self.seen[card] -= 1
        self.cards += 1
        self.phase, self.can_undo = "dealing", None
        self._cut_card_may_be_in_again()

    def _cut_card_may_be_in_again(self) -> None:
        if self.rounds_left and self.cards > self.cut_depth:
            self.rounds_left = None

    def _after_cut_card_appeared(self, event: Json, time: int) -> None:
        assert self.cards <= self.cut_depth
        self.rounds_left = 2 if self.phase in IN_ROUND else 1
        assert event["rounds_left"] == self.rounds_left

    def _after_result_announced(self, event: Json, time: int) -> None:
        assert self.phase == "complete"
        assert event["winner"] == winner_of(self.player, self.banker)
        self.phase, self.can_undo = "announced", None

    def _after_round_settled(self, event: Json, time: int) -> None:
        assert self.phase == "announced"
        assert event["round"] == self.round
        assert event["deal"] == f"P {' '.join(self.player)} | B {' '.join(self.banker)}"
        paid = Counter[str]()
        for patron, slip in self.slips.items():
            nets = {wager: each[0] for wager, each in settle(self.game, self.player, self.banker, slip).items()}
            staked, back = sum(slip.values()), sum(slip[wager] + net for wager, net in nets.items())
            paid[patron] = back
            self.purses.stands[patron, self.unit] += back
            self.house += staked - back
            self.told[patron] = {"net": back - staked, "wagers": nets, "balance": self.purses.has(patron, self.unit)}
        self._over(paid, is_void=False)
        self.results += {"player": "P", "banker": "B", "tie": "T"}[event_winner(self.last)]

    def _over(self, paid: Counter[str], *, is_void: bool) -> None:
        self.last = Finished(dict(self.slips), paid, self.player, self.banker, is_void)
        self.last_of_this_shoe = True
        self.slips, self.player, self.banker = defaultdict(dict), [], []
        self.phase, self.can_undo, self.closes_at, self.left = "ready", None, None, None
        if self.rounds_left is not None:
            self.rounds_left -= 1

    def _after_round_voided(self, event: Json, time: int) -> None:
        assert event["round"] == self.round
        if self.phase in IN_ROUND:
            for patron, slip in self.slips.items():
                self.purses.stands[patron, self.unit] += sum(slip.values())
                self.told[patron] = {"moved": sum(slip.values()), "balance": self.purses.has(patron, self.unit)}
            self._over(Counter(), is_void=True)
            return
        assert self.last is not None
        assert not self.last.is_void
        self._make_good(Counter({patron: sum(slip.values()) for patron, slip in self.last.slips.items()}))
        self.last.is_void = True
        if self.last_of_this_shoe:
            self.results = self.results[:-1]

    def _after_round_corrected(self, event: Json, time: int) -> None:
        assert self.last is not None
        player, banker = hands_in(event["deal"])
        assert hands_in(event["before"]) == (self.last.player, self.last.banker)
        self.cards += len(self.last.player) + len(self.last.banker)
        self.seen.subtract([*self.last.player, *self.last.banker])
        self._out([*player, *banker])
        self._cut_card_may_be_in_again()
        self.last.player, self.last.banker = player, banker
        back, nets = Counter[str](), dict[str, dict[str, int]]()
        for patron, slip in self.last.slips.items():
            nets[patron] = {wager: each[0] for wager, each in settle(self.game, player, banker, slip).items()}
            back[patron] = sum(slip.values()) + sum(nets[patron].values())
        self._make_good(back)
        for patron, each in nets.items():
            self.told[patron] |= {"wagers": each, "net": sum(each.values())}
        self.results = self.results[:-1] + {"player": "P", "banker": "B", "tie": "T"}[winner_of(player, banker)]

    def _make_good(self, back: Counter[str]) -> None:
        """The last round should have paid this."""
        assert self.last is not None
        for patron in self.last.slips:
            more = back[patron] - self.last.paid[patron]
            self.house -= more
            self.purses.stands[patron, self.unit] += more
            self.told[patron] = {"moved": more, "balance": self.purses.has(patron, self.unit)}
        self.last.paid = back

    def _after_table_paused(self, event: Json, time: int) -> None:
        assert not self.paused
        self.paused = event["reason"]
        if self.closes_at is not None:
            self.left, self.closes_at = max(0, self.closes_at - time), None

    def _after_table_resumed(self, event: Json, time: int) -> None:
        assert self.paused
        self.paused = ""
        if self.phase == "betting" and self.is_virtual:
            # After a new start whoever was cut off has the whole time again.
            self.closes_at, self.left = time + (self.betting if self.left is None else self.left), None
            assert event["closes_at"] == self.closes_at, "everybody knows when it closes now"

    def _after_key_published(self, event: Json, time: int) -> None:
        assert self.is_virtual
        assert event["round_in_shoe"] <= self.round_in_shoe
        assert event["round_in_shoe"] < self.round_in_shoe or self.phase not in IN_ROUND

    def _after_shoe_revealed(self, event: Json, time: int) -> None:
        assert self.is_virtual
        assert self.phase in ("closed", "ready")

    def _after_shoe_ended(self, event: Json, time: int) -> None:
        assert self.phase in ("ready", "burn due")
        self.phase, self.cards, self.last_of_this_shoe = "closed", 0, False
        self.results = ""

    def _after_stakes_changed(self, event: Json, time: int) -> None:
        pass

    def starts_again(self, time: int) -> None:
        """The process that led the table has ended, and another leads it now."""
        self.left = None
        if self.phase == "betting" and self.is_virtual and not self.paused:
            self.closes_at = time + self.betting


def winner_of(player: list[str], banker: list[str]) -> str:
    first, second = point_total(player), point_total(banker)
    return "player" if first > second else "banker" if second > first else "tie"


def event_winner(last: Finished | None) -> str:
    assert last is not None
    return winner_of(last.player, last.banker)


def hands_in(deal: str) -> tuple[list[str], list[str]]:
    player, banker = deal.split(" | ")
    return player.split()[1:], banker.split()[1:]
