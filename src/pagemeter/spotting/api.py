"""`pagemeter.kws`: keyword spotting of files, folders and pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pagemeter.corpus import Reader, Readers
from pagemeter.corpus.page_evaluation import page_pairs
from pagemeter.errors import InputError, Problem, UsageError
from pagemeter.geometry import baseline_of
from pagemeter.inputs import pair as pair_files
from pagemeter.inputs.locations import Url, as_location, fetch
from pagemeter.inputs.pairs import pair_pages
from pagemeter.page import Line, Page
from pagemeter.settings import Settings
from pagemeter.spotting.evaluation import SpottingResult, evaluate_spots
from pagemeter.spotting.files import FORMATS, check_format, detect, read_spots
from pagemeter.spotting.matching import Hit, Place, Reference, Spots
from pagemeter.spotting.settings import SpottingSettings
from pagemeter.text import normalise, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.inputs import Pair
    from pagemeter.inputs.locations import Location
    from pagemeter.page import Points, Word
    from pagemeter.run_settings import Resampling
    from pagemeter.spotting.settings import Case


_Query = tuple[str, ...]
_TOKENISER = "uax29"  # words without punctuation


def kws(
    gt: Any,  # noqa: ANN401  (paths, pages and dictionaries)
    hyp: Any = None,  # noqa: ANN401
    *,
    preset: str | None = None,
    queries: Iterable[str] | None = None,
    format: str | None = None,  # noqa: A002  (the natural name for callers)
    readers: Readers | None = None,
    resampling: Resampling | None = None,
    **options: Any,  # noqa: ANN401
) -> SpottingResult:
    """Evaluate keyword spotting.

    Args:
        gt: The references: a file of TREC qrels, of KwsEvalTool, of ICDAR 2017 or of CITlab; pages, as for
            `evaluate_corpus`, or one page; or a dictionary of relevances by query and document.
        hyp: The hits in the same form. It is left out for a table of KwsEvalTool, which has both.
        preset: The settings of another tool: "trec", "icdar2017", "prhlt" or "citlab".
        queries: The queries to evaluate. By default all queries of the files, and for pages all words of the
            ground truth.
        format: "trec", "prhlt", "icdar2017", "citlab" or "pages"; by default it is detected.
        readers: How page files are read.
        resampling: How intervals are computed.
        **options: Single settings, the fields of `pagemeter.spotting.SpottingSettings`.

    Returns:
        The measures by name, such as ``result["mAP"]``; `queries` has the results of queries.

    Raises:
        UsageError: An argument is not valid.
        InputError: A file cannot be read.

    >>> result = kws({"q": {"d1": 1, "d2": 1}}, {"q": {"d1": 0.9, "d3": 0.8, "d2": 0.7}}, preset="trec")
    >>> result["mAP"]
    0.8333333333333333

    """
    settings = SpottingSettings.of(preset, **options)
    if format is not None:
        check_format(format)
    wanted = None if queries is None else _queries(queries)
    spots = _spots(gt, hyp, format, wanted, case=settings.case, readers=readers or Readers())
    return evaluate_spots(spots, settings, resampling)


def read_queries(path: Path | str) -> tuple[str, ...]:
    r"""Read a file with one query per line.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "queries.txt")
    >>> _ = path.write_text("one\n\ntwo words\n")
    >>> read_queries(path)
    ('one', 'two words')
    """
    from pagemeter.formats.plain import decode_text  # noqa: PLC0415  (only if asked for)

    text = decode_text(fetch(Path(path)).data, str(path), None)
    queries = tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if not queries:
        raise InputError("has no query", source=str(path), remedy="give one query per line")
    return queries


def _queries(given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise UsageError(f"queries={given!r:.40} is one text", remedy="give a list of queries")
    queries = tuple(given)
    for query in queries:
        if not isinstance(query, str) or not query.strip():
            raise UsageError(f"queries contains {query!r:.40}", remedy="give texts that are not empty")
    if not queries:
        raise UsageError("there are no queries", remedy="give at least one, or leave queries out")
    return queries


def _spots(
    gt: Any,  # noqa: ANN401
    hyp: Any,  # noqa: ANN401
    form: str | None,
    queries: Sequence[str] | None,
    *,
    case: Case,
    readers: Readers,
) -> Spots:
    if _is_location(gt) and (hyp is None or _is_location(hyp)):
        locations = as_location(gt), None if hyp is None else as_location(hyp)
        if form != "pages" and (spots := _table_spots(*locations, form)) is not None:
            return spots.restricted(queries)
        pairs: Iterable[Pair] = pair_files(*locations).pairs
    elif form in FORMATS:
        raise UsageError("this format is read from files", setting=("format", str(form)), remedy="give paths")
    elif _have_mappings(gt) or _have_mappings(hyp):
        return _score_spots(gt, hyp).restricted(queries)
    elif isinstance(gt, Page) and isinstance(hyp, Page | None):
        pairs = pair_pages({gt.source or "page": gt}, {gt.source or "page": hyp}).pairs
    else:
        pairs = pair_pages(gt, hyp).pairs
    return _page_spots(pairs, PageSpots(case, queries), readers)


def _is_location(given: object) -> bool:
    return isinstance(given, str | Path | Url)


def _table_spots(gt: Location, hyp: Location | None, form: str | None) -> Spots | None:
    """Return the references and hits of two files of keyword spotting, or None for pages."""
    for path in (gt, hyp):
        if isinstance(path, Path) and path.is_dir():
            if form is None:
                return None
            raise UsageError(f"{path} is a folder", setting=("format", form), remedy="give a file")
    data = fetch(gt).data, None if hyp is None else fetch(hyp).data
    known = form or detect(data[0], data[1])
    if known is None:
        return None
    return read_spots(data[0], str(gt), data[1], str(hyp), known)  # type: ignore[arg-type]


def _have_mappings(given: object) -> bool:
    """Return True for dictionaries of dictionaries; those of pages have no dictionary as a value."""
    return isinstance(given, Mapping) and any(isinstance(one, Mapping) for one in given.values())


def _check_scores(side: str, given: Any) -> None:  # noqa: ANN401
    """Raise UsageError unless all values are dictionaries of numbers by document."""
    form = "give a dictionary of queries, each with a dictionary of numbers by document"
    if not isinstance(given, Mapping):
        raise UsageError(f"{side} is of type {type(given).__name__}", remedy=form)
    for query, values in given.items():
        if not isinstance(values, Mapping):
            raise UsageError(f"{side}[{query!r}] is of type {type(values).__name__}", remedy=form)
        for document, value in values.items():
            if not isinstance(value, Real) or math.isnan(value):
                detail = f"{side}[{query!r}][{document!r}] = {value!r:.40} is not a number"
                raise UsageError(detail, remedy="give a number")


def _score_spots(gt: Mapping[str, Mapping[str, float]], hyp: Mapping[str, Mapping[str, float]]) -> Spots:
    """Return the references and hits of dictionaries, as trec_eval's Python interface takes them."""
    _check_scores("gt", gt)
    _check_scores("hyp", hyp)
    references = [
        Reference(str(query), str(document), None, float(gain))
        for query, judged in gt.items()
        for document, gain in judged.items()
        if gain > 0
    ]
    hits = [
        Hit(str(query), str(document), float(score))
        for query, scored in hyp.items()
        if query in gt
        for document, score in scored.items()
    ]
    return Spots(tuple(references), tuple(hits), tuple(map(str, gt)))


# Pages


class _Token(NamedTuple):
    """A word of a page without punctuation, its confidence and its baseline, None if they are unknown."""

    text: str
    confidence: float | None = None
    baseline: Points | None = None


class _TokenLine(NamedTuple):
    """The words of a line, and the baseline of the line."""

    tokens: tuple[_Token, ...]
    baseline: Points | None


class _PageTokens(NamedTuple):
    """The lines of a page."""

    name: str
    gt: tuple[_TokenLine, ...]
    hyp: tuple[_TokenLine, ...]


@dataclass(slots=True)
class PageSpots:
    """Collects the words of pages, and finds queries in them.

    Args:
        case: "fold" to ignore case.
        queries: The queries; None for all words of the ground truth. A query of several words is found where
            the words follow each other in one line.

    >>> pages = PageSpots()
    >>> pages.add("1", Page.from_text("the cat, the dog"), Page.from_text("the cat"))
    >>> spots = pages.spots()
    >>> spots.queries, len(spots.references), [hit.query for hit in spots.hits]
    (('the', 'cat', 'dog'), 4, ['the', 'cat'])

    """

    case: Case = "keep"
    queries: Sequence[str] | None = None
    _pages: list[_PageTokens] = field(default_factory=list)

    def add(self, name: str, gt: Page, hyp: Page | None) -> None:
        """Add a page; without a hypothesis, nothing is found on it."""
        lines = [tuple(map(self._tokens, page.lines)) for page in (gt, hyp or Page())]
        self._pages.append(_PageTokens(name, *lines))

    def spots(self) -> Spots:
        """Return the references and hits of all queries."""
        queries = self._wanted()
        references = [
            Reference(query, page.name, place)
            for page in self._pages
            for query, place, _ in _occurrences(page.gt, queries)
        ]
        found = [(page.name, one) for page in self._pages for one in _occurrences(page.hyp, queries)]
        hits = tuple(
            Hit(query, name, 0.0 if confidence is None else confidence, place)
            for name, (query, place, confidence) in found
        )
        unknown = sum(confidence is None for _, (_, _, confidence) in found)
        lines = {page.name: tuple(line.baseline for line in page.gt if line.baseline) for page in self._pages}
        names = tuple(dict.fromkeys(queries.values()))
        return Spots(tuple(references), hits, names, lines, _warnings(unknown, len(hits)))

    def _wanted(self) -> dict[_Query, str]:
        """Return the name of each query by its words."""
        if self.queries is None:
            return {
                (token.text,): token.text for page in self._pages for line in page.gt for token in line.tokens
            }
        words = (tuple(token.text for token in self._tokens(Line(query)).tokens) for query in self.queries)
        return {query: " ".join(query) for query in words if query}

    def _tokens(self, line: Line) -> _TokenLine:
        parts: list[tuple[str, Word | None]] = [(word.text, word) for word in line.words]
        parts = parts or [(line.text, None)]
        texts = normalise([text for text, _ in parts], Settings(case=self.case))
        tokens = [
            _token(text, word)
            for normalised, (_, word) in zip(texts, parts, strict=True)
            for group in words_of(normalised, _TOKENISER)
            for text in group
        ]
        return _TokenLine(tuple(tokens), baseline_of(line))


def _token(text: str, word: Word | None) -> _Token:
    if word is None:
        return _Token(text)
    return _Token(text, word.confidence, baseline_of(Line(word.text, word.baseline, word.polygon)))


def _occurrences(
    lines: Sequence[_TokenLine], queries: Mapping[_Query, str]
) -> Iterator[tuple[str, Place | None, float | None]]:
    """Yield the occurrences of queries: the query, its place, and the lowest confidence of its words."""
    lengths = sorted({len(query) for query in queries})
    for line in lines:
        words = [token.text for token in line.tokens]
        for length in lengths:
            for begin in range(len(words) - length + 1):
                query = queries.get(tuple(words[begin : begin + length]))
                if query is not None:
                    tokens = line.tokens[begin : begin + length]
                    known = [token.confidence for token in tokens if token.confidence is not None]
                    yield query, _place(tokens, line.baseline), min(known, default=None)


def _place(tokens: Sequence[_Token], line: Points | None) -> Place | None:
    points = tuple(point for token in tokens for point in token.baseline or ())
    if not points and line is None:
        return None
    own = points if all(token.baseline for token in tokens) else None
    return Place(None, own, line)


def _warnings(unknown: int, hits: int) -> tuple[Problem, ...]:
    if not unknown:
        return ()
    which = "no hit has" if unknown == hits else f"{unknown:,} of {hits:,} hits have no"
    detail = f"{which} {'a ' if unknown == hits else ''}confidence, so their scores are 0"
    return (Problem(detail, remedy="without scores, only precision and recall are informative", kind="text"),)


def _page_spots(pairs: Iterable[Pair], collected: PageSpots, readers: Readers) -> Spots:
    warnings: list[Problem] = []
    failed: list[Problem] = []
    count = 0
    for pair in pairs:
        warnings += pair.warnings
        failed += pair.errors
        if pair.gt is None or pair.errors:
            continue
        sides: list[tuple[Page, ...]] = []
        for side, reader in enumerate((readers.gt, readers.hyp)):
            try:
                sides.append(_pages(reader, pair, side))
            except InputError as error:
                failed.append(error.problem)
                sides.append(())
        for page in page_pairs(pair, *sides):
            warnings += page.warnings
            if page.gt is not None:  # without a hypothesis nothing is found on the page
                collected.add(page.name, page.gt, page.hyp)
                count += 1
    if not count:
        raise InputError(failed[0]) if failed else InputError("there is no page", remedy="check the files")
    spots = collected.spots()
    if not spots.references:
        raise InputError("no query occurs in the ground truth", remedy="check the queries and the files")
    told = (*dict.fromkeys([*warnings, *failed]), *spots.warnings)
    return replace(spots, warnings=told, failed=tuple(failed))


def _pages(reader: Reader, pair: Pair, side: int) -> tuple[Page, ...]:
    in_memory, path = pair.pages[side], (pair.gt, pair.hyp)[side]
    if in_memory is not None:
        return (in_memory,)
    return () if path is None else reader.pages(path, words=True)
