"""`puntobanco rules GAME`: the rule card."""

import argparse
import json
from collections.abc import Iterator

from puntobanco.cli.games import as_json as game_json
from puntobanco.cli.games import document_line
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.rules.game import Game
from puntobanco.rules.rulings import RULINGS, Ruling
from puntobanco.rules.wagers import Fixed, Line, Wager

HELP = "Print the rule card of a game: tableau, every wager and payment line with its clause, and rulings."
EXAMPLE = "puntobanco rules fabulous-4"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--clauses", action="store_true", help="add every clause of the document in our words")
    parser.add_argument("--json", action="store_true", help="print the card as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = chosen_game(arguments)
    if arguments.json:
        print(json.dumps(as_json(game), indent=1, ensure_ascii=False))
        return 0
    from rich.console import Console

    console = Console(highlight=False, emoji=False)
    for part in card(game, with_clauses=arguments.clauses):
        console.print(part, markup=False, soft_wrap=False)
    return 0


def card(game: Game, *, with_clauses: bool = False) -> Iterator[object]:
    """The parts of the card, from the top, as rich prints them."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    yield Text(game.name, style="bold")
    yield document_line(game)
    procedure = game.procedure
    decks = game.decks
    yield f"{decks.minimum} to {decks.maximum} decks of the {game.pack.name} ({procedure.decks})"
    yield f"rules digest {game.digest}\n"

    table = Table(title="Table of play", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("total")
    table.add_column(f"Player ({procedure.player_draws})")
    table.add_column(f"Banker, if the Player stood ({procedure.player_stood})")
    table.add_column(f"Banker draws on the Player's third card ({procedure.banker_draws})")
    for row in tableau_rows(game):
        table.add_row(*row)
    yield table

    table = Table(title="Payments", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in ("wager", "when", "pays", "clause"):
        table.add_column(
            heading, justify="right" if heading == "pays" else "left", no_wrap=heading in ("pays", "wager")
        )
    for wager in game.paytables.values():
        for place, line in enumerate(all_lines(wager)):
            table.add_row(
                f"{wager.name}" if place == 0 else "", Text(line.label), payment_words(wager, line), Text(line.clause)
            )
        table.add_section()
    yield table
    yield "The first line that holds decides; where none holds, the stake is lost."
    if any(wager.bonuses for wager in game.paytables.values()):
        yield "Payments marked + come on top of the wager's own; fixed amounts are in the smallest unit of money."
    yield ""

    yield Text("Rulings", style="bold")
    for ruling in applicable_rulings(game):
        yield f"{ruling.number}. {ruling.title}. {ruling.text} Why: {ruling.reason}"
        if ruling.switch and ruling.switch.name in game.switches:
            options = " | ".join(ruling.switch.options)
            yield f"   switch {ruling.switch.name} = {options}; here: {game.reading[ruling.switch.name]}"
    if with_clauses:
        yield Text(f"\nThe document, clause by clause, in our words ({game.document.title})", style="bold")
        for clause, words in game.document.clauses.items():
            yield f"{clause}  {words}"


def tableau_rows(game: Game) -> Iterator[tuple[str, str, str, str]]:
    """One row a total of two cards: what the Player does, and the Banker in both cases."""
    tableau = game.tableau
    for points in range(10):
        if points not in tableau.banker_draws:
            yield (str(points), "natural: no more cards", "natural", f"no cards are drawn ({game.procedure.natural})")
            continue
        third = tableau.banker_draws[points]
        yield (
            str(points),
            "draws" if tableau.player_draws_on(points) else "stands",
            "draws" if tableau.banker_draws_on(points) else "stands",
            f"of {third.replace(' ', ', ')}" if third else "never",
        )


def all_lines(wager: Wager) -> tuple[Line, ...]:
    return wager.lines + wager.bonuses


def payment_words(wager: Wager, line: Line) -> str:
    """`8 to 1`, `push`, `+ 3,000,000`."""
    if line.pays is None:
        return "push"
    on_top = "+ " if line in wager.bonuses else ""
    if isinstance(line.pays, Fixed):
        return f"{on_top}{line.pays.money:,}"
    return f"{on_top}{line.pays.numerator:,} to {line.pays.denominator}"


def applicable_rulings(game: Game) -> list[Ruling]:
    """The rulings of this game and those of every game, in order."""
    return [ruling for ruling in RULINGS if ruling.number in game.rulings or ruling.number in EVERY_GAME]


EVERY_GAME = frozenset({3, 12, 14, 15, 16, 17, 18})
"""The rulings that bear on any game: pairs, rounding, the round and its irregularities, burn and cut, dates."""


def as_json(game: Game) -> dict[str, object]:
    return {
        **game_json(game),
        "reading": dict(game.reading),
        "tableau": {
            "name": game.tableau.name,
            "naturals": game.tableau.naturals,
            "player_draws": game.tableau.player_draws,
            "banker_draws_when_player_stands": game.tableau.banker_draws_when_player_stands,
            "banker_draws": {str(row): cell for row, cell in game.tableau.banker_draws.items()},
        },
        "layout": [list(row) for row in game.rows],
        "wagers": {
            wager.id: {
                "name": wager.name,
                "clause": wager.clause,
                "lines": [_line_json(line) for line in wager.lines],
                "bonuses": [_line_json(line) for line in wager.bonuses],
            }
            for wager in game.paytables.values()
        },
        "rulings": [
            {"number": ruling.number, "title": ruling.title, "text": ruling.text, "reason": ruling.reason}
            for ruling in applicable_rulings(game)
        ],
    }


def _line_json(line: Line) -> dict[str, object]:
    paid = {"amount": line.pays.money} if isinstance(line.pays, Fixed) else {"pays": str(line.pays or "push")}
    return {"line": line.label, "clause": line.clause, "when": str(line.when), **paid}
