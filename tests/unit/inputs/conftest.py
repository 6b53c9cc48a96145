"""Fixtures of the tests of inputs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def top(files):
    """Return a folder with the files that the lists and tables name."""
    return files("gt/1.xml", "gt/2.xml", "gt/3.xml", "hyp/1.txt", "hyp/2.txt", "other/x.txt", "other/y.txt")


@pytest.fixture
def unreadable(monkeypatch):
    """Make folders with the name `shut` unreadable, also for the superuser."""
    listing = os.scandir

    def scandir(path):
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)
