"""The terminal of a table: what is printed, painted over and typed, whether a person or a pipe is there."""

import io
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from puntobanco.cli import standard_input

PROMPT = "> "
LOOK_FOR_INTERRUPT_SECONDS = 0.05


class Screen:
    """Prints and reads lines; on a live terminal the latest frame can be painted over."""

    def __init__(self, *, fast: bool) -> None:
        for stream in (sys.stdin, sys.stdout):
            # A character that cannot be read or shown becomes a question mark instead of an end of the game.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.console = Console(highlight=False, markup=False, emoji=False)
        typed, seen = standard_input().isatty(), sys.stdout.isatty()
        self.pauses = seen and not fast
        self.live = typed and seen and not self.console.is_dumb_terminal
        self.interrupted = False
        """Whether Ctrl-C was pressed while no line was being read: what is under way is completed first."""
        self._typed = typed
        self._reading = False
        self._frame_height = 0
        if typed:
            with suppress(ImportError):
                import readline  # noqa: F401  (loading it gives `input` a history and an editable line)

    @property
    def width(self) -> int:
        return self.console.width

    def say(self, *parts: RenderableType) -> None:
        """Print for good."""
        self._frame_height = 0
        for part in parts:
            if self.console.is_terminal:
                self.console.print(part)
            else:
                with self.console.capture() as printed:
                    self.console.print(part)
                # Columns are padded to their width, which in a file would be spaces at the end of lines.
                lines = [line.rstrip() for line in printed.get().splitlines()]
                self.console.file.write("\n".join([*lines, ""]))
                self.console.file.flush()

    def paint(self, lines: Sequence[Text]) -> None:
        """Print a frame in place of the one painted before, if nothing was said since and it is still in sight."""
        if self.live and 0 < self._frame_height < self.console.height:
            line_up = ((ControlType.CURSOR_UP, 1), (ControlType.ERASE_IN_LINE, 2))
            self.console.control(Control(*line_up * self._frame_height))
        height = 0
        for line in lines:
            for wrapped in line.wrap(self.console, self.width):
                self.console.print(wrapped, no_wrap=True, overflow="crop")
                height += 1
        self._frame_height = height

    def ask(self) -> str | None:
        """The next line that is typed or piped in; None when there are no more, or at Ctrl-C."""
        self._reading = True
        try:
            # Pressed a moment too early, Ctrl-C was only noted.
            if self.interrupted:
                return None
            if self._typed:
                line = input(PROMPT)
                self._frame_height += cell_len(PROMPT + line) // self.width + 1
                return line
            line = sys.stdin.readline()
            if line:
                typed = "".join(letter if letter.isprintable() else "?" for letter in line.rstrip("\r\n"))
                # What comes through a pipe is shown, so that the output reads as a whole.
                self.say(Text((PROMPT + typed).rstrip()))
                return typed
        except (KeyboardInterrupt, EOFError):
            self.say()
            self.console.print()
        finally:
            self._reading = False
        return None

    def pause(self, seconds: float) -> None:
        """Wait, for a person only, and no longer once Ctrl-C is pressed."""
        end = time.monotonic() + (seconds if self.pauses else 0)
        while not self.interrupted and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, LOOK_FOR_INTERRUPT_SECONDS))

    @contextmanager
    def interrupts_noted(self) -> Iterator[None]:
        """Within, Ctrl-C ends the reading of a line; at any other time it is only noted."""

        def note(number: int, frame: FrameType | None) -> None:
            self.interrupted = True
            if self._reading:
                raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def keyboard_at_rest(self) -> Iterator[None]:
        """Within, keys are neither shown nor kept: an impatient Enter must not garble a deal or start the next."""
        try:
            import termios
        except ImportError:  # Not on every system; there an impatient key shows.
            termios = None  # type: ignore[assignment]
        if termios is None or not (self.live and self.pauses):
            yield
            return
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        silent = [*before]
        silent[3] &= ~termios.ECHO
        termios.tcsetattr(keyboard, termios.TCSANOW, silent)
        try:
            yield
        finally:
            termios.tcflush(keyboard, termios.TCIFLUSH)
            termios.tcsetattr(keyboard, termios.TCSANOW, before)
