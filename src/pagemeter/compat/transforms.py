"""The transforms of jiwer: callables from texts to texts, and at the end from texts to lists of tokens.

They are used through `pagemeter.compat.jiwer`, which has all of them. They do what those of jiwer 4 do.
"""

from __future__ import annotations

import re
import string
import unicodedata
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]

_CONTRACTIONS = {
    "won't": "will not",
    "can't": "can not",
    "let's": "let us",
    "n't": " not",
    "'re": " are",
    "'s": " is",
    "'d": " would",
    "'ll": " will",
    "'t": " not",
    "'ve": " have",
    "'m": " am",
}
"""Contractions and what they stand for; the first three are whole words and come first."""


class AbstractTransform:
    """Base class of transforms; subclasses define `process_string`, and `process_list` if it differs.

    Raises:
        UsageError: A call has neither a string nor a list of strings.

    """

    def __call__(self, sentences: str | list[str]) -> Any:  # noqa: ANN401
        """Transform one text, or a list of texts."""
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise UsageError(f"cannot transform {sentences!r:.40}", remedy="give a string or a list of strings")

    def process_string(self, s: str) -> Any:  # noqa: ANN401
        """Transform one text."""
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:  # noqa: ANN401
        """Transform a list of texts."""
        return [self.process_string(text) for text in inp]


class Compose:
    """Several transforms, one after the other.

    >>> Compose([ToLowerCase(), Strip(), ReduceToListOfListOfWords()])(" One Line ")
    [['one', 'line']]
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:  # noqa: ANN401
        """Apply all transforms."""
        for transform in self.transforms:
            text = transform(text)
        return text


# Texts to lists of tokens


class ReduceToListOfListOfWords(AbstractTransform):
    """Split each text at a delimiter; words without characters are left out."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> list[list[str]]:
        """Return a list of one list of words."""
        return [[word for word in s.split(self.word_delimiter) if word]]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        """Return a list of words for each text."""
        return [self.process_string(text)[0] for text in inp] or [[]]


class ReduceToListOfListOfChars(AbstractTransform):
    """Split each text into code points."""

    def process_string(self, s: str) -> list[list[str]]:
        """Return a list of one list of characters."""
        return [list(s)]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        """Return a list of characters for each text."""
        return [list(text) for text in inp] or [[]]


class ReduceToSingleSentence(AbstractTransform):
    """Join the texts that are not empty to one."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        """Return the text itself."""
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        """Return a list of one text, or of none if all are empty."""
        texts = [text for text in inp if text]
        return [self.word_delimiter.join(texts)] if texts else []


# Substitutions


class SubstituteRegexes(AbstractTransform):
    r"""Replace the matches of regular expressions.

    >>> SubstituteRegexes({r"\b(\w+)ed\b": r"\1"})(["is it doomed"])
    ['is it doom']
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """Apply the substitutions in their order."""
        for pattern, replacement in self.substitutions.items():
            s = re.sub(pattern, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    """Replace whole words.

    >>> SubstituteWords({"foo": "bar"})("foo foobar")
    'bar foobar'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """Apply the substitutions in their order."""
        for word, replacement in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", replacement, s)
        return s


class RemoveSpecificWords(SubstituteWords):
    """Replace words by a space."""

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class ExpandCommonEnglishContractions(SubstituteRegexes):
    """Write English contractions in full.

    >>> ExpandCommonEnglishContractions()("she'll make sure you can't make it")
    'she will make sure you can not make it'
    """

    def __init__(self) -> None:
        super().__init__(_CONTRACTIONS)


class RemoveKaldiNonWords(SubstituteRegexes):
    """Remove marks such as `[laugh]` and `<unk>`."""

    def __init__(self) -> None:
        super().__init__({r"[<\[][^>\]]*[>\]]": ""})


class RemoveMultipleSpaces(SubstituteRegexes):
    """Replace two or more white-space characters by one space."""

    def __init__(self) -> None:
        super().__init__({r"\s\s+": " "})


class RemoveWhiteSpace(AbstractTransform):
    """Remove ASCII white space, or replace each character of it by a space."""

    def __init__(self, replace_by_space: bool = False) -> None:  # noqa: FBT001, FBT002  (as in jiwer)
        self.replacement = " " if replace_by_space else ""

    def process_string(self, s: str) -> str:
        """Return the text without white space."""
        return s.translate(dict.fromkeys(map(ord, string.whitespace), self.replacement))


class RemovePunctuation(AbstractTransform):
    """Remove the characters of the Unicode categories P.

    >>> RemovePunctuation()("hello. »goodbye«")
    'hello goodbye'
    """

    def process_string(self, s: str) -> str:
        """Return the text without punctuation."""
        return "".join(character for character in s if unicodedata.category(character)[0] != "P")


# Other changes


class Strip(AbstractTransform):
    """Remove white space at both ends."""

    def process_string(self, s: str) -> str:
        """Return the stripped text."""
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Remove texts without characters other than white space from a list."""

    def process_string(self, s: str) -> str:
        """Return the stripped text."""
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        """Return the other texts as they are."""
        return [text for text in inp if text.strip()]


class ToLowerCase(AbstractTransform):
    """Convert to lower case."""

    def process_string(self, s: str) -> str:
        """Return the text in lower case."""
        return s.lower()


class ToUpperCase(AbstractTransform):
    """Convert to upper case."""

    def process_string(self, s: str) -> str:
        """Return the text in upper case."""
        return s.upper()


_standardized = (
    ToLowerCase(),
    ExpandCommonEnglishContractions(),
    RemoveKaldiNonWords(),
    RemoveWhiteSpace(replace_by_space=True),
)
_spaces = (RemoveMultipleSpaces(), Strip())
_words, _chars = ReduceToListOfListOfWords(), ReduceToListOfListOfChars()
_joined = ReduceToSingleSentence()

wer_default = Compose([*_spaces, _words])
"""The transform of words: white space at both ends does not count, and two or more of it are one space."""
wer_contiguous = Compose([*_spaces, _joined, _words])
"""The same for texts that are compared as one."""
wer_standardize = Compose([*_standardized, *_spaces, _words])
"""Words in lower case, without contractions and marks of Kaldi."""
wer_standardize_contiguous = Compose([*_standardized, *_spaces, _joined, _words])
"""The same for texts that are compared as one."""
cer_default = Compose([Strip(), _chars])
"""The transform of characters: white space at both ends does not count."""
cer_contiguous = Compose([Strip(), _joined, _chars])
"""The same for texts that are compared as one."""
