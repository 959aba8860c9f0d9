"""`puntobanco table`: the tables of the house."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from puntobanco.cards import shown
from puntobanco.cli.record_options import completed
from puntobanco.cli.service_options import RECORD, add_settings, beside_the_record, chosen_configuration
from puntobanco.dealing import BurnRule
from puntobanco.errors import InputError
from puntobanco.games import find_game
from puntobanco.rules.wagers import read_money
from puntobanco.server.configuration import SETTINGS
from puntobanco.server.setting_kinds import Unfit

if TYPE_CHECKING:
    from puntobanco.server.floor import Floor, FloorTable
    from puntobanco.table import TableSettings

HELP = (
    "Add, change, close and list tables, on the database itself. A server that runs takes it up within seconds: limits "
    "hold from the next round, all else from the next shoe, and a table that is closed begins no further round."
)
EXAMPLE = 'puntobanco table add high-1 --game manila --name "High limits" --limit banker=100000:10000000:20'
DETAILS = """\
add TABLE --game GAME   a new table; what is not given is as usual: virtual, for play money, with the usual limits
set TABLE               change what is given, leave the rest
close TABLE, open TABLE no further round begins; and again
list                    all of them
"""
ACTIONS = ("add", "set", "close", "open", "list")
SAID = (
    *("game", "name", "decks", "currency", "account", "dealing", "limit", "reading", "bonus", "burn", "cut_depth"),
    *("override", "place"),
)
"""What may be said of a table, beside the times and the limits of a round."""
ROUND_LIMITS = {"most_patron": "patron", "most_table": "table", "most_house": "house"}
TIMES = ("betting_seconds", "card_seconds")
NONE = "none"
USUAL = "usual"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{DETAILS}\n{parser.epilog}"
    parser.add_argument("action", choices=ACTIONS, help="what to do")
    parser.add_argument("table", metavar="TABLE", nargs="?", help="its id, of small letters, digits and dashes")
    parser.add_argument("--game", metavar="GAME", help="the game; puntobanco games lists them")
    parser.add_argument("--name", metavar="NAME", help="what people call it (default: the name of the game)")
    parser.add_argument("--decks", metavar="N", help="decks in a shoe (default: as usual for the game)")
    parser.add_argument("--currency", metavar="CODE", help="what it is played in (default: the usual one of the game)")
    parser.add_argument("--account", choices=["cash", "chips"], help="play money of a currency, or chips of no value")
    parser.add_argument("--dealing", choices=["virtual", "dealer"], help="who deals: the server, or a dealer's shoe")
    parser.add_argument(
        "--limit",
        metavar="WAGER=MIN:MAX:STEP",
        action="append",
        help="the stakes that one patron may have on a wager, in the smallest unit; may be repeated",
    )
    for flag, who in (
        ("--most-patron", "one patron may have on all wagers of a round"),
        ("--most-table", "all patrons may have on all wagers of a round"),
        ("--most-house", "the house may have to pay for a round"),
    ):
        parser.add_argument(flag, metavar="N", help=f"the most that {who}; none takes the limit away")
    parser.add_argument(
        "--reading", metavar="SWITCH=OPTION", action="append", help="read a doubtful clause in the other way"
    )
    parser.add_argument(
        "--bonus",
        metavar="LINE=AMOUNT",
        action="append",
        help='a fixed bonus in the smallest unit, such as "6 Stars=3000000"; may be repeated',
    )
    parser.add_argument(
        "--burn", choices=[each.value for each in BurnRule], help="what is burned from a new shoe (ruling 17)"
    )
    parser.add_argument("--cut-depth", metavar="N", help="how many cards lie behind the cut card (ruling 17)")
    parser.add_argument(
        "--override",
        metavar="NAME",
        action="append",
        help="what the house allows against a ruling, by its name, such as even-money-banker; none takes all away",
    )
    parser.add_argument("--place", metavar="N", help="where it stands among the others (default: last)")
    parser.add_argument(
        "--betting-seconds", metavar="S", help="how long betting is open; usual takes the setting of the service"
    )
    parser.add_argument(
        "--card-seconds", metavar="S", help="the time between two cards; usual takes the setting of the service"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_settings(parser, RECORD)


def run(arguments: argparse.Namespace) -> int:
    """Do it, and print the tables that it is about."""
    _check(arguments)
    # The times are those of one table, and not of the service.
    record = argparse.Namespace(config=arguments.config, data=arguments.data, database=arguments.database)
    configuration = chosen_configuration(record)
    from puntobanco.server.floor import Floor

    async def work() -> "tuple[list[FloorTable], dict[str, str]]":
        async with beside_the_record(configuration, new=arguments.action == "add") as beside:
            floor = Floor(beside, arguments.games)
            return await _done(floor, arguments), floor.unreadable

    found, unreadable = completed(work())
    print(json.dumps([_as_json(each) for each in found]) if arguments.json else _in_words(found))
    for table, why in unreadable.items():
        print(f"puntobanco: The table {table} cannot be read: {why}", file=sys.stderr)
    if arguments.action in ("add", "set"):
        for warning in [each for table in found for each in table.settings.warnings()]:
            print(f"puntobanco: {warning}", file=sys.stderr)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    action = arguments.action
    if (arguments.table is None) != (action == "list"):
        what = "takes no table" if action == "list" else "takes the id of a table"
        raise InputError("bad-usage", f"table {action} {what} (see puntobanco table --help).")
    said = [each for each in (*SAID, *ROUND_LIMITS, *TIMES) if getattr(arguments, each) is not None]
    if action not in ("add", "set") and said:
        flag = said[0].replace("_", "-")
        raise InputError("bad-usage", f"table {action} takes no --{flag} (see puntobanco table --help).")
    if action == "add" and arguments.game is None:
        raise InputError("bad-usage", "A table is one of a game: name it with --game.")
    if action == "set" and not said:
        raise InputError("bad-usage", "Say what is to change (see puntobanco table --help).")


async def _done(floor: "Floor", arguments: argparse.Namespace) -> "list[FloorTable]":
    from puntobanco.server.floor import FloorTable, check_table_id

    action, table_id = arguments.action, arguments.table
    if action == "list":
        return await floor.tables()
    check_table_id(table_id)
    if action == "add":
        settings = _settings(arguments, None)
        await floor.add(FloorTable(**{"id": table_id, "name": settings.game.name, **_changes(arguments, settings)}))
        return [await floor.table(table_id)]
    if action == "set":
        await floor.change(table_id, **_changes(arguments, _settings(arguments, await _now(floor, arguments))))
    else:
        await floor.change(table_id, closed=action == "close")
    return [await floor.table(table_id)]


async def _now(floor: "Floor", arguments: argparse.Namespace) -> "TableSettings | None":
    """The settings of the table; one whose rules are here no more can be given others, if a game is named."""
    try:
        return (await floor.table(arguments.table)).settings
    except InputError:
        if arguments.game is None:
            raise
        return None


def _changes(arguments: argparse.Namespace, settings: "TableSettings") -> dict[str, Any]:
    found: dict[str, Any] = {"settings": settings}
    if arguments.name is not None:
        found["name"] = arguments.name
    if arguments.place is not None:
        found["place"] = _whole("--place", arguments.place)
    for name in TIMES:
        if (given := getattr(arguments, name)) is not None:
            found[name.replace("seconds", "milliseconds")] = _milliseconds(name, given)
    return found


def _milliseconds(name: str, text: str) -> int | None:
    setting = SETTINGS[name]
    try:
        return None if text == USUAL else round(setting.kind.read(text) * 1000)
    except Unfit:
        raise InputError(
            "bad-usage", f"{setting.flag} is {setting.kind.what}, or {USUAL}, not {shown(text)}."
        ) from None


def _settings(arguments: argparse.Namespace, now: "TableSettings | None") -> "TableSettings":
    """The settings that are asked for: those of now, or else the usual ones, with what is said."""
    from puntobanco.server.floor import changed_settings, usual_settings

    game = None if arguments.game is None else find_game(arguments.game, arguments.games)
    said = _said(arguments)
    if now is None:
        assert game is not None, "a new table is one of a game"
        return changed_settings(usual_settings(game), said)
    if game is not None and game.id != now.game.id:
        # Of another game nothing is the same but who deals.
        return changed_settings(usual_settings(game, dealing=now.dealing), said)
    return changed_settings(now, said if game is None else {**said, "game": game})


def _said(arguments: argparse.Namespace) -> dict[str, Any]:
    """What is said of the settings, as `changed_settings` takes it."""
    from puntobanco.table.settings import USUAL_DECKS

    said: dict[str, Any] = {
        name: given for name in ("account", "dealing", "burn") if (given := getattr(arguments, name)) is not None
    }
    if arguments.currency is not None:
        said["currency"] = arguments.currency.upper()
    if arguments.decks is not None:
        said["decks"] = USUAL_DECKS if arguments.decks == USUAL else _whole("--decks", arguments.decks)
    if arguments.cut_depth is not None:
        said["cut_depth"] = _whole("--cut-depth", arguments.cut_depth)
    if arguments.override is not None:
        said["overrides"] = frozenset(arguments.override) - {NONE}
    readings = [_pair("--reading", each, "SWITCH=OPTION") for each in arguments.reading or ()]
    bonuses = [_pair("--bonus", each, "LINE=AMOUNT") for each in arguments.bonus or ()]
    return {
        **said,
        "reading": {switch.replace("-", "_"): option for switch, option in readings},
        "bonuses": {line: read_money("bonus", amount) for line, amount in bonuses},
        "limits": dict(_limit(each) for each in arguments.limit or ()),
        "round_limits": {
            who: None if given == NONE else read_money("limit", given)
            for name, who in ROUND_LIMITS.items()
            if (given := getattr(arguments, name)) is not None
        },
    }


def _pair(flag: str, text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError("bad-usage", f"{flag} takes {form}, not {shown(text)}.")
    return name, value


def _limit(text: str) -> tuple[str, Any]:
    from puntobanco.table import Limits

    wager, equals, figures = text.partition("=")
    parts = figures.split(":")
    if not equals or len(parts) != 3:
        raise InputError(
            "bad-usage", f"--limit takes WAGER=MIN:MAX:STEP, such as tie=2000:200000:20, not {shown(text)}."
        )
    return wager, Limits(*[read_money("limit", each) for each in parts])


def _whole(flag: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InputError("bad-usage", f"{flag} takes a whole number, not {shown(text)}.")
    return int(text)


def _as_json(each: "FloorTable") -> Mapping[str, object]:
    settings = each.settings
    return {
        "id": each.id,
        "name": each.name,
        "game": settings.game.id,
        "dealing": settings.dealing,
        "decks": settings.decks,
        "currency": settings.currency,
        "account": settings.account,
        "limits": {
            wager: {"minimum": limits.minimum, "maximum": limits.maximum, "step": limits.step}
            for wager, limits in settings.limits.items()
        },
        "most": {who: getattr(settings.round_limits, who) for who in ROUND_LIMITS.values()},
        "reading": dict(settings.game.reading),
        "bonuses": settings.game.fixed_amounts,
        "burn": settings.burn_and_cut.burn,
        "cut_depth": settings.burn_and_cut.cut_depth,
        "overrides": sorted(settings.overrides),
        "betting_milliseconds": each.betting_milliseconds,
        "card_milliseconds": each.card_milliseconds,
        "place": each.place,
        "closed": each.closed,
        "digest": settings.digest,
    }


def _in_words(tables: "list[FloorTable]") -> str:
    if not tables:
        return "There is no table yet: puntobanco table add TABLE --game GAME, or the first start of puntobanco serve."
    rows = [
        (
            each.id,
            each.settings.game.id,
            "chips" if each.settings.account == "chips" else each.settings.currency,
            each.settings.dealing.value,
            _seconds(each.betting_milliseconds),
            _seconds(each.card_milliseconds),
            "closed" if each.closed else "open",
            each.name,
        )
        for each in tables
    ]
    heading = ("table", "game", "money", "dealing", "betting", "card", "is", "name")
    widths = [max(len(row[column]) for row in [heading, *rows]) for column in range(len(heading))]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [heading, *rows]
    )


def _seconds(milliseconds: int | None) -> str:
    return USUAL if milliseconds is None else f"{milliseconds / 1000:g} s"
