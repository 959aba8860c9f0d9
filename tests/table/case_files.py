"""Reads case files: titled lists of lines, each a command with its outcome or a statement about the table.

case A late wager is refused                        (starts a case)
table manila decks=4 burn=off                       (a new table; see notation.py)
shoe full                     -> ok                 (accepted, whatever the events)
open betting                  -> round 1            (accepted, with exactly these events)
deal P 9h                     -> refused betting-still-open How to Play 3
shoe full plus 9h             -> refused shoe-in-play ~ Shoe 1     (and these words in the message)
try void order-altered        -> ok                 (only asked: the table stays as it is)
play down to 6 keeping 9h 9c  (rounds without wagers)
held 300                      (a statement, checked)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from puntobanco import DeclarationError
from puntobanco.table import Event, Refusal
from puntobanco.table.notation import read_cards, read_hands, words_of, write_outcome
from puntobanco.table.settlements import returned_by
from table.notation import NotationError, read_command, read_settings
from table.watched import WatchedTable


@dataclass(frozen=True)
class Case:
    path: Path
    title: str
    lines: tuple[tuple[int, str], ...]
    """With their number in the file."""

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.title}"


def read_cases(path: Path) -> Iterator[Case]:
    title, lines = "", list[tuple[int, str]]()
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = text.partition("#")[0].strip()
        if line.startswith("case "):
            if lines:
                yield Case(path, title, tuple(lines))
            title, lines = line.removeprefix("case "), []
        elif line:
            lines.append((number, line))
    yield Case(path, title, tuple(lines))


def run(case: Case) -> None:
    """Carry out every line; AssertionError with the place in the file where a line does not hold."""
    watched: WatchedTable | None = None
    for number, line in case.lines:
        place = f"{case.path.name}:{number}: {line}"
        try:
            if line.startswith("table "):
                watched = _open_table(line)
                continue
            assert watched is not None, "a case begins with a table"
            if "->" in line:
                _run_command(watched, line)
            elif line.startswith("play down to "):
                words = words_of(line)
                watched.play_down_to(int(words[3]), read_cards(watched.settings, words[5:]))
            else:
                actual = observed(watched, line)
                assert actual == line, f"it is: {actual}"
        except (AssertionError, NotationError) as error:
            raise AssertionError(f"{place}\n{error}") from error
    if watched is not None:
        watched.check_replay()


def tell(watched: WatchedTable, *lines: str) -> None:
    """Carry out commands that must be accepted."""
    for line in lines:
        _run_command(watched, f"{line} -> ok")


def _open_table(line: str) -> WatchedTable | None:
    """The table of a `table` line; None where its settings are refused, as the line says."""
    words, _, expected = line.partition("-> not a table ~ ")
    watched, said = None, ""
    try:
        watched = WatchedTable(read_settings(words_of(words)[1:]))
    except DeclarationError as error:
        said = str(error)
    assert bool(said) is bool(expected), said or "it is a table"
    assert expected in said, f"it says: {said}"
    return watched


def _run_command(watched: WatchedTable, line: str) -> None:
    text, _, expected = (part.strip() for part in line.partition("->"))
    expected, _, wanted_words = (part.strip() for part in expected.partition("~"))
    events: list[Event] = []
    refused: Refusal | None = None
    only_asked = text.startswith("try ")
    for command in read_command(watched.settings, text.removeprefix("try ")):
        outcome = watched.asked(command) if only_asked else watched.carry_out(command)
        if isinstance(outcome, Refusal):
            refused = outcome
            break
        events.extend(outcome)
    actual = write_outcome(refused or events)
    if expected == "ok":
        assert refused is None, f"it is: {actual} ~ {refused and refused.message}"
    else:
        assert actual == expected, f"it is: {actual} ~ {refused and refused.message}"
    if wanted_words:
        assert refused is not None
        assert wanted_words in refused.message, f"it says: {refused.message}"


def observed(watched: WatchedTable, line: str) -> str:
    """The statement as it is true of the table: equal to the line if the line is true."""
    table, settings, books = watched.table, watched.settings, watched.books
    match words_of(line):
        case ["phase", *_]:
            return f"phase {table.phase}"
        case ["held", _]:
            return f"held {table.held}"
        case ["stake", patron, wager, _]:
            return f"stake {patron} {wager} {table.stake(patron, wager)}"
        case ["unseen", card, _]:
            (of,) = read_cards(settings, [card])
            return f"unseen {card} {table.unseen.count(of) if table.unseen else 0}"
        case ["in", "shoe", _]:
            return f"in shoe {table.cards_in_shoe}"
        case ["set", "aside", _]:
            return f"set aside {len(table.shoe.set_aside) if table.shoe else 0}"
        case ["rounds", "left", _]:
            return f"rounds left {'unknown' if table.rounds_left is None else table.rounds_left}"
        case ["rounds", "played", _]:
            return f"rounds played {len(table.rounds)}"
        case ["shoe", "finished", _]:
            return f"shoe finished {'yes' if table.shoe_finished else 'no'}"
        case ["due", _]:
            return f"due {table.due.hand or 'nobody'}"
        case ["dealt", *words]:
            assert table.phase.in_round or table.last
            deal = table.last.round.deal if table.last else table.deal
            assert read_hands(settings, words), "a deal"
            return f"dealt {deal}"
        case ["returned", patron, _]:
            assert table.last is not None
            return f"returned {patron} {returned_by(table.last).get(patron, 0)}"
        case ["won", patron, _]:
            # Reckoned from the events of the whole case, not read from the table.
            return f"won {patron} {books.money[patron]:+}"
        case ["last", "round", *_]:
            assert table.last is not None
            last = table.last.round
            return f"last round {last.void or ('corrected' if last.corrected else 'settled')}"
        case ["paused", *_]:
            return f"paused {table.paused or 'no'}"
        case ["currency", _]:
            return f"currency {settings.currency}"
    raise NotationError("unreadable-line", f"{line!r} is neither a command with its outcome nor a statement.")
