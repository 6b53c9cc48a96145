"""Settings of all tests."""

from __future__ import annotations

import gc
import os
import sys

from hypothesis import HealthCheck, settings

# The time of an example says nothing on a loaded machine.
settings.register_profile("no stopwatch", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no stopwatch")

# Hundreds of tests start a process. With this variable, each of them would compile all modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection, which would traverse them all each time."""
    gc.collect()
    gc.freeze()
