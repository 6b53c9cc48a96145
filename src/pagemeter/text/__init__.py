"""From strings to integers: normalise, cut into words, cut words into tokens, number the tokens."""

from pagemeter.text.characters import characters
from pagemeter.text.encode import TokenPage, encode_pair
from pagemeter.text.mapping import Mapping
from pagemeter.text.normalise import normalise
from pagemeter.text.tokenise import words_of

__all__ = ["Mapping", "TokenPage", "characters", "encode_pair", "normalise", "words_of"]
