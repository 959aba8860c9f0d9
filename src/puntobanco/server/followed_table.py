"""A table's events folded into rows for reading. Pure: what was read before goes in, rows to write come out.

Only what concerns whole rounds is looked at. Wagers, which are most events, are not even read: the settlement of a
round names all of them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from puntobanco.cards import read_deal
from puntobanco.extras import optional_package
from puntobanco.games import editions
from puntobanco.ledger.accounts import CHIPS
from puntobanco.rules.facts import read_facts
from puntobanco.rules.game import Game
from puntobanco.table.settings import Account

with optional_package("msgspec", "The record is read"):
    import msgspec

Row = dict[str, Any]
Paid = tuple[int, int, list[tuple[str, str, int, str | None]]]
"""Stake, net and payments of one wager, as the events have them."""
Slip = dict[str, Paid]
Slips = Mapping[str, "Slip | msgspec.Raw"]
"""By patron; of a settlement each is read when its turn comes, because a full table has thousands."""

KIND = re.compile(r'\{"event":"([a-z-]+)"')


class Message(msgspec.Struct):
    """What is read of the events; fields that nobody needs here are passed over."""


class Settings(msgspec.Struct):
    game: str
    digest: str
    reading: dict[str, str]
    bonuses: dict[str, int]
    decks: int
    account: Account
    currency: str


class SettingsSaid(Message):
    settings: Settings


class ShoeOpened(Message):
    shoe_number: int


class BettingOpened(Message):
    round_number: int
    rules_digest: str


class CardMoved(Message):
    hand: str
    card: str


class ResultAnnounced(Message):
    winner: str
    player_total: int
    banker_total: int


class Settled(Message):
    settlements: dict[str, msgspec.Raw]


class Voided(Message):
    irregularity: str
    clause: str
    note: str
    after_settlement: bool


class Corrected(Message):
    after: tuple[list[str], list[str]]
    settlements: dict[str, msgspec.Raw] | None


class Sealed(Message):
    round_in_shoe: int
    state: str


class KeyPublished(Message):
    round_in_shoe: int
    key: str


MESSAGES: Mapping[str, type[Message]] = {
    "table-opened": SettingsSaid,
    "settings-changed": SettingsSaid,
    "shoe-opened": ShoeOpened,
    "betting-opened": BettingOpened,
    "card-dealt": CardMoved,
    "card-taken-back": CardMoved,
    "result-announced": ResultAnnounced,
    "announcement-withdrawn": Message,
    "round-settled": Settled,
    "round-voided": Voided,
    "round-corrected": Corrected,
    "round-sealed": Sealed,
    "key-published": KeyPublished,
}
_SETTLEMENT = msgspec.json.Decoder(tuple[str, int, int, Slip])
_DECODERS = {kind: msgspec.json.Decoder(message) for kind, message in MESSAGES.items()}


def kind_of(body: str) -> str:
    found = KIND.match(body)
    return found[1] if found else ""


class Playing(msgspec.Struct):
    """The round in progress, or the last one, which may still be changed."""

    number: int
    shoe: int
    round_in_shoe: int
    first_version: int
    last_version: int
    opened: int
    rules_digest: str
    decks: int
    unit: str
    game: str
    player: list[str] = []
    banker: list[str] = []
    finished: int | None = None
    player_total: int | None = None
    banker_total: int | None = None
    winner: str | None = None
    void: dict[str, str] | None = None
    corrected: bool = False
    state: str | None = None
    key: str | None = None

    @property
    def deal(self) -> str:
        return " ".join(["P", *self.player, "|", "B", *self.banker])

    def row(self, stream: str) -> Row:
        values = {name: getattr(self, name) for name in self.__struct_fields__ if name not in _NOT_IN_ROWS}
        void = None if self.void is None else msgspec.json.encode(self.void).decode()
        return {**values, "stream": stream, "deal": self.deal, "void": void, "corrected": int(self.corrected)}


_NOT_IN_ROWS = ("player", "banker", "game")


class State(msgspec.Struct):
    """What must be known of a table to go on."""

    settings: Settings | None = None
    settings_version: int = 0
    shoe: int = 0
    rounds_in_shoe: int = 0
    playing: Playing | None = None


class Rows:
    """What a portion of a table's events comes to: rows to write, and rounds whose rows are replaced."""

    def __init__(self) -> None:
        self.rule_sets: dict[str, Row] = {}
        self.shoes: list[Row] = []
        self.rounds: dict[int, Row] = {}
        self.changes: list[Row] = []
        self.slips: dict[int, tuple[Row, Slips]] = {}
        """By round: its row, and what every patron staked and got back."""
        self.voids: dict[int, Row] = {}
        """Rounds that are void: whatever was staked went back, and is to be looked up."""


def folded(stream: str, state: State, events: "list[tuple[int, int, str]]", games: Sequence[Game]) -> Rows:
    """Fold events, each a version, a time and a body, into the state, which is changed, and give the rows."""
    rows = Rows()
    for version, time, body in events:
        decoder = _DECODERS.get(kind := kind_of(body))
        if decoder is not None:
            _fold(stream, state, rows, version, time, kind, decoder.decode(body), games)
    if state.playing is not None:
        rows.rounds[state.playing.number] = state.playing.row(stream)
    return rows


def _fold(
    stream: str, state: State, rows: Rows, version: int, time: int, kind: str, said: Any, games: Sequence[Game]
) -> None:
    playing = state.playing
    match said:
        case SettingsSaid(settings=settings):
            state.settings, state.settings_version = settings, version
            rows.rule_sets[settings.digest] = {
                "digest": settings.digest,
                "game": settings.game,
                "reading": msgspec.json.encode(settings.reading).decode(),
                "bonuses": msgspec.json.encode(settings.bonuses).decode(),
            }
        case ShoeOpened(shoe_number=number):
            state.shoe, state.rounds_in_shoe = number, 0
            rows.shoes.append(
                {
                    "stream": stream,
                    "number": number,
                    "first_version": version,
                    "opening": state.settings_version,
                    "rounds_before": 0 if playing is None else playing.number,
                }
            )
        case BettingOpened(round_number=number, rules_digest=digest):
            if playing is not None:
                rows.rounds[playing.number] = playing.row(stream)
            assert state.settings is not None, "the first event of a table carries its settings"
            settings = state.settings
            unit = settings.currency if settings.account is Account.CASH else CHIPS
            state.rounds_in_shoe += 1
            state.playing = Playing(
                number,
                state.shoe,
                state.rounds_in_shoe,
                version,
                version,
                time,
                digest,
                settings.decks,
                unit,
                settings.game,
            )
    if playing is None or kind == "betting-opened":
        return
    match said:
        case CardMoved(hand=hand, card=card):
            cards = playing.player if hand == "player" else playing.banker
            if kind == "card-dealt":
                cards.append(card)
            else:
                cards.pop()
        case ResultAnnounced(winner=winner, player_total=player_total, banker_total=banker_total):
            playing.winner, playing.player_total, playing.banker_total = winner, player_total, banker_total
        case Settled(settlements=settlements):
            playing.finished = time
            rows.slips[playing.number] = playing.row(stream), settlements
        case Voided(irregularity=irregularity, clause=clause, note=note, after_settlement=after_settlement):
            playing.last_version = version
            if not after_settlement:
                playing.finished = time
            playing.void = {"irregularity": irregularity, "clause": clause, "note": note}
            rows.slips.pop(playing.number, None)
            rows.voids[playing.number] = playing.row(stream)
            _change(stream, playing, rows, version, time, "void")
        case Corrected(after=(player, banker), settlements=settlements):
            playing.player, playing.banker, playing.corrected = player, banker, True
            playing.winner = playing.player_total = playing.banker_total = None
            if settlements is not None:
                # What nobody staked on names no winner: it is read from the cards.
                facts = read_facts(read_deal(editions(playing.game, games)[0].pack, playing.deal))
                playing.winner = facts.winner.value
                playing.player_total, playing.banker_total = facts.player_total, facts.banker_total
                rows.slips[playing.number] = playing.row(stream), settlements
            _change(stream, playing, rows, version, time, "correction")
        case Sealed(round_in_shoe=place, state=sealed) if place == playing.round_in_shoe and place:
            playing.state = sealed
        case KeyPublished(round_in_shoe=place, key=key) if place == playing.round_in_shoe and place:
            playing.key = key
        case _ if kind == "announcement-withdrawn":
            playing.winner = playing.player_total = playing.banker_total = None
        case _:
            return
    playing.last_version = version


def slip_of(slip: "Slip | msgspec.Raw") -> Slip:
    """What a patron staked and got back."""
    return _SETTLEMENT.decode(slip)[3] if isinstance(slip, msgspec.Raw) else slip


def _change(stream: str, playing: Playing, rows: Rows, version: int, time: int, kind: str) -> None:
    rows.changes.append(
        {
            "stream": stream,
            "version": version,
            "number": playing.number,
            "shoe": playing.shoe,
            "time": time,
            "kind": kind,
            "unit": playing.unit,
            "house": None,
            "body": None,
        }
    )


class StakeChanged(msgspec.Struct):
    patron: str
    wager: str
    after: int


_STAKE = msgspec.json.Decoder(StakeChanged)


def given_back(bodies: "list[str]") -> Slips:
    """What lay on the felt after these changes of stakes, all of it given back: a void round neither won nor lost."""
    slips: dict[str, Slip] = {}
    for body in bodies:
        said = _STAKE.decode(body)
        slip = slips.setdefault(said.patron, {})
        slip[said.wager] = (said.after, 0, [])
        if not said.after:
            del slip[said.wager]
    return {patron: slip for patron, slip in slips.items() if slip}
