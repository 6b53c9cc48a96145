"""The location of shared data, the skip mark for tests that need it, and what many tests do with pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter.errors import FormatError

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"no shared data at {SHARED.name} beside the clone"
)


def score(gt, hyp, name: str, **settings) -> pm.Score:
    """Return the score by one measure."""
    return pm.evaluate(gt, hyp, [name], **settings)[name]


def errors(gt, hyp, name: str, **settings) -> int:
    """Return the errors by one measure, after checking that an exact solver has proven them."""
    result = score(gt, hyp, name, **settings)
    assert result.optimal or settings.get("solver") == "paper"
    return result.errors


def texts(page: pm.Page) -> list[str]:
    """Return the text of each line."""
    return [line.text for line in page.lines]


def reasons(page: pm.Page) -> list[str]:
    """Return the reason of each warning."""
    return [warning.reason for warning in page.warnings]


def assert_one_line(read: Callable[[], object], source: str, message: str) -> None:
    """Check that a reader raises a FormatError of one line that names the file and contains the message."""
    with pytest.raises(FormatError) as caught:
        read()
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{source}: ")
    assert "\n" not in str(caught.value)
