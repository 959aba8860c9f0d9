"""What a person sees on a terminal: the characters that a program wrote, put where a terminal puts them.

Only what the table uses is understood; anything else fails, so that the model never guesses.
"""

import re

TOKEN = re.compile(r"\x1b\[(?P<numbers>[?0-9;]*)(?P<final>[A-Za-z])|(?P<character>.)", re.DOTALL)


class ScreenModel:
    """A terminal of some columns and lines, which wraps and scrolls."""

    def __init__(self, columns: int, lines: int) -> None:
        self.columns = columns
        self.rows = [[" "] * columns for _ in range(lines)]
        self.column = self.row = 0

    def __str__(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.rows)

    def write(self, text: str) -> None:
        for token in TOKEN.finditer(text):
            if token["character"] is not None:
                self._put(token["character"])
            else:
                self._control(token["numbers"], token["final"])

    def _put(self, character: str) -> None:
        match character:
            case "\n":
                self._line_down()
            case "\r":
                self.column = 0
            case "\b":
                self.column = max(0, self.column - 1)
            case "\a":
                pass
            case _:
                assert character.isprintable(), f"{character!r} is not understood"
                # A terminal wraps before the character for which there is no room, not after the last that fits.
                if self.column == self.columns:
                    self.column = 0
                    self._line_down()
                self.rows[self.row][self.column] = character
                self.column += 1

    def _line_down(self) -> None:
        if self.row + 1 < len(self.rows):
            self.row += 1
        else:
            self.rows = [*self.rows[1:], [" "] * self.columns]

    def _control(self, numbers: str, final: str) -> None:
        match numbers, final:
            case (_, "m") | ("?2004", "h" | "l") | ("?25", "h" | "l") | ("?1034", "h"):
                pass
            case _, "A":
                self.row = max(0, self.row - int(numbers or 1))
            case _, "C":
                self.column = min(self.columns - 1, self.column + int(numbers or 1))
            case "2", "K":
                self.rows[self.row] = [" "] * self.columns
            case "" | "0", "K":
                self.rows[self.row][self.column :] = [" "] * (self.columns - self.column)
            case _:
                raise AssertionError(f"the sequence {numbers}{final} is not understood")
