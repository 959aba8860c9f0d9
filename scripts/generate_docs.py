"""Writes the pages of docs/ that are made from the package; --check only reports those out of date."""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from puntobanco.games import GAMES
from puntobanco.rules.documents import DOCUMENTS, Document
from puntobanco.rules.game import Game
from puntobanco.rules.rulings import RULINGS, Ruling
from puntobanco.rules.wagers import Line
from puntobanco.tableau import Tableau, digits

if TYPE_CHECKING:
    from clauses.proof import Implementation, Proof

ROOT = Path(__file__).resolve().parent.parent
GAMES_FOLDER = "docs/games"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown; a bar in a cell would end the cell."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in (headings, *rows)]
    return [lines[0], "|---" * len(headings) + "|", *lines[1:]]


def link(text: str, path: str) -> str:
    """A link from a page in docs/games to a file of the repository."""
    return f"[{text}](../../{path})"


def named(document: Document) -> tuple[str, str, str, str]:
    """Title, publisher, version and date, as far as the document gives them."""
    return document.title, document.publisher, document.version or "not given", document.effective or "not given"


def rulings_page() -> str:
    lines = [
        "<!-- Made by scripts/generate_docs.py from src/puntobanco/rules/rulings.py: edit that file instead. -->",
        "# Rulings",
        "",
        "The games follow these published rule documents. Where they are silent, garbled or open to two",
        "readings, the rulings below decide and say why. A ruling with a switch is a house rule that a",
        "table may set.",
        "",
        *table(("document", "publisher", "version", "effective"), map(named, DOCUMENTS)),
    ]
    for ruling in RULINGS:
        lines += ["", ruling_heading(ruling), "", ruling.text, "", f"Why: {ruling.reason}"]
        if ruling.switch:
            others = " or ".join(f"`{option}`" for option in ruling.switch.options[1:])
            lines += [
                "",
                f"Switch `{ruling.switch.name}`: `{ruling.switch.default}` by default, or {others}.",
            ]
    return "\n".join(lines) + "\n"


def ruling_heading(ruling: Ruling) -> str:
    return f"## {ruling.number}. {ruling.title}"


def ruling_link(ruling: Ruling) -> str:
    """A link to the ruling's heading, by the anchor that Markdown viewers give it."""
    anchor = re.sub(r"[^a-z0-9 -]", "", ruling_heading(ruling).lower().removeprefix("## ")).replace(" ", "-")
    return f"[{ruling.number}. {ruling.title}](../rulings.md#{anchor})"


def games_index_page() -> str:
    rows = []
    for game in GAMES:
        _, publisher, version, effective = named(game.document)
        ids = ", ".join(f"`{wager.id}`" for wager in game.wagers)
        rows.append((f"[{game.name}]({game.id}.md)", publisher, version, effective, game.pack.name, ids))
    return "\n".join(
        [
            "<!-- Made by scripts/generate_docs.py from the declarations in src/puntobanco/games. -->",
            "# Games",
            "",
            "Each page shows what the game's declaration says, and for every clause of its rule document",
            "where it is implemented and which tests prove it. Paraphrases are ours; the documents decide.",
            "",
            *table(("game", "publisher", "version", "effective", "pack", "wagers"), rows),
            "",
        ]
    )


def game_page(game: Game) -> str:
    sections = (
        ("Switches", _switches),
        ("Felt", _felt),
        ("Table of play", _table_of_play),
        ("Wagers", _wagers),
        ("Rulings", _rulings),
        ("Clauses", _clauses),
        ("Clauses that are not software", _not_software),
    )
    lines = [
        "<!-- Made by scripts/generate_docs.py from the game's declaration and tests/clauses. -->",
        f"# {game.name}",
        "",
        *_facts(game),
    ]
    for title, section in sections:
        lines += ["", f"## {title}", "", *section(game)]
    return "\n".join(lines) + "\n"


def _facts(game: Game) -> list[str]:
    title, publisher, version, effective = named(game.document)
    ranks = " ".join(game.pack.ranks)
    names = ", ".join(f"{letter} {name}" for letter, name in game.pack.rank_names.items())
    suits = ", ".join(f"{letter} {name}" for letter, name in game.pack.suits.items())
    decks = game.decks
    rows = [
        ("id", f"`{game.id}`"),
        ("document", f"{title}, {publisher}"),
        ("version", version),
        ("effective", effective),
        ("pack", f"{game.pack.name}: ranks {ranks} ({names}), suits {suits}"),
        (
            "decks",
            f"{decks.minimum} to {decks.maximum}, {decks.default} by default (clause {game.procedure.decks})",
        ),
        ("currency", " or ".join(game.currencies)),
        ("whole payments", f"on stakes in steps of {game.stake_step}"),
        ("rules digest", f"`{game.digest}`"),
    ]
    if game.chips_only:
        rows.append(("not for cash", game.chips_only))
    return table(("", ""), rows)


def _switches(game: Game) -> Iterator[str]:
    ruling_of = {ruling.switch.name: ruling for ruling in RULINGS if ruling.switch}
    yield from table(
        ("switch", "default", "other readings", "ruling"),
        [
            (f"`{name}`", f"`{default}`", ", ".join(f"`{option}`" for option in others), ruling_link(ruling_of[name]))
            for name, (default, *others) in game.switches.items()
        ],
    )


def _felt(game: Game) -> Iterator[str]:
    rows = [row.rstrip() for row in game.layout.splitlines() if row.strip()]
    indent = min(len(row) - len(row.lstrip()) for row in rows)
    yield "```text"
    yield from (row[indent:] for row in rows)
    yield "```"


def _table_of_play(game: Game) -> Iterator[str]:
    for tableau in game.tableaux:
        if len(game.tableaux) > 1:
            yield from (f"With `tableau = {tableau.name}`:", "")
        yield from _tableau(tableau)
        yield ""
    procedure = game.procedure
    yield (
        f"Clauses: natural {procedure.natural}; Player {procedure.player_draws}; Banker when the Player stood "
        f"{procedure.player_stood}, and by the Player's third card {procedure.banker_draws}."
    )


def _tableau(tableau: Tableau) -> Iterator[str]:
    naturals = digits(tableau.naturals)
    others = set(range(10)) - naturals
    player_draws = digits(tableau.player_draws)
    yield f"{_listed(naturals)} of either hand on its first two cards is a natural, and no more cards are dealt."
    yield f"Otherwise the Player draws on {_listed(player_draws)} and stands on {_listed(others - player_draws)},"
    yield "and the Banker draws or stands by the table: when the Player stood by the first column, and otherwise by"
    yield "the column of the value of the Player's third card."
    yield ""
    rows = []
    for total in sorted(others):
        against = digits(tableau.banker_draws[total])
        draws = [total in digits(tableau.banker_draws_when_player_stands)] + [points in against for points in range(10)]
        rows.append((str(total), *("draws" if draw else "stands" for draw in draws)))
    yield from table(("Banker has", "Player stood", *map(str, range(10))), rows)


def _listed(values: Iterable[int]) -> str:
    words = [str(value) for value in sorted(values)]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _wagers(game: Game) -> Iterator[str]:
    yield "Lines are read from the top: the first that holds decides, and if none holds, the stake is lost."
    if any(wager.bonuses for wager in game.wagers):
        yield "A bonus that holds comes on top of a payment."
    if game.fixed_bonuses:
        yield "A fixed payment is a sum in the smallest unit of the table's currency, whatever the stake."
    for wager in game.wagers:
        rows = [_line_cells(line, "") for line in wager.lines]
        rows += [_line_cells(line, "bonus: ") for line in wager.bonuses]
        yield from ("", f"### {wager.name}", "", f"`{wager.id}`, clause {wager.clause}.", "")
        yield from table(("line", "holds when", "pays", "clause"), rows)


def _line_cells(line: Line, prefix: str) -> tuple[str, str, str, str]:
    label = f"{prefix}{line.label}"
    if line.reading:
        label += f" (under `{line.reading[0]} = {line.reading[1]}`)"
    return label, str(line.when), line.payment_in_figures, line.clause


def _rulings(game: Game) -> Iterator[str]:
    for ruling in game.applicable_rulings:
        yield f"- {ruling_link(ruling)}"


@cache
def all_proofs() -> "tuple[Proof, ...]":
    # The tests are no part of the package, so they are imported from their folder, and only when needed.
    if str(ROOT / "tests") not in sys.path:
        sys.path.append(str(ROOT / "tests"))
    from clauses.proof import load_proofs

    return load_proofs()


def _clauses(game: Game) -> Iterator[str]:
    rows = []
    for clause, text in game.document.clauses.items():
        if clause in game.document.not_software:
            continue
        proofs = [proof for proof in all_proofs() if (proof.game, proof.clause) == (game.id, clause)]
        if not proofs:
            # One document may declare two games.
            siblings = [other.id for other in GAMES if other.document is game.document and other is not game]
            proofs = [proof for proof in all_proofs() if proof.game in siblings and proof.clause == clause]
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(proof.game for proof in proofs))
            text += f" (Only in {names}.)" if names else " (No test proves it yet.)"
        places = dict.fromkeys(place for proof in proofs for place in proof.by)
        tests = dict.fromkeys(link(f"`{proof.test}`", proof.path) for proof in proofs)
        rows.append((clause, text, ", ".join(map(_place, places)), "<br>".join(tests)))
    yield from table(("clause", "what it says", "implemented in", "proved by"), rows)


def _place(implementation: "Implementation") -> str:
    return link(f"`{implementation.name}`", implementation.path)


def _not_software(game: Game) -> Iterator[str]:
    if not game.document.not_software:
        yield "None."
        return
    yield from table(
        ("clause", "what it says", "why"),
        [(clause, game.document.clauses[clause], why) for clause, why in game.document.not_software.items()],
    )


# Every generated page: its path from the root of the repository, and what renders it.
PAGES: list[tuple[str, Callable[[], str]]] = [
    ("docs/rulings.md", rulings_page),
    (f"{GAMES_FOLDER}/README.md", games_index_page),
    *((f"{GAMES_FOLDER}/{game.id}.md", partial(game_page, game)) for game in GAMES),
]


def stale_pages(root: Path) -> list[str]:
    """The pages that are missing or differ from what would be written now, and those of games that are gone."""
    stale = [
        path
        for path, render in PAGES
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != render()
    ]
    return stale + orphan_pages(root)


def orphan_pages(root: Path) -> list[str]:
    """Pages of games that are declared no longer."""
    generated = {path for path, _ in PAGES}
    found = sorted(page.relative_to(root).as_posix() for page in (root / GAMES_FOLDER).glob("*.md"))
    return [path for path in found if path not in generated]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    options = parser.parse_args(arguments)
    if options.check:
        stale = stale_pages(root)
        for path in stale:
            print(f"{path} is out of date: run scripts/docs", file=sys.stderr)
        return 1 if stale else 0
    for path in orphan_pages(root):
        (root / path).unlink()
    for path, render in PAGES:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(render(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
