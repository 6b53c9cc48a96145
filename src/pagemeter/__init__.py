r"""pagemeter measures how well a system reads a page.

>>> import pagemeter as pm
>>> pm.cer("a page\nof text", "a page\nof test")
0.07692307692307693
>>> pm.cer("a page\nof text", "of text\na page", "")  # without R, the order of lines does not count
0.0
"""

from typing import TYPE_CHECKING, Any

try:
    from pagemeter import _kernel as _kernel
except ImportError as error:
    error.add_note("pagemeter's compiled kernel is missing or built for another Python: pip install .")
    raise
from pagemeter._version import __version__
from pagemeter.errors import PagemeterError
from pagemeter.evaluation import Evaluation, cer, evaluate, wer
from pagemeter.formats import load, save
from pagemeter.measure import Measure
from pagemeter.page import Line, Page, Word
from pagemeter.score import Score
from pagemeter.settings import Settings

if TYPE_CHECKING:
    from pagemeter.collection import CorpusEvaluation, evaluate_corpus
    from pagemeter.meter import Meter
    from pagemeter.spotting.api import kws

__all__ = [
    "CorpusEvaluation",
    "Evaluation",
    "Line",
    "Measure",
    "Meter",
    "Page",
    "PagemeterError",
    "Score",
    "Settings",
    "Word",
    "__version__",
    "cer",
    "evaluate",
    "evaluate_corpus",
    "kws",
    "load",
    "save",
    "wer",
]

_LAZY = {
    "CorpusEvaluation": "collection",
    "Meter": "meter",
    "evaluate_corpus": "collection",
    "kws": "spotting.api",
}
"""Names whose modules are imported when they are first used, because these load numpy and much more."""


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return globals().setdefault(name, getattr(import_module(f"{__name__}.{_LAZY[name]}"), name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
