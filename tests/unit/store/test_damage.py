"""Stores that were damaged or edited: a report is the same as before, or one line names the file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from collected import done, make
from pagemeter.corpus import MeasureSelection, RunConfig
from pagemeter.errors import StoreError
from pagemeter.store import Store, StoredResults
from pagemeter.store import store as store_module
from pagemeter.store.files import Manifest, store_options, write_manifest

PART = "pages/part-000001.parquet"
MANIFEST = "store.json"


@pytest.fixture
def top(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "PART_PAGES", 2)
    monkeypatch.chdir(tmp_path)
    return make(tmp_path, 5)


@pytest.fixture
def store(top, run):
    """A store with three parts."""
    assert evaluate(run)[0] == 0
    return top / "store"


def evaluate(run):
    return run("eval", "gt", "hyp", "-m", "CER,WER", "--store-lines", "--store", "store")


def flips(path, count=60):
    """Flip single bits all over a file, one after the other."""
    data = path.read_bytes()
    for number in range(count):
        place = (len(data) - 1) * number // (count - 1)
        changed = bytearray(data)
        changed[place] ^= 1 << number % 8
        path.write_bytes(changed)
        yield f"byte {place}, bit {number % 8}"
    path.write_bytes(data)


def is_refused(found, name):
    """Return whether a command printed one line only, which names a file and what to do."""
    code, out, err = found
    return (code, out, err.count("\n")) == (1, "", 1) and f"store/{name}: " in err and ". " in err


@pytest.mark.parametrize("name", [PART, "lines/part-000001.parquet", MANIFEST])
def test_a_flipped_bit_changes_no_report(store, run, name):
    expected = run("report", "store", "--json", "-")
    assert expected[0] == 0
    for flip in flips(store / name):
        found = run("report", "store", "--json", "-")
        assert found == expected or is_refused(found, name), flip
        assert found != expected or name != PART, flip


@pytest.mark.parametrize("name", [PART, "lines/part-000001.parquet", MANIFEST])
def test_a_flipped_bit_is_noticed_by_a_run_that_changes_the_part(top, store, run, name):
    (top / "hyp/00000.txt").write_text("changed")
    files = {path: path.read_bytes() for path in store.rglob("*.*") if path.is_file()}
    for flip in flips(store / name, 10):
        found = evaluate(run)
        assert is_refused(found, name) or (name == MANIFEST and found[0] == 0), flip
        for path, data in files.items():
            path.write_bytes(data)


@pytest.mark.parametrize("size", [0, 3, 100, -1])
@pytest.mark.parametrize("name", [PART, MANIFEST])
def test_a_file_that_was_cut_off_is_refused(store, run, name, size):
    path = store / name
    path.write_bytes(path.read_bytes()[:size])
    if (name, size) != (MANIFEST, -1):  # the last byte is the end of the line
        assert is_refused(run("report", "store"), name)
        assert is_refused(evaluate(run), name)


@pytest.mark.parametrize("copy", ["pages/copy.parquet", "pages/part-000001 (1).parquet"])
def test_a_part_that_was_copied_under_another_name_is_refused(store, run, copy):
    """Other readers of the folder would count its pages twice."""
    shutil.copy(store / PART, store / copy)
    for found in (run("report", "store"), evaluate(run)):
        assert is_refused(found, copy)


def test_a_copied_part_is_refused(store, run):
    expected = run("report", "store")
    copy = "pages/part-000009.parquet"
    shutil.copy(store / PART, store / copy)
    for found in (run("report", "store"), evaluate(run)):
        assert is_refused(found, copy)
        assert "not a part of this store: store.json does not list it. Delete it." in found[2]
    shutil.copy(store / PART, store / "pages/part-000002.parquet")
    (store / copy).unlink()
    assert is_refused(run("report", "store"), "pages/part-000002.parquet")
    (store / "pages/part-000002.parquet").unlink()
    assert evaluate(run)[0] == 0
    assert run("report", "store")[:2] == expected[:2]


@pytest.mark.parametrize("kind", ["pages", "lines"])
def test_the_pages_of_a_deleted_part_are_evaluated_again(store, run, kind):
    expected = run("report", "store")
    (store / f"{kind}/part-000002.parquet").unlink()
    if kind == "pages":
        found = run("report", "store")
        assert is_refused(found, "pages/part-000002.parquet")
        assert "missing, but store.json lists it. Restore it, or run the command that wrote" in found[2]
    assert "2 evaluated, 3 reused" in evaluate(run)[2]
    assert "0 evaluated, 5 reused" in evaluate(run)[2]
    assert sorted(run("report", "store")[1].split()) == sorted(expected[1].split())
    pages, lines = ({path.name for path in (store / name).iterdir()} for name in ("pages", "lines"))
    assert pages == lines == {"part-000001.parquet", "part-000003.parquet", "part-000004.parquet"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"grapheme"', '"codepoint"'),
        ('"CER,WER"', '"CER"'),
        ('"layout": 7', '"layout": 2'),
        ('"layout": 7', '"layout": {}'),
        ('"parts": {', '"parts": [{"": 1}], "other": {'),
        ('"options": {', '"options": 1, "other": {'),
        ("{", "[" * 100_000),
        ("pages/part-000001", "pages/part-000009"),
    ],
)
def test_an_edited_manifest_is_refused(store, run, old, new):
    manifest = store / MANIFEST
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new, 1))
    for found in (run("report", "store"), run("compare", "store", "store"), evaluate(run)):
        assert is_refused(found, MANIFEST)


def test_a_manifest_of_another_time_does_not_fit_its_parts(top, store, run):
    old = (store / MANIFEST).read_bytes()
    (top / "hyp/00000.txt").write_text("changed")
    assert evaluate(run)[0] == 0
    (store / MANIFEST).write_bytes(old)
    assert is_refused(run("report", "store"), PART)


def test_a_folder_instead_of_a_part_is_refused(store, run):
    (store / PART).unlink()
    (store / PART).mkdir()
    assert is_refused(run("report", "store"), PART)


@pytest.mark.usefixtures("store")
def test_a_store_is_valid_while_a_run_changes_it(top, run):
    """A reader that opened the store before a change accepts the parts after it."""
    reader = StoredResults("store")
    numbers = reader.parts()
    first = next(numbers)
    (top / "hyp/00004.txt").write_text("changed")
    assert evaluate(run)[0] == 0
    assert len(first) + sum(len(part) for part in numbers) == 4  # the changed page is in a later part
    assert sum(len(part) for part in reader.parts()) == 5


@pytest.mark.usefixtures("store")
def test_an_interrupted_change_leaves_a_valid_store(top, monkeypatch, run):
    """The old rows of a page are gone, and the part with the new ones has not got its name."""
    (top / "hyp/00000.txt").write_text("changed")
    rename, names = Path.replace, []

    def interrupt(path, target):
        if "parquet" in Path(target).name:
            names.append(target)
            if len(names) == 4:
                raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", interrupt)
    assert evaluate(run)[0] == 130
    monkeypatch.undo()
    monkeypatch.chdir(top)
    code, out, err = run("report", "store")
    assert (code, "4 pages" in out) == (0, True), err
    assert "1 evaluated, 4 reused" in evaluate(run)[2]
    assert "5 pages" in run("report", "store")[1]


def test_a_second_run_into_the_same_store_is_refused(top):
    config = RunConfig(MeasureSelection.of(["CER"]))
    arguments = ["eval", top / "gt", top / "hyp", "-m", "CER", "--store", top / "other"]
    with Store(top / "other", config):
        finished = done(*arguments)
        assert (finished.returncode, finished.stdout) == (1, "")
        assert finished.stderr == (
            f"pagemeter: {top}/other: another run is writing to it. Wait for its end, or use another store.\n"
        )
    assert done(*arguments).returncode == 0


def test_parts_have_checksums_of_their_pages_for_other_readers(store):
    import pyarrow.parquet as pq

    path = store / PART
    data = bytearray(path.read_bytes())
    data[data.index(b"00000")] ^= 1
    path.write_bytes(data)
    with pytest.raises(OSError, match="CRC"):
        pq.ParquetFile(path, page_checksum_verification=True).read()
    with pytest.raises(StoreError):
        list(StoredResults(store).parts())


def test_a_store_that_another_run_creates_at_the_same_time_is_no_folder_with_other_files(top, monkeypatch):
    config = RunConfig(MeasureSelection.of(["CER"]))
    is_store, calls = store_module.is_store, []

    def created_after_the_check(folder):
        existed = is_store(folder)
        if not calls:
            calls.append(folder)
            write_manifest(folder, Manifest(store_options(config, None)))
            (folder / "pages").mkdir()
        return existed

    monkeypatch.setattr(store_module, "is_store", created_after_the_check)
    with Store(top / "other", config):
        assert calls
