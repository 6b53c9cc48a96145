"""Results on disk: a folder of Parquet files that others read, and that a later run goes on with.

    STORE/
      store.json                 what the numbers depend on
      pages/part-000001.parquet  a row a page and measure
      lines/part-000001.parquet  a row a line, if asked for

Every pair of files is in one part, with all its pages. A part is written under a temporary name and renamed.
A pair that is evaluated again leaves its old part before its new one gets its name, so that at any moment a
page is there once or, if a run is killed just then, not at all, and is evaluated by the next run.
"""

from pagemeter.store.resume import Stored
from pagemeter.store.store import Store

__all__ = ["Store", "Stored"]
