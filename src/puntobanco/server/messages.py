"""All that the service tells of tables, declared once: what a socket sends, and what routes say of the same things.

The description of the API is made from these declarations, and browsers take their types from it. What is sent is made
in `views` and `live_table` without going through them, because it is sent to thousands; a test holds every message
that is really sent against its declaration, both ways.
"""

from typing import Annotated, Literal, TypeAlias

from puntobanco.extras import optional_package

with optional_package("msgspec", "Messages are read"):
    from msgspec import UNSET, Meta, Struct, UnsetType

Time = Annotated[int, Meta(description="Milliseconds since 1970, by the server's clock.")]
Version = Annotated[int, Meta(ge=0, description="Of the table: the number of its last event.")]
Money = Annotated[int, Meta(description="A whole number of the smallest unit.")]
HandName = Literal["player", "banker"]
WinnerName = Literal["player", "banker", "tie"]
PhaseName = Literal["closed", "burn due", "ready", "betting", "dealing", "complete", "announced"]
Letters = Annotated[str, Meta(pattern="^[BPT]*$", description="The results of the shoe so far, oldest first.")]


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a message, with these fields and no other."""


# What messages are made of.


class SpotLimits(Said, frozen=True):
    minimum: Money
    maximum: Money
    step: Money


class Spot(Said, frozen=True):
    """What all patrons together have on a wager."""

    stake: Money
    patrons: int


class Hands(Said, frozen=True):
    """The cards that lie on the table, and what they come to."""

    player: list[str]
    banker: list[str]
    player_total: int
    banker_total: int


class DrawReason(Said, frozen=True):
    """Why a hand draws or stands."""

    sentence: str
    clause: str


class Committed(Said, frozen=True):
    """What is public of the committed shoe in play: what a patron's nonce is made for."""

    shoe: str
    anchor: str
    signature: str | None
    public_key: str | None
    round_in_shoe: int


class PaymentTold(Said, frozen=True, omit_defaults=True):
    """A line that paid; a rounded one says from what, and by which ruling."""

    line: str
    clause: str
    amount: Money
    rounded_from: str | UnsetType = UNSET
    rounded_by: str | UnsetType = UNSET


class WagerSettled(Said, frozen=True):
    """What became of a wager; `net` is what was gained beyond the stake."""

    stake: Money
    net: Money
    pays: list[PaymentTold]


class RoundResult(Said, frozen=True):
    """A finished deal as the roads and a page show it."""

    winner: WinnerName
    player_total: int
    banker_total: int
    player_pair: bool
    banker_pair: bool
    lines: Annotated[dict[str, str], Meta(description="By wager, the line that pays; pushes and losses are left out.")]


class RoundOfShoe(Said, frozen=True):
    """A finished round of a shoe; a void one has no result and is on no road."""

    number: int
    round_in_shoe: int
    deal: str
    result: RoundResult | None
    void: bool
    corrected: bool


class ShoeRounds(Said, frozen=True):
    """The finished rounds of a shoe, oldest first."""

    table: str
    shoe: int
    rounds: list[RoundOfShoe]


class TableStands(Said, frozen=True):
    """A table but for its name and its clock."""

    game: str
    dealing: Literal["virtual", "dealer"]
    decks: int
    phase: PhaseName
    paused: Annotated[str | None, Meta(description="Why it waits.")]
    shoe: int
    round: int
    currency: str
    limits: dict[str, SpotLimits]
    patron_limit: Annotated[Money | None, Meta(description="The most of one patron on a round.")]
    table_limit: Annotated[Money | None, Meta(description="The most of all patrons on a round.")]
    house_limit: Annotated[Money | None, Meta(description="The most that a round may cost the house.")]
    rules_digest: str
    results: Letters


class Step(Said, frozen=True, omit_defaults=True):
    """What staff may do now: `do` is the message, the rest what goes with it."""

    do: str
    hand: Annotated[HandName, Meta(description="That gets the next card.")] | UnsetType = UNSET
    burned_after: Annotated[dict[str, int], Meta(description="By the rank of the first card.")] | UnsetType = UNSET
    says: Annotated[str, Meta(description="What the dealer announces.")] | UnsetType = UNSET


class TableListed(TableStands, frozen=True):
    """A table in a list of tables."""

    id: str
    name: str
    closes_at: Annotated[int | None, Meta(description="When betting closes; null where nobody knows.")]
    patrons: int
    watching: int
    trouble: Annotated[str | None, Meta(description="Why it has stopped.")]


class TableList(Said, frozen=True):
    tables: list[TableListed]
    time: Time


class TableShown(TableListed, frozen=True, omit_defaults=True):
    """All that a viewer may see of a table; what is one's own comes with a session."""

    spots: dict[str, Spot]
    deal: Hands
    due: HandName | None
    cards_left: int
    rounds_left: Annotated[int | None, Meta(description="Of the shoe, once the cut card has appeared.")]
    committed: Committed | None
    stakes: dict[str, Money] | UnsetType = UNSET
    balance: Money | UnsetType | None = UNSET
    you: str | UnsetType = UNSET
    next: Annotated[list[Step], Meta(description="For staff where a dealer deals.")] | UnsetType = UNSET


# Events: `type` is always `event`.


class Event(Said, frozen=True, tag_field="event", kw_only=True, omit_defaults=True):
    type: Literal["event"]
    version: Version
    time: Time
    next: Annotated[list[Step], Meta(description="For staff where a dealer deals.")] | UnsetType = UNSET


class ShoeOpenedTold(Event, frozen=True, tag="shoe-opened"):
    """A new shoe, and how many cards it has."""

    shoe: int
    cards: int


class ShoeCommittedTold(Event, frozen=True, tag="shoe-committed"):
    """What a virtual table's shoe is committed to."""

    committed: Committed


class CardsBurnedTold(Event, frozen=True, tag="cards-burned"):
    """The first cards left the shoe."""

    shown: list[str]
    face_down: int


class BettingOpenedTold(Event, frozen=True, tag="betting-opened"):
    """Place your bets, please."""

    round: int
    rules_digest: str
    round_in_shoe: int | None
    shoe_id: str | None
    closes_at: int | None


class BettingClosedTold(Event, frozen=True, tag="betting-closed"):
    """No more bets."""

    round: int
    spots: dict[str, Spot]
    due: HandName | None


class RoundSealedTold(Event, frozen=True, tag="round-sealed"):
    """The nonces of a round are mixed in: its cards are fixed."""

    round_in_shoe: int
    state: str


class CardMoved(Event, frozen=True, kw_only=True):
    round: int
    hand: HandName
    card: str
    deal: Hands
    why: list[DrawReason]
    due: HandName | None


class CardDealtTold(CardMoved, frozen=True, tag="card-dealt"):
    """A card, the hands with it, and why the next is drawn or the hands stand."""


class CardTakenBackTold(CardMoved, frozen=True, tag="card-taken-back"):
    """The last card was keyed wrongly."""


class CutCardAppearedTold(Event, frozen=True, tag="cut-card-appeared"):
    """So many rounds follow in this shoe."""

    rounds_left: int | None


class ResultAnnouncedTold(Event, frozen=True, tag="result-announced"):
    """The dealer has confirmed the result."""

    round: int
    winner: WinnerName
    player_total: int
    banker_total: int
    result: RoundResult


class AnnouncementWithdrawnTold(Event, frozen=True, tag="announcement-withdrawn"):
    """The result was announced wrongly."""

    round: int
    note: str


class RoundOver(Event, frozen=True, kw_only=True, omit_defaults=True):
    """With what is one's own, for whoever it concerns."""

    round: int
    results: Letters
    wagers: dict[str, WagerSettled] | UnsetType = UNSET
    net: Money | UnsetType = UNSET
    moved: Annotated[Money, Meta(description="What came back or was taken.")] | UnsetType = UNSET
    balance: Annotated[Money, Meta(description="May be left out for who was away; `own` follows.")] | UnsetType = UNSET


class RoundSettledTold(RoundOver, frozen=True, tag="round-settled"):
    """Losing wagers were collected and winning ones paid."""

    deal: str
    result: RoundResult


class RoundVoidedTold(RoundOver, frozen=True, tag="round-voided"):
    """The round does not count, and stakes came back."""

    irregularity: str
    clause: str
    note: str


class RoundCorrectedTold(RoundOver, frozen=True, tag="round-corrected"):
    """The cards were others; what was paid is put right."""

    clause: str
    before: str
    deal: str
    note: str
    result: RoundResult | None


class CardsSetAsideTold(Event, frozen=True, tag="cards-set-aside"):
    """Cards left the shoe and belong to no hand."""

    cards: list[str]
    note: str


class CountCorrectedTold(Event, frozen=True, tag="count-corrected"):
    """An earlier card was keyed wrongly."""

    round: int | None
    keyed: str
    drawn: str | None
    note: str


class SettingsChangedTold(Event, frozen=True, tag="settings-changed"):
    """The table is another from here on."""

    table: TableStands


class TablePausedTold(Event, frozen=True, tag="table-paused"):
    """The table waits, and why."""

    reason: str


class TableResumedTold(Event, frozen=True, tag="table-resumed"):
    """The round goes on where it was."""

    closes_at: int | None


class KeyPublishedTold(Event, frozen=True, tag="key-published"):
    """The key of a round that is over: anybody can deal it again."""

    round_in_shoe: int
    key: str


class ShoeRevealedTold(Event, frozen=True, tag="shoe-revealed"):
    """All keys of a shoe are public, and its transcript can be verified."""

    final: str


class ShoeEndedTold(Event, frozen=True, tag="shoe-ended"):
    """No further round is dealt from this shoe."""

    note: str


class StakesChangedTold(Event, frozen=True, tag="stakes-changed"):
    """What all patrons together have staked, gathered a few times a second."""

    round: int
    spots: dict[str, Spot]


EventTold: TypeAlias = (
    ShoeOpenedTold
    | ShoeCommittedTold
    | CardsBurnedTold
    | BettingOpenedTold
    | BettingClosedTold
    | RoundSealedTold
    | CardDealtTold
    | CardTakenBackTold
    | CutCardAppearedTold
    | ResultAnnouncedTold
    | AnnouncementWithdrawnTold
    | RoundSettledTold
    | RoundVoidedTold
    | RoundCorrectedTold
    | CardsSetAsideTold
    | CountCorrectedTold
    | SettingsChangedTold
    | TablePausedTold
    | TableResumedTold
    | KeyPublishedTold
    | ShoeRevealedTold
    | ShoeEndedTold
    | StakesChangedTold
)

# What else a socket sends.


class Message(Said, frozen=True, tag_field="type", kw_only=True):
    time: Time


class Snapshot(Message, frozen=True, tag="snapshot"):
    """The table as it stands, for whoever comes; with one's own stakes and balance where one is signed in."""

    version: Version
    build: Annotated[str, Meta(description="Of the service: a page of another is told to reload.")]
    table: TableShown


class Accepted(Message, frozen=True, tag="accepted", omit_defaults=True):
    """It is durable. Where it needs a second person, `waiting` says whether it waits for them still."""

    id: str
    version: Version
    stakes: dict[str, Money] | UnsetType = UNSET
    balance: Money | UnsetType = UNSET
    request: str | UnsetType = UNSET
    waiting: bool | UnsetType = UNSET


class NotDone(Message, frozen=True, tag="refused", omit_defaults=True):
    """It was not done, and why."""

    id: Annotated[str | None, Meta(description="Of the message that is answered, as far as it could be read.")]
    reason: Annotated[str, Meta(pattern="^[a-z0-9-]+$")]
    clause: str | None
    message: str
    closed_at: Annotated[int, Meta(description="Only of what came too late: when betting closed.")] | UnsetType = UNSET


class Own(Message, frozen=True, tag="own"):
    """One's own stakes and balance: changed from elsewhere, or after a resumption."""

    version: Version
    stakes: dict[str, Money]
    balance: Money


class TableStoppedTold(Message, frozen=True, tag="table-stopped"):
    """A fault has stopped the table; a snapshot comes when it goes on."""

    version: Version
    message: str


class TableClosedTold(Message, frozen=True, tag="table-closed"):
    """The table is closed, and so is the connection."""

    version: Version


class AccountAdjustedTold(Message, frozen=True, tag="account-adjusted"):
    """Two people have adjusted one's account for a round (ruling 22). It has no version: no table moved."""

    currency: str
    amount: Money
    round: Annotated[str, Meta(description="TABLE/NUMBER.")]
    reason: str
    balance: Money


class AboutRequest(Message, frozen=True):
    """Something that needs two people."""

    request: str
    do: Literal["void", "correct", "adjust", "issue", "return", "change", "rate"]
    table: str | None
    round: int | None
    patron: Annotated[str | None, Meta(description="Whose money it moves, at the desk.")]
    asked_by: str
    note: str
    names: Annotated[dict[str, str], Meta(description="By id, what the people in it are called.")]


class RequestMadeTold(AboutRequest, frozen=True, tag="request-made"):
    """For the staff at the table, and in the lobby for who may decide: something waits for a second person.

    It has no version: no table moved.
    """


class RequestDecidedTold(AboutRequest, frozen=True, tag="request-decided"):
    """For the same, and for whoever asked wherever they are: what became of it. It has no version."""

    state: Literal["approved", "declined", "withdrawn", "lapsed"]
    decided_by: str | None


class DisputeDecidedTold(Message, frozen=True, tag="dispute-decided"):
    """A dispute of one's own was decided. It has no version, and stands in /api/me until one has seen it."""

    dispute: str
    table: str
    round: int
    outcome: Literal["upheld", "rejected"]
    decision: str


class MoneyIssuedTold(Message, frozen=True, tag="money-issued"):
    """Somebody at the desk has given one money. It has no version: no table moved."""

    currency: str
    amount: Money
    reason: str
    balance: Money


class MoneyReturnedTold(Message, frozen=True, tag="money-returned"):
    """Somebody at the desk has taken money back. It has no version: no table moved."""

    currency: str
    amount: Money
    reason: str
    balance: Money


class MoneyChangedTold(Message, frozen=True, tag="money-changed"):
    """Somebody at the desk has changed one's money. It has no version: no table moved."""

    currency: str
    amount: Money
    received: Money
    takes: str
    balance: Money


OtherTold: TypeAlias = (
    Snapshot
    | Accepted
    | NotDone
    | Own
    | TableStoppedTold
    | TableClosedTold
    | AccountAdjustedTold
    | RequestMadeTold
    | RequestDecidedTold
    | DisputeDecidedTold
    | MoneyIssuedTold
    | MoneyReturnedTold
    | MoneyChangedTold
)

# What the socket of the lobby sends.


class TablesTold(Message, frozen=True, tag="tables"):
    """All tables, for whoever comes to the lobby."""

    build: str
    tables: list[TableListed]


class TablesChangedTold(Message, frozen=True, tag="tables-changed"):
    """The tables that have changed, at most once a second, and the ids of those that are closed."""

    tables: list[TableListed]
    gone: list[str]


class RequestsTold(Message, frozen=True, tag="requests"):
    """For staff: how many requests wait for a second person."""

    waiting: int


class BalanceTold(Message, frozen=True, tag="balance"):
    """What one has by now in a currency: staked, paid or moved at some table. What one has at first, /api/me says."""

    currency: str
    balance: Money


LobbyTold: TypeAlias = (
    TablesTold
    | TablesChangedTold
    | RequestsTold
    | BalanceTold
    | NotDone
    | AccountAdjustedTold
    | RequestMadeTold
    | RequestDecidedTold
    | DisputeDecidedTold
    | MoneyIssuedTold
    | MoneyReturnedTold
    | MoneyChangedTold
)

# Rules, shoes and irregularities, over HTTP.


class IrregularityTold(Said, frozen=True):
    """Why a round may be void, and what that would do now."""

    irregularity: str
    clause: str
    text: Annotated[str, Meta(description="What the clause says.")]
    round: int
    returns: Annotated[Money | None, Meta(description="What goes back to patrons; null for a round that is settled.")]
    possible: bool
    refusal: Annotated[str | None, Meta(description="Why it is not possible now.")]


class IrregularityList(Said, frozen=True):
    irregularities: list[IrregularityTold]


class DocumentTold(Said, frozen=True):
    publisher: str
    title: str
    version: str | None
    effective: str | None


class DecksTold(Said, frozen=True):
    minimum: int
    maximum: int
    default: int


class GameListed(Said, frozen=True, kw_only=True):
    """A game as a list of games shows it."""

    game: str
    name: str
    document: DocumentTold
    pack: str
    decks: DecksTold
    wagers: list[str]
    switches: Annotated[dict[str, list[str]], Meta(description="Where the document can be read in several ways.")]
    digest: str


class GameList(Said, frozen=True):
    games: list[GameListed]


class LineTold(Said, frozen=True, omit_defaults=True):
    """A line of a wager: a ratio such as `8:1` or `push`, or a fixed amount."""

    line: str
    clause: str
    when: str
    pays: str | UnsetType = UNSET
    amount: Money | UnsetType = UNSET


class WagerTold(Said, frozen=True):
    name: str
    clause: str
    lines: list[LineTold]
    bonuses: list[LineTold]


class TableauClauses(Said, frozen=True):
    """By which clause each step of a deal is taken."""

    initial_deal: str
    natural: str
    player_draws: str
    player_stood: str
    banker_draws: str
    winner: str
    tie: str


class TableauTold(Said, frozen=True):
    """Who draws, by totals: `0-4 6`."""

    name: str
    naturals: str
    player_draws: str
    banker_draws_when_player_stands: str
    banker_draws: Annotated[dict[str, str], Meta(description="By the Banker's total, on which third cards.")]
    clauses: TableauClauses


class RulingTold(Said, frozen=True):
    number: int
    title: str
    text: str
    reason: str


class RuleCard(Said, frozen=True):
    """The rules of a game under one reading."""

    game: str
    name: str
    document: DocumentTold
    pack: str
    decks: DecksTold
    switches: dict[str, list[str]]
    digest: str
    reading: dict[str, str]
    card_values: dict[str, int]
    tableau: TableauTold
    layout: list[list[str | None]]
    wagers: dict[str, WagerTold]
    rulings: list[RulingTold]


class TableRules(Said, frozen=True):
    """The rules of a table: its reading and bonuses are those of the card."""

    table: str
    card: RuleCard
    currency: str
    limits: dict[str, SpotLimits]
    patron_limit: Money | None
    table_limit: Money | None
    house_limit: Money | None


class NonceTold(Said, frozen=True):
    patron: str
    commitment: str
    nonce: str | None


class RoundDrawn(Said, frozen=True, omit_defaults=True):
    """A round of a committed shoe; round 0 is the burn."""

    round: int
    number: int | None
    nonces: list[NonceTold]
    state: str
    key: str
    drawn: list[str]
    deal: str | UnsetType = UNSET
    void: str | UnsetType | None = UNSET


class Transcript(Said, frozen=True, omit_defaults=True):
    """A committed shoe as far as it may be known; what `verify` reads once it has ended."""

    scheme: str
    table: str
    shoe: str
    game: str
    reading: dict[str, str]
    rules_digest: str
    decks: int
    cut_depth: int
    burn: str
    cards: list[str]
    previous: str
    commitments: list[str]
    anchor: str
    signature: str | None
    public_key: str | None
    rounds: list[RoundDrawn]
    unused_keys: dict[str, str]
    seal: str
    seal_signature: str | UnsetType = UNSET
    final: str | UnsetType = UNSET


class WordList(Said, frozen=True):
    """By the English text, its translation; `{0}` is what is put in, `{0:money}` an amount of money."""

    language: str
    words: dict[str, str]


ANSWERS = (TableListed, TableList, GameList, RuleCard, TableRules, ShoeRounds, Transcript, IrregularityList, WordList)
"""What routes answer, beside what a socket sends."""
