"""Requests to the local page: who may send them, what they may contain, and what they answer."""

from __future__ import annotations

import re

import pytest

from collected import until
from pagemeter.demo import GT, HYP
from pagemeter.report.html import content_security_policy, report_policy
from pagemeter.serve import UploadLimits, find_results
from unit.serve.conftest import ADDRESS, ORIGIN

FOREIGN = "https://example.org"


def send_files(client, gt, hyp):
    """Create a job, send the files of two dictionaries, and return the address of the job."""
    job = f"jobs/{client.post('jobs', json={'title': 'gt and hyp'}).json()['id']}"
    for side, files in (("gt", gt), ("hyp", hyp)):
        for name, content in files.items():
            answer = client.put(f"{job}/{side}", params={"name": name}, content=content)
            assert answer.status_code == 204, answer.text
    return job


def state_of(client, job):
    return next(one for one in client.get("jobs").json()["jobs"] if job.endswith(f"/{one['id']}"))


def evaluate(client, job, **options):
    """Evaluate a job, and return its last state."""
    answer = client.post(f"{job}/evaluation", json=options)
    assert answer.status_code == 202, answer.text
    until(lambda: state_of(client, job)["state"] in ("done", "failed"))
    return state_of(client, job)


def demo_files(folder):
    return {f"{folder.name}/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}


# Who may send requests


@pytest.mark.parametrize("address", ["/", "/wrong/", "/a-token2/", "/jobs", "//a-token/", "/A-TOKEN/"])
def test_an_address_without_the_token_is_refused(make_client, address):
    answer = make_client().get(f"{ORIGIN}{address}")
    assert answer.status_code == 403
    assert "no valid token" in answer.text
    assert "a-token" not in answer.text


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1", "127.0.0.1:8124", "localhost:80", "", "[::1]:8123"]
)
def test_another_host_is_refused(make_client, host):
    answer = make_client().get("", headers={"host": host})
    assert answer.status_code == 403
    assert "its own address" in answer.text


def test_the_name_localhost_is_accepted(make_client):
    headers = {"host": "localhost:8123", "origin": "http://localhost:8123"}
    assert make_client().post("jobs", json={}, headers=headers).status_code == 201


@pytest.mark.parametrize(
    "origin", [FOREIGN, "null", "http://127.0.0.1:8124", "https://127.0.0.1:8123", "http://localhost:8123"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_another_origin_is_refused(make_client, method, origin):
    client = make_client()
    answer = client.request(method, "jobs", headers={"origin": origin})
    assert answer.status_code == 403
    assert "another page" in answer.text
    assert not list(client.jobs)


def test_a_change_without_origin_is_refused_and_a_look_is_not(make_client):
    client = make_client()
    del client.headers["origin"]
    assert client.get("jobs").status_code == 200
    assert client.post("jobs", json={}).status_code == 403
    assert not list(client.jobs)


def test_answers_have_no_permission_for_other_origins(make_client):
    answer = make_client().options("jobs", headers={"access-control-request-method": "POST"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_websockets_are_closed(make_client):
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), make_client().websocket_connect("jobs"):
        pass


def test_all_answers_have_protecting_headers(make_client):
    client = make_client()
    for answer in (client.get(""), client.get("jobs"), client.get("nowhere"), client.get(f"{ORIGIN}/")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "server" not in answer.headers


def test_the_form_allows_its_own_script_and_requests_only(make_client):
    answer = make_client().get("")
    policy = answer.headers["content-security-policy"]
    (code,) = re.findall(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    assert policy.startswith(f"{content_security_policy(code)}; connect-src 'self'; frame-ancestors 'none'")
    assert "default-src 'none'" in policy
    links = re.findall(r"(?:src|href)=\"([^\"]*)", answer.text.partition("<script")[0])
    assert {link.partition(":")[0] for link in links} == {"data", "#main"}
    assert "a-token" not in answer.text


# From files to a report


def test_files_become_the_report_of_the_command(make_client):
    client = make_client()
    job = send_files(client, demo_files(GT), demo_files(HYP))
    assert client.get(f"{job}/report.html").status_code == 404
    state = evaluate(client, job, preset="", measures=[])
    assert (state["state"], state["pages"], state["error"]) == ("done", 3, "")
    answer = client.get(f"{job}/report.html")
    assert answer.headers["content-security-policy"].startswith(report_policy())
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["content-type"].startswith("text/html")
    assert '<meta name="generator" content="pagemeter report">' in answer.text


def test_received_files_are_removed_with_the_evaluation(make_client, tmp_path):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {"1.txt": "ore"})
    (folder,) = (tmp_path / "private").iterdir()
    assert (folder / "gt" / "1.txt").read_text() == "one"
    assert (folder / "gt" / "1.txt").stat().st_mode & 0o077 == 0
    evaluate(client, job)
    until(lambda: {path.name for path in folder.iterdir()} == {"report.html"})
    assert client.delete(job).status_code == 204
    assert not folder.exists()
    assert client.get(f"{job}/report.html").status_code == 404


def test_preset_and_measures_are_those_of_the_form(make_client):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {"1.txt": "ore"})
    state = evaluate(client, job, preset="jiwer", measures=["CER:T", "CER:G"])
    assert (state["state"], state["error"]) == ("done", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "jiwr"}, "did you mean jiwer"),
        ({"measures": ["CER:X"]}, "CER:X"),
        ({"measures": ["XER"]}, "XER"),
    ],
)
def test_wrong_options_are_reported(make_client, options, message):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {"1.txt": "ore"})
    answer = client.post(f"{job}/evaluation", json=options)
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert state_of(client, job)["state"] == "receiving"


@pytest.mark.parametrize("body", ["", "[]", "nonsense", '{"measures": "CER"}', '{"preset": 3}', "[" * 90_000])
def test_a_damaged_request_is_refused(make_client, body):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {"1.txt": "ore"})
    assert client.post(f"{job}/evaluation", content=body).status_code == 400


def test_a_long_request_is_refused(make_client):
    assert make_client().post("jobs", content=b'{"title": "' + b"x" * 200_000).status_code == 413


def test_both_sides_need_files(make_client):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {})
    answer = client.post(f"{job}/evaluation", json={})
    assert (answer.status_code, answer.json()) == (
        400,
        {"error": "there are no files of the recognised pages"},
    )


def test_files_that_cannot_be_paired_are_an_error_without_private_paths(make_client, tmp_path):
    client = make_client()
    job = send_files(client, {"a/1.txt": "one", "a/2.txt": "two"}, {"b/3.txt": "one", "b/4.txt": "two"})
    state = evaluate(client, job)
    assert state["state"] == "failed"
    assert "gt/a" in state["error"]
    assert str(tmp_path) not in state["error"]


def test_nothing_is_received_after_the_evaluation(make_client):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {"1.txt": "ore"})
    evaluate(client, job)
    assert client.put(f"{job}/gt", params={"name": "2.txt"}, content="x").status_code == 409
    assert client.post(f"{job}/evaluation", json={}).status_code == 409


def test_a_removed_job_is_not_found(make_client):
    client = make_client()
    job = send_files(client, {}, {})
    assert client.delete(job).status_code == 204
    for method, address in (
        ("DELETE", job),
        ("PUT", f"{job}/gt"),
        ("POST", f"{job}/evaluation"),
        ("GET", f"{job}/report.html"),
    ):
        assert client.request(method, address).status_code == 404, address


# Limits and names


def test_too_many_files_are_refused(make_client):
    client = make_client(UploadLimits(files=2))
    job = send_files(client, {"1.txt": "x", "2.txt": "x"}, {})
    answer = client.put(f"{job}/hyp", params={"name": "1.txt"}, content="x")
    assert answer.status_code == 413
    assert answer.json()["error"] == "these are more than 2 files. Raise max_files."


@pytest.mark.parametrize("announced", [True, False])
def test_too_many_bytes_are_refused_and_removed(make_client, tmp_path, announced):
    client = make_client(UploadLimits(megabytes=0.01))
    job = send_files(client, {"1.txt": b"x" * 9_000}, {})
    content = b"x" * 2_000 if announced else iter([b"x" * 500, b"x" * 1_500])
    answer = client.put(f"{job}/hyp", params={"name": "1.txt"}, content=content)
    assert answer.status_code == 413
    assert "MB" in answer.json()["error"]
    assert [path.name for path in (tmp_path / "private").rglob("*.txt")] == ["1.txt"]
    assert client.put(f"{job}/hyp", params={"name": "1.txt"}, content=b"x" * 900).status_code == 204


@pytest.mark.parametrize(
    "name",
    [
        "../1.txt", "a/../../1.txt", "/etc/1.txt", "", ".", "..", "a//b.txt", "a/./b.txt", "a/", "\0.txt",
        "x" * 256, "/".join("d" * 40),
    ],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(make_client, tmp_path, name):
    client = make_client()
    job = send_files(client, {}, {})
    answer = client.put(f"{job}/gt", params={"name": name}, content="x")
    assert answer.status_code == 400
    assert "not the relative path" in answer.json()["error"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "name", ["..%2F1.txt", "a\\..\\1.txt", "~", "-rf", "ü/漢.txt", "a b?.txt", "C:x.txt"]
)
def test_unusual_names_stay_in_their_folder(make_client, tmp_path, name):
    client = make_client()
    send_files(client, {name: "x"}, {})
    (found,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert str(found.relative_to(tmp_path / "private" / "1" / "gt")) == name


def test_a_name_occurs_once(make_client):
    client = make_client()
    job = send_files(client, {"1.txt": "one"}, {})
    answer = client.put(f"{job}/gt", params={"name": "1.txt"}, content="two")
    assert (answer.status_code, answer.json()["error"]) == (
        400,
        "1.txt: two files have this name. Remove one.",
    )


@pytest.mark.parametrize("side", ["report.html", "..", "GT", "gt2"])
def test_there_are_two_sides(make_client, side):
    client = make_client()
    job = send_files(client, {}, {})
    assert client.put(f"{job}/{side}", params={"name": "1.txt"}, content="x").status_code in (404, 405)


# Reports of a folder


@pytest.fixture
def results(tmp_path):
    """A folder with a report, an image, a page of someone else, and a link that leaves the folder."""
    from pagemeter import evaluate_corpus

    folder = tmp_path / "results"
    (folder / "run 1").mkdir(parents=True)
    evaluate_corpus(["one"], ["ore"]).to_html(folder / "run 1" / "report.html")
    (folder / "run 1" / "1.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "other.html").write_text("<!doctype html><title>other</title>")
    (folder / "notes.txt").write_text("private")
    (tmp_path / "outside.png").write_bytes(b"private")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    return find_results(folder)


def test_reports_in_a_folder_are_listed_and_sent(make_client, results):
    client = make_client(results=results)
    assert '"address": "results/run%201/report.html"' in client.get("").text
    answer = client.get("results/run%201/report.html")
    assert answer.headers["content-security-policy"].startswith(report_policy())
    image = client.get("results/run%201/1.svg")
    assert image.headers["content-type"] == "image/svg+xml"
    assert image.headers["content-security-policy"].endswith("sandbox")


@pytest.mark.parametrize(
    "name",
    ["other.html", "notes.txt", "link.png", "..%2Foutside.png", "", "run%201", "%2Fetc%2Fpasswd", "none.png"],
)
def test_other_files_of_the_folder_are_not_sent(make_client, results, name):
    assert make_client(results=results).get(f"{ADDRESS.url}results/{name}").status_code == 404
