"""What `--strict` does not let pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.corpus import PageResult, Pair
    from pagemeter.page import Warn


def refuse_pairs(pairs: Iterable[Pair], *, skip_missing: bool) -> None:
    """Raises an error for the first pair that is none, before any page is evaluated."""
    for made in pairs:
        gt, hyp = (None if path is None else str(path) for path in (made.gt, made.hyp))
        _refuse(gt, hyp, made.warnings, made.error, skip_missing=skip_missing)


def refuse(result: PageResult, *, skip_missing: bool) -> None:
    """Raises an error if a page has a warning, failed, or lacks a side.

    >>> from pagemeter.corpus import PageResult
    >>> refuse(PageResult("0001", "gt/0001.xml", None), skip_missing=False)
    Traceback (most recent call last):
    pagemeter.errors.InputError: gt/0001.xml: no hypothesis; add it, or leave it out with --skip-missing
    """
    _refuse(result.gt, result.hyp, result.warnings, result.error, skip_missing=skip_missing)


def _refuse(
    gt: str | None, hyp: str | None, warnings: tuple[Warn, ...], error: str | None, *, skip_missing: bool
) -> None:
    if error is not None:
        raise InputError(error)
    if warnings:
        raise InputError(f"{warnings[0]}; mend it, or leave --strict out")
    for here, missing in ((gt, "hypothesis"), (hyp, "ground truth")):
        if here is not None and None in (gt, hyp) and not skip_missing:
            raise InputError(f"{here}: no {missing}; add it, or leave it out with --skip-missing")
