"""No measure is much slower than recorded (`make record-speed` updates the record)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from performance import guard

RECORDED = json.loads(guard.RECORD.read_text(encoding="utf-8"))
# Ratios differ between machines, and a little between runs; a broken algorithm costs a multiple.
SLACK = 3.0
# Instructions are the same in every run; a lost optimisation of the kernel costs more than this.
MORE = 1.2


@pytest.mark.parametrize("name", guard.NAMES)
def test_cpu_time_against_a_flat_edit_distance_is_as_recorded(name):
    limit = SLACK * RECORDED["ratios"][name]
    assert guard.ratio(name, enough=limit) <= limit


@pytest.mark.exhaustive  # the ratios are in the default run
@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
@pytest.mark.skipif(guard.build() != RECORDED["build"], reason=f"recorded for {RECORDED['build']}")
def test_no_more_instructions_are_executed_than_recorded():
    grown = {
        name: f"{count} instead of {RECORDED['instructions'][name]}"
        for name, count in guard.instructions().items()
        if count > MORE * RECORDED["instructions"][name]
    }
    assert not grown


def test_a_ratio_beyond_its_limit_is_not_accepted(monkeypatch):
    """The search continues to the end and returns the best ratio."""
    times = iter([0.1, 0.5, *[0.2, 0.4] * guard.ROUNDS])
    monkeypatch.setattr(guard, "seconds", lambda _: next(times))
    assert guard.ratio("page BOW", enough=3.0) == pytest.approx(4.0)


def test_counts_are_taken_from_what_callgrind_writes(tmp_path: Path):
    file = tmp_path / "counts.2"
    file.write_text("events: Ir\nfn=x\n1 5\ntotals: 2640192\n", encoding="utf-8")
    assert guard._total(file) == 2640192
