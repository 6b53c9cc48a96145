"""Very many files in little memory: what is known of one is made from its name whenever it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, overload

import numpy as np

from pagemeter.corpus.files.names import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Names:
    """The names of files, one after the other as bytes; each takes eight bytes besides.

    >>> names = Names()
    >>> for name in ("a/1.xml", "b/1.xml"): names.append(name)
    >>> names[1], len(names)
    ('b/1.xml', 2)
    """

    __slots__ = ("_bytes", "_ends")

    def __init__(self) -> None:
        self._bytes, self._ends = bytearray(), array("q", [0])

    def append(self, name: str) -> None:
        """Adds a name."""
        self._bytes += name.encode("utf-8", "surrogatepass")  # names need not be UTF-8
        self._ends.append(len(self._bytes))

    def __getitem__(self, place: int) -> str:
        return self._bytes[self._ends[place] : self._ends[place + 1]].decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        return len(self._ends) - 1


class Named(Protocol):
    """Names by their places."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> str: ...


class Listing(Sequence[Candidate]):
    """Files that may hold pages: what they are called, and how to make of that what it says, or a path.

    >>> from pagemeter.corpus.files.names import candidate
    >>> listing = Listing(("0001.xml", "0002.xml"), candidate, str)
    >>> [found.stem for found in listing], listing.file(1)
    (['0001', '0002'], '0002.xml')
    """

    def __init__(
        self,
        names: Named,
        made: Callable[[str], Candidate],
        located: Callable[[str], str],
        places: NDArray[np.int32] | None = None,
    ) -> None:
        self._names, self._made, self._located, self._places = names, made, located, places

    def __len__(self) -> int:
        return len(self._names if self._places is None else self._places)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...
    @overload
    def __getitem__(self, place: slice) -> list[Candidate]: ...
    def __getitem__(self, place: int | slice) -> Candidate | list[Candidate]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        return self._made(self._name(place))

    def file(self, place: int) -> str:
        """The text of a file's path, which is made sooner than all that its name says."""
        return self._located(self._name(place))

    def among(self, chosen: NDArray[np.bool_]) -> Listing:
        """Some of the files."""
        if chosen.all():
            return self
        places = np.arange(len(self._names), dtype=np.int32) if self._places is None else self._places
        return Listing(self._names, self._made, self._located, places[chosen])

    def chosen(self, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Of what belongs to all names, that of these files."""
        return values if self._places is None else values[self._places]

    def only(self, wanted: Callable[[Candidate], bool]) -> Listing:
        """Those for which something is so."""
        return self.among(np.fromiter((wanted(found) for found in self), bool, len(self)))

    def _name(self, place: int) -> str:
        return self._names[place if self._places is None else int(self._places[place])]
