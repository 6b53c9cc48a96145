"""The OCR-D processor, in workspaces that OCR-D core makes."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import pagemeter as pm
from collected import TIMEOUT
from pagemeter.settings import SETTING_NAMES
from pagemeter_command import evaluate_workspace
from reported import blocks

ROOT = Path(__file__).parents[2]
TOOL = Path(pm.__file__).parent / "ocrd-tool.json"
NAME = "ocrd-pagemeter-evaluate"
needs_ocrd = pytest.mark.skipif(not importlib.util.find_spec("ocrd"), reason="OCR-D core is not installed")

PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15" pcGtsId="pc">
<Metadata><Creator>test</Creator><Created>2024-01-01T00:00:00</Created>
<LastChange>2024-01-01T00:00:00</LastChange></Metadata>
<Page imageFilename="IMG/1.png" imageWidth="900" imageHeight="900"><TextRegion id="r">
<Coords points="0,0 900,0 900,900 0,900"/>{lines}</TextRegion></Page></PcGts>"""
LINE = """<TextLine id="l{0}"><Coords points="0,{0}0 900,{0}0 900,{0}9 0,{0}9"/>
<TextEquiv><Unicode>{1}</Unicode></TextEquiv></TextLine>"""


def call(module, *arguments, code=0):
    """Run a command of OCR-D in a process of its own, and return its output."""
    command = [sys.executable, "-c", f"import sys; from {module} import cli; sys.exit(cli())", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert run.returncode == code, run.stderr
    return run.stdout + run.stderr


@pytest.fixture(scope="module")
def made_workspace(tmp_path_factory):
    """A workspace with three pages; one was not recognised."""
    folder = tmp_path_factory.mktemp("made")
    here = "workspace", "-d", str(folder)
    call("ocrd.cli", *here, "init")
    call("ocrd.cli", *here, "set-id", "https://example.org/work")
    pages = {
        "1": (["the old mill", "by the river"], ["the old mil", "by the river"]),
        "2": (["rent 12", "rent 21"], ["rent 21", "rent 12"]),
        "3": (["missing"], None),
    }
    for number, sides in pages.items():
        for group, lines in zip(("GT", "OCR"), sides, strict=True):
            if lines is not None:
                path = folder / group / f"{group}_{number}.xml"
                path.parent.mkdir(exist_ok=True)
                drawn = "".join(LINE.format(place, text) for place, text in enumerate(lines, 1))
                path.write_text(PAGE.format(lines=drawn))
                names = "-G", group, "-i", path.stem, "-g", f"PHYS_{number}"
                media = "-m", "application/vnd.prima.page+xml"
                call("ocrd.cli", *here, "add", *names, *media, f"{group}/{path.name}")
    return folder


@pytest.fixture
def workspace(made_workspace, tmp_path, monkeypatch):
    """A copy of the workspace, which is the working folder."""
    monkeypatch.chdir(shutil.copytree(made_workspace, tmp_path / "work"))


in_workspace = pytest.mark.usefixtures("workspace")


def evaluate(*arguments, code=0, groups="GT,OCR", output="EVAL"):
    return call("pagemeter.ocrd_processor", "-I", groups, "-O", output, *arguments, code=code)


def result(name):
    return json.loads(Path(name).read_text(encoding="utf-8"))


def test_the_tool_description_is_that_of_this_version():
    tool = json.loads(TOOL.read_text(encoding="utf-8"))
    assert tool["version"] == pm.__version__
    assert list(tool["tools"]) == [NAME]
    assert tool["tools"][NAME]["executable"] == NAME
    assert set(tool["tools"][NAME]["parameters"]) - {"measures", "level", "settings"} <= SETTING_NAMES
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"][NAME] == "pagemeter_command:evaluate_workspace"


@pytest.mark.skipif(bool(importlib.util.find_spec("ocrd")), reason="OCR-D core is installed")
def test_without_ocrd_core_the_message_says_what_to_install():
    with pytest.raises(pm.PagemeterError, match=r"pagemeter\[ocrd\]"):
        importlib.import_module("pagemeter.ocrd_processor")
    with pytest.raises(SystemExit, match=r"^ocrd-pagemeter-evaluate: .*pagemeter\[ocrd\]"):
        evaluate_workspace()


@needs_ocrd
def test_help_and_description(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = call("pagemeter.ocrd_processor", "--help")
    assert NAME in shown
    assert '"preset" [string - "ocrd"]' in shown
    described = json.loads(call("pagemeter.ocrd_processor", "--dump-json"))
    assert described["input_file_grp_cardinality"] == 2
    assert 'valid="true"' in call("ocrd.cli", "ocrd-tool", str(TOOL), "validate")


@needs_ocrd
@in_workspace
def test_pages_and_the_document_are_evaluated():
    evaluate()
    document = result("EVAL/EVAL_document.json")
    assert [page["page"] for page in document["pages"]] == ["PHYS_1", "PHYS_2", "PHYS_3"]
    assert document["total"]["CER:RS"]["n_gt"] == sum(
        result(f"EVAL/EVAL_{number}.json")["total"]["CER:RS"]["n_gt"] for number in "123"
    )
    assert document["peer"]["preset"] == "ocrd@3.28"
    listed = call("ocrd.cli", "workspace", "find", "-G", "EVAL", "-k", "pageId", "-k", "local_filename")
    for name in ("EVAL_1", "EVAL_2", "EVAL_3", "EVAL_document"):
        for suffix in (".json", ".html"):
            assert f"EVAL/{name}{suffix}" in listed
    assert "PHYS_2\tEVAL/EVAL_2.html" in listed
    report = Path("EVAL/EVAL_1.html").read_text(encoding="utf-8")
    assert "the old mil" in str(blocks(report))


@needs_ocrd
@in_workspace
def test_the_evaluation_schema_has_the_rates_of_the_specification():
    evaluate("-P", "preset", "", "-P", "measures", "CER:S")
    (evaluation,) = result("EVAL/EVAL_ocrd-eval.json")
    assert set(evaluation) == {"@id", "label", "metadata", "evaluation_results"}
    metadata = evaluation["metadata"]
    assert metadata["gt_workspace"]["@id"] == "https://example.org/work#GT"
    assert metadata["document_metadata"] == {"number_of_pages": 3}
    assert metadata["provenance"]["parameters"]["measures"] == "CER:S"
    pages = evaluation["evaluation_results"]["by_page"]
    assert pages == [
        {"page_id": "PHYS_1", "cer_mean": 1 / 25, "wer": 1 / 6},
        {"page_id": "PHYS_2", "cer_mean": pytest.approx(4 / 17), "wer": 0.5},
        {"page_id": "PHYS_3", "cer_mean": 1, "wer": 1},
    ]
    document = evaluation["evaluation_results"]["document_wide"]
    cers = [page["cer_mean"] for page in pages]
    assert document["cer_mean"] == pytest.approx(sum(cers) / 3)
    assert document["cer_median"] == cers[1]
    assert document["cer_range"] == [cers[0], 1]
    assert document["wer"] == pytest.approx((1 + 2 + 1) / (6 + 4 + 1))
    assert set(document) == {"cer_mean", "cer_median", "cer_range", "cer_standard_deviation", "wer"}


@needs_ocrd
@in_workspace
def test_parameters_and_the_selection_of_pages():
    evaluate("-g", "PHYS_2", "-P", "preset", "dinglehopper", "-P", "settings", '{"case": "fold"}')
    document = result("EVAL/EVAL_document.json")
    assert [page["page"] for page in document["pages"]] == ["PHYS_2"]
    assert "|preset:dinglehopper@0.11*|" in document["signature"]
    assert document["peer"]["total"]["wer"] == 0.5
    assert not Path("EVAL/EVAL_1.json").exists()
    assert "cer_standard_deviation" not in result("EVAL/EVAL_ocrd-eval.json")[0]["evaluation_results"]


@needs_ocrd
@in_workspace
def test_the_steps_before_the_evaluation_are_named():
    call("ocrd.processor.builtin.dummy_processor", "-I", "GT", "-O", "COPY")
    call("ocrd.processor.builtin.dummy_processor", "-I", "COPY", "-O", "SECOND")
    evaluate(groups="GT,SECOND")
    metadata = result("EVAL/EVAL_ocrd-eval.json")[0]["metadata"]
    step = {"id": "ocrd-dummy", "params": {"copy_files": False}}
    assert metadata["workflow_steps"] == [step, step]


@needs_ocrd
@in_workspace
def test_results_are_overwritten_only_on_demand():
    evaluate()
    assert "already in METS" in evaluate(code=1)
    evaluate("--overwrite", "-P", "measures", "CER:RS", "-P", "preset", "")
    assert list(result("EVAL/EVAL_document.json")["total"]) == ["CER:RS"]


@needs_ocrd
@in_workspace
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("preset", "nonsense", "unknown preset"),
        ("measures", "CER:X", "unknown measure"),
        ("settings", '{"cse": "fold"}', "did you mean case"),
        ("level", "lines", "lines"),
    ],
)
def test_wrong_parameters_are_refused_before_any_page(name, value, message):
    assert message in evaluate("-P", name, value, code=1)
    assert not Path("EVAL").exists()


@needs_ocrd
@in_workspace
def test_damaged_files():
    """As in the command, a damaged hypothesis is missing text, and damaged ground truth an error."""
    Path("OCR/OCR_2.xml").write_text("<damaged")
    assert "page PHYS_2: OCR/OCR_2.xml" in evaluate()
    rates = result("EVAL/EVAL_ocrd-eval.json")[0]["evaluation_results"]["by_page"]
    assert [page["cer_mean"] for page in rates] == [1 / 25, 1, 1]
    Path("GT/GT_2.xml").write_text("<damaged")
    assert "InputError" in evaluate(output="EVAL2", code=1)
