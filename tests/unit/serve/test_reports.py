"""Reports of the local page: what is evaluated, and what is found in a folder."""

from __future__ import annotations

import shutil
import zipfile

import pytest

from pagemeter import evaluate_corpus
from pagemeter.cli import main
from pagemeter.collection import run_config
from pagemeter.demo import GT, HYP
from pagemeter.errors import InputError, StoreError
from pagemeter.runners import Pool
from pagemeter.serve import find_results
from pagemeter.serve.reports import write_run, write_stored

CONFIG = run_config("CER:R", None, None, {}, details=False)


def run(top, **options):
    """Write a report of the folders gt and hyp, and return its summary and the progress."""
    progress = []
    written = write_run(
        (top / "gt", top / "hyp"),
        CONFIG,
        Pool(1),
        top / "report.html",
        on_page=lambda *counts: progress.append(counts),
        **options,
    )
    return written, progress


def write(top, files):
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def test_folders_are_evaluated_with_progress(tmp_path):
    write(tmp_path, {"gt/1.txt": "one", "gt/2.txt": "two", "hyp/1.txt": "one", "hyp/2.txt": "tow"})
    written, progress = run(tmp_path)
    assert (written.pages, written.messages) == (2, ())
    assert progress == [(0, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize(("gt", "hyp"), [("run/page", "v2"), ("a/b/c", "a/b/d"), (".", "x")])
def test_the_folders_around_the_files_need_not_be_equal(tmp_path, gt, hyp):
    write(
        tmp_path,
        {
            f"{side}/{folder}/{name}.txt": "one"
            for side, folder in (("gt", gt), ("hyp", hyp))
            for name in "12"
        },
    )
    assert run(tmp_path)[0].pages == 2


def test_a_hidden_file_of_the_system_does_not_matter(tmp_path):
    write(tmp_path, {"gt/a/1.txt": "one", "gt/.DS_Store": "", "hyp/1.txt": "one", "hyp/.DS_Store": ""})
    assert run(tmp_path)[0].pages == 1


def test_archives_are_evaluated(tmp_path):
    for side in ("gt", "hyp"):
        (tmp_path / side).mkdir()
        with zipfile.ZipFile(tmp_path / side / f"{side}.zip", "w") as archive:
            for name in "12":
                archive.writestr(f"{name}.txt", "one")
    assert run(tmp_path)[0].pages == 2


def test_files_of_texts_are_evaluated(tmp_path):
    record = '{"page": "1", "text": "one"}\n{"page": "2", "text": "two"}\n'
    write(tmp_path, {"gt/gt.jsonl": record, "hyp/answers.jsonl": record})
    assert run(tmp_path)[0].pages == 2


def test_a_list_of_paths_is_not_followed(tmp_path):
    write(tmp_path, {"secret.txt": "secret", "gt/a.lst": "../secret.txt", "hyp/a.lst": "../secret.txt"})
    with pytest.raises(InputError, match="no page file"):
        run(tmp_path)
    assert not (tmp_path / "report.html").exists()


def test_images_that_are_dropped_are_in_the_report(tmp_path):
    shutil.copytree(GT, tmp_path / "gt")
    shutil.copytree(HYP, tmp_path / "hyp")
    assert run(tmp_path)[0].pages == 3
    text = (tmp_path / "report.html").read_text()
    assert text.count('id="image') == 3
    assert str(tmp_path) not in text


def test_messages_name_no_private_folder(tmp_path):
    write(tmp_path, {"gt/1.txt": "one", "gt/2.txt": "two", "hyp/1.txt": "one"})
    assert run(tmp_path)[0].messages == ("no hypothesis: gt/2.txt",)


def test_a_run_without_usable_hypotheses_is_an_error(tmp_path):
    write(tmp_path, {"gt/1.txt": "one", "gt/2.txt": "two", "hyp/1.txt": "", "hyp/2.txt": ""})
    with pytest.raises(InputError, match="no recognised page could be read"):
        run(tmp_path)
    assert not (tmp_path / "report.html").exists()


# Results stores


def stored(top, *options):
    assert main(["eval", str(GT), str(HYP), "--store", str(top / "store"), *options]) == 0
    return top / "store"


def counts(*_):
    """Ignore the progress."""


def test_a_store_becomes_a_report(tmp_path):
    store = stored(tmp_path, "--store-lines")
    written = write_stored(store, tmp_path / "report.html", on_page=counts)
    assert (written.pages, written.messages) == (3, ())
    assert (tmp_path / "report.html").read_text().count('id="read') == 3


def test_a_store_without_lines_has_the_numbers(tmp_path):
    store = stored(tmp_path)
    written = write_stored(store, tmp_path / "report.html", on_page=counts)
    assert written.messages == ("3 of 3 pages are shown without lines, which the store does not have",)
    assert (tmp_path / "report.html").read_text().count('id="read') == 0


def test_a_damaged_store_is_an_error(tmp_path):
    store = stored(tmp_path)
    part = next((store / "pages").iterdir())
    part.write_bytes(part.read_bytes()[:-50])
    with pytest.raises(StoreError, match=part.name):
        write_stored(store, tmp_path / "report.html", on_page=counts)
    assert not (tmp_path / "report.html").exists()


# Folders of results


def report(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    evaluate_corpus(["one"], ["ore"], "CER:R").to_html(path)


def test_stores_and_reports_are_found_in_folders(tmp_path):
    store = stored(tmp_path)
    report(tmp_path / "run 10" / "a.html")
    report(tmp_path / "run 9" / "a.html")
    report(tmp_path / ".hidden" / "a.html")
    write(tmp_path, {"b.html": "<!doctype html><title>pagemeter report</title>", "c.txt": ""})
    found = find_results(tmp_path)
    assert (found.stores, found.reports) == ((store,), ("run 9/a.html", "run 10/a.html"))


def test_a_store_or_a_report_is_a_result(tmp_path):
    report(tmp_path / "a.html")
    assert find_results(tmp_path / "a.html").reports == ("a.html",)
    store = stored(tmp_path)
    assert find_results(store).stores == (store,)


def test_folders_of_pages_are_found(tmp_path):
    write(tmp_path, {"gt/1.txt": "one", "hyp/1.txt": "ore"})
    assert find_results(tmp_path).pages == (tmp_path / "gt", tmp_path / "hyp")


@pytest.mark.parametrize("name", ["1.txt", ""])
def test_what_is_no_result_is_an_error(tmp_path, name):
    write(tmp_path, {"1.txt": "one", "gt/1.txt": "one"})
    with pytest.raises(InputError, match=r"not a report|no results in this folder"):
        find_results(tmp_path / name)
