"""`puntobanco rng dump`: what the generator of committed shoes gives, for a test laboratory."""

import argparse
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from puntobanco.cards import Card
from puntobanco.errors import InputError
from puntobanco.fairness.drbg import HmacDrbg
from puntobanco.fairness.seeds import seeded_keys
from puntobanco.fairness.shoe import NO_STATE, REQUEST_BYTES, Drawing, ShoeTerms, new_keys, open_shoe, round_state
from puntobanco.games import find_game
from puntobanco.rules.game import Game

if TYPE_CHECKING:
    from rich.live import Live

HELP = "Print raw output of the generator, or whole shoes drawn to their last card, for a test laboratory."
EXAMPLE = "puntobanco rng dump --shoes 1000 --game manila --seed 7"
DETAILS = """\
--bytes: HMAC_DRBG-SHA256 in requests of 256 bytes, as a shoe draws from it; entropy is the first key of a shoe, the
nonce 32 zero bytes, the personalisation "pb1/dump".
--shoes: each shoe is a committed one of 256 keys with the id "dump-N", drawn in rounds of six cards without nonces;
a line has its cards in the order of drawing.
--seed S: key r of shoe N is H("pb1/seed/key", S in decimal digits, N, r), as docs/fairness.md defines H; without it
the keys are from the operating system.
"""
CARDS_IN_A_ROUND = 6
SECONDS_UNWATCHED = 0.5
"""What is over sooner needs no bar, and not the time to load what draws it."""
BLOCK_BYTES = 256 * REQUEST_BYTES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{DETAILS}\n{parser.epilog}"
    parser.add_argument("action", choices=["dump"], help="the one thing to do with it")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--bytes", type=int, metavar="N", help="so many bytes, as they are")
    asked.add_argument("--shoes", type=int, metavar="N", help="so many shoes, one on each line")
    parser.add_argument("--game", metavar="GAME", help="the game whose shoes they are")
    parser.add_argument("--decks", type=int, metavar="N", help="decks in a shoe (default: as usual for the game)")
    parser.add_argument("--seed", type=int, metavar="S", help="the same output every time, for the same seed")


def run(arguments: argparse.Namespace) -> int:
    """Write to standard output until all is written."""
    count = arguments.shoes if arguments.bytes is None else arguments.bytes
    if count < 0:
        raise InputError("bad-usage", "There is no negative number of bytes or shoes.")
    if arguments.bytes is not None:
        if arguments.game is not None or arguments.decks is not None:
            raise InputError("bad-usage", "A game and its decks go with --shoes.")
        _write(_blocks(count, arguments.seed), count, "bytes", len)
        return 0
    if arguments.game is None:
        raise InputError("bad-usage", "Shoes are those of a game: name one with --game.")
    game = find_game(arguments.game, arguments.games)
    decks = game.decks.default if arguments.decks is None else arguments.decks
    if not game.decks.minimum <= decks <= game.decks.maximum:
        raise InputError(
            "bad-usage",
            f"{game.name} is played with {game.decks.minimum} to {game.decks.maximum} decks, not {decks}.",
        )
    _write(_lines(game, decks, count, arguments.seed), count, "shoes", lambda _: 1)
    return 0


def _blocks(size: int, seed: int | None) -> Iterator[bytes]:
    key = new_keys()[0] if seed is None else seeded_keys(seed, 1)[0]
    generator = HmacDrbg(key, NO_STATE, b"pb1/dump")
    while size > 0:
        block = b"".join(generator.generate(REQUEST_BYTES) for _ in range(BLOCK_BYTES // REQUEST_BYTES))
        yield block[:size]
        size -= len(block)


def _lines(game: Game, decks: int, shoes: int, seed: int | None) -> Iterator[bytes]:
    for number in range(1, shoes + 1):
        keys = new_keys() if seed is None else seeded_keys(seed, number)
        yield f"{' '.join(map(str, whole_shoe(game, decks, number, keys)))}\n".encode()


def whole_shoe(game: Game, decks: int, number: int, keys: tuple[bytes, ...]) -> Iterator[Card]:
    """Every card of a committed shoe, in the order of drawing."""
    opened = open_shoe(ShoeTerms.of(game, table="dump", shoe=f"dump-{number}", decks=decks), keys)
    drawing, state = Drawing(opened), NO_STATE
    for place, key in enumerate(keys):
        state = round_state(opened, place, state)
        drawing.begin(place, key, state)
        for _ in range(min(CARDS_IN_A_ROUND, drawing.cards_left)):
            yield drawing.draw()


def _write(pieces: Iterator[bytes], wanted: int, unit: str, size_of: Callable[[bytes], int]) -> None:
    """Write the pieces as they come; whoever waits at a terminal sees how far it is."""
    watched, done = _Progress(wanted, unit), 0
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
            done += size_of(piece)
            watched.reach(done)
    finally:
        watched.end()


class _Progress:
    """A bar on standard error, for a person only, and only where it takes long."""

    def __init__(self, wanted: int, unit: str) -> None:
        self.wanted = wanted
        self.unit = unit
        self.start = self.shown = perf_counter()
        self.live: Live | None = None

    def reach(self, done: int) -> None:
        now = perf_counter()
        # Output to the same terminal would be torn apart by a bar.
        if now - self.shown < SECONDS_UNWATCHED or not sys.stderr.isatty() or sys.stdout.isatty():
            return
        self.shown = now
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        if self.live is None:
            self.live = Live(console=Console(file=sys.stderr), transient=True, auto_refresh=False)
            self.live.start()
        left = (now - self.start) * (self.wanted / done - 1)
        told = Text(f"{done:,} of {self.wanted:,} {self.unit}, {left:,.0f} s left", no_wrap=True)
        bar = ProgressBar(total=self.wanted, completed=done, width=60)
        # The bar comes last because it does not end its line.
        self.live.update(Group(told, bar), refresh=True)

    def end(self) -> None:
        if self.live is not None:
            self.live.stop()
