"""One file of several that have the name of the same page, or a clear line on why none can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.corpus.files.folders import PassedOver
from pagemeter.corpus.files.kinds import other_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.files.names import Candidate, Side
    from pagemeter.corpus.urls import Location

_WORD = {"gt": "ground truth", "hyp": "hypothesis"}
_WORDS = {"gt": "ground truths", "hyp": "hypotheses"}


@dataclass(frozen=True, slots=True)
class Choice:
    """The file chosen, or the error that names all there are; and those passed over for it."""

    path: Location | None
    passed_over: tuple[PassedOver, ...] = ()
    error: str | None = None

    @classmethod
    def of(cls, files: Sequence[Candidate], side: Side) -> Choice:
        """The one file that a side means.

        The tag of its own side wins (`.gt.txt` among ground truths), then a file without tag; a file that
        holds no page loses.

        >>> from pathlib import Path
        >>> from pagemeter.corpus.files.names import candidate
        >>> Choice.of([candidate(Path("1.gt.txt")), candidate(Path("1.txt"))], "gt").path
        PosixPath('1.gt.txt')
        >>> Choice.of([candidate(Path("1.hocr")), candidate(Path("1.txt"))], "hyp").error
        '1: two hypotheses in .: 1.hocr and 1.txt; choose with --hyp-suffix .hocr or --hyp-suffix .txt'
        """
        if len(files) == 1:
            return cls(files[0].path)
        left = [found for tag in (side, None) for found in files if found.side == tag]
        left = [found for found in left if found.side == left[0].side] or list(files)
        if len(left) > 1:
            left = [found for found in left if not other_kind(found.path)] or left
        if len(left) > 1:
            return cls(None, error=_ambiguous(left, side))
        reason = f"another file is the {_WORD[side]} of that name"
        lost = tuple(PassedOver(found.path, reason) for found in files if found is not left[0])
        return cls(left[0].path, lost)


def _ambiguous(files: Sequence[Candidate], side: Side) -> str:
    folder = files[0].path.parent
    together = all(found.path.parent == folder for found in files)
    *most, last = (found.path.name if together else str(found.path) for found in files)
    count = "two" if len(files) == 2 else str(len(files))  # noqa: PLR2004
    found = f"{count} {_WORDS[side]}{f' in {folder}' if together else ''}: {', '.join(most)} and {last}"
    return f"{files[0].name}: {found}; {_remedy(files, side)}"


def _remedy(files: Sequence[Candidate], side: Side) -> str:
    """The suffixes that single a file out, as options."""
    all_suffixes = [found.suffix.lower() for found in files]
    fitting = [s for s in all_suffixes if sum(other.endswith(s) for other in all_suffixes) == 1]
    if not fitting:
        return "give a folder with one of them, or a list of pairs"
    return "choose with " + " or ".join(f"--{side}-suffix {suffix}" for suffix in sorted(fitting))
