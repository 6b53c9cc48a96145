"""LaTeX that vision-language models write for what a page prints without it."""

from __future__ import annotations

import re

_SYMBOLS = {
    r"^\circ": "°",
    r"^{\circ}": "°",
    r"\circ": "°",
    r"\degree": "°",
    r"\ldots": "…",
    r"\dots": "…",
    r"\cdots": "⋯",
    r"\cdot": "·",
    r"\times": "×",
    r"\div": "÷",
    r"\pm": "±",
    r"\ast": "*",
    r"\star": "*",
    r"\ddagger": "‡",
    r"\dagger": "†",
    r"\pounds": "£",
    r"\textsection": "§",
    r"\S": "§",
    r"\P": "¶",
    r"\prime": "′",
    r"\quad": " ",
    r"\qquad": " ",
}
_SYMBOL = re.compile(
    "|".join(
        re.escape(name) + ("" if name.endswith("}") else "(?![A-Za-z])")
        for name in sorted(_SYMBOLS, key=len, reverse=True)
    )
)
_WRAPPER = re.compile(
    r"\\(?:text(?:bf|it|rm|sc|sf|tt|up|superscript|subscript|normal)?|math(?:rm|bf|it|sf|tt|cal|bb|frak|scr)"
    r"|operatorname\*?|mbox|hbox|underline|boldsymbol)\s*\{([^{}\\]*)\}"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}\\]*)\}\s*\{([^{}\\]*)\}")
_SCRIPT = re.compile(r"[\^_](?:\{([^{}\\]*)\}|([^\s{}\\^_]))")
_ESCAPE = re.compile(r"\\([%&$#_])")
_SPACE = re.compile(r"\\[,;:! ]|~")
_LATEX = re.compile(r"[\\^_{}=]")


def looks_like_math(text: str) -> bool:
    r"""Whether text between dollar signs is LaTeX rather than text between two prices.

    >>> looks_like_math("x_1"), looks_like_math("5 and 10")
    (True, False)
    """
    return " " not in text or bool(_LATEX.search(text) or re.search("[+<>]", text))


def has_latex(text: str) -> bool:
    r"""Whether text holds a sign that only LaTeX uses.

    >>> has_latex("sic"), has_latex("x^2")
    (False, True)
    """
    return bool(_LATEX.search(text))


def plain(latex: str) -> str | None:
    r"""The characters a page prints for simple LaTeX; None where a command remains that has none.

    >>> plain("^{1}"), plain(r"10^\circ"), plain(r"\frac{1}{2}"), plain(r"\sqrt{2}")
    ('1', '10°', '1/2', None)
    """
    text, before = latex, ""
    while text != before:
        before = text
        text = _SYMBOL.sub(lambda match: _SYMBOLS[match[0]], text)
        text = _WRAPPER.sub(r"\1", text)
        text = _FRACTION.sub(r"\1/\2", text)
        text = _SCRIPT.sub(lambda match: match[1] if match[1] is not None else match[2], text)
    text = _ESCAPE.sub(r"\1", _SPACE.sub(" ", text))
    return None if re.search(r"[\\{}]", text) else text
