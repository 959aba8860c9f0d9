"""What the table in the terminal says about itself: welcome, help, payments, and the sentences of betting."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from puntobanco.cards import STANDARD_PACK
from puntobanco.cli.columns import broken_at_commas
from puntobanco.cli.heading import changed_in_words
from puntobanco.cli.playing.dealt import SUIT_SIGNS
from puntobanco.cli.playing.felt import amount_in_figures, common_limits, limits_in_words, printed_lines
from puntobanco.cli.playing.patron_words import PATRON, short_names
from puntobanco.rulecard import card_values_line, document_line, payment_words, totals_in_words
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Line, Ratio
from puntobanco.table import Table, TableSettings

CHIPS_IN_ONE = 100
"""Money is counted in the smallest unit, which for each currency of the houses is a hundredth."""


def welcome(settings: TableSettings, width: int) -> Iterator[Text]:
    game = settings.game
    document = document_line(game)
    if game.name not in document:
        yield Text(game.name, style="bold")
    for line in broken_at_commas(document, width):
        yield Text(line, style="bold" if game.name in document else "")
    limits = common_limits(settings)
    stakes = f"Stakes {limits_in_words(limits)}" if limits else "Stakes as printed on each spot"
    money = "Chips without value" if game.chips_only else f"Play money: {CHIPS_IN_ONE} is 1 {settings.currency}"
    yield Text(f"{settings.decks} decks. {stakes}. {money}.")
    for reading in changed_in_words(game):
        yield Text(f"Not the usual reading: {reading}.", style="yellow")
    yield from map(Text, settings.warnings())
    if not set(game.pack.suits.values()) <= SUIT_SIGNS.keys():
        yield Text(_notation(game))
    yield from for_newcomers(game)


def for_newcomers(game: Game) -> Iterator[Text]:
    """The game in five lines: aim, card values, who draws, and what the spots pay."""
    tableau = game.tableau
    yield Text("Aim: tell which of two hands, Player or Banker, will end nearer to 9, or a tie.")
    yield Text(card_values_line(game.pack))
    yield Text(
        f"Two cards each: {totals_in_words(tableau.naturals)} (a natural) ends it; else the Player draws on "
        f"{totals_in_words(tableau.player_draws)}."
    )
    yield Text(
        f"The Banker draws on {totals_in_words(tableau.banker_draws_when_player_stands)} if the Player stood, "
        "else by the Player's third card."
    )
    yield Text(f"Pays {', '.join(_pays_in_short(game))}.")


def _pays_in_short(game: Game) -> Iterator[str]:
    """The least and the most that each spot pays; spots that pay alike stand together."""
    alike: dict[str, list[str]] = {}
    for wager, short in short_names(game).items():
        paytable = game.paytables[wager]
        # A push pays nothing, so where a winning hand may only get its stake back, that is the least.
        lines = sorted(printed_lines(paytable), key=_paid_for_each)
        ends = dict.fromkeys(map(amount_in_figures, (lines[0], lines[-1])))
        alike.setdefault("-".join(ends) + ("+" if paytable.bonuses else ""), []).append(short)
    for pays, shorts in alike.items():
        yield f"{' '.join(shorts)} {pays}"


def _paid_for_each(line: Line) -> Fraction:
    """What the line pays for each unit staked."""
    return Fraction(line.pays.numerator, line.pays.denominator) if isinstance(line.pays, Ratio) else Fraction(0)


def _notation(game: Game) -> str:
    unusual = {letter: name for letter, name in game.pack.rank_names.items() if letter not in STANDARD_PACK.ranks}
    named = {**game.pack.suits, **unusual}
    return f"Cards: {', '.join(f'{letter} {name}' for letter, name in named.items())}."


def opening(table: Table, balance: int, buy_in: int, *, first: bool) -> Text:
    """The call that opens betting, with what a patron should know at that moment."""
    called = Text.assemble((f"Place your bets, please. [{table.settings.game.procedure.betting_opens}]", "bold"))
    if first:
        spot, short = next(iter(short_names(table.settings.game).items()))
        amount = 2 * table.settings.limits[spot].minimum
        called.append(f" {short} {amount:,} stakes, Enter deals; see help.")
    if table.rounds_left == 1:
        called.append(" This is the last round of the shoe.", style="yellow")
    least = min(limits.minimum for limits in table.settings.limits.values())
    if balance < least:
        called.append(
            f" Your balance of {balance:,} is less than the least stake of {least:,}: "
            f"rebuy buys in for another {buy_in:,}, deal only watches, quit leaves.",
            style="yellow",
        )
    return called


def status(table: Table, balance: int) -> Text:
    """Where the table is, and the patron's money."""
    on_the_felt = f"On the felt {table.held:,}. " if table.held else ""
    return Text.assemble(
        f"Round {table.round_number:,}, shoe {table.shoe_number}, {table.cards_in_shoe:,} cards left. {on_the_felt}",
        (f"Balance {balance:,}.", "bold"),
    )


def stakes(table: Table, balance: int) -> Text:
    """What is on each spot, and what is left."""
    game = table.settings.game
    placed = [f"{game.paytables[spot].name} {stake:,}" for spot, stake in table.slip(PATRON).items()]
    on_the_felt = f"On the felt: {', '.join(placed)}" if placed else "Nothing is on the felt"
    return Text(f"{on_the_felt}. Balance {balance:,}.")


def payments(settings: TableSettings) -> Iterator[RenderableType]:
    """Every payment with its clause, as the rule card has it."""
    game = settings.game
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for heading in ("wager", "when", "pays", "clause"):
        grid.add_column(heading, justify="right" if heading == "pays" else "left")
    for row in game.rows:
        for wager in map(game.paytables.__getitem__, row):
            for place, line in enumerate(wager.all_lines):
                grid.add_row(wager.name if place == 0 else "", line.label, payment_words(wager, line), line.clause)
    yield grid
    on_top = ", + comes on top" if any(wager.bonuses for wager in game.paytables.values()) else ""
    yield Text(f"The first line that holds decides{on_top}; else the stake is lost.")
    yield Text(card_values_line(game.pack))
    yield Text(_notation(game))


def commands(settings: TableSettings, buy_in: int) -> Iterator[RenderableType]:
    """What can be typed."""
    game = settings.game
    shorts = short_names(game)
    first, *_, last = shorts
    amount = 2 * settings.limits[first].minimum
    several = f"{shorts[first]} {amount:,} {shorts[last]} {amount:,}"
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    for typed, meaning in (
        (f"{first} {amount:,}", f"make the stake on {first} {amount:,}; several: {several}"),
        (f"{shorts[first]} +{amount:,}", f"add to the stake; -{amount:,} takes off. Also: increase, reduce"),
        (f"withdraw {shorts[first]}", "take a wager back; clear takes all back"),
        ("double", "double what is on the felt, or one spot"),
        ("repeat", "put down the stakes of the round before"),
        ("Enter or deal", "no more bets: deal the round"),
        ("felt, rules, roads", "the whole felt; payments with their clauses; all five roads"),
        ("odds, odds tie", "what each spot is worth from the cards left, or one in full"),
        ("rebuy", f"buy in for another {buy_in:,}"),
        ("quit", "leave; Ctrl-C and Ctrl-D do too"),
    ):
        grid.add_row(Text(typed, style="bold"), meaning)
    yield grid
    spots = ", ".join(f"{short} {game.paytables[wager].name}" for wager, short in shorts.items())
    yield Text(f"Spots: {spots}. Any clear beginning of a name will do.")
    yield Text("In brackets stands the clause of the rule document.")
