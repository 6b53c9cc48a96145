"""`pagemeter serve` as a process: its address, its end, and its errors."""

from __future__ import annotations

import json
import signal
import stat
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from collected import TIMEOUT, done, make, serving, until
from pagemeter.cli import main


def private_folders(tmp_path):
    return [path for path in tmp_path.iterdir() if path.name.startswith("pagemeter-")]


def ask(url, method="GET", body=None):
    origin = "/".join(url.split("/")[:3])
    request = urllib.request.Request(url, body, {"Origin": origin}, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
        return answer.read().decode()


def send_page(url):
    """Send one page of each side, and return the address of the job."""
    job = f"{url}jobs/{json.loads(ask(f'{url}jobs', 'POST', b'{}'))['id']}"
    for side in ("gt", "hyp"):
        ask(f"{job}/{side}?name=1.txt", "PUT", b"one line")
    return job


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_and_nothing_is_left(tmp_path, number):
    with serving(tmp_path) as (process, url):
        (folder,) = private_folders(tmp_path)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        job = send_page(url)
        ask(f"{job}/evaluation", "POST", b"{}")
        until(lambda: json.loads(ask(f"{url}jobs"))["jobs"][0]["state"] == "done")
        assert "pagemeter report" in ask(f"{job}/report.html")
        send_page(url)
        process.send_signal(number)
        _, messages = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 128 + number
        assert messages == "pagemeter: stopped; the received files and the reports were removed\n"
    assert private_folders(tmp_path) == []


def test_a_signal_during_an_evaluation_ends_it_and_nothing_is_left(tmp_path):
    text = "\n".join("abc def" * 20 + str(number) for number in range(3_000)).encode()
    with serving(tmp_path) as (process, url):
        job = f"{url}jobs/{json.loads(ask(f'{url}jobs', 'POST', b'{}'))['id']}"
        ask(f"{job}/gt?name=1.txt", "PUT", text)
        ask(f"{job}/hyp?name=1.txt", "PUT", text[::-1])
        ask(f"{job}/evaluation", "POST", b'{"measures": ["CER:S"]}')
        until(lambda: json.loads(ask(f"{url}jobs"))["jobs"][0]["pages"])
        process.send_signal(signal.SIGTERM)
        _, messages = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, messages.count("\n")) == (143, 1)
    assert private_folders(tmp_path) == []


def test_it_listens_on_this_machine_only_and_needs_the_token(tmp_path):
    with serving(tmp_path) as (_, url):
        port = int(url.split(":")[2].split("/")[0])
        with pytest.raises(urllib.error.HTTPError, match="403"):
            ask(f"http://127.0.0.1:{port}/")
        if sys.platform == "linux":
            listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
            (local,) = {one[1] for one in listening if one[1].endswith(f":{port:04X}") and one[3] == "0A"}
            assert local == f"0100007F:{port:04X}"


def test_two_servers_have_different_addresses(tmp_path):
    with serving(tmp_path) as (_, first), serving(tmp_path) as (_, second):
        assert first.split("/")[2] != second.split("/")[2]
        assert first.split("/")[3] != second.split("/")[3]
        assert len(first.split("/")[3]) >= 32


def test_a_store_is_opened_as_its_report(tmp_path):
    top = make(tmp_path / "pages", 2)
    main(
        [
            "eval",
            str(top / "gt"),
            str(top / "hyp"),
            "-m",
            "CER:R",
            "--store",
            str(tmp_path / "store"),
            "--store-lines",
        ]
    )
    with serving(tmp_path, tmp_path / "store") as (_, url):
        assert url.endswith("/jobs/1/report.html")
        assert "pagemeter report" in ask(url)


def test_a_folder_with_one_report_opens_it(tmp_path):
    top = make(tmp_path / "pages", 2)
    main(["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER:R", "--html", str(tmp_path / "a b.html")])
    with serving(tmp_path, tmp_path / "a b.html") as (_, url):
        assert url.endswith("/results/a%20b.html")
        assert "pagemeter report" in ask(url)


def test_the_folders_gt_and_hyp_are_evaluated(tmp_path):
    top = make(tmp_path / "pages", 2)
    with serving(tmp_path, top) as (_, url):
        form, _, job = url.partition("#open=")
        until(lambda: json.loads(ask(f"{form}jobs"))["jobs"][0]["state"] == "done")
        assert "pagemeter report" in ask(f"{form}jobs/{job}/report.html")
    assert sorted(path.name for path in top.iterdir()) == ["gt", "hyp"]
    assert len(list((top / "gt").iterdir())) == 2


def test_a_browser_is_given_no_token(tmp_path):
    """Other users can read the arguments of the browser's process, but not the private folder."""
    before = (
        "import os, sys, webbrowser; os.environ['DISPLAY'] = ':0'; "
        "webbrowser.open = lambda url: print('browser', url, file=sys.stderr, flush=True); "
    )
    with serving(tmp_path, before=before) as (process, url):
        opened = process.stderr.readline().split()[1]
        assert opened.startswith("file://")
        assert url.split("/")[3] not in opened
        page = Path(opened.removeprefix("file://"))
        assert f"url={url}" in page.read_text()
        assert page.parent in private_folders(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere"], 1, "nowhere: no such file or folder. Check the path."),
        (["--port", "70000"], 2, "--port 70000: give a number from 0 to 65535"),
        (["--max-files", "0"], 2, "--max-files 0: give a number above 0"),
        (["--max-megabytes", "-1"], 2, "--max-megabytes -1: give a number above 0"),
        (["--page-seconds", "0"], 2, "--page-seconds 0: give a number of seconds above 0"),
    ],
)
def test_wrong_arguments_are_one_line(run, arguments, code, message):
    assert run("serve", *arguments) == (code, "", f"pagemeter: {message}\n")


def test_a_port_in_use_is_one_line(tmp_path):
    with serving(tmp_path) as (_, url):
        port = url.split(":")[2].split("/")[0]
        run = done("serve", "--port", port)
        assert (run.returncode, run.stdout) == (1, "")
        assert f"--port {port}: this port cannot be used" in run.stderr


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_package_is_one_line_with_the_remedy(package):
    run = done("serve", before=f"import sys; sys.modules['{package}'] = None; ")
    assert (run.returncode, run.stdout) == (1, "")
    problem, remedy = (
        f"the local page needs {package}, which is not installed",
        "pip install 'pagemeter[serve]'",
    )
    assert run.stderr == f"pagemeter: {problem}. Run {remedy}.\n"
