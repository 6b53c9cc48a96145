"""From strings to integers: normalise, cut into words, cut words into tokens, number the tokens."""

from pagemeter.text.encode import TokenPage, encode
from pagemeter.text.normalise import normalise
from pagemeter.text.tokenise import characters, words_of

__all__ = ["TokenPage", "characters", "encode", "normalise", "words_of"]
