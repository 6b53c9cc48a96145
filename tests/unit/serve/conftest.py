"""A server without a socket: requests go straight to the application."""

from __future__ import annotations

from functools import partial

import pytest
from starlette.testclient import TestClient

from pagemeter.runners import Pool
from pagemeter.serve import Address, Jobs, UploadLimits, make_app

ADDRESS = Address(8123, "a-token")
ORIGIN = "http://127.0.0.1:8123"


@pytest.fixture
def make_client(tmp_path):
    """Return a function that makes a client of a server with these limits and results."""
    opened = []

    def client(limits=None, results=None):
        folder = tmp_path / "private"
        folder.mkdir()
        jobs = Jobs(folder, limits or UploadLimits(), partial(Pool, 1))
        opened.append(jobs)
        made = TestClient(make_app(ADDRESS, jobs, results), base_url=ADDRESS.url, headers={"origin": ORIGIN})
        made.jobs = jobs
        return made

    yield client
    for jobs in opened:
        jobs.close()
