"""The rule documents, clause by clause, in our own words."""

from puntobanco.rules.documents.city_of_dreams import MANILA
from puntobanco.rules.documents.document import Document, cited
from puntobanco.rules.documents.marina_bay_sands import (
    BACCARAT_TOURNAMENT,
    FABULOUS_4,
    FORTUNE_SIX_TOURNAMENT,
    SIX_STAR,
)

DOCUMENTS = (BACCARAT_TOURNAMENT, FORTUNE_SIX_TOURNAMENT, SIX_STAR, FABULOUS_4, MANILA)

__all__ = [
    "BACCARAT_TOURNAMENT",
    "DOCUMENTS",
    "FABULOUS_4",
    "FORTUNE_SIX_TOURNAMENT",
    "MANILA",
    "SIX_STAR",
    "Document",
    "cited",
]
