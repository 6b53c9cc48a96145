"""A real Dask cluster on this machine: the same totals and store, though workers are lost."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pandas as pd
import pytest

import faults
from collected import SMALL_PARTS, command, done, make, numbers, until
from pagemeter.cli import main
from pagemeter.corpus import Pair, run
from pagemeter.corpus.runners.cluster import Cluster
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.settings import Settings

pytest.importorskip("distributed")
PAGES = 150
LOOPBACK = ["--host", "127.0.0.1", "--no-dashboard"]


def start(what, *arguments):
    code = f"from distributed.cli.dask_{what} import main; main()"
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(faults.__file__).parent)},
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The file of a scheduler, and three workers of one thread each."""
    file = tmp_path_factory.mktemp("cluster") / "scheduler.json"
    scheduler = start("scheduler", "--port", "0", "--scheduler-file", file, *LOOPBACK)
    until(file.exists)
    workers = [worker(file) for _ in range(3)]
    yield file, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def worker(file):
    options = ["--scheduler-file", file, "--nthreads", "1", "--no-nanny", *LOOPBACK]
    return start("worker", *options)


def wait_for(file, count):
    from distributed import Client

    with Client(scheduler_file=str(file), timeout=60) as client:
        client.wait_for_workers(count, timeout=120)
        return client.scheduler.address


def test_totals_and_store_are_those_of_one_machine_though_a_worker_is_killed(cluster, tmp_path, monkeypatch):
    file, workers = cluster
    address = wait_for(file, 3)
    make(tmp_path, PAGES, lines=30)
    monkeypatch.chdir(tmp_path)
    alone = done("eval", "gt", "hyp", "--store", "alone", "--json", "alone.json")
    assert alone.returncode == 0, alone.stderr
    arguments = ["eval", "gt", "hyp", "--store", "many", "--json", "many.json", "--scheduler", address]
    process = subprocess.Popen(
        command(*arguments, before=SMALL_PARTS), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    until(lambda: list((tmp_path / "many").glob("pages/*.parquet")), 120)
    workers[0].send_signal(signal.SIGKILL)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 0, said
    assert numbers(tmp_path / "many.json") == numbers(tmp_path / "alone.json")
    columns = ["page", "measure", "errors", "ins", "dels", "sub", "cor", "gt", "hyp", "gt_sha256", "pair"]
    tables = [pd.read_parquet(tmp_path / name / "pages") for name in ("alone", "many")]
    by_page = [t[columns].sort_values(["page", "measure"], ignore_index=True) for t in tables]
    assert by_page[0].equals(by_page[1])
    assert "150 there already" in done("eval", "gt", "hyp", "--store", "many").stderr
    workers.append(worker(file))


def written(folder, texts):
    """Pairs of pages, each of a ground truth of its own and the same hypothesis."""
    pairs = []
    for number, text in enumerate(texts):
        paths = folder / f"{number}.gt.txt", folder / f"{number}.txt"
        paths[0].write_text(text)
        paths[1].write_text("a word")
        pairs.append(Pair(str(number), *paths))
    return pairs


def test_a_page_that_ends_its_workers_fails_with_its_reason_and_the_others_do_not(tmp_path, monkeypatch):
    """Workers that die at once are not replaced by Dask, so that it takes a moment before it does."""
    import dask

    monkeypatch.setenv("PYTHONPATH", str(Path(faults.__file__).parent))
    pairs = written(tmp_path, [*["a word"] * 20, "SLEEP:0.7\nCRASH", *["a ward"] * 60])
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        found = list(run(pairs, ["WER"], Settings(tokeniser=faults.tokenise), on=Cluster("local", 2)))
    assert [r.name for r in found] == [pair.name for pair in pairs]
    assert [r.name for r in found if r.status != "evaluated"] == ["20"]
    assert re.search(
        r"20.gt.txt: KilledWorker: .* on 2 different workers, .*; give the workers", found[20].error
    )


def test_a_cluster_without_workers_is_said_to_have_none(tmp_path, monkeypatch):
    monkeypatch.setattr("pagemeter.corpus.runners.cluster._ALONE", 0.1)
    monkeypatch.setattr("pagemeter.corpus.runners.futures._GLANCE", 0.2)
    file, said, workers = tmp_path / "scheduler.json", [], []

    def come(text):
        said.append(text)
        workers.append(worker(file))

    scheduler = start("scheduler", "--port", "0", "--scheduler-file", file, *LOOPBACK)
    until(file.exists)
    (found,) = run(written(tmp_path, ["a word"]), ["CER"], on=Cluster(str(file), say=come))
    assert found.status == "evaluated"
    assert said == [f"--scheduler {file}: waiting, for there is no worker; start one: dask worker"]
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def test_a_scheduler_that_is_gone_in_the_middle_is_said_in_one_line_and_the_store_has_what_was_done(tmp_path):
    file, store = tmp_path / "scheduler.json", tmp_path / "store"
    scheduler = start("scheduler", "--port", "0", "--scheduler-file", file, *LOOPBACK)
    until(file.exists)
    one = worker(file)
    address = wait_for(file, 1)
    make(tmp_path, 600, lines=30)
    arguments = ["eval", tmp_path / "gt", tmp_path / "hyp", "--store", store]
    process = subprocess.Popen(
        command(*arguments, "--scheduler", file, before=SMALL_PARTS), stderr=subprocess.PIPE, text=True
    )
    until(lambda: list(store.glob("pages/*.parquet")), 120)
    scheduler.kill()
    said = process.communicate(timeout=60)[1]
    for process_of_dask in (one, scheduler):
        process_of_dask.kill()
        process_of_dask.wait()
    assert said == (
        f"pagemeter: the scheduler at {address} is gone; start one, and run again; "
        f"what was done is in {store}, and the same command goes on from there\n"
    )
    assert process.returncode == 1
    assert re.search(r"[1-9]\d* evaluated, [1-9]\d* there already", done(*arguments).stderr)


def test_workers_that_come_later_are_used_and_a_page_at_fault_fails_alone(cluster, tmp_path):
    file, workers = cluster
    wait_for(file, 2)
    workers.append(worker(file))
    pairs = written(tmp_path, ["a word", "a ward", "FAULT", "word"])
    found = list(run(pairs, ["WER"], Settings(tokeniser=faults.tokenise), on=Cluster(str(file))))
    assert [(r.name, r.status) for r in found if r.status == "failed"] == [("2", "failed")]
    assert "a fault of ours; please report" in found[2].error
    assert [r.name for r in found] == ["0", "1", "2", "3"]


def test_a_package_that_workers_lack_ends_the_run_with_its_name(cluster, tmp_path, monkeypatch):
    file, _ = cluster
    wait_for(file, 1)
    (tmp_path / "only_here.py").write_text("def tokenise(text): return text.split()")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here

    pairs = [Pair("1", tmp_path / "only_here.py", None)]
    with pytest.raises(PagemeterError, match="a worker lacks a package: No module named 'only_here'"):
        list(run(pairs, ["WER"], Settings(tokeniser=only_here.tokenise), on=Cluster(str(file))))


def test_the_executor_of_a_client_works_as_any_other(cluster, tmp_path):
    from distributed import Client

    file, _ = cluster
    wait_for(file, 1)
    make(tmp_path, 5)
    from pagemeter.corpus import pair

    pairs = pair(tmp_path / "gt", tmp_path / "hyp").pairs
    with Client(scheduler_file=str(file)) as client, client.get_executor(pure=False) as executor:
        found = [result.scores for result in run(pairs, ["CER"], on=executor)]
    assert found == [result.scores for result in run(pairs, ["CER"])]


def test_a_cluster_can_be_started_for_trying(tmp_path):
    make(tmp_path, 12)
    arguments = ["eval", tmp_path / "gt", tmp_path / "hyp", "--json"]
    assert done(*arguments, tmp_path / "a.json").returncode == 0
    found = done(*arguments, tmp_path / "b.json", "--scheduler", "local", "--jobs", "2")
    assert found.returncode == 0, found.stderr
    assert numbers(tmp_path / "a.json") == numbers(tmp_path / "b.json")


def test_workers_of_another_version_are_named(cluster, tmp_path, monkeypatch):
    file, _ = cluster
    wait_for(file, 1)
    monkeypatch.setattr("pagemeter.corpus.runners.cluster.__version__", "99")
    with pytest.raises(PagemeterError, match=r"tcp://.*: it has pagemeter .*; install pagemeter 99 there"):
        list(run([Pair("1", tmp_path / "a.txt", None)], ["CER"], on=Cluster(str(file))))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--scheduler", "nowhere"], "give an address such as tcp://host:8786, the path of a scheduler file"),
        (["--scheduler", "local", "--page-seconds", "3"], "are for this machine; set limits of the workers"),
        (["--scheduler", "tcp://127.0.0.1:1", "--jobs", "3"], "a cluster has the workers it has"),
    ],
)
def test_options_that_make_no_sense_with_a_cluster_are_refused(tmp_path, capsys, options, reason):
    make(tmp_path, 2)
    assert main(["eval", str(tmp_path / "gt"), str(tmp_path / "hyp"), *options]) == 2
    assert reason in capsys.readouterr().err


def test_a_scheduler_that_does_not_answer_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("pagemeter.corpus.runners.cluster._SECONDS", 0.5)
    (tmp_path / "a.txt").write_text("a")
    pairs = [Pair("1", tmp_path / "a.txt", None)]
    with pytest.raises(UsageError, match=r"tcp://127.0.0.1:1: no scheduler answers .*; start one with"):
        list(run(pairs, ["CER"], on=Cluster("tcp://127.0.0.1:1")))


def test_a_server_that_is_no_scheduler_is_named(tmp_path):
    (tmp_path / "a.txt").write_text("a")

    def answer():
        with server.accept()[0] as connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request" * 9)

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        answering = Thread(target=answer)
        answering.start()
        with pytest.raises(UsageError, match=rf"{address}: no scheduler answers .*; start one with"):
            list(run([Pair("1", tmp_path / "a.txt", None)], ["CER"], on=Cluster(address)))
        answering.join()
