"""A real Dask cluster on this machine: the same totals and store, even if workers are lost."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pandas as pd
import pytest

import faults
from collected import NO_PROGRESS_LOG, SMALL_PARTS, TIMEOUT, command, done, make, numbers, until
from pagemeter.cli import main
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.inputs.arguments import pair
from pagemeter.inputs.pairs import Pair
from pagemeter.runners import Cluster, evaluate_pairs
from pagemeter.settings import Settings

pytest.importorskip("distributed")
PAGES = 40
FAULTY = Settings(tokeniser=faults.tokenise)
LOOPBACK = ["--host", "127.0.0.1", "--no-dashboard"]

# Loaded by a worker, more than once: before a page of a given name it does what a line for `faults` says.
PRELOADED = """
import faults
from pagemeter.runners import executor, worker_process
def results(config, pair):
    if pair.name == {page!r}:
        faults.tokenise({line!r})
    return worker_process.safe_results(config, pair)
executor.safe_results = results
"""


def start(program, *arguments):
    code = f"from distributed.cli.dask_{program} import main; main()"
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(faults.__file__).parent)},
    )


def start_scheduler(file):
    scheduler = start("scheduler", "--port", "0", "--scheduler-file", file, *LOOPBACK)
    until(file.exists)
    return scheduler


def start_worker(file, page="", line=""):
    """Start a worker with one thread; before the page, it does what the line says."""
    preload = file.with_name("preload.py")
    preload.write_text(PRELOADED.format(page=page, line=line))
    options = ["--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--preload", preload, *LOOPBACK]
    return start("worker", *options)


def end(*processes):
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The file of a scheduler with two workers; the first that evaluates page 00020 is killed there."""
    file = tmp_path_factory.mktemp("cluster") / "scheduler.json"
    processes = [start_scheduler(file)]
    crash = f"CRASH-ONCE:{file.with_name('trace')}"
    processes += [start_worker(file, "00020", crash) for _ in range(2)]
    yield file
    end(*processes)


def wait_for_workers(file, count=1):
    from distributed import Client

    with Client(scheduler_file=str(file), timeout=TIMEOUT) as client:
        client.wait_for_workers(count, timeout=TIMEOUT)
        return client.scheduler.address


def faulty_pairs(folder, *texts):
    """One pair per ground-truth text."""
    pairs = []
    for number, text in enumerate(texts):
        gt, hyp = folder / f"{number}.gt.txt", folder / f"{number}.txt"
        gt.write_text(text)
        hyp.write_text("a word")
        pairs.append(Pair(str(number), gt, hyp))
    return pairs


def test_totals_and_store_are_those_of_one_machine_although_a_worker_is_killed(
    cluster, tmp_path, monkeypatch, capsys
):
    address = wait_for_workers(cluster, 2)
    make(tmp_path, PAGES)
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "gt", "hyp", "--store", "alone", "--json", "alone.json"]) == 0
    many = ["eval", "gt", "hyp", "--store", "many", "--json", "many.json", "--scheduler", address]
    assert main(many) == 0, capsys.readouterr().err
    assert cluster.with_name("trace").exists()
    assert numbers(tmp_path / "many.json") == numbers(tmp_path / "alone.json")
    columns = ["page", "measure", "errors", "ins", "dels", "sub", "cor", "gt", "hyp", "gt_sha256", "pair"]
    tables = [pd.read_parquet(tmp_path / name / "pages") for name in ("alone", "many")]
    by_page = [table[columns].sort_values(["page", "measure"], ignore_index=True) for table in tables]
    assert by_page[0].equals(by_page[1])
    capsys.readouterr()
    assert main(["eval", "gt", "hyp", "--store", "many"]) == 0
    assert f"{PAGES} reused" in capsys.readouterr().err


def test_an_unexpected_error_fails_one_page(cluster, tmp_path):
    wait_for_workers(cluster)
    pairs = faulty_pairs(tmp_path, "a word", "a ward", "FAULT", "word")
    results = list(evaluate_pairs(pairs, ["WER"], FAULTY, on=Cluster(str(cluster))))
    assert [(result.name, result.status) for result in results] == [
        ("0", "evaluated"), ("1", "evaluated"), ("2", "failed"), ("3", "evaluated")
    ]  # fmt: skip
    assert "RuntimeError: a bug. Please report" in results[2].error


def test_a_package_that_workers_lack_is_named(cluster, tmp_path, monkeypatch):
    wait_for_workers(cluster)
    (tmp_path / "only_here.py").write_text("def tokenise(text): return text.split()")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here

    settings = Settings(tokeniser=only_here.tokenise)
    with pytest.raises(PagemeterError, match="a worker lacks a package: No module named 'only_here'"):
        list(evaluate_pairs(faulty_pairs(tmp_path, "a"), ["WER"], settings, on=Cluster(str(cluster))))


def test_the_executor_of_a_client_can_be_used(cluster, tmp_path):
    from distributed import Client

    wait_for_workers(cluster)
    make(tmp_path, 5)
    pairs = pair(tmp_path / "gt", tmp_path / "hyp").pairs
    with Client(scheduler_file=str(cluster)) as client, client.get_executor(pure=False) as executor:
        scores = [result.scores for result in evaluate_pairs(pairs, ["CER"], on=executor)]
    assert scores == [result.scores for result in evaluate_pairs(pairs, ["CER"])]


def test_workers_with_another_version_are_named(cluster, tmp_path, monkeypatch):
    wait_for_workers(cluster)
    monkeypatch.setattr("pagemeter.runners.executor.__version__", "99")
    with pytest.raises(PagemeterError, match=r"tcp://.*: the worker has pagemeter .*Install pagemeter 99"):
        list(evaluate_pairs(faulty_pairs(tmp_path, "a"), ["CER"], on=Cluster(str(cluster))))


@pytest.fixture
def started(tmp_path, monkeypatch):
    """A file that exists while all workers of a local cluster are started; Dask replaces only these."""
    from distributed import Nanny

    file, instantiate, starting = tmp_path / "started", Nanny.instantiate, 0

    async def tracked(nanny):
        nonlocal starting
        starting += 1
        file.unlink(missing_ok=True)
        try:
            return await instantiate(nanny)
        finally:
            starting -= 1
            if not starting:
                file.touch()

    monkeypatch.setattr(Nanny, "instantiate", tracked)
    return file


def test_only_the_page_that_crashes_its_workers_fails(tmp_path, monkeypatch, started):
    import dask

    monkeypatch.setenv("PYTHONPATH", str(Path(faults.__file__).parent))
    texts = [*["a word"] * 20, f"WAIT:{started}\nCRASH", *["a ward"] * 60]
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        pairs = faulty_pairs(tmp_path, *texts)
        results = list(evaluate_pairs(pairs, ["WER"], FAULTY, on=Cluster("local", 2)))
    assert [result.name for result in results] == [pair.name for pair in pairs]
    assert [result.name for result in results if result.status != "evaluated"] == ["20"]
    assert re.search(r"20.gt.txt: KilledWorker: .* different workers, .*Give the workers", results[20].error)


def test_a_local_cluster_has_the_same_numbers_and_prints_nothing(tmp_path, monkeypatch):
    """Although its workers log a warning, as they do on a busy machine."""
    preload = tmp_path / "preload.py"
    preload.write_text("import logging; logging.getLogger('distributed.worker').warning('busy')")
    monkeypatch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", f"['{preload}']")
    make(tmp_path, 12)
    arguments = ["eval", str(tmp_path / "gt"), str(tmp_path / "hyp"), "--json"]
    assert main([*arguments, str(tmp_path / "a.json")]) == 0
    options = ["--scheduler", "local", "--jobs", "2"]
    local = done(*arguments, tmp_path / "b.json", *options)
    assert (local.returncode, local.stderr) == (0, "")
    assert numbers(tmp_path / "a.json") == numbers(tmp_path / "b.json")


def test_a_cluster_without_workers_is_reported_and_waits_for_one(tmp_path, monkeypatch):
    monkeypatch.setattr("pagemeter.runners.executor._ALONE_SECONDS", 0)
    monkeypatch.setattr("pagemeter.runners.executor._CHECK_SECONDS", 0.2)
    file, messages, processes = tmp_path / "scheduler.json", [], []

    def notify(text):
        messages.append(text)
        processes.append(start_worker(file))

    processes.append(start_scheduler(file))
    cluster = Cluster(str(file), notify=notify)
    (result,) = evaluate_pairs(faulty_pairs(tmp_path, "a word"), ["CER"], on=cluster)
    end(*processes)
    assert result.status == "evaluated"
    assert messages == [f"{file}: the cluster has no worker. Start one: dask worker"]


def test_a_scheduler_that_is_lost_is_reported_in_one_line_and_the_store_is_kept(tmp_path):
    """The run cannot end before, because a worker hangs at a page in the middle."""
    file, store = tmp_path / "scheduler.json", tmp_path / "store"
    scheduler = start_scheduler(file)
    worker = start_worker(file, "00030", "HANG")
    address = wait_for_workers(file)
    make(tmp_path, PAGES)
    arguments = ["eval", tmp_path / "gt", tmp_path / "hyp", "--store", store]
    line = command(*arguments, "--scheduler", file, before=NO_PROGRESS_LOG + SMALL_PARTS)
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
    until(lambda: list(store.glob("pages/*.parquet")))
    scheduler.kill()
    message = process.communicate(timeout=TIMEOUT)[1]
    end(worker, scheduler)
    assert process.returncode == 1
    assert message.startswith(
        f"pagemeter: the scheduler at {address} is gone; the results so far are in {store}"
    )
    assert message.endswith("Start one, and run again.\n")
    assert message.count("\n") == 1
    assert re.search(r"[1-9]\d* evaluated, [1-9]\d* reused", done(*arguments).stderr)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--scheduler", "nowhere"], "Give an address such as tcp://host:8786, the path of a scheduler file"),
        (["--scheduler", "local", "--page-seconds", "3"], "a cluster does not limit single pages"),
        (["--scheduler", "tcp://127.0.0.1:1", "--jobs", "3"], "a cluster has its own number of workers"),
    ],
)
def test_options_that_do_not_fit_a_cluster_are_refused(tmp_path, capsys, options, reason):
    make(tmp_path, 2)
    assert main(["eval", str(tmp_path / "gt"), str(tmp_path / "hyp"), *options]) == 2
    assert reason in capsys.readouterr().err


def test_a_scheduler_that_does_not_answer_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("pagemeter.runners.executor._CONNECT_SECONDS", 0.5)
    with pytest.raises(UsageError, match=r"scheduler='tcp://127.0.0.1:1': no scheduler answers .*Start one"):
        list(evaluate_pairs(faulty_pairs(tmp_path, "a"), ["CER"], on=Cluster("tcp://127.0.0.1:1")))


def test_a_server_that_is_no_scheduler_is_named(tmp_path):
    def answer():
        with server.accept()[0] as connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request" * 9)

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread = Thread(target=answer)
        thread.start()
        with pytest.raises(UsageError, match=rf"scheduler='{address}': no scheduler answers .*Start one"):
            list(evaluate_pairs(faulty_pairs(tmp_path, "a"), ["CER"], on=Cluster(address)))
        thread.join()
