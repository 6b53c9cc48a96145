"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The time of an example says nothing on a loaded machine.
settings.register_profile("no stopwatch", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no stopwatch")
