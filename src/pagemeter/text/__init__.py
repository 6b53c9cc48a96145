"""Text of a page: normalisation, mappings, tokenisers, and encoding of tokens as integers."""

from pagemeter.text.characters import characters
from pagemeter.text.encode import TokenPage, encode_pair
from pagemeter.text.mapping import TextMapping
from pagemeter.text.normalisation import NormalisedLines, normalise, normalise_page
from pagemeter.text.tokenisers import words_of

__all__ = [
    "NormalisedLines",
    "TextMapping",
    "TokenPage",
    "characters",
    "encode_pair",
    "normalise",
    "normalise_page",
    "words_of",
]
