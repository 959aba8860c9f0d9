"""The felt of a table in the terminal, drawn from the game's layout and paytables: spots, payments, limits, stakes."""

from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from puntobanco.cli.playing.patron_words import PATRON, short_names
from puntobanco.cli.roads import BLUE, GREEN, RED
from puntobanco.rules.conditions import TIE
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed, Line, Ratio, Wager
from puntobanco.table import Limits, Table, TableSettings

WIDEST = 100
CLOTH = "green"
CHIP = "bold yellow"
NAME_STYLES = {"Player": BLUE, "Banker": RED, "Tie": GREEN}
"""By the first word of a spot's name."""


class Characters(NamedTuple):
    """What boxes and chips are drawn with. A junction is found by whether a bar goes up and down from it."""

    across: str
    down: str
    left: Mapping[tuple[bool, bool], str]
    inner: Mapping[tuple[bool, bool], str]
    right: Mapping[tuple[bool, bool], str]
    chip: str
    between: str


UP, DOWN, BOTH = (True, False), (False, True), (True, True)
UNICODE = Characters(
    across="─",
    down="│",
    left={UP: "╰", DOWN: "╭", BOTH: "├"},
    inner={UP: "┴", DOWN: "┬", BOTH: "┼"},
    right={UP: "╯", DOWN: "╮", BOTH: "┤"},
    chip="●",
    between=" · ",
)
_PLUS = dict.fromkeys((UP, DOWN, BOTH), "+")
ASCII = Characters("-", "|", _PLUS, _PLUS, _PLUS, chip="*", between=", ")


def characters(console: Console) -> Characters:
    """What the console can show."""
    return ASCII if console.options.ascii_only else UNICODE


def felt(table: Table, console: Console, *, brief: bool = False) -> list[Text]:
    """The felt, line by line; the brief one has only names and stakes."""
    marks = characters(console)
    rows = table.settings.game.rows
    # Of a width that every row divides evenly, so that the bars of the rows meet.
    even = lcm(*map(len, rows))
    width = max((min(console.width, WIDEST) - 1) // even, 1) * even + 1
    bars = [[place * (width - 1) // len(row) for place in range(len(row) + 1)] for row in rows]
    lines = []
    for number, row in enumerate(rows):
        lines.append(_across(marks, bars[number - 1] if number else [], bars[number], width))
        rooms = [max(1, right - left - 1) for left, right in zip(bars[number], bars[number][1:], strict=False)]
        draw = _brief_spot if brief else _printed_spot
        spots = [draw(table, wager, room, console) for wager, room in zip(row, rooms, strict=True)]
        lines.extend(_side_by_side(marks, spots, rooms))
        if not brief:
            chips = [[_chip(table.stake(PATRON, wager), room, marks)] for wager, room in zip(row, rooms, strict=True)]
            lines.extend(_side_by_side(marks, chips, rooms))
    return [*lines, _across(marks, bars[-1], [], width)]


def spots_line(table: Table, console: Console) -> Text:
    """Every spot and what is on it on one line, or as few as it takes: all that a low terminal has room for."""
    between = f" {characters(console).down} "
    line = Text()
    for row in table.settings.game.rows:
        for place, wager in enumerate(row):
            line.append("  " if place else between if line else "")
            line = line + Text(short_names(table.settings.game)[wager])
            if stake := table.stake(PATRON, wager):
                line = line + Text(f" {stake:,}", style=CHIP)
    return line


def _across(marks: Characters, above: Sequence[int], below: Sequence[int], width: int) -> Text:
    """A line across the felt, joined to the bars above and below it."""
    joined = [marks.across] * width
    for place in {*above, *below}:
        kind = marks.left if place == 0 else marks.right if place == width - 1 else marks.inner
        joined[place] = kind[place in above, place in below]
    return Text("".join(joined), style=CLOTH)


def _side_by_side(marks: Characters, spots: Sequence[Sequence[Text]], rooms: Sequence[int]) -> Iterator[Text]:
    for place in range(max(map(len, spots))):
        line = Text()
        for spot, room in zip(spots, rooms, strict=True):
            inside = spot[place] if place < len(spot) else Text()
            inside.truncate(room, pad=True)
            line = line + Text(marks.down, style=CLOTH) + inside
        yield line + Text(marks.down, style=CLOTH)


def _brief_spot(table: Table, wager: str, room: int, console: Console) -> list[Text]:
    name, stake = _name(table.settings.game, wager), table.stake(PATRON, wager)
    inside = max(1, room - 2)
    amount = Text(f"{stake:,}" if stake else "", style=CHIP)
    if name.cell_len + 1 + amount.cell_len <= inside:
        name.pad_right(inside - name.cell_len - amount.cell_len)
        lines = [name + amount]
    else:
        amount.align("right", inside)
        lines = [*name.wrap(console, inside), amount] if stake else list(name.wrap(console, inside))
    for line in lines:
        line.pad_left(1)
    return lines


def _printed_spot(table: Table, wager: str, room: int, console: Console) -> list[Text]:
    settings, marks = table.settings, characters(console)
    printed = [_name(settings.game, wager)]
    printed += [Text(line) for line in _packed(payments(settings.game.paytables[wager]), room, marks.between)]
    if common_limits(settings) is None:
        printed.append(Text(limits_in_words(settings.limits[wager])))
    lines = [line for text in printed for line in text.wrap(console, room)]
    for line in lines:
        line.rstrip()
        line.align("center", room)
    return lines


def _chip(stake: int, room: int, marks: Characters) -> Text:
    chip = Text(f"{marks.chip} {stake:,}" if stake else "", style=CHIP)
    chip.align("center", room)
    return chip


def _name(game: Game, wager: str) -> Text:
    name = game.paytables[wager].name
    return Text.assemble((name, NAME_STYLES.get(name.split()[0], "bold")), (f" ({short_names(game)[wager]})", "dim"))


def _packed(items: Sequence[str], room: int, between: str) -> Iterator[str]:
    """The items on as few lines as the room allows."""
    line = ""
    for item in items:
        longer = line + between + item if line else item
        if line and len(longer) > room:
            yield line
            longer = item
        line = longer
    yield line


def printed_lines(wager: Wager) -> list[Line]:
    """The lines that a felt prints: on none stands that Player and Banker push on a tie, which the rule card has."""
    return [line for line in wager.lines if line.pays or line.when != TIE]


def payments(wager: Wager) -> list[str]:
    """What a spot pays, as briefly as a felt prints it: `with six 1:2`, `otherwise 1:1`."""
    lines = printed_lines(wager)
    labels = _without_what_all_share([line.label for line in lines])
    printed = [_payment(wager, line, label) for line, label in zip(lines, labels, strict=True)]
    return printed + [_payment(wager, line, line.label, on_top="+") for line in wager.bonuses]


def _payment(wager: Wager, line: Line, label: str, on_top: str = "") -> str:
    # What the spot is called need not be said again.
    if label.lower().startswith(wager.name.lower()):
        label = label[len(wager.name) :].strip()
    return f"{label} {on_top}{amount_in_figures(line)}".strip()


def amount_in_figures(line: Line) -> str:
    """`8:1`, `5,000:1`, `300,000` or `push`."""
    if isinstance(line.pays, Fixed):
        return f"{line.pays.money:,}"
    return ratio_in_figures(line.pays) if line.pays else "push"


def ratio_in_figures(ratio: Ratio) -> str:
    return ratio.in_figures


def _without_what_all_share(labels: Sequence[str]) -> list[str]:
    """The labels without the words that all begin with, or that all end with where those are several."""
    if len(labels) < 2:
        return list(labels)
    split = [label.split() for label in labels]
    first = _shared(split)
    last = _shared([words[first:][::-1] for words in split])
    last = last if last > 1 else 0
    return [" ".join(words[first : len(words) - last]) for words in split]


def _shared(split: Sequence[Sequence[str]]) -> int:
    """How many words all begin with; each keeps at least one."""
    most = min(map(len, split)) - 1
    return next((place for place in range(most) if len({words[place] for words in split}) > 1), most)


def common_limits(settings: TableSettings) -> Limits | None:
    """The limits, where they are the same for every spot."""
    different = set(settings.limits.values())
    return different.pop() if len(different) == 1 else None


def limits_in_words(limits: Limits) -> str:
    steps = f" in steps of {limits.step:,}" if limits.step > 1 else ""
    return f"{limits.minimum:,} to {limits.maximum:,}{steps}"
