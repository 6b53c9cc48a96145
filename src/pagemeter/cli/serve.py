"""`pagemeter serve`: open a local page where files are dropped and reports are read."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.cli.console import print_message, status
from pagemeter.cli.execution import check_limits
from pagemeter.cli.parser import EXIT_DONE
from pagemeter.cli.setting_options import as_option
from pagemeter.collection import run_config
from pagemeter.errors import InputError, PagemeterError, UsageError
from pagemeter.runners.pool import Pool
from pagemeter.runners.processes import start_fork_server
from pagemeter.serve import Address, Jobs, UploadLimits, find_results, make_app, run_app
from pagemeter.serve.app import LOOPBACK, result_address

if TYPE_CHECKING:
    import argparse

    from pagemeter.serve import Results

_MB = 1_000_000
_HIGHEST_PORT = 65_535
_STOPPED = "stopped; the received files and the reports were removed"
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def run_serve(parsed: argparse.Namespace) -> int:
    """Serve the page until a signal arrives, and return the exit code."""
    check_limits(parsed)
    limits = UploadLimits(parsed.max_files, parsed.max_megabytes)
    results = find_results(parsed.results) if parsed.results else None
    start_fork_server()
    try:
        with (
            _listen(parsed.port) as listening,
            tempfile.TemporaryDirectory(prefix="pagemeter-", ignore_cleanup_errors=True) as folder,
            Jobs(Path(folder), limits, partial(_pool, parsed), show_setting=_shown) as jobs,
        ):
            address = Address(listening.getsockname()[1], secrets.token_urlsafe(24))
            first = _first_page(jobs, results) if results else ""
            _announce(f"{address.url}{first}", Path(folder), browser=parsed.browser)
            run_app(make_app(address, jobs, results), listening)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_STOPPED) from None
    return EXIT_DONE


def _pool(parsed: argparse.Namespace) -> Pool:
    memory = parsed.page_memory and parsed.page_memory * _MB
    return Pool(parsed.jobs, page_seconds=parsed.page_seconds, page_memory=memory)


def _shown(name: str, value: str) -> str:
    """Return how messages on the page name a setting: the form has few, the command has all."""
    own = name.startswith("max_")
    return f"{as_option(name, value)} of pagemeter {'serve' if own else 'eval'}"


def _listen(port: int) -> socket.socket:
    """Return a socket on which only this machine can connect."""
    if not 0 <= port <= _HIGHEST_PORT:
        raise UsageError(f"give a number from 0 to {_HIGHEST_PORT}", setting=("port", str(port)))
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen()  # a request may come as soon as the address is printed
    except OSError as error:
        listening.close()
        detail = f"this port cannot be used: {error.strerror}"
        raise InputError(
            detail, setting=("port", str(port)), remedy="leave it out, or give another"
        ) from None
    return listening


def _first_page(jobs: Jobs, results: Results) -> str:
    """Prepare the given results, and return the page that is opened: the report, if there is only one."""
    only = len(results.stores) + len(results.reports) == 1
    for store in results.stores:
        job = jobs.create(store.name)
        written = jobs.open_store(job, store)
        if only:
            with status("reading the results store"):
                written.result()
            if job.error:
                raise PagemeterError(job.error)
            print_message(*job.messages)
            return f"jobs/{job.id}/report.html"
    if only:
        return result_address(results.reports[0])
    if results.pages and not results.stores and not results.reports:
        job = jobs.create(results.folder.resolve().name)
        jobs.evaluate(job, run_config(None, None, None, {}, details=False), results.pages)
        return f"#open={job.id}"
    return ""


def _announce(url: str, folder: Path, *, browser: bool) -> None:
    """Print the address of the page, and open it in a browser.

    Other users of this machine can read the arguments of processes. Therefore a browser is given a private
    file that leads to the address, and not the address with its token.
    """
    sys.stdout.write(f"Open this address in a browser: {url}\nPress Ctrl-C to stop.\n")
    sys.stdout.flush()
    if browser and (sys.platform == "darwin" or any(map(os.environ.get, _DISPLAYS))):
        page = folder / "open.html"
        page.write_text(
            f'<!doctype html><meta http-equiv="refresh" content="0;url={url}">\n', encoding="utf-8"
        )
        webbrowser.open(page.as_uri())
