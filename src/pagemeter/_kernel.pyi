"""The compiled solvers; see kernel/module.cpp."""

from collections.abc import Iterator
from typing import overload

import numpy as np
from numpy.typing import NDArray

_Ints = NDArray[np.int32]
_Mask = NDArray[np.bool_] | None
_Page = tuple[_Ints, _Ints, _Ints, _Ints]  # tokens, lines, words, word_line

def ordered(
    gt: _Ints,
    gt_lines: _Ints,
    hyp: _Ints,
    hyp_lines: _Ints,
    mask: _Mask,
    alphabet: int,
    gt_optional: _Mask = None,
    hyp_optional: _Mask = None,
) -> _Ints: ...
def free(
    gt: _Ints,
    gt_lines: _Ints,
    hyp: _Ints,
    hyp_lines: _Ints,
    mask: _Mask,
    alphabet: int,
    gt_optional: _Mask = None,
    hyp_optional: _Mask = None,
) -> _Ints: ...
def ordered_segments(
    gt: _Ints,
    gt_lines: _Ints,
    hyp: _Ints,
    hyp_words: _Ints,
    word_line: _Ints,
    mask: _Mask,
    alphabet: int,
    gt_optional: _Mask = None,
    hyp_optional: _Mask = None,
) -> _Ints: ...
def bag(
    gt: _Ints,
    gt_lines: _Ints,
    hyp: _Ints,
    hyp_lines: _Ints,
    mask: _Mask,
    alphabet: int,
    gt_optional: _Mask = None,
    hyp_optional: _Mask = None,
) -> tuple[_Ints, int]: ...
def edits(
    gt: _Ints, gt_spans: _Ints, hyp: _Ints, hyp_spans: _Ints, alphabet: int, most_cells: int
) -> _Ints: ...
def sum_matches(matches: _Ints, words: _Ints | None) -> tuple[int, int, int]: ...
def matches_in_order(matches: _Ints) -> bool: ...
def matched_lines(runs: _Ints, word_line: _Ints) -> _Ints | None: ...
def matches_within(matches: _Ints, word_line: _Ints | None, mask: NDArray[np.bool_]) -> bool: ...
def error_kinds(
    gt: _Ints,
    gt_lines: _Ints,
    hyp: _Ints,
    hyp_units: _Ints,
    matches: _Ints,
    alphabet: int,
    gt_optional: _Mask,
    hyp_optional: _Mask,
    long_run: int,
    most_cells: int,
) -> tuple[int, int, int, _Ints]: ...
def pair_counts(
    gt: _Ints, gt_spans: _Ints, hyp: _Ints, hyp_spans: _Ints, alphabet: int, rule: str
) -> _Ints: ...
def match_words(
    gt: _Ints, gt_words: _Ints, hyp: _Ints, hyp_words: _Ints, alphabet: int
) -> tuple[int, int]: ...
def number_characters(
    gt: _Ints,
    gt_lengths: _Ints,
    gt_zero_joins: _Mask,
    hyp: _Ints,
    hyp_lengths: _Ints,
    hyp_zero_joins: _Mask,
    blanks: NDArray[np.bool_],
    joiner: int,
) -> tuple[_Page, _Page, int, int]: ...
def number_words(
    gt: _Ints,
    gt_words: _Ints,
    gt_word_line: _Ints,
    gt_lines: int,
    hyp: _Ints,
    hyp_words: _Ints,
    hyp_word_line: _Ints,
    hyp_lines: int,
    alphabet: int,
) -> tuple[_Page, _Page, int]: ...
def count_bytes(data: bytes, part: bytes) -> int: ...
def measure_spans(spans: _Ints) -> tuple[int, int]: ...
def shared_sequences(text: bytes, other: bytes, length: int) -> tuple[int, int]: ...
def repeated_sequences(text: bytes, length: int) -> int: ...
def letters_in_repeated(text: bytes, length: int, times: int) -> int: ...
def clean_points(text: bytes) -> bool: ...
def spelled_pixels(text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]] | None: ...
def resample(pixels: _Ints, starts: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
def tolerances(pixels: _Ints, starts: NDArray[np.int64]) -> NDArray[np.float64]: ...
def neighbour_mask(
    gt_pixels: _Ints,
    gt_starts: NDArray[np.int64],
    hyp_pixels: _Ints,
    hyp_starts: NDArray[np.int64],
    tolerances: NDArray[np.float64],
    threshold: float,
) -> NDArray[np.bool_]: ...
def neighbours(
    gt_pixels: _Ints,
    gt_starts: NDArray[np.int64],
    hyp_pixels: _Ints,
    hyp_starts: NDArray[np.int64],
    threshold: float,
) -> NDArray[np.bool_]: ...

class NotedGroundTruth:
    def __init__(
        self,
        tokens: _Ints,
        rows: _Ints,
        first_row: _Ints,
        alphabet: int,
        matches: NDArray[np.bool_],
        gap: _Ints,
        weight: _Ints,
    ) -> None: ...
    def lines(
        self,
        hyp: _Ints,
        hyp_lines: _Ints,
        mask: _Mask,
        gt_optional: _Mask,
        hyp_optional: _Mask,
        ordered: bool,
    ) -> _Ints: ...
    def ordered_segments(
        self,
        hyp: _Ints,
        hyp_words: _Ints,
        word_line: _Ints,
        mask: _Mask,
        gt_optional: _Mask,
        hyp_optional: _Mask,
    ) -> _Ints: ...
    def free_segments(
        self,
        hyp: _Ints,
        hyp_words: _Ints,
        word_line: _Ints,
        mask: _Mask,
        gt_optional: _Mask,
        hyp_optional: _Mask,
        steps: float,
        seconds: float,
    ) -> tuple[_Ints, int, bool, bool]: ...
    def edits(self, rows: _Ints, hyp: _Ints, spans: _Ints) -> _Ints: ...

def free_segments(
    gt: _Ints,
    gt_lines: _Ints,
    hyp: _Ints,
    hyp_words: _Ints,
    word_line: _Ints,
    mask: _Mask,
    alphabet: int,
    steps: float,
    seconds: float,
    gt_optional: _Mask = None,
    hyp_optional: _Mask = None,
    characters: bool = False,
) -> tuple[_Ints, int, bool, bool, int]: ...

class XmlElement:
    @property
    def tag(self) -> str: ...
    @property
    def text(self) -> str | None: ...
    @overload
    def get(self, name: str) -> str | None: ...
    @overload
    def get(self, name: str, default: str) -> str: ...
    def itertext(self) -> list[str]: ...
    def line_parts(self) -> tuple[str | None, str, str | None, str, str, str] | None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[XmlElement]: ...
    @overload
    def __getitem__(self, index: int) -> XmlElement: ...
    @overload
    def __getitem__(self, index: slice) -> list[XmlElement]: ...

def parse_plain_xml(data: bytes) -> XmlElement | None: ...
