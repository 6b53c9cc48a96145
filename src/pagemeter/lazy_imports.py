"""Imports on first use, during which this process does not fork.

A process that is forked while another thread imports a module inherits the lock of that module, and would
wait for it forever. So `os.fork` waits while a thread has the lock `importing`.
"""

from __future__ import annotations

import os
from threading import RLock

importing = RLock()
"""Is held while modules are imported on first use."""
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(
        before=importing.acquire, after_in_parent=importing.release, after_in_child=importing.release
    )
