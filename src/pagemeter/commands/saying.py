"""What is said besides the results, on standard error."""

from __future__ import annotations

import sys

from pagemeter.report.spelling import shown


def say(*lines: str) -> None:
    r"""Says lines, in which no name of a file or page can move the cursor or turn the text around.

    >>> from contextlib import redirect_stderr
    >>> with redirect_stderr(sys.stdout): say("gt/1\x1b[2J.txt: cut off")
    gt/1\x1b[2J.txt: cut off
    """
    for line in lines:
        print(shown(line), file=sys.stderr)  # noqa: T201
