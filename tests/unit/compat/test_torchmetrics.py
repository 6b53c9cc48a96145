"""The metric of torchmetrics, also in a collection and on several processes."""

from __future__ import annotations

import doctest
import multiprocessing
import pickle
import random
import textwrap
from pathlib import Path

import pytest

from pagemeter.errors import UsageError

torchmetrics = pytest.importorskip(
    "torchmetrics", reason="torchmetrics is not installed", exc_type=ImportError
)
torch = pytest.importorskip("torch", reason="torch is not installed", exc_type=ImportError)

from pagemeter.compat import torchmetrics as compat  # noqa: E402

PageErrorRate = compat.PageErrorRate


def test_the_example_runs():
    assert doctest.testmod(compat).failed == 0


def test_the_example_in_the_documentation_runs():
    document = Path(__file__).parents[3] / "docs" / "migrating.md"
    begin, end = "    from torchmetrics import", "    metrics.compute()"
    example = document.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    names = {}
    exec(textwrap.dedent(begin + example), names)  # noqa: S102
    assert names["metrics"].compute() == {"cer": pytest.approx(6 / 7), "recognition": 0}


def test_predictions_are_the_first_argument():
    metric = PageErrorRate("CER:R")
    assert metric("a", "ab") == 0.5
    assert metric("ab", "a") == 1.0
    assert metric.compute() == pytest.approx(2 / 3)
    assert (metric.errors, metric.tokens) == (2, 3)
    assert (metric.counts.missing, metric.counts.extra, metric.counts.right) == (1, 1, 2)
    metric.reset()
    assert metric.tokens == 0


def test_states_are_exact_integers():
    metric = PageErrorRate("CER:R")
    metric.update("a", "b")
    states = [getattr(metric, name) for name in metric._defaults]
    assert {state.dtype for state in states} == {torch.int64}
    states[2] += 1 << 40  # a 32-bit float would not have the 1
    assert metric.errors == (1 << 40) + 1


def test_the_numbers_of_torchmetrics():
    draw = random.Random(0)
    names = {"CharErrorRate": "CER:T", "WordErrorRate": "WER:T"}
    pairs = [["".join(draw.choices("ab \n", k=draw.randint(1, 20))) for _ in range(2)] for _ in range(50)]
    for name, measure in names.items():
        theirs, ours = getattr(torchmetrics.text, name)(), PageErrorRate(measure, preset="torchmetrics")
        for hyp, gt in pairs:
            assert ours([hyp], [gt]) == theirs([hyp], [gt])
        assert ours.compute() == theirs.compute()


def test_metrics_of_a_collection_stay_apart():
    """After a first page without errors, all states are equal."""
    collection = torchmetrics.MetricCollection(
        {
            "order": PageErrorRate("CER:R"),
            "free": PageErrorRate("CER"),
            "fold": PageErrorRate("CER", case="fold"),
        }
    )
    collection.update(["one"], ["one"])
    collection.update(["two\none"], ["one\ntwo"])
    collection.update(["ONE"], ["one"])
    assert {name: float(rate) for name, rate in collection.compute().items()} == {
        "order": 0.75, "free": 0.25, "fold": 0.0,
    }  # fmt: skip


def test_settings_decide_on_the_rate():
    metric = PageErrorRate("CER:T", denominator="max", whitespace="keep", dist_sync_on_step=False)
    metric.update(["abcd", "a"], ["ab", "abc"])
    assert metric.compute() == pytest.approx(4 / 7)
    with pytest.raises(UsageError, match="adds up"):
        PageErrorRate("CER", average="macro")
    with pytest.raises(UsageError, match="2 predictions and 1 targets"):
        metric.update(["a", "b"], ["a"])


def test_a_metric_can_be_pickled():
    metric = PageErrorRate("WER:R", preset="torchmetrics")
    metric.update("one two", "one too")
    assert pickle.loads(pickle.dumps(metric)).compute() == 0.5  # noqa: S301


def work(rank, store, results):
    torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    metric = PageErrorRate("CER:R")
    metric.update("abcd"[: rank + 2], "abce")
    results.put((rank, float(metric.compute())))
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch is built without distributed")
def test_processes_add_up_their_states(tmp_path):
    context = multiprocessing.get_context("spawn")
    results = context.SimpleQueue()
    processes = [context.Process(target=work, args=(rank, tmp_path / "store", results)) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
    assert [process.exitcode for process in processes] == [0, 0]
    assert sorted(results.get() for _ in processes) == [(0, 3 / 8), (1, 3 / 8)]
