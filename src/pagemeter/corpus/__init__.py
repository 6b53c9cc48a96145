"""Many pages: pair their files, run over them, add the scores up.

>>> import tempfile
>>> from pathlib import Path
>>> gt, hyp = (Path(tempfile.mkdtemp()) for _ in range(2))
>>> _ = (gt / "1.txt").write_text("one page"), (hyp / "1.txt").write_text("one pace")
>>> totals = Totals()
>>> for result in run(pair(gt, hyp).pairs, ["CER"]): totals.add(result)
>>> [(str(measure), score.errors) for measure, score in totals.scores.items()]
[('CER', 1)]
"""

from pagemeter.corpus.files.arguments import pair
from pagemeter.corpus.files.folders import PassedOver
from pagemeter.corpus.lines import LineResult, lines_of
from pagemeter.corpus.measures import Wanted
from pagemeter.corpus.outcome import Outcome
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.corpus.reading import Reader, Reading
from pagemeter.corpus.recipe import Recipe
from pagemeter.corpus.result import PageResult
from pagemeter.corpus.runners.pool import Pool
from pagemeter.corpus.runners.run import run
from pagemeter.corpus.runners.work import Work
from pagemeter.corpus.totals import Totals

__all__ = [
    "LineResult",
    "Outcome",
    "PageResult",
    "Pair",
    "Pairing",
    "PassedOver",
    "Pool",
    "Reader",
    "Reading",
    "Recipe",
    "Totals",
    "Wanted",
    "Work",
    "lines_of",
    "pair",
    "run",
]
