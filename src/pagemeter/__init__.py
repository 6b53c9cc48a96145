r"""pagemeter measures how well a system reads a page.

>>> import pagemeter as pm
>>> pm.cer("a page\nof text", "of text\na page")
0.0
>>> pm.cer("a page\nof text", "of text\na page", "R") > 0
True
"""

from pagemeter._version import __version__
from pagemeter.errors import PagemeterError
from pagemeter.evaluation import Evaluation, cer, evaluate, wer
from pagemeter.formats import load, save
from pagemeter.measure import Measure
from pagemeter.page import Line, Page
from pagemeter.score import Score
from pagemeter.settings import Settings

__all__ = [
    "Evaluation",
    "Line",
    "Measure",
    "Page",
    "PagemeterError",
    "Score",
    "Settings",
    "__version__",
    "cer",
    "evaluate",
    "load",
    "save",
    "wer",
]
