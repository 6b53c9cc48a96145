"""What every page adds to the totals, kept as numbers alone, so that pages can be drawn again and again."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from pagemeter.measure import Measure
    from pagemeter.plan import Strata


@dataclass(slots=True)
class Labels:
    """A label a page, each text kept once.

    >>> labels = Labels()
    >>> labels.add(["a", "b", "a"])
    >>> labels.texts
    ['a', 'b', 'a']
    """

    known: dict[str, int] = field(default_factory=dict)
    codes: array[int] = field(default_factory=lambda: array("i"), repr=False)

    def add(self, texts: Iterable[str]) -> None:
        """Adds the labels of some pages."""
        self.codes.extend(self.known.setdefault(text, len(self.known)) for text in texts)

    @property
    def texts(self) -> list[str]:
        """The labels of all pages."""
        names = list(self.known)
        return [names[code] for code in self.codes]


@dataclass(slots=True)
class CountTable:
    """The errors and the GT tokens of each page, by measure: eight bytes each.

    >>> from pagemeter import Measure
    >>> table = CountTable()
    >>> table.extend(["a/1"], [None], {Measure("CER"): np.array([[1, 3]])})
    >>> [(str(measure), errors.tolist(), n_gt.tolist()) for measure, errors, n_gt in table.columns()]
    [('CER', [1], [3])]
    """

    folders: Labels = field(default_factory=Labels)
    documents: Labels = field(default_factory=Labels)
    counts: dict[Measure, array[int]] = field(default_factory=dict, repr=False)

    def extend(
        self,
        names: Iterable[str],
        documents: Iterable[str | None],
        counts: Mapping[Measure, NDArray[np.int64]],
    ) -> None:
        """Adds several pages; for each measure a row a page that has it, of errors and GT tokens."""
        self.folders.add(name.rpartition("/")[0] for name in names)
        self.documents.add(document or "" for document in documents)
        for measure, rows in counts.items():
            # No page has more tokens than fit into four bytes: the solvers see to that.
            self.counts.setdefault(measure, array("i")).frombytes(rows.astype(np.int32).tobytes())

    def labels(self, strata: Strata) -> list[str] | None:
        """What pages are drawn within: their folder or the document that they belong to; None for all."""
        if strata == "none":
            return None
        return (self.folders if strata == "folder" else self.documents).texts

    def columns(self) -> list[tuple[Measure, NDArray[np.int32], NDArray[np.int32]]]:
        """The measures that every page has, each with the errors and the GT tokens of all pages."""
        whole = 2 * len(self.folders.codes)
        tables = (
            (measure, np.array(counts)) for measure, counts in self.counts.items() if len(counts) == whole
        )
        return [(measure, table[::2], table[1::2]) for measure, table in tables]
