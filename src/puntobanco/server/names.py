"""Names that people choose: one way to write each, one script, nothing invisible, and none of the house's own.

A name that is not acceptable is refused rather than mended, because a mended one could be another person's. No message
repeats the name.
"""

# ruff: noqa: RUF001
# The letters that look like others are what this is about.

import re
import unicodedata
from functools import cache

from puntobanco.server.problems import Problem


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHORTEST, LONGEST = 2, 24
LONGEST_INPUT = 100
"""Before it is normalised, which can make a text longer or shorter."""

ALONGSIDE = "0123456789 -_.'"
"""What may stand beside the letters of any script."""

SCRIPTS = _words(
    "LATIN GREEK CYRILLIC ARMENIAN GEORGIAN HEBREW ARABIC DEVANAGARI BENGALI GURMUKHI GUJARATI TAMIL "
    "TELUGU KANNADA MALAYALAM SINHALA THAI LAO KHMER MYANMAR HAN HIRAGANA KATAKANA BOPOMOFO HANGUL"
)
TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts that one language writes together."""

NAMED_OTHERWISE = {
    "CJK UNIFIED IDEOGRAPH": "HAN",
    "CJK COMPATIBILITY IDEOGRAPH": "HAN",
    "IDEOGRAPHIC ITERATION MARK": "HAN",
    "KATAKANA-HIRAGANA PROLONGED SOUND MARK": "KATAKANA",
}
"""By the beginning of a character's name, where that does not begin with its script."""

# Phonetic letters and clicks look like other letters, and like signs; Jamo that no syllable took up, and some vowels
# of Khmer, are not seen at all.
LATIN_RANGES = (range(0x41, 0x250), range(0x1E00, 0x1F00))
LATIN_CLICKS = range(0x1C0, 0x1C4)
KHMER_UNSEEN = range(0x17B4, 0x17B6)

OF_THE_HOUSE = _words(
    "house record server system service puntobanco anonymous everyone everybody nobody null none undefined"
)
"""Whole names that nobody has."""
OF_STAFF = _words("dealer croupier supervisor director auditor cashier moderator admin administrator staff")
"""Words that only the name of staff may hold."""
OF_THE_TABLE = _words("player banker tie guest patron desk cage support owner manager")
"""Whole names that only staff may have."""

OF_STAFF_IN_HAN = ("荷官", "管理员", "管理員", "庄家", "莊家", "客服", "系统", "系統")
"""The same in a script that puts no spaces between words."""

LOOKS_LIKE = {
    ord(sign): looks
    for signs, looks in {
        # Digits that stand in for letters, then letters of other scripts.
        "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b",
        "аα": "a", "вβ": "b", "с": "c", "ԁ": "d", "еε": "e", "һн": "h", "ıіι": "i", "ј": "j", "кκ": "k", "ӏ": "l",
        "м": "m", "пη": "n", "оοσ": "o", "рρ": "p", "ԛ": "q", "г": "r", "ѕ": "s", "тτ": "t", "υ": "u", "ν": "v",
        "ѡω": "w", "хχ": "x", "уγ": "y",
    }.items()
    for sign in signs
}  # fmt: skip


def refused(message: str) -> Problem:
    return Problem(400, "name-refused", message)


def shown_name(text: str, *, staff: bool = False) -> str:
    """The name as it is shown; refused where it is not acceptable.

    >>> shown_name(" \uff21nna ")  # A fullwidth letter is another way to write the same one.
    'Anna'
    """
    if len(text) > LONGEST_INPUT:
        raise refused(f"A name has {SHORTEST} to {LONGEST} characters.")
    name = unicodedata.normalize("NFKC", text).strip(" ")
    if not SHORTEST <= len(name) <= LONGEST:
        raise refused(f"A name has {SHORTEST} to {LONGEST} characters.")
    scripts = {_script(character) for character in name if character not in ALONGSIDE}
    if None in scripts:
        raise refused(f"A name is of letters, digits, spaces and any of {ALONGSIDE.lstrip('0123456789 ')}")
    if not scripts:
        raise refused("A name has at least one letter.")
    if len(scripts) > 1 and not any(scripts <= together for together in TOGETHER):
        raise refused("A name is written in one script.")
    if "  " in name or not name[0].isalnum() or _has_loose_marks(name):
        raise refused("A name begins with a letter or a digit, and has single spaces and no stacks of marks.")
    if _is_reserved(name, staff):
        raise refused("That name belongs to the house; choose another.")
    return name


def sign_in_name(text: str) -> str:
    """By what a name is unique, and somebody signs in: the same for all ways to write it. Any text has one.

    >>> sign_in_name(" ANNA ") == sign_in_name("anna")
    True
    """
    name = unicodedata.normalize("NFKC", text[:LONGEST_INPUT]).strip(" ").casefold()
    return unicodedata.normalize("NFKC", name)


def _script(character: str) -> str | None:
    """The script of a letter or of a mark that belongs to one; none of everything else."""
    category, code = unicodedata.category(character), ord(character)
    if category[0] != "L" and category not in ("Mn", "Mc"):
        return None
    name = unicodedata.name(character, "")
    script = next((script for start, script in NAMED_OTHERWISE.items() if name.startswith(start)), name.split(" ")[0])
    if script == "LATIN" and (code in LATIN_CLICKS or not any(code in each for each in LATIN_RANGES)):
        return None
    if script == "HANGUL" and not name.startswith("HANGUL SYLLABLE"):
        return None
    if code in KHMER_UNSEEN:
        return None
    return script if script in SCRIPTS else None


def _has_loose_marks(name: str) -> bool:
    """Three marks on one letter are more than any of these scripts needs for a name."""
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks > 2:
            return True
    return False


def _skeleton(text: str) -> str:
    """What the eye makes of it: without accents, with digits and foreign letters as the Latin ones they resemble."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(each for each in plain.translate(LOOKS_LIKE) if each.isalnum())
    # A capital I, an l and a 1 are one stroke.
    return letters.replace("i", "l").replace("rn", "m").replace("vv", "w")


@cache
def _skeletons(words: frozenset[str]) -> frozenset[str]:
    return frozenset(_skeleton(word) for word in words)


def _is_reserved(name: str, staff: bool) -> bool:
    words = re.split(r"[ \-_.']", name)
    # The digits after a word are as often a number as letters in disguise.
    wholes = {_skeleton(name), _skeleton(name.rstrip(ALONGSIDE))}
    parts = wholes.union(*({_skeleton(word), _skeleton(word.rstrip("0123456789"))} for word in words))
    if wholes & _skeletons(OF_THE_HOUSE):
        return True
    if staff:
        return False
    return bool(
        parts & _skeletons(OF_STAFF)
        or wholes & _skeletons(OF_THE_TABLE)
        or any(word in name for word in OF_STAFF_IN_HAN)
    )
