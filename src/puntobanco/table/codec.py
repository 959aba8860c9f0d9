"""Commands, events and settings of a table as the text that programs store and exchange: JSON, typed and versioned.

    {"event":"card-dealt","v":1,"round_number":3,"hand":"player","card":"9f"}
    {"command":"place-wager","v":1,"round_number":3,"patron":"anna","wager":"tie","stake":1000,"currency":null}

What is written reads back equal, cards included. A card stands for itself where it is of the table's pack, and with
its pack (`52:4d`) where it is not. The fields are those of the values themselves; a kind, a field or a version that is
not known is refused, and a kind that has no form here is noticed when this module is loaded.

Version 1 is frozen: whatever was written in it is read for ever. What is to be done when a form changes all the same,
docs/record.md tells.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_type_hints

from puntobanco.cards import PACKS, Card, Deal, Pack, Shoe, shown
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.errors import InputError
from puntobanco.extras import optional_package
from puntobanco.games import GAMES, find_edition
from puntobanco.immutable import FrozenMap
from puntobanco.rules.facts import Winner
from puntobanco.rules.game import Game
from puntobanco.settle import Settlement
from puntobanco.table.commands import Command, Irregularity
from puntobanco.table.events import Event, SettingsChanged, TableOpened
from puntobanco.table.settings import Account, Dealing, Limits, RoundLimits, TableSettings
from puntobanco.tableau import Hand

with optional_package("msgspec", "The record of a table is written"):
    import msgspec

VERSION = 1

Value = TypeVar("Value")


class WireShoe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shoe: how often it has each card of its pack."""

    pack: str
    counts: dict[str, int]


class WireSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table's settings; the rules are named, and their digest tells whether they are still the same."""

    v: Literal[1]
    game: str
    digest: str
    reading: dict[str, str]
    bonuses: dict[str, int]
    """The fixed amounts, by the label of their lines."""
    decks: int
    limits: dict[str, tuple[int, int, int]]
    patron_limit: int | None
    table_limit: int | None
    house_limit: int | None
    account: Account
    currency: str
    burn: BurnRule
    cut_depth: int
    dealing: Dealing
    overrides: list[str]


class TextForm(NamedTuple):
    """How values of one type are written: the type on the wire, and the way there and back."""

    wire: Any
    write: Callable[["Codec", Any], Any]
    read: Callable[["Codec", Any], Any]
    is_plain: bool = False
    """Whether values are written as they are."""


def _as_it_is(wire: Any) -> TextForm:
    return TextForm(wire, lambda _, value: value, lambda _, value: value, is_plain=True)


def _optional(form: TextForm) -> TextForm:
    return TextForm(
        form.wire | None,
        lambda codec, value: None if value is None else form.write(codec, value),
        lambda codec, value: None if value is None else form.read(codec, value),
        form.is_plain,
    )


class Codec:
    """The text of one table's record: its cards are written as those of its pack."""

    def __init__(self, pack: Pack, games: Iterable[Game] = GAMES) -> None:
        self.pack = pack
        self.games = tuple(games)

    def follow(self, event: Event) -> None:
        """Go over to the pack of the table's new settings, if the event brings any."""
        if isinstance(event, TableOpened | SettingsChanged):
            self.pack = event.settings.game.pack

    def write_command(self, command: Command) -> bytes:
        """The command as a line of JSON."""
        return self.write_as(COMMANDS, command)

    def read_command(self, text: bytes | str) -> Command:
        """The inverse of `write_command`."""
        command: Command = self.read_as(COMMANDS, text)
        return command

    def write_event(self, event: Event) -> bytes:
        """The event as a line of JSON."""
        return self.write_as(EVENTS, event)

    def read_event(self, text: bytes | str) -> Event:
        """The inverse of `write_event`."""
        event: Event = self.read_as(EVENTS, text)
        return event

    def write_settings(self, settings: TableSettings) -> bytes:
        """The settings as a line of JSON."""
        if not isinstance(settings, TableSettings):
            raise InputError("unknown-settings", f"{shown(settings)} are not the settings of a table.")
        return msgspec.json.encode(self._wire_settings(settings))

    def read_settings(self, text: bytes | str) -> TableSettings:
        """The inverse of `write_settings`; refused where no edition of the game has the rules of its digest."""
        return _as_written("settings", self._settings(_decoded("settings", _SETTINGS, text)), text, self.write_settings)

    def write_as(self, kinds: "MessageKinds", value: object) -> bytes:
        """The text of a value of one of these kinds: of a table's, or of others that are written beside them."""
        kind = kinds.by_class.get(type(value))
        if kind is None:
            raise InputError(f"unknown-{kinds.name}", f"{shown(value)} is not a known {kinds.name}.")
        try:
            if kind.is_plain:
                wire = kind.wire(VERSION, *kind.values(value))
            else:
                wire = kind.wire(
                    VERSION, *[form.write(self, getattr(value, name)) for name, form in kind.forms.items()]
                )
            text = msgspec.json.encode(wire)
            # Events are the table's own; a command may hold anything, and must not become another one on the way.
            if kinds.name == "command" and not self._reads_back(kinds, kind, text, wire, value):
                raise InputError("unwritable-command", "This command has no text that would read back as it is.")
            return text
        except (TypeError, AttributeError, UnicodeError, OverflowError) as error:
            raise InputError(f"unwritable-{kinds.name}", f"This {kinds.name} has no text: {error}.") from None

    def read_as(self, kinds: "MessageKinds", text: bytes | str) -> Any:
        return _as_written(kinds.name, self._value(kinds, text), text, lambda value: self.write_as(kinds, value))

    def _reads_back(self, kinds: "MessageKinds", kind: "MessageKind", text: bytes, wire: object, value: object) -> bool:
        try:
            if kind.is_plain:
                return bool(_decoded(kinds.name, kinds.decoder, text) == wire)
            found: object = self._value(kinds, text)
        except InputError as error:
            # What is wrong with the value and not with its text, such as a game that is not here, says so itself.
            if not error.reason.startswith("unreadable-"):
                raise
            return False
        return found == value

    def _value(self, kinds: "MessageKinds", text: bytes | str) -> Any:
        found = _decoded(kinds.name, kinds.decoder, text)
        kind = kinds.by_wire[type(found)]
        return kind.cls(**{name: form.read(self, getattr(found, name)) for name, form in kind.forms.items()})

    # The values that have a form of their own.

    def _card_text(self, card: Card) -> str:
        return str(card) if card.pack_id == self.pack.id else f"{card.pack_id}:{card}"

    def _card(self, text: str) -> Card:
        pack_id, colon, face = text.rpartition(":")
        pack = _pack(pack_id) if colon else self.pack
        for card in pack.cards:
            if str(card) == face:
                return card
        raise InputError("unreadable-card", f"{shown(text)} is not a card.")

    def _card_texts(self, cards: tuple[Card, ...]) -> list[str]:
        return [self._card_text(card) for card in cards]

    def _cards(self, texts: list[str]) -> tuple[Card, ...]:
        return tuple([self._card(text) for text in texts])

    def _hands(self, deal: Deal) -> tuple[list[str], list[str]]:
        return self._card_texts(deal.player), self._card_texts(deal.banker)

    def _deal(self, hands: tuple[list[str], list[str]]) -> Deal:
        return Deal(self._cards(hands[0]), self._cards(hands[1]))

    def _wire_shoe(self, shoe: Shoe) -> WireShoe:
        return WireShoe(shoe.pack.id, shoe.as_counts())

    def _shoe(self, wire: WireShoe) -> Shoe:
        return Shoe.of_counts(_pack(wire.pack), wire.counts)

    def _wire_settings(self, settings: TableSettings) -> WireSettings:
        game, limits = settings.game, settings.round_limits
        return WireSettings(
            v=1,
            game=game.id,
            digest=game.digest,
            reading=dict(game.reading),
            bonuses=game.fixed_amounts,
            decks=settings.decks,
            limits={wager: (each.minimum, each.maximum, each.step) for wager, each in settings.limits.items()},
            patron_limit=limits.patron,
            table_limit=limits.table,
            house_limit=limits.house,
            account=settings.account,
            currency=settings.currency,
            burn=settings.burn_and_cut.burn,
            cut_depth=settings.burn_and_cut.cut_depth,
            dealing=settings.dealing,
            overrides=sorted(settings.overrides),
        )

    def _settings(self, wire: WireSettings) -> TableSettings:
        return TableSettings(
            find_edition(wire.game, wire.digest, wire.reading, wire.bonuses, self.games),
            decks=wire.decks,
            limits={wager: Limits(*each) for wager, each in wire.limits.items()},
            round_limits=RoundLimits(wire.patron_limit, wire.table_limit, wire.house_limit),
            account=wire.account,
            currency=wire.currency,
            burn_and_cut=BurnAndCut(wire.burn, wire.cut_depth),
            dealing=wire.dealing,
            overrides=frozenset(wire.overrides),
        )


def write_record(happened: Iterable[Event], games: Iterable[Game] = GAMES) -> Iterator[bytes]:
    """The events of a table from its opening on, a line each; the cards are those of the pack in play."""
    codec = Codec(PACKS[0], games)
    for event in happened:
        codec.follow(event)
        yield codec.write_event(event)


def read_record(lines: Iterable[bytes | str], games: Iterable[Game] = GAMES) -> Iterator[Event]:
    """The inverse of `write_record`."""
    codec = Codec(PACKS[0], games)
    for line in lines:
        event = codec.read_event(line)
        codec.follow(event)
        yield event


def _pack(pack_id: str) -> Pack:
    for pack in PACKS:
        if pack.id == pack_id:
            return pack
    raise InputError("unreadable-card", f"There is no pack {shown(pack_id)}.")


def _frozen(settlements: dict[str, Settlement]) -> dict[str, Settlement]:
    """As read, with the wagers of each patron in a map that cannot be changed."""
    return {patron: settled._replace(wagers=FrozenMap(settled.wagers)) for patron, settled in settlements.items()}


_CARD = TextForm(str, Codec._card_text, Codec._card)
_SETTLEMENTS = TextForm(dict[str, Settlement], lambda _, value: value, lambda _, value: _frozen(value))
FORMS: Mapping[Any, TextForm] = {
    int: _as_it_is(int),
    str: _as_it_is(str),
    bool: _as_it_is(bool),
    Hand: _as_it_is(Hand),
    Winner: _as_it_is(Winner),
    Irregularity: _as_it_is(Irregularity),
    Mapping[str, int]: _as_it_is(dict[str, int]),
    Mapping[str, Settlement]: _SETTLEMENTS,
    Card: _CARD,
    tuple[Card, ...]: TextForm(list[str], Codec._card_texts, Codec._cards),
    tuple[str, ...]: TextForm(list[str], lambda _, texts: list(texts), lambda _, texts: tuple(texts)),
    Deal: TextForm(tuple[list[str], list[str]], Codec._hands, Codec._deal),
    Shoe: TextForm(WireShoe, Codec._wire_shoe, Codec._shoe),
    TableSettings: TextForm(WireSettings, Codec._wire_settings, Codec._settings),
}
"""By the type of a field. A field of any other type has no form yet, and this module does not load with it."""


def form_of(hint: Any) -> TextForm:
    """How values of this type are written."""
    if isinstance(hint, UnionType):
        (inner,) = [each for each in get_args(hint) if each is not NoneType]
        return _optional(form_of(inner))
    if hint not in FORMS:
        raise NotImplementedError(f"A field of the type {hint} has no form of text.")
    return FORMS[hint]


class MessageKind(NamedTuple):
    """One kind of command or event."""

    cls: type
    wire: type[msgspec.Struct]
    forms: Mapping[str, TextForm]
    is_plain: bool
    """Whether every field is written as it is: most messages are wagers, and these are."""
    values: Callable[[Any], tuple[Any, ...]]
    """The fields of one of them, in order."""


class MessageKinds:
    """All commands, or all events, by their kebab-case names."""

    def __init__(self, name: str, union: Any) -> None:
        self.name = name
        kinds = [self._kind(cls) for cls in get_args(union) or (union,)]
        self.by_class = {kind.cls: kind for kind in kinds}
        self.by_wire = {kind.wire: kind for kind in kinds}
        self.decoder = msgspec.json.Decoder(Union[tuple(self.by_wire)])  # noqa: UP007  (as many as there are)

    def _kind(self, cls: type) -> MessageKind:
        hints = get_type_hints(cls)
        forms = {each.name: form_of(hints[each.name]) for each in fields(cls)}
        tag = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
        wire = msgspec.defstruct(
            cls.__name__,
            [("v", Literal[1]), *((name, form.wire) for name, form in forms.items())],
            tag_field=self.name,
            tag=tag,
            frozen=True,
            forbid_unknown_fields=True,
        )
        is_plain = len(forms) > 1 and all(form.is_plain for form in forms.values())
        return MessageKind(cls, wire, forms, is_plain, attrgetter(*forms) if forms else lambda _: ())


def _decoded(name: str, decoder: "msgspec.json.Decoder[Value]", text: bytes | str) -> Value:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError) as error:
        # The decoder may repeat what it was given, which may be anything.
        why = str(error) if len(str(error)) <= 200 and str(error).isprintable() else "it is not well formed"
        raise InputError(f"unreadable-{name}", f"This is not a known {name}: {why}.") from None


def _as_written(name: str, value: Value, text: bytes | str, write: Callable[[Value], bytes]) -> Value:
    """The value, if the text is the one that it has: no name twice, nothing left to a default, nothing in between."""
    if write(value) != (text.encode() if isinstance(text, str) else text):
        raise InputError(f"unreadable-{name}", f"This is not the text of a known {name} as it is written.")
    return value


COMMANDS = MessageKinds("command", Command)
EVENTS = MessageKinds("event", Event)
_SETTINGS = msgspec.json.Decoder(WireSettings)
