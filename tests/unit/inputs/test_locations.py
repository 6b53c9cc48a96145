"""Pages behind URLs: in archives, and on an S3 server."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import tarfile
import zipfile
from pathlib import Path

import fsspec
import pytest

from collected import command, make, numbers
from pagemeter.errors import DependencyError, InputError
from pagemeter.inputs import pair
from pagemeter.inputs.locations import Fingerprint, Url, as_location, fetch, is_unchanged, read_url
from pagemeter.inputs.tables import read_pair_table
from pagemeter.runners import evaluate_pairs


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, 4)


def scores(gt, hyp, **options):
    pairing = pair(as_location(str(gt)), as_location(str(hyp)), **options)
    return {result.name: result.scores for result in evaluate_pairs(pairing.pairs, ["CER"])}


@pytest.mark.parametrize(
    ("url", "name", "parent", "joined"),
    [
        ("s3://bucket/a/1.gt.txt", "1.gt.txt", "s3://bucket/a", "s3://bucket/a/1.gt.txt/x"),
        (
            "zip://1.xml::file:///a/b.zip",
            "1.xml",
            "zip://::file:///a/b.zip",
            "zip://1.xml/x::file:///a/b.zip",
        ),
        ("zip://::b.zip", "", "zip://::b.zip", "zip://x::b.zip"),
        ("https://host/a/", "a", "https://host", "https://host/a/x"),
    ],
)
def test_a_url_has_the_attributes_of_a_path(url, name, parent, joined):
    assert (Url(url).name, Url(url).parent, Url(url) / "x") == (name, parent, joined)


def test_folders_behind_urls_are_paired_like_local_folders(top):
    expected = scores(top / "gt", top / "hyp")
    assert scores(f"file://{top}/gt", f"file://{top}/hyp") == expected
    assert scores(top / "gt", f"file://{top}/hyp") == expected


def test_archives_are_folders(top):
    with zipfile.ZipFile(top / "gt.zip", "w") as gts, tarfile.open(top / "hyp.tar.gz", "w:gz") as hyps:
        for path in sorted((top / "gt").iterdir()):
            gts.write(path, f"deep/{path.name}")
            hyps.add(top / "hyp" / path.name, f"deep/{path.name}")
    expected = {f"deep/{name}": values for name, values in scores(top / "gt", top / "hyp").items()}
    assert scores(f"zip://::{top}/gt.zip", f"tar://::{top}/hyp.tar.gz") == expected
    inner = scores(f"zip://deep::{top}/gt.zip", f"tar://deep::{top}/hyp.tar.gz")
    assert inner == scores(top / "gt", top / "hyp")


def test_members_of_a_tar_that_was_made_from_the_folder_dot_are_found(top):
    with tarfile.open(top / "hyp.tar", "w") as hyps:
        hyps.add(top / "hyp", ".")
    expected = scores(top / "gt", top / "hyp")
    assert scores(top / "gt", f"tar://::{top}/hyp.tar") == expected
    rows = [f"gt/{name}.txt\ttar://{name}.txt::{top}/hyp.tar" for name in expected]
    (top / "pairs.tsv").write_text("\n".join(rows))
    results = evaluate_pairs(read_pair_table(top / "pairs.tsv").pairs, ["CER"])
    assert [result.status for result in results] == ["evaluated"] * len(rows)


def test_tables_and_lists_may_contain_urls_and_be_behind_urls(top):
    rows = [f"file://{top}/gt/0000{n}.txt\t{top}/hyp/0000{n}.txt" for n in range(2)]
    (top / "pairs.tsv").write_text("\n".join([*rows, "gt/00002.txt\thyp/00002.txt"]))
    for table in (top / "pairs.tsv", Url(f"file://{top}/pairs.tsv")):
        results = list(evaluate_pairs(read_pair_table(table).pairs, ["CER"]))
        assert [result.status for result in results] == ["evaluated"] * 3
    for side in ("gt", "hyp"):
        (top / f"{side}.lst").write_text("\n".join(f"file://{top}/{side}/0000{n}.txt" for n in range(2)))
    assert list(scores(top / "gt.lst", top / "hyp.lst")) == ["00000", "00001"]


def test_a_file_that_cannot_be_read_is_an_error(top):
    (result,) = evaluate_pairs(read_pair_table(_table(top, f"file://{top}/none.txt")).pairs, ["CER"])
    assert result.error == f"file://{top}/none.txt: no such file or folder. Check the address."
    with pytest.raises(InputError, match="no such file or folder"):
        pair(Url(f"file://{top}/none"), Url(f"file://{top}/hyp"))
    with pytest.raises(InputError, match="nonsense://x: Protocol not known"):
        fetch(Url("nonsense://x"))


def test_a_missing_package_is_an_error_that_names_it(monkeypatch):
    import fsspec

    def missing(_):
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", missing)
    with pytest.raises(
        DependencyError, match=r"Install s3fs to access S3. For S3, run pip install 'pagemeter\[s3\]'"
    ):
        fetch(Url("s3://bucket/1.xml"))


def _table(top, gt):
    (top / "one.tsv").write_text(f"{gt}\t{top}/hyp/00000.txt\n")
    return top / "one.tsv"


def test_a_change_of_an_archive_member_is_noticed_by_its_stamp(top):
    with zipfile.ZipFile(top / "gt.zip", "w") as archive:
        archive.write(top / "gt/00000.txt", "1.txt")
    url = Url(f"zip://1.txt::{top}/gt.zip")
    content = fetch(url)
    assert content.stamp
    assert is_unchanged(url, content.fingerprint)
    assert is_unchanged(url, Fingerprint("", content.stamp))
    assert not is_unchanged(url, Fingerprint("", "another"))
    assert not is_unchanged(Url(f"zip://2.txt::{top}/gt.zip"), content.fingerprint)


@pytest.fixture
def s3(top):
    """An S3 server on this machine with the pages."""
    boto3, server = pytest.importorskip("boto3"), pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
    client = boto3.client(
        "s3",
        endpoint_url=f"http://{host}:{port}",
        aws_access_key_id="test",
        aws_secret_access_key="test",  # noqa: S106
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="pages")
    for path in top.glob("*/*.txt"):
        client.put_object(Bucket="pages", Key=f"{path.parent.name}/{path.name}", Body=path.read_bytes())
    yield client, {**os.environ, **keys, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    running.stop()


def test_pages_on_s3_are_evaluated_by_processes_and_stored(top, s3):
    client, environment = s3
    arguments = ["s3://pages/gt", "s3://pages/hyp", "--jobs", "2", "--store", top / "store"]

    def evaluate(*arguments):
        return subprocess.run(
            command("eval", *arguments), env=environment, capture_output=True, text=True, check=False
        )

    completed = evaluate(*arguments, "--json", top / "far.json")
    assert completed.returncode == 0, completed.stderr
    assert evaluate(top / "gt", top / "hyp", "--json", top / "near.json").returncode == 0
    far, near = numbers(top / "far.json"), numbers(top / "near.json")
    assert (far["total"], far["budgets"], far["summary"]) == (near["total"], near["budgets"], near["summary"])
    assert "0 evaluated, 4 reused" in evaluate(*arguments).stderr
    client.put_object(Bucket="pages", Key="hyp/00001.txt", Body=b"changed")
    assert "1 evaluated, 3 reused" in evaluate(*arguments).stderr


def test_an_archive_on_s3_is_read_once_for_all_pages_and_again_when_it_is_replaced(top, s3, monkeypatch):
    import s3fs

    client, environment = s3
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.setenv(name, environment[name])
    fetched = []
    fetch_range = s3fs.core.S3File._fetch_range

    def counted(self, start, end):
        fetched.append((start, end))
        return fetch_range(self, start, end)

    def put():
        archive = shutil.make_archive(str(top / "gt"), "zip", top / "gt")
        client.upload_file(archive, "pages", "gt.zip")

    monkeypatch.setattr(s3fs.core.S3File, "_fetch_range", counted)
    put()
    assert scores("zip://::s3://pages/gt.zip", top / "hyp") == scores(top / "gt", top / "hyp")
    assert len(fetched) == 1
    (top / "gt/00001.txt").write_text("replaced")
    put()
    assert fetch(Url("zip://00001.txt::s3://pages/gt.zip")).data != b"replaced"
    monkeypatch.setattr("pagemeter.inputs.locations._RECHECK_SECONDS", 0)
    assert fetch(Url("zip://00001.txt::s3://pages/gt.zip")).data == b"replaced"


def test_a_row_of_a_table_whose_driver_is_missing_fails_alone(tmp_path, monkeypatch):
    """One row with an unknown protocol, and one whose package is not installed."""

    def missing():
        raise ImportError("Install it to access this")

    (tmp_path / "1.txt").write_text("a word")
    rows = [
        ("1.txt", "1.txt"),
        ("1.txt", "nope://x/1.txt"),
        ("gs://b/1.txt", "1.txt"),
        ("1.txt", "gs://b/1.txt"),
    ]
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"{gt}\t{hyp}\n" for gt, hyp in rows))
    known = fsspec.get_filesystem_class
    monkeypatch.setattr(
        "fsspec.core.get_filesystem_class", lambda name: missing() if name == "gs" else known(name)
    )
    results = list(evaluate_pairs(read_pair_table(table).pairs, ["CER"]))
    assert [result.status for result in results] == ["evaluated", "missed", "failed", "missed"]
    assert "Install it to access this" in results[2].error


def test_a_web_server_that_does_not_answer_is_given_up(monkeypatch):
    pytest.importorskip("aiohttp")
    monkeypatch.setattr("pagemeter.inputs.locations.HTTP_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:  # accepts connections and never answers
        url = Url(f"http://127.0.0.1:{server.getsockname()[1]}/1.txt")
        with pytest.raises(InputError, match=r"1\.txt: the server does not answer\. Check the connection"):
            fetch(url)


@pytest.mark.parametrize("url", ["ftp://", "ftp://127.0.0.1:9/1.txt"])
def test_a_connection_that_fails_prints_no_traceback(url, capsys):
    with pytest.raises(InputError, match="Check the address"):
        read_url(Url(url))
    gc.collect()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("text", [r"C:\gt\1.xml", "C:/gt/1.xml", "c://gt/1.xml"])
def test_a_drive_letter_is_no_protocol(text):
    assert isinstance(as_location(text), Path)
