"""Jobs of the local page: they run one after the other, can be stopped, and leave no files."""

from __future__ import annotations

import errno
from concurrent.futures import wait
from functools import partial
from threading import Event

import pytest

from collected import TIMEOUT, until
from pagemeter.collection import run_config
from pagemeter.errors import InputError, UsageError
from pagemeter.runners import Pool
from pagemeter.serve import Jobs, UploadLimits
from pagemeter.serve.jobs import LimitError

CONFIG = run_config("CER:R", None, None, {}, details=False)


@pytest.fixture
def jobs(tmp_path):
    with Jobs(tmp_path, make_pool=partial(Pool, 1)) as made:
        yield made


def put(jobs, job, side, name, content):
    with jobs.receive(job, side, name) as write:
        write(content)


def page_job(jobs, gt=b"one line", hyp=b"one lime"):
    job = jobs.create("a title")
    put(jobs, job, "gt", "1.txt", gt)
    put(jobs, job, "hyp", "other.txt", hyp)
    return job


def test_two_files_with_any_names_are_a_pair(jobs):
    job = page_job(jobs)
    jobs.evaluate(job, CONFIG).result(TIMEOUT)
    assert (job.state, job.pages, job.error) == ("done", 1, "")
    assert "pagemeter report" in job.report.read_text()


def test_jobs_run_one_after_the_other_in_their_order(jobs, monkeypatch):
    running, go_on = Event(), Event()

    def slow_pool():
        running.set()
        go_on.wait(TIMEOUT)
        return Pool(1)

    monkeypatch.setattr(jobs, "_make_pool", slow_pool)
    first, second = page_job(jobs), page_job(jobs)
    ends = [jobs.evaluate(job, CONFIG) for job in (first, second)]
    assert running.wait(TIMEOUT)
    assert second.state == "waiting"
    go_on.set()
    wait(ends, TIMEOUT)
    assert (first.state, second.state) == ("done", "done")


def test_a_waiting_job_can_be_removed(jobs, monkeypatch):
    go_on = Event()
    monkeypatch.setattr(jobs, "_make_pool", lambda: go_on.wait(TIMEOUT) and Pool(1))
    first, second = page_job(jobs), page_job(jobs)
    ends = [jobs.evaluate(job, CONFIG) for job in (first, second)]
    jobs.remove(second)
    assert not second.folder.exists()
    go_on.set()
    wait(ends, TIMEOUT)
    assert (first.state, second.state) == ("done", "waiting")
    assert list(jobs) == [first]


def test_a_running_job_can_be_stopped(jobs):
    """The page would take minutes; its worker is killed."""
    text = "\n".join("abc def" * 20 + str(number) for number in range(3_000)).encode()
    job = page_job(jobs, text, text[::-1])
    config = run_config("CER:S", None, None, {"effort": "exhaustive"}, details=False)
    end = jobs.evaluate(job, config)
    until(lambda: job.pages)
    jobs.remove(job)
    end.result(TIMEOUT)
    assert job.state == "running"
    assert not job.folder.exists()


def test_a_job_that_is_stopped_before_its_pool_starts_ends(jobs):
    pool = Pool(1)
    pool.stop()
    jobs._make_pool = lambda: pool
    job = page_job(jobs)
    jobs.evaluate(job, CONFIG).result(TIMEOUT)
    assert job.state == "running"  # nobody asked for its removal


def test_closing_removes_everything(tmp_path):
    with Jobs(tmp_path, make_pool=partial(Pool, 1)) as jobs:
        done, receiving = page_job(jobs), page_job(jobs)
        jobs.evaluate(done, CONFIG).result(TIMEOUT)
        assert len(list(tmp_path.iterdir())) == 2
        assert receiving.state == "receiving"
    assert list(tmp_path.iterdir()) == []


def test_an_unexpected_error_fails_the_job_and_not_the_server(jobs, monkeypatch, capsys):
    monkeypatch.setattr("pagemeter.serve.jobs.write_run", lambda *_, **__: 1 / 0)
    job = page_job(jobs)
    jobs.evaluate(job, CONFIG).result(TIMEOUT)
    assert (job.state, job.error) == ("failed", "unexpected error: ZeroDivisionError('division by zero')")
    assert "ZeroDivisionError" in capsys.readouterr().err
    monkeypatch.undo()
    other = page_job(jobs)
    jobs.evaluate(other, CONFIG).result(TIMEOUT)
    assert other.state == "done"


def test_a_full_disk_is_reported(jobs, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pagemeter.serve.jobs.write_run", full)
    job = page_job(jobs)
    jobs.evaluate(job, CONFIG).result(TIMEOUT)
    assert (job.state, job.error) == ("failed", "temporary files: No space left on device")


def test_the_files_of_a_failed_job_are_removed(jobs):
    job = page_job(jobs, b"<alto", b"<alto")
    jobs.evaluate(job, CONFIG).result(TIMEOUT)
    assert job.state == "failed"
    assert [path.name for path in job.folder.iterdir()] == []


def test_a_transfer_that_breaks_off_leaves_no_file(jobs):
    job = jobs.create()

    def transfer():
        with jobs.receive(job, "gt", "a/1.txt") as write:
            write(b"half")
            raise ConnectionError

    with pytest.raises(ConnectionError):
        transfer()
    assert (job.files, job.size) == (0, 0)
    assert not [path for path in job.folder.rglob("*") if path.is_file()]
    put(jobs, job, "gt", "a/1.txt", b"whole")
    assert (job.files, job.size) == (1, 5)


def test_an_existing_link_is_not_followed(jobs, tmp_path):
    job, outside = jobs.create(), tmp_path / "outside.txt"
    (job.folder / "gt" / "1.txt").symlink_to(outside)
    with pytest.raises(InputError, match="two files have this name"):
        put(jobs, job, "gt", "1.txt", b"x")
    assert not outside.exists()


def test_the_size_of_all_waiting_jobs_is_limited(tmp_path):
    with Jobs(tmp_path, UploadLimits(megabytes=0.001), partial(Pool, 1)) as jobs:
        first = page_job(jobs, b"x" * 400, b"x" * 400)
        with pytest.raises(LimitError, match=r"more than 0 MB\. Raise max_megabytes"):
            put(jobs, jobs.create(), "gt", "1.txt", b"x" * 300)
        jobs.evaluate(first, CONFIG).result(TIMEOUT)
        put(jobs, jobs.create(), "gt", "1.txt", b"x" * 300)


def test_the_number_of_jobs_is_limited(jobs, monkeypatch):
    monkeypatch.setattr("pagemeter.serve.jobs._MOST_JOBS", 2)
    first, _ = jobs.create(), jobs.create()
    with pytest.raises(LimitError, match=r"there are 2 evaluations\. Remove some"):
        jobs.create()
    jobs.remove(first)
    assert jobs.create().id == "3"


@pytest.mark.parametrize("limits", [{"files": 0}, {"megabytes": 0}, {"megabytes": float("nan")}])
def test_limits_are_above_zero(limits):
    with pytest.raises(UsageError, match="give a number above 0"):
        UploadLimits(**limits)
