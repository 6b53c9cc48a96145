"""What a terminal can draw: whether a stream is one, styles of text, and the characters of lines."""

from __future__ import annotations

import os
import sys
from typing import TextIO

_COLOURS = {
    "red": 31,
    "green": 32,
    "yellow": 33,
    "blue": 34,
    "magenta": 35,
    "cyan": 36,
    "bright_black": 90,
    "bright_red": 91,
}


def is_terminal(stream: TextIO) -> bool:
    """Return True if the stream is a terminal that can draw."""
    return (
        stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") and _interprets_escapes(stream)
    )


def styled(text: str, colour: str = "", *, bold: bool = False) -> str:
    r"""Return the text with escape sequences that style it; without its colour if `NO_COLOR` is set.

    >>> styled("CER:R", bold=True)
    '\x1b[1mCER:R\x1b[0m'
    """
    codes = ["1"] if bold else []
    if colour and not os.environ.get("NO_COLOR"):
        codes.append(str(_COLOURS[colour]))
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


def draws_lines(stream: TextIO) -> bool:
    """Return True if the stream has the characters of lines; otherwise they are drawn in ASCII."""
    return (stream.encoding or "").lower().startswith("utf")


def _interprets_escapes(stream: TextIO) -> bool:
    """Return True if the terminal interprets escape sequences; a console of Windows does so from now on."""
    if sys.platform != "win32":
        return True
    import ctypes  # noqa: PLC0415  (only on Windows)
    import msvcrt  # noqa: PLC0415

    kernel, mode = ctypes.windll.kernel32, ctypes.c_ulong()
    console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
    processing = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
    return bool(
        kernel.GetConsoleMode(console, ctypes.byref(mode))
        and kernel.SetConsoleMode(console, mode.value | processing)
    )
