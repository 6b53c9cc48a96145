r"""pagemeter measures how well a system reads a page.

>>> import pagemeter as pm
>>> pm.cer("a page\nof text", "of text\na page")
0.0
>>> pm.cer("a page\nof text", "of text\na page", "R") > 0
True
"""

try:
    from pagemeter import _kernel as _kernel
except ImportError as error:
    error.add_note("pagemeter's compiled kernel is missing or built for another Python: pip install .")
    raise
from pagemeter._version import __version__
from pagemeter.errors import PagemeterError
from pagemeter.evaluation import Evaluation, evaluate
from pagemeter.formats import load, save
from pagemeter.measure import Measure
from pagemeter.page import Line, Page
from pagemeter.rates import cer, wer
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
