"""Words that one person writes and others read: notes, reasons, names of tables. One visible line, or refused.

Markup is no more than its characters here: whoever shows a text shows it as text. What cannot be seen, or turns round
what stands beside it, is refused.
"""

import unicodedata

from puntobanco.server.problems import malformed

MOST_MARKS = 4
"""On one letter; more are a stack that covers the lines above and below."""

STYLES = {0xFE0E: None, 0xFE0F: None}
"""Whether a sign is shown as text or as a picture; left out."""

# Everything else that cannot be seen is no printable character for Python: controls, marks of direction, joiners.
UNSEEN = frozenset(
    chr(code)
    for codes in (
        [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0],
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0100, 0xE01F0),
    )
    for code in codes
)
"""Fillers, joiners and selectors of variants."""


def plain_text(text: str, *, needed: bool = True) -> str:
    """The text in one way to write it; refused where it is not one visible line, or empty and needed.

    >>> plain_text("  Cafe\\u0301 ")
    'Café'
    """
    plain = unicodedata.normalize("NFC", text).translate(STYLES).strip(" ")
    if not plain.isprintable() or not UNSEEN.isdisjoint(plain) or _has_stacks(plain):
        raise malformed("Write one line of characters that can be seen.")
    if needed and not plain:
        raise malformed("Say it in a few words.")
    return plain


def _has_stacks(text: str) -> bool:
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            return True
    return False
