"""Parts of a store whose number does not depend on the time that the tests take."""

from __future__ import annotations

import pytest

from collected import TIMEOUT


@pytest.fixture(autouse=True)
def _parts_of_full_size(monkeypatch):
    # On a busy machine, a few pages take longer than the time after which a small part is written.
    monkeypatch.setattr("pagemeter.store.store._FLUSH_SECONDS", TIMEOUT)
