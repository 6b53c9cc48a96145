"""Percent-escapes, so that any text can stand in a signature and in a shell's single quotes."""

from __future__ import annotations

# Besides letters, digits and _.-~ these stay readable. Bar, colon and comma separate the parts of a
# signature, brackets mark what Python made; none of them may come from a path.
PATH = "/+=@"
PATTERN = "/+=@^$*?()[]{}\\<>!#&;"


def escape(text: str, safe: str = PATH) -> str:
    """The text with every other character as the percent-escapes of its UTF-8 bytes.

    >>> escape("a|b: ä.tsv")
    'a%7Cb%3A%20%C3%A4.tsv'
    """
    from urllib.parse import quote  # noqa: PLC0415  (8 ms that only some settings need)

    return quote(text, safe=safe, errors="surrogatepass")


def unescape(text: str) -> str:
    """The text that was escaped.

    >>> unescape("a%7Cb%3A%20%C3%A4.tsv")
    'a|b: ä.tsv'
    """
    from urllib.parse import unquote  # noqa: PLC0415

    return unquote(text, errors="surrogatepass")
