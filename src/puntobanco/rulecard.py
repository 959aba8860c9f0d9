"""The rule card of a game as data and as words, for whoever draws it: a terminal, a page, a service."""

from collections.abc import Iterator

from puntobanco.cards import Pack
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed, Line, Wager
from puntobanco.tableau import total

TABLEAU_STEPS = ("initial_deal", "natural", "player_draws", "player_stood", "banker_draws", "winner", "tie")
"""The steps of a deal of which the card says by which clause they are taken."""


def summary(game: Game) -> dict[str, object]:
    """The game as a list of games shows it, in values that JSON has."""
    return {
        "game": game.id,
        "name": game.name,
        "document": document_of(game),
        "pack": game.pack.id,
        "decks": {"minimum": game.decks.minimum, "maximum": game.decks.maximum, "default": game.decks.default},
        "wagers": list(game.paytables),
        "switches": {name: list(options) for name, options in game.switches.items()},
        "digest": game.digest,
    }


def rule_card(game: Game) -> dict[str, object]:
    """The whole card: the summary, the tableau, the felt, every line with its payment and clause, and the rulings."""
    return {
        **summary(game),
        "reading": dict(game.reading),
        "card_values": card_values(game.pack),
        "tableau": {
            "name": game.tableau.name,
            "naturals": game.tableau.naturals,
            "player_draws": game.tableau.player_draws,
            "banker_draws_when_player_stands": game.tableau.banker_draws_when_player_stands,
            "banker_draws": {str(row): cell for row, cell in game.tableau.banker_draws.items()},
            "clauses": {step: getattr(game.procedure, step) for step in TABLEAU_STEPS},
        },
        "layout": [list(row) for row in game.printed_rows],
        "wagers": {
            wager.id: {
                "name": wager.name,
                "clause": wager.clause,
                "lines": [_line_data(line) for line in wager.lines],
                "bonuses": [_line_data(line) for line in wager.bonuses],
            }
            for wager in game.paytables.values()
        },
        "rulings": [
            {"number": ruling.number, "title": ruling.title, "text": ruling.text, "reason": ruling.reason}
            for ruling in game.applicable_rulings
        ],
    }


def document_of(game: Game) -> dict[str, str | None]:
    """The document that the game is played by, in values that JSON has."""
    document = game.document
    return {
        "publisher": document.publisher,
        "title": document.title,
        "version": document.version,
        "effective": document.effective,
    }


def _line_data(line: Line) -> dict[str, object]:
    paid = {"amount": line.pays.money} if isinstance(line.pays, Fixed) else {"pays": str(line.pays or "push")}
    return {"line": line.label, "clause": line.clause, "when": str(line.when), **paid}


def document_line(game: Game) -> str:
    """The document as one cites it: house, title, version, date."""
    document = game.document
    parts = [f"{document.publisher}, {document.title}"]
    if document.version:
        parts.append(f"version {document.version}")
    if document.effective:
        parts.append(f"in force from {document.effective.replace('T', ' ')}")
    return ", ".join(parts)


def decks_line(game: Game) -> str:
    """`4 to 10 decks`, or `8 decks` where the document allows one number."""
    decks = game.decks
    few = f"{decks.minimum} to {decks.maximum}" if decks.minimum < decks.maximum else str(decks.maximum)
    return f"{few} {'deck' if decks.maximum == 1 else 'decks'}"


def card_values(pack: Pack) -> dict[str, int]:
    """What each rank counts, by its name: `Ace` 1, `King` 0."""
    return {pack.rank_names.get(card.rank, card.rank): card.points for card in pack.cards[: len(pack.ranks)]}


def card_values_line(pack: Pack) -> str:
    """`Cards count Ace 1, 2 to 9 as printed, Ten Jack Queen King 0; 15 counts as 5.`"""
    values = card_values(pack)
    printed = [name for name, points in values.items() if name == str(points)]
    by_points: dict[int, list[str]] = {}
    for name, points in values.items():
        if name not in printed:
            by_points.setdefault(points, []).append(name)
    named = [f"{' '.join(names)} {points}" for points, names in by_points.items()]
    as_printed = [f"{printed[0]} to {printed[-1]} as printed"] if printed else []
    too_many = 15  # Any total above nine shows it.
    return f"Cards count {', '.join([*named[:1], *as_printed, *named[1:]])}; {too_many} counts as {total([too_many])}."


def totals_in_words(cell: str) -> str:
    """`8 or 9` for the cell `8-9` of a tableau, `0 to 4, 6` for `0-4 6`."""
    ends = [part.split("-") for part in cell.split()]
    return ", ".join((" or " if int(each[-1]) - int(each[0]) == 1 else " to ").join(each) for each in ends)


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


def payment_words(wager: Wager, line: Line) -> str:
    """`8 to 1`, `push`, `+ 3,000,000`."""
    if line.pays is None:
        return "push"
    on_top = "+ " if line in wager.bonuses else ""
    if isinstance(line.pays, Fixed):
        return f"{on_top}{line.pays.money:,}"
    return f"{on_top}{line.pays.numerator:,} to {line.pays.denominator}"
