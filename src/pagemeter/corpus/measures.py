"""Which measures a collection is evaluated by, where none or `all` are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.corpus.reading import Reading
from pagemeter.corpus.result import PageResult
from pagemeter.corpus.running import open_pair
from pagemeter.measure import ALL, DEFAULT, DEFAULT_GEOMETRY, Measure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.corpus.pairs import Pair


def choose(
    asked: Iterable[str | Measure] | None, pairs: Iterable[Pair], reading: Reading | None = None
) -> tuple[Measure, ...]:
    """The measures asked for, each once; `all` stands for all there are, None for the default ones.

    Of these two the measures with G are part only if every page that can be read has positions for all its
    text, so that each measure is the total over the same pages. This reads the files until one has none.

    >>> [str(measure) for measure in choose(["wer", "WER", "CER:SR"], ())]
    ['WER', 'CER:RS']
    """
    if asked is None:
        return DEFAULT + DEFAULT_GEOMETRY if have_places(pairs, reading) else DEFAULT
    names = tuple(asked)
    if not any(isinstance(name, str) and name.strip().lower() == "all" for name in names):
        return tuple(dict.fromkeys(map(Measure.parse, names)))
    explicit = [
        Measure.parse(name) for name in names if not isinstance(name, str) or name.strip().lower() != "all"
    ]
    places = have_places(pairs, reading)
    everything = [measure for measure in ALL if places or not measure.geometry]
    return tuple(dict.fromkeys((*everything, *explicit)))


def have_places(pairs: Iterable[Pair], reading: Reading | None = None) -> bool:
    """Whether the G measures have a value on every page that can be read, and there is such a page.

    >>> have_places(())
    False
    """
    from pagemeter.geometry import is_placed  # noqa: PLC0415  (not where measures are named)

    seen = False
    for pair in pairs:
        opened = open_pair(pair, reading or Reading())
        for page in () if isinstance(opened, PageResult) else opened:
            if not all(is_placed(side) for side in (page.gt, page.hyp) if side):
                return False
            seen = True
    return seen
