"""A local web page that evaluates files and shows reports, for people who do not use a terminal.

`app` answers requests: it checks where they come from, receives files, and sends pages. `jobs` keeps the
files in a private folder and evaluates them, one job after the other. `reports` writes the report of a run or
of a results store, and finds the reports in a folder. The folder `assets` has the form.
"""

from importlib import import_module

from pagemeter.errors import DependencyError

try:
    import_module("starlette")
    import_module("uvicorn")
except ImportError as error:
    raise DependencyError(
        f"the local page needs {error.name}, which is not installed",
        remedy="run pip install 'pagemeter[serve]'",
    ) from None

from pagemeter.serve.app import Address, make_app, run_app
from pagemeter.serve.jobs import Job, Jobs, UploadLimits
from pagemeter.serve.reports import Results, find_results

__all__ = ["Address", "Job", "Jobs", "Results", "UploadLimits", "find_results", "make_app", "run_app"]
