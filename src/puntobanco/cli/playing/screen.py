"""The terminal of a table: what is printed, painted over and typed, whether a person or a pipe is there."""

import io
import os
import select
import signal
import sys
import time
from collections import deque
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
MORE = "Enter shows the rest > "
LOOK_FOR_INTERRUPT_SECONDS = 0.05
BARE_FRAME, LEAST_FRAME = 2, 4
"""How many lines are kept free for where the table is and the prompt, and for a sentence between them."""


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
        self._scene_height = 0
        self._typed_ahead: deque[str | None] = deque()
        self._watched_keyboard: int | None = None
        self._hurried = False
        if typed:
            with suppress(ImportError):
                import readline  # noqa: F401  (loading it gives `input` a history and an editable line)

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def room(self) -> int:
        """How many lines a frame may have, above its prompt, with all of the scene still in sight."""
        return self.console.height - self._scene_height - 1

    def height_of(self, *parts: RenderableType) -> int:
        """How many lines the parts take."""
        return sum(len(self._rendered(part)) for part in parts)

    def begin_scene(self) -> None:
        """From here on what is said is to stay in sight; what was said before may scroll away."""
        self._scene_height = 0

    def say(self, *parts: RenderableType) -> None:
        """Print for good."""
        self._scene_height += self._frame_height
        self._frame_height = 0
        for part in parts:
            self._print(self._rendered(part))

    def _rendered(self, part: RenderableType) -> list[str]:
        with self.console.capture() as printed:
            self.console.print(part)
        lines = printed.get().split("\n")[:-1]
        # Columns are padded to their width, which in a file would be spaces at the end of lines.
        return lines if self.console.is_terminal else [line.rstrip() for line in lines]

    def _print(self, lines: Sequence[str]) -> None:
        self._scene_height += len(lines)
        self.console.file.write("".join(f"{line}\n" for line in lines))
        self.console.file.flush()

    def answer(self, *parts: RenderableType) -> None:
        """Print what was asked for in place of the frame, page by page where the terminal is too low for it."""
        if not self.live:
            self.say(*parts)
            return
        self._erase_frame()
        lines = [line for part in parts for line in self._rendered(part)]
        if len(lines) + LEAST_FRAME > self.room + 1:
            self.begin_scene()
        page = max(1, self.console.height - BARE_FRAME)
        while len(lines) > page:
            self._print(lines[:page])
            lines = lines[page:]
            typed = self.ask(MORE)
            # The question gives way to the rest, and of the page before as much as possible stays in sight.
            self._erase_frame()
            self._scene_height = max(0, page - len(lines))
            if typed != "":
                self._typed_ahead.appendleft(typed)
                return
        self._print(lines)

    def _erase_frame(self) -> None:
        if self.live and 0 < self._frame_height < self.console.height:
            line_up = ((ControlType.CURSOR_UP, 1), (ControlType.ERASE_IN_LINE, 2))
            self.console.control(Control(*line_up * self._frame_height))
        self._frame_height = 0

    def paint(self, lines: Sequence[Text]) -> None:
        """Print a frame in place of the one painted before, if nothing was said since and it is still in sight."""
        self._erase_frame()
        height = 0
        for line in lines:
            for wrapped in line.wrap(self.console, self.width):
                self.console.print(wrapped, no_wrap=True, overflow="crop")
                height += 1
        self._frame_height = height

    def ask(self, prompt: str = PROMPT) -> str | None:
        """The next line that is typed or piped in; None when there are no more, or at Ctrl-C."""
        self._reading = True
        try:
            # Pressed a moment too early, Ctrl-C was only noted.
            if self.interrupted:
                return None
            if self._typed_ahead:
                ahead = self._typed_ahead.popleft()
                self._show_typed(prompt + (ahead or ""))
                return ahead
            if self._typed:
                line = input(prompt)
                self._frame_height += cell_len(prompt + line) // self.width + 1
                return line
            line = sys.stdin.readline()
            if line:
                typed = "".join(letter if letter.isprintable() else "?" for letter in line.rstrip("\r\n"))
                # What comes through a pipe is shown, so that the output reads as a whole.
                self.say(Text((prompt + typed).rstrip()))
                return typed
        except (KeyboardInterrupt, EOFError):
            self.say()
            self.console.print()
        finally:
            self._reading = False
        return None

    def _show_typed(self, line: str) -> None:
        shown = self._rendered(Text(line))
        self.console.file.write("".join(f"{part}\n" for part in shown))
        self._frame_height += len(shown)

    def pause(self, seconds: float) -> None:
        """Wait, for a person only, and no longer once Enter or Ctrl-C is pressed."""
        end = time.monotonic() + (seconds if self.pauses else 0)
        while not (self.interrupted or self._hurried) and (left := end - time.monotonic()) > 0:
            self._read_ahead(min(left, LOOK_FOR_INTERRUPT_SECONDS))

    def _read_ahead(self, seconds: float) -> bool:
        """Wait for a line to be typed during a deal; whether there was one."""
        if self._watched_keyboard is None:
            time.sleep(seconds)
            return False
        if not select.select([self._watched_keyboard], [], [], seconds)[0]:
            return False
        typed = os.read(self._watched_keyboard, 4096)
        line = typed.decode(errors="replace").rstrip("\r\n")
        # An impatient Enter only completes the deal; after a line that is kept it means what it says.
        if line.strip() or self._typed_ahead or not typed:
            self._typed_ahead.append("".join(filter(str.isprintable, line)) if typed else None)
        self._hurried = True
        return bool(typed)

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
    def dealing(self) -> Iterator[None]:
        """Within, Enter ends all pauses, and lines that are typed are not shown but kept for the next prompts."""
        try:
            import termios
        except ImportError:  # Not on every system; there an impatient key shows, and waits.
            termios = None  # type: ignore[assignment]
        if termios is None or not (self.live and self.pauses):
            yield
            return
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        silent = [*before]
        silent[3] &= ~termios.ECHO
        termios.tcsetattr(keyboard, termios.TCSANOW, silent)
        self._watched_keyboard, self._hurried = keyboard, False
        try:
            yield
            while self._read_ahead(0):
                pass
        finally:
            # A line that is only begun stays with the terminal, which shows it at the next prompt.
            termios.tcsetattr(keyboard, termios.TCSANOW, before)
            self._watched_keyboard, self._hurried = None, False
