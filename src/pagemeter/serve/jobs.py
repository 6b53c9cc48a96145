"""The jobs of the local page: files are received in a private folder, evaluated, and removed again.

The folder of a job has the received files, `gt/…` and `hyp/…`, and later `report.html`. The received files
are removed as soon as the report is written, and everything else when the job is removed or the server stops.
"""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Literal, Self

from pagemeter.errors import InputError, PagemeterError, UsageError, as_keyword
from pagemeter.report.names import printable
from pagemeter.runners.pool import Pool, StoppedRunError
from pagemeter.serve.reports import WrittenReport, write_run, write_stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from pagemeter.corpus import RunConfig
    from pagemeter.inputs.page_files import Side
    from pagemeter.report import ShowSetting
    from pagemeter.serve.reports import OnPage

_Write = Callable[["Pool", "OnPage"], WrittenReport]
State = Literal["receiving", "waiting", "running", "done", "failed"]
SIDES: tuple[Side, Side] = ("gt", "hyp")

_MB = 1_000_000
_MOST_JOBS = 100
_MOST_FOLDERS, _MOST_NAME = 30, 255  # folders of a received file, and bytes of each name
_REPORT = "report.html"


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Limits of received files.

    Args:
        files: The number of files of one job.
        megabytes: The size of the files of all jobs that are not evaluated yet.

    >>> UploadLimits(files=0)
    Traceback (most recent call last):
    pagemeter.errors.UsageError: max_files=0: give a number above 0

    """

    files: int = 10_000
    megabytes: float = 2_000

    def __post_init__(self) -> None:
        for name, value in (("max_files", self.files), ("max_megabytes", self.megabytes)):
            if not value > 0:
                raise UsageError("give a number above 0", setting=(name, f"{value:g}"))

    @property
    def most_bytes(self) -> float:
        """The size in bytes."""
        return self.megabytes * _MB


class LimitError(InputError):
    """A file or job that is more than the limits allow."""


@dataclass(slots=True, eq=False)
class Job:
    """One job: its files, its progress and its report."""

    id: str
    folder: Path
    title: str
    created: str
    state: State = "receiving"
    files: int = 0
    size: int = 0
    done: int = 0
    pages: int = 0
    messages: tuple[str, ...] = ()
    error: str = ""
    stopped: Event = field(default_factory=Event)

    @property
    def report(self) -> Path:
        """The path of the report."""
        return self.folder / _REPORT

    def as_dict(self) -> dict[str, Any]:
        """Return what the page shows of the job."""
        names = ("id", "title", "created", "state", "done", "pages", "error")
        return {name: getattr(self, name) for name in names} | {"messages": list(self.messages)}


class Jobs:
    """All jobs of a server. One thread evaluates them, one after the other, in worker processes.

    Args:
        folder: A private folder that exists.
        limits: Limits of received files.
        make_pool: Returns worker processes for one job, with the limits of a page.
        show_setting: Shows the settings that messages name.

    """

    def __init__(
        self,
        folder: Path,
        limits: UploadLimits | None = None,
        make_pool: Callable[[], Pool] = Pool,
        *,
        show_setting: ShowSetting = as_keyword,
    ) -> None:
        self.limits = limits or UploadLimits()
        self._folder, self._make_pool, self._show_setting = folder, make_pool, show_setting
        self._jobs: dict[str, Job] = {}
        self._created = 0
        self._lock = Lock()  # of the running job and its worker processes
        self._running: tuple[Job, Pool] | None = None
        self._thread = ThreadPoolExecutor(1, "pagemeter-jobs")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Job]:
        return iter(tuple(self._jobs.values()))

    def get(self, name: str) -> Job | None:
        """Return the job with this id."""
        return self._jobs.get(name)

    def create(self, title: str = "") -> Job:
        """Create a job that receives files.

        Raises:
            LimitError: There are too many jobs.

        """
        if len(self._jobs) >= _MOST_JOBS:
            raise LimitError(f"there are {_MOST_JOBS} evaluations", remedy="remove some of them")
        self._created += 1
        name = str(self._created)
        created = datetime.now().astimezone().strftime("%H:%M")
        job = Job(name, self._folder / name, title or f"Evaluation {name}", created)
        for side in SIDES:
            (job.folder / side).mkdir(parents=True, mode=0o700)
        self._jobs[name] = job
        return job

    @contextmanager
    def receive(self, job: Job, side: Side, name: str, size: int = 0) -> Iterator[Callable[[bytes], None]]:
        """Create a file of a job, and return the function that adds bytes to it.

        A file that is too large, or whose transfer fails, is removed.

        Args:
            job: A job that receives files.
            side: The side of the file.
            name: Its path relative to what was dropped.
            size: The announced size, so that a file that is too large is refused at once.

        Raises:
            InputError: The name is not a relative path, or it occurs twice.
            LimitError: A limit is exceeded.

        """
        path = job.folder / side / checked_name(name)
        if job.files >= self.limits.files:
            detail = f"these are more than {self.limits.files:,} files"
            raise LimitError(detail, remedy="raise {}", settings=(("max_files", ""),))
        self._check_size(size)
        job.files += 1
        received = 0

        def write(data: bytes) -> None:
            nonlocal received
            self._check_size(len(data))
            received += len(data)
            job.size += len(data)
            file.write(data)

        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(path, "xb", opener=_private) as file:
                yield write
        except FileExistsError:
            raise InputError(
                "two files have this name", source=printable(name), remedy="remove one"
            ) from None
        except BaseException:
            job.size -= received
            job.files -= 1
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise

    def _check_size(self, more: int) -> None:
        kept = sum(job.size for job in self._jobs.values())
        if kept + more > self.limits.most_bytes:
            detail = f"the files have more than {self.limits.megabytes:,.0f} MB"
            raise LimitError(detail, remedy="raise {}", settings=(("max_megabytes", ""),))

    def explain(self, error: PagemeterError) -> str:
        """Return the message of an error."""
        return error.problem.render(self._show_setting)

    def evaluate(self, job: Job, config: RunConfig, sides: tuple[Path, Path] | None = None) -> Future[None]:
        """Queue the evaluation of the received files, or of two other folders."""
        gt, hyp = sides or tuple(job.folder / side for side in SIDES)

        def write(pool: Pool, on_page: OnPage) -> WrittenReport:
            return write_run(
                (gt, hyp), config, pool, job.report, on_page=on_page, show_setting=self._show_setting
            )

        return self._queue(job, write)

    def open_store(self, job: Job, store: Path) -> Future[None]:
        """Queue the report of a results store."""

        def write(_: Pool, on_page: OnPage) -> WrittenReport:
            return write_stored(store, job.report, on_page=on_page, show_setting=self._show_setting)

        return self._queue(job, write)

    def remove(self, job: Job) -> None:
        """Remove a job and its files; if it is running, it is stopped first."""
        self._jobs.pop(job.id, None)
        with self._lock:
            job.stopped.set()
            if self._running and self._running[0] is job:
                self._running[1].stop()
                return  # its thread removes the files
        shutil.rmtree(job.folder, ignore_errors=True)

    def close(self) -> None:
        """Stop and remove all jobs, and wait for the end of the thread."""
        for job in self:
            self.remove(job)
        self._thread.shutdown(cancel_futures=True)

    def _queue(self, job: Job, write: _Write) -> Future[None]:
        job.state = "waiting"
        return self._thread.submit(self._run, job, write)

    def _run(self, job: Job, write: _Write) -> None:
        """Write the report of a job; the job, and not an exception, says how this ended."""
        pool = self._make_pool()
        with self._lock:
            if job.stopped.is_set():
                return
            job.state, self._running = "running", (job, pool)

        def on_page(done: int, pages: int) -> None:
            if job.stopped.is_set():
                raise StoppedRunError
            job.done, job.pages = done, pages

        try:
            written = write(pool, on_page)
            job.pages, job.messages = written.pages, written.messages
            self._remove_received(job)
            job.state = "done"
        except StoppedRunError:
            pass
        except PagemeterError as error:
            self._fail(job, self.explain(error))
        except OSError as error:
            self._fail(job, f"{error.filename or 'temporary files'}: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001  (the server and its other jobs go on)
            traceback.print_exc()
            self._fail(job, f"unexpected error: {error!r}")
        finally:
            with self._lock:
                self._running = None
            if job.stopped.is_set():
                shutil.rmtree(job.folder, ignore_errors=True)

    def _fail(self, job: Job, message: str) -> None:
        """Set the error of a job, without the names of private folders."""
        self._remove_received(job)
        job.error = printable(message.replace(f"{job.folder}{os.sep}", ""))
        job.state = "failed"

    def _remove_received(self, job: Job) -> None:
        for side in SIDES:
            shutil.rmtree(job.folder / side, ignore_errors=True)
        job.size = 0


def checked_name(name: str) -> str:
    """Return the relative path of a received file.

    Raises:
        InputError: The path leads out of its folder, or cannot be created.

    >>> checked_name("page/0001.xml")
    'page/0001.xml'
    >>> checked_name("page/../../0001.xml")
    Traceback (most recent call last):
    pagemeter.errors.InputError: page/../../0001.xml: not the relative path of a file

    """
    parts = name.split("/")
    too_long = len(parts) > _MOST_FOLDERS or any(len(os.fsencode(part)) > _MOST_NAME for part in parts)
    if too_long or "\0" in name or not {"", ".", ".."}.isdisjoint(parts):
        raise InputError("not the relative path of a file", source=printable(name))
    return name


def _private(path: str, flags: int) -> int:
    """Open a file that only this user can read; an existing link is not followed."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)
