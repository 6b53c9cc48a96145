"""LaTeX formulas: the characters that simple ones print, and a canonical form of all others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from pagemeter.formats.base import split_names

if TYPE_CHECKING:
    from pagemeter.formats.base import Mathematics, Notes

_MAX_LATEX = 10_000  # characters of a formula that is converted to text
_MAX_LATEX_DEPTH = 12

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


def formula_text(latex: str, mathematics: Mathematics, element: str, notes: Notes) -> str:
    r"""Return the text of a formula in the requested form; LaTeX that cannot be converted is kept.

    >>> from pagemeter.formats.base import Notes
    >>> [formula_text(r"x^{2}", form, "line 1", Notes("a.md")) for form in ("text", "canonical")]
    ['x2', 'x^2']
    """
    text = canonical_latex(latex) if mathematics == "canonical" else latex_to_text(latex)
    if text is None:
        reason = (
            "its braces do not match, or it is too long"
            if mathematics == "canonical"
            else "it has commands that are not characters"
        )
        notes.add(element, f"LaTeX was kept, because {reason}")
        return latex
    return text


def latex_to_text(latex: str) -> str | None:
    r"""Return the characters that simple LaTeX prints, or None if it has other commands.

    >>> [latex_to_text(latex) for latex in ("^{1}", r"10^\circ", r"\frac{1}{2}", r"\sqrt{2}")]
    ['1', '10°', '1/2', None]
    """
    text = latex
    for _ in range(_MAX_LATEX_DEPTH if len(latex) <= _MAX_LATEX else 0):
        before = text
        text = _SYMBOL.sub(lambda match: _SYMBOLS[match[0]], text)
        text = _WRAPPER.sub(r"\1", text)
        text = _FRACTION.sub(r"\1/\2", text)
        text = _SCRIPT.sub(lambda match: match[1] if match[1] is not None else match[2], text)
        if text == before:
            break
    else:
        return None
    text = _ESCAPE.sub(r"\1", _SPACE.sub(" ", text))
    return None if re.search(r"[\\{}]", text) else text


# The canonical form

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[^\s\\]|\s+", re.DOTALL)
_MAX_DEPTH = 60  # of braces
# Commands without a visible effect: spaces, styles, sizes, and delimiters that grow.
_INVISIBLE = split_names(
    r"""\, \; \: \! \> \/ \- \quad \qquad \thinspace \medspace \thickspace \negthinspace \enspace \space
    \displaystyle \textstyle \scriptstyle \scriptscriptstyle \limits \nolimits \nonumber \notag \left \right
    \middle \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm \Bigm \rm \bf \it
    \sf \tt \cal \rmfamily \bfseries \itshape \boldmath \mathstrut \strut \hfill \hfil \centering \noindent
    \protect \relax ~"""
) | {"\\ "}
_WITH_DELIMITER = frozenset((r"\left", r"\right", r"\middle"))
# Commands whose argument is printed, in another font.
_TEXT_FONTS = split_names(r"\text \textrm \textbf \textit \textsf \textup \textnormal \mbox \hbox")
_FONTS = _TEXT_FONTS | split_names(
    r"""\texttt \textsc \mathrm \mathbf \mathit \mathsf \mathtt \mathcal \mathbb \mathfrak \mathscr
    \mathnormal \boldsymbol \bm \pmb \operatorname \operatorname* \emph \mathop \mathrel \mathbin \mathord
    \mathopen \mathclose \mathpunct \mathinner \ensuremath"""
)
# Commands whose argument is not printed.
_DROPPED = split_names(
    r"""\label \hspace \hspace* \vspace \vspace* \hskip \kern \phantom \hphantom \vphantom \ref \eqref
    \cite"""
)
_WRAPPERS = ("equation", "equation*", "displaymath", "math")
# Environments whose formulas look the same, with the name that they get.
_ENVIRONMENT = re.compile(r"\\(begin|end)\{(align|split|gather)(?:ed)?\*?\}")


def _pairs(words: str) -> dict[str, str]:
    """Return the replacements in a list of commands, each followed by its replacement."""
    listed = words.split()
    return dict(zip(listed[::2], listed[1::2], strict=True))


_REPLACED = {
    **_pairs(
        r"""\dfrac \frac \tfrac \frac \cfrac \frac \dbinom \binom \tbinom \binom \lbrace \{ \rbrace \}
        \overline \bar \widehat \hat \widetilde \tilde \overrightarrow \vec \cr \\ \newline \\
        \alpha α \beta β \gamma γ \delta δ \epsilon ε \varepsilon ε \zeta ζ \eta η \theta θ \vartheta ϑ
        \iota ι \kappa κ \varkappa ϰ \lambda λ \mu μ \nu ν \xi ξ \pi π \varpi ϖ \rho ρ \varrho ρ \sigma σ
        \varsigma ς \tau τ \upsilon υ \phi φ \varphi φ \chi χ \psi ψ \omega ω \Gamma Γ \Delta Δ \Theta Θ
        \Lambda Λ \Xi Ξ \Pi Π \Sigma Σ \Upsilon Υ \Phi Φ \Psi Ψ \Omega Ω
        \le ≤ \leq ≤ \leqslant ≤ \ge ≥ \geq ≥ \geqslant ≥ \ne ≠ \neq ≠ \approx ≈ \equiv ≡ \sim ∼ \simeq ≃
        \cong ≅ \propto ∝ \ll ≪ \gg ≫ \in ∈ \notin ∉ \ni ∋ \subset ⊂ \supset ⊃ \subseteq ⊆ \supseteq ⊇ \cup ∪
        \cap ∩ \setminus ∖ \backslash ∖ \emptyset ∅ \varnothing ∅ \forall ∀ \exists ∃ \neg ¬ \lnot ¬ \wedge ∧
        \land ∧ \vee ∨ \lor ∨ \oplus ⊕ \otimes ⊗ \odot ⊙ \perp ⊥ \parallel ∥ \to → \rightarrow →
        \longrightarrow → \leftarrow ← \gets ← \leftrightarrow ↔ \Rightarrow ⇒ \Longrightarrow ⇒ \implies ⇒
        \Leftarrow ⇐ \Leftrightarrow ⇔ \iff ⇔ \mapsto ↦ \uparrow ↑ \downarrow ↓ \rightleftharpoons ⇌ \times ×
        \cdot · \div ÷ \pm ± \mp ∓ \ast * \star ⋆ \circ ∘ \bullet • \infty ∞ \partial ∂ \nabla ∇ \hbar ℏ
        \ell ℓ \Re ℜ \Im ℑ \aleph ℵ \angle ∠ \triangle △ \square □ \sum ∑ \prod ∏ \int ∫ \iint ∬ \iiint ∭
        \oint ∮ \ldots … \dots … \cdots … \dotsc … \dotsb … \vdots ⋮ \ddots ⋱ \lvert | \rvert | \vert |
        \mid | \lVert ‖ \rVert ‖ \Vert ‖ \| ‖ \langle ⟨ \rangle ⟩ \lfloor ⌊ \rfloor ⌋ \lceil ⌈ \rceil ⌉
        \lbrack [ \rbrack ] \prime ′ \degree ° \S § \P ¶ \dagger † \ddagger ‡ \pounds £ \% % \$ $ \# # \_ _
        \colon : \therefore ∴ \because ∵"""
    ),
    **{
        f"\\{name}": name
        for name in split_names(
            """sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim limsup liminf max
            min sup inf det dim ker deg gcd arg hom Pr"""
        )
    },
    **_pairs("⋅ · ∙ · ∗ * − - ∣ | ∥ ‖ ϵ ε ϕ φ ⩽ ≤ ⩾ ≥ ⟶ → ⟹ ⇒ ⟺ ⇔"),
}
"""Commands and characters that mean the same as another command or character."""


_Argument = Literal["group", "font", "text", "dropped"]
"""What becomes of the tokens inside braces."""

_ARGUMENTS: dict[str, _Argument] = {
    **dict.fromkeys(_FONTS, "font"),
    **dict.fromkeys(_TEXT_FONTS, "text"),
    **dict.fromkeys(_DROPPED, "dropped"),
}


def canonical_latex(latex: str) -> str | None:
    r"""Return a formula in a form that equal formulas share; None if its braces do not match.

    White space, spacing, labels, font commands, growing delimiters and braces around one token are removed.
    Variants of a command, such as `\dfrac`, become one, and macros become characters.

    >>> canonical_latex(r"\left( \dfrac { \alpha } {2} \right) ^ {2} \, \mathrm{d}x \label{eq:1}")
    '(\\frac α2)^2dx'
    """
    if len(latex) > _MAX_LATEX:
        return None
    for name in _WRAPPERS:
        latex = latex.replace(rf"\begin{{{name}}}", "").replace(rf"\end{{{name}}}", "")
    latex = _ENVIRONMENT.sub(r"\\\1{aligned}", latex)
    form = _CanonicalForm()
    try:
        for token in _TOKEN.findall(latex):
            form.add(token)
        return form.text()
    except ValueError:
        return None


class _CanonicalForm:
    """Collects the tokens of a formula that remain in its canonical form."""

    def __init__(self) -> None:
        self._groups: list[tuple[_Argument, list[str]]] = [("group", [])]  # open braces
        self._next: _Argument = "group"  # what becomes of the next group
        self._after_delimiter = False  # after `\\left`, where a dot is invisible

    def text(self) -> str:
        """Return the canonical form; ValueError if a brace is open."""
        if len(self._groups) > 1:
            raise ValueError("a brace is not closed")
        return _join(self._groups[0][1]).strip()

    def add(self, token: str) -> None:
        """Add a token; ValueError if it closes a brace that is not open, or is nested too deeply."""
        argument, self._next = self._next, "group"
        is_invisible_dot = self._after_delimiter and token == "."  # noqa: S105  (of LaTeX)
        self._after_delimiter = token in _WITH_DELIMITER or (self._after_delimiter and token.isspace())
        kind, tokens = self._groups[-1]
        if token in ("{", "}"):
            self._brace(token, argument)
        elif token.isspace() or token in _INVISIBLE:
            self._next = argument
            tokens += [" "] if kind == "text" else []
        elif token in _ARGUMENTS:
            self._next = _ARGUMENTS[token]
        elif argument != "dropped" and not is_invisible_dot:
            tokens.append(_REPLACED.get(token, token))

    def _brace(self, token: str, argument: _Argument) -> None:
        """Open a group, or add the content of the innermost one to the group around it."""
        if token == "{":  # noqa: S105  (of LaTeX)
            self._groups.append((argument, []))
        if len(self._groups) > _MAX_DEPTH or len(self._groups) == 1:
            raise ValueError("braces do not match, or are nested too deeply")
        if token == "}":  # noqa: S105  (of LaTeX)
            kind, tokens = self._groups.pop()
            outer = self._groups[-1][1]
            if kind == "text":
                outer.append(" ".join(_join(tokens).split()))
            elif kind == "font" or (kind == "group" and len(tokens) == 1):
                outer += tokens
            elif kind == "group":
                is_prime = set(tokens) == {"′"}
                outer.append("".join(tokens) if is_prime else f"{{{_join(tokens)}}}")


def _join(tokens: list[str]) -> str:
    """Join tokens, with a space between a command and a letter.

    A raised prime becomes an apostrophe, and a subscript comes before a superscript.
    """
    for i in range(len(tokens) - 3):
        if tokens[i] == "^" and tokens[i + 2] == "_" and "_" not in (tokens[i + 1], tokens[i + 3]):
            tokens[i : i + 4] = [*tokens[i + 2 : i + 4], *tokens[i : i + 2]]
    parts: list[str] = []
    for token in tokens:
        if parts and parts[-1][:1] == "\\" and parts[-1][-1:].isalpha() and token[:1].isalpha():
            parts.append(" ")
        if token.strip("′") == "" and token and parts and parts[-1] == "^":
            parts[-1] = ""
        parts.append(token.replace("′", "'"))
    return "".join(parts)
