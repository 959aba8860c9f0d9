"""Events as they were written before their kind had all of its fields of today.

A record is read for ever, and what was signed is never written anew. So a text of an earlier form is completed before
it is read: the fields that came later stand at its end, empty, which is what they mean where nobody was named.
"""

KINDS = ('{"event":"rate-posted",', '{"event":"money-changed",')
"""How the texts begin of the kinds that were given fields."""
FIRST_GIVEN, GIVEN = '"by":', ',"by":"","and_by":""}'


def completed(text: str) -> str:
    """The text of an event as it is written today."""
    is_earlier = text.startswith(KINDS) and text.endswith("}") and FIRST_GIVEN not in text
    return text[:-1] + GIVEN if is_earlier else text


def is_of_today(text: str) -> bool:
    """Whether a text can only have been written since these kinds have all of their fields."""
    # In a name a quotation mark has a backslash before it, so that none looks like a field.
    return text.startswith(KINDS) and FIRST_GIVEN in text
