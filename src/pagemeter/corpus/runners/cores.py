"""How many processes this machine, or this container, can keep busy."""

from __future__ import annotations

import math
import os
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def cores() -> int:
    """The cores that this process may use: those it may run on, and no more than a container is granted.

    >>> cores() >= 1
    True
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, granted(_quota()) or allowed))


def granted(quota: str) -> int | None:
    """The cores that a quota of processor time stands for, "microseconds period"; None for no limit.

    >>> granted("150000 100000"), granted("max 100000"), granted("")
    (2, None, None)
    """
    time, _, period = quota.partition(" ")
    return math.ceil(int(time) / int(period)) if time.isdigit() and period.strip().isdigit() else None


def _quota() -> str:
    try:
        return _QUOTA.read_text(encoding="ascii").strip()
    except OSError:
        return ""
