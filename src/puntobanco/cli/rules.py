"""`puntobanco rules GAME`: the rule card."""

import argparse
import json
from collections.abc import Iterator

from puntobanco.cli.columns import broken_at_commas
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.provenance import Provenance
from puntobanco.rulecard import card_values_line, decks_line, payment_words, rule_card, tableau_rows
from puntobanco.rules.game import Game

HELP = "Print the rule card of a game: tableau, every wager and payment line with its clause, and rulings."
EXAMPLE = "puntobanco rules fabulous-4"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--clauses", action="store_true", help="add every clause of the document in our words")
    parser.add_argument("--json", action="store_true", help="print the card as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = chosen_game(arguments)
    if arguments.json:
        data = {**rule_card(game), "provenance": Provenance(game).as_json()}
        print(json.dumps(data, indent=1, ensure_ascii=False))
        return 0
    from rich.console import Console

    console = Console(highlight=False, emoji=False)
    for part in card(game, console.width, with_clauses=arguments.clauses):
        console.print(part, markup=False, soft_wrap=False)
    return 0


def card(game: Game, width: int, *, with_clauses: bool = False) -> Iterator[object]:
    """The parts of the card, from the top, as rich prints them."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    yield Text(game.name, style="bold")
    document, digest, reading = Provenance(game).heading
    yield from broken_at_commas(document, width)
    procedure = game.procedure
    yield f"{decks_line(game)} of the {game.pack.name} ({procedure.decks})"
    yield digest
    yield from broken_at_commas(reading, width)
    yield ""
    yield f"{card_values_line(game.pack)}\n"

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
        for place, line in enumerate(wager.all_lines):
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
    for ruling in game.applicable_rulings:
        yield f"{ruling.number}. {ruling.title}. {ruling.text} Why: {ruling.reason}"
        if ruling.switch and ruling.switch.name in game.switches:
            options = " | ".join(ruling.switch.options)
            yield f"   switch {ruling.switch.name} = {options}; here: {game.reading[ruling.switch.name]}"
    if with_clauses:
        yield Text(f"\nThe document, clause by clause, in our words ({game.document.title})", style="bold")
        for clause, words in game.document.clauses.items():
            yield f"{clause}  {words}"
