"""Whole numbers in an address: plain digits and nothing else, where a lenient reader would take `1_000` or ` 7 `."""

from typing import Annotated

from puntobanco.extras import optional_package

with optional_package("fastapi", "Requests are answered"):
    from pydantic import BeforeValidator

MOST_DIGITS = 16


def plain_digits(value: object) -> object:
    """Raise ValueError for a text that does not write a number in plain digits."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS):
        raise ValueError("not a whole number in plain digits")
    return value


PlainInt = Annotated[int, BeforeValidator(plain_digits)]
