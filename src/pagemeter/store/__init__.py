"""Results on disk: a folder of Parquet files that other programs can read and that a later run continues.

    STORE/
      store.json                 the options that the numbers depend on, and the checksums of all parts
      pages/part-000001.parquet  one row per page and measure
      lines/part-000001.parquet  one row per line, if asked for

Every pair of files is in one part, with all its pages. A part is written under a temporary name and renamed.
The old rows of a pair that is evaluated again are removed before its new part gets its name. So at any moment
a page is in the store once or, if a run is killed at that moment, not at all, and the next run evaluates it.
"""

from importlib import import_module

from pagemeter.errors import DependencyError

try:
    import_module("pyarrow")
except ImportError:
    raise DependencyError(
        "a results store needs pyarrow, which is not installed", remedy="run pip install 'pagemeter[store]'"
    ) from None

from pagemeter.store.reading import StoredResults
from pagemeter.store.store import Store, StoringRunner

__all__ = ["Store", "StoredResults", "StoringRunner"]
