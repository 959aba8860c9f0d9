"""The currencies that tables are played in, all of it play money: what the smallest unit of each is called.

>>> money_in_words(300_000, "SGD")
'300,000 cents = 3,000.00 SGD'
>>> money_in_words(7, "XTS")
'7 of the smallest unit of XTS'
"""

from typing import NamedTuple


class Currency(NamedTuple):
    """The smallest unit, in which all money is counted, and how many decimals it is of the currency's own."""

    unit: str
    decimals: int


CURRENCIES = {
    "SGD": Currency("cents", 2),
    "PHP": Currency("centavos", 2),
    "HKD": Currency("cents", 2),
    "USD": Currency("cents", 2),
}
"""By code. A game may be played in others too; their money is then told in the smallest unit alone."""


def money_in_words(money: int, code: str, sign: str = "") -> str:
    """The amount in the smallest unit and in the currency's own; `sign` is + where gains are to be marked."""
    currency = CURRENCIES.get(code)
    if currency is None:
        return f"{money:{sign},} of the smallest unit of {code}"
    # In whole numbers: a float would lose the last digits of a large sum.
    whole, rest = divmod(abs(money), 10**currency.decimals)
    mark = "-" if money < 0 else sign if money else ""
    return f"{mark}{abs(money):,} {currency.unit} = {mark}{whole:,}.{rest:0{currency.decimals}} {code}"
