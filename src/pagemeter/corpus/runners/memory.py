"""A limit of the memory that a page may take, beyond what a process needs for any page."""

from __future__ import annotations

import errno
import os
from importlib import import_module

# What is imported where it is first used, and would count as memory of the page that uses it first. HiGHS is
# not among them: few pages need it, and it takes longer to load than most pages take to evaluate.
_LATER = (
    "lxml.etree",
    "regex",
    "pagemeter.workbench",
    "pagemeter.geometry",
    "pagemeter.stats.budget",
    "pagemeter.formats.answers",
    "pagemeter.formats.markdown_tokens",
)
_UNLOADABLE = ("failed to map segment", "cannot allocate", "cannot create")  # what dlopen says


def limit(memory: int) -> None:
    """Lets this process take so many bytes more than it has once all that pages need is loaded."""
    import resource  # noqa: PLC0415  (there is none on some systems)

    _load()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = _address_space() + memory
    resource.setrlimit(
        resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )


def is_short(error: BaseException) -> bool:
    """Whether memory was lacking, for itself or to load a library.

    >>> is_short(MemoryError()), is_short(OSError(errno.ENOMEM, "")), is_short(ImportError("no module"))
    (True, True, False)
    """
    if isinstance(error, ImportError):
        return any(said in str(error).lower() for said in _UNLOADABLE)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _load() -> None:
    from pagemeter.formats.registry import formats  # noqa: PLC0415  (only where memory is limited)

    formats()
    for name in _LATER:
        import_module(name)


def _address_space() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
