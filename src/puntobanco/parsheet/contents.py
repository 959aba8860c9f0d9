"""What stands on a par sheet, in words and tables and in no particular type."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from puntobanco.odds.exact_counter import falling
from puntobanco.parsheet.blocks import Block, Column, Facts, Paragraph, Row, Section, Sheet, Table
from puntobanco.parsheet.figures import Configuration, percent, switch_changes_figures
from puntobanco.parsheet.wager_tables import money, wager_tables
from puntobanco.provenance import reading_in_words
from puntobanco.rulecard import totals_in_words
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.rulings import RULINGS
from puntobanco.tableau import Tableau


def sheet(configurations: Sequence[Configuration], version: str) -> Sheet:
    """The par sheet of these configurations of one game, the house's reading first."""
    game = configurations[0].game
    by_reading = [list(group) for _, group in groupby(configurations, key=lambda each: each.game.digest)]
    first = Section(
        "Identification",
        game.digest,
        (
            _identification(game, version),
            _switches(game),
            *_tableaux([group[0].game for group in by_reading]),
        ),
        is_configuration=False,
    )
    reading = Section("How to read the figures", game.digest, tuple(_method(game)), is_configuration=False)
    summary = Section("Summary", game.digest, tuple(_summary(by_reading)), is_configuration=False)
    details = [_details(each, by_reading) for each in configurations]
    return Sheet(game.name, _document(game), _issue(game, version), (first, summary, reading, *details))


def reading_words(game: Game) -> str:
    """`tableau = standard`; empty where no switch changes a figure."""
    names = [name for name in game.switches if switch_changes_figures(game, name)]
    return ", ".join(f"{name} = {game.reading[name]}" for name in names)


def _document(game: Game) -> str:
    document = game.document
    version = f", version {document.version}" if document.version else ""
    return f"{document.publisher}, {document.title}{version}"


def _issue(game: Game, version: str) -> str:
    return f"rules effective: {_effective(game)}; made with puntobanco {version}"


def _effective(game: Game) -> str:
    return (game.document.effective or "not stated").replace("T", " ")


def _identification(game: Game, version: str) -> Facts:
    document, pack, decks = game.document, game.pack, game.decks
    decks_clause = cited(game.procedure.decks)
    return Facts(
        (
            ("Game", f"{game.name} ({game.id})"),
            ("Rule document", f"{document.publisher}, {document.title}"),
            ("Version", document.version or "not stated"),
            ("Effective date", _effective(game)),
            ("Rules digest", f"SHA-256 {game.digest}"),
            ("Reading", reading_in_words(game)),
            ("Pack", f"{pack.name}: {', '.join(pack.suits.values())}, each with {' '.join(pack.ranks)}"),
            ("Decks", f"{decks.minimum} to {decks.maximum} ({decks_clause}), {decks.default} by default"),
            ("Wagers", ", ".join(f"{wager.name} ({wager.clause})" for wager in game.paytables.values())),
            *([("Wagers of one's own", ", ".join(game.own_wagers))] if game.own_wagers else ()),
            ("Stake step", f"{game.stake_step}: every multiple is paid in whole units on every line"),
            ("Made with", f"puntobanco {version}; no sampling and no rounding before the last printed digit"),
        )
    )


def _switches(game: Game) -> Table:
    rows = []
    for name, options in game.switches.items():
        ruling = next(ruling for ruling in RULINGS if ruling.switch and ruling.switch.name == name)
        if switch_changes_figures(game, name):
            effect = "yes: the sheet has every option"
        else:
            effect = "no figure of this sheet"
            if name == "rounding":
                effect += f"; at stakes in steps of {game.stake_step} no payment is ever rounded"
        rows.append(
            Row(
                (
                    name,
                    " | ".join(options),
                    game.reading[name],
                    effect,
                    f"{ruling.number}, {ruling.title}. {ruling.text}",
                )
            )
        )
    columns = (
        Column("Switch", 0.1),
        Column("Options", 0.15),
        Column("In force", 0.09),
        Column("Changes figures", 0.18),
        Column("Ruling", 0.48),
    )
    return Table("Switches: where the document can be read in two ways", columns, tuple(rows))


def _tableaux(games: Iterable[Game]) -> Iterator[Table]:
    """The table of play of each reading that has one of its own."""
    for game in {game.tableau: game for game in games}.values():
        tableau, procedure = game.tableau, game.procedure
        columns = (
            Column("Banker's total", 0.2),
            Column("Player stood", 0.16),
            *(Column(str(third), 0.064) for third in range(10)),
        )
        rows = [
            Row((str(banker), *(_draws(tableau, banker, third) for third in (None, *range(10)))))
            for banker in sorted(tableau.banker_draws)
        ]
        note = (
            f"The Player draws on {totals_in_words(tableau.player_draws)} ({cited(procedure.player_draws)}); "
            f"a two-card total of {totals_in_words(tableau.naturals)} in either hand ends the draw "
            f"({cited(procedure.natural)}). "
            f"D: the Banker draws, -: the Banker stands, when the Player stood "
            f"({cited(procedure.player_stood)}) or drew a third card worth 0 to 9 "
            f"({cited(procedure.banker_draws)}); ten and pictures are worth 0."
        )
        yield Table(f"Table of play: {tableau.name}", columns, tuple(rows), is_grid=True, note=note)


def _draws(tableau: Tableau, banker: int, third: int | None) -> str:
    if third is None:
        return "D" if tableau.banker_draws_on(banker) else "-"
    # Any total on which the Player draws will do: the Banker looks at the third card alone.
    player = next(points for points in range(10) if tableau.player_draws_on(points))
    return "D" if tableau.decide((0, player, third), (0, banker)).hand else "-"


def _method(game: Game) -> Iterator[Paragraph]:
    yield Paragraph(
        "Combinations. A round is an ordered draw of six cards from the full shoe, those that it leaves unused "
        "included. A shoe of N cards has N (N-1) (N-2) (N-3) (N-4) (N-5) such draws, all equally likely, and the "
        "combinations of a line are those of them in which the line decides the wager. They are counted, not sampled."
    )
    yield Paragraph(
        "Lines are read from the top and the first that holds decides; where none holds, the stake is lost."
    )
    yield Paragraph(
        "Probability: combinations divided by all draws, as an exact fraction in lowest terms and as a decimal. "
        "Return of a line: probability x (1 + payment) for each unit staked, so a push returns its probability. "
        "Total return: the sum over the lines. House edge: 1 - total return."
    )
    if any(wager.bonuses for wager in game.paytables.values()):
        yield Paragraph(
            "A payment marked + comes on top of the line that decides: its combinations are among that line's and are "
            "not added again, and its return is probability x payment."
        )
    yield Paragraph(
        "Hit rate: how often the wager is paid; a push is no hit. Standard deviation: of the result of one round for a "
        "stake of one unit. Volatility index: 1.65 x standard deviation; after n rounds at equal stakes the actual "
        "return lies within volatility index / square root of n of the total return nine times in ten, for n large "
        "enough that the result is nearly normal."
    )
    if game.fixed_bonuses:
        yield Paragraph(
            "Fixed bonuses are amounts of money in the smallest unit, whatever the stake, and are left out of return, "
            "edge, hit rate and deviation. At a stake of S the return is total return + worth a round / S. Break-even "
            "stake: the stake at which that is one; at a lower stake the wager favours the patron."
        )
    yield Paragraph(
        "Check sums. The losing draws are counted by themselves, not by subtraction, and the row Total is the sum of "
        "the lines and the losses; it is the number of all draws. The returns add up to the total return as exact "
        "fractions. A sheet in which either failed would not have been issued."
    )


def _summary(by_reading: Sequence[Sequence[Configuration]]) -> Iterator[Block]:
    for group in by_reading:
        game = group[0].game
        title = ": ".join(filter(None, ("House edge", reading_words(game))))
        columns = (Column("Wager", 0.23), *(Column(f"{each.decks} decks", 0.77 / len(group), True) for each in group))
        rows = [
            Row((wager.odds.wager.name, *(percent(each.wagers[place].odds.house_edge, 6) for each in group)))
            for place, wager in enumerate(group[0].wagers)
        ]
        note = f"Rules digest SHA-256 {game.digest}. A negative edge favours the patron."
        if game.fixed_bonuses:
            note += " Fixed bonuses are left out."
        yield Table(title, columns, tuple(rows), is_grid=True, note=note)
    for group in by_reading:
        if any(wager.bonus_worth for wager in group[0].wagers):
            yield _break_even(group)


def _break_even(group: Sequence[Configuration]) -> Table:
    columns = (Column("Wager", 0.23), *(Column(f"{each.decks} decks", 0.77 / len(group), True) for each in group))
    rows = [
        Row((wager.odds.wager.name, *(money(each.wagers[place].odds.break_even_stake) for each in group)))
        for place, wager in enumerate(group[0].wagers)
        if wager.bonus_worth
    ]
    note = "In the smallest unit of money. Below this stake the fixed bonuses outweigh the house edge."
    return Table("Break-even stake of wagers with fixed bonuses", columns, tuple(rows), is_grid=True, note=note)


def _details(each: Configuration, by_reading: Sequence[Sequence[Configuration]]) -> Section:
    game, cards = each.game, each.odds.shoe.size
    factors = " x ".join(str(cards - taken) for taken in range(6))
    blocks: list[Block] = [
        Paragraph(f"{each.decks} decks, {cards} cards; {factors} = {falling(cards, 6):,} draws of six cards.")
    ]
    if game != by_reading[0][0].game:
        blocks.append(Paragraph(_differences(each, by_reading[0])))
    blocks += [table for wager in each.wagers for table in wager_tables(wager)]
    title = ", ".join(filter(None, (f"{each.decks} decks", reading_words(game))))
    return Section(title, game.digest, tuple(blocks))


def _differences(each: Configuration, first: Sequence[Configuration]) -> str:
    other = next(candidate for candidate in first if candidate.decks == each.decks)
    same = [
        mine.odds.wager.name
        for mine, theirs in zip(each.wagers, other.wagers, strict=True)
        if mine.odds.outcomes == theirs.odds.outcomes and mine.odds.wager == theirs.odds.wager
    ]
    if not same:
        return f"Every wager differs from the reading {reading_words(other.game)}."
    return f"The same, count for count, as under {reading_words(other.game)}: {', '.join(same)}."
