"""The OCR-D processor `ocrd-pagemeter-evaluate`.

It compares two file groups of a workspace: the first is the ground truth, the second a recognised text. The
output group has JSON and an HTML report for each page and for the document, and the rates of the OCR-D
specification in OCR-D's evaluation schema. It needs the extra `ocrd`.
"""

from __future__ import annotations

import json
import os
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pagemeter._version import __version__
from pagemeter.errors import DependencyError, InputError
from pagemeter.measure import Measure
from pagemeter.meter import Meter

try:
    import click
    from ocrd import Processor
    from ocrd.decorators import ocrd_cli_options, ocrd_cli_wrap_processor
    from ocrd_utils import config, make_file_id, pushd_popd
except ImportError as error:
    raise DependencyError(
        f"this processor needs OCR-D core: {error}", remedy="run pip install 'pagemeter[ocrd]'"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pagemeter.collection import CorpusEvaluation

EXECUTABLE = "ocrd-pagemeter-evaluate"
_TYPES = {".json": "application/json", ".html": "text/html"}
_SPECIFIED = (Measure.parse("CER:T"), Measure.parse("WER:T"))
"""The measures that have the rates of the OCR-D specification, with the preset `ocrd`."""


class PagemeterEvaluate(Processor):  # type: ignore[misc]  # OCR-D core need not be installed
    """Evaluates the pages of two file groups one after the other, and adds up their scores at the end."""

    max_workers = 1

    @property
    def executable(self) -> str:
        """The name of the command."""
        return EXECUTABLE

    def setup(self) -> None:
        """Check the parameters before any page is read."""
        self._meters()

    def process_workspace(self, workspace: Any) -> None:  # noqa: ANN401
        """Evaluate all pages, and then the document."""
        self._meter, self._specified = self._meters()
        super().process_workspace(workspace)
        with pushd_popd(workspace.directory):
            if len(self._meter):
                self._add_document()
            else:
                self.logger.warning("no page was evaluated, so there are no results of the document")

    def process_page_file(self, *input_files: Any) -> None:  # noqa: ANN401
        """Evaluate one page, and write its JSON and its report.

        A page without recognised text counts as missing. A page without ground truth is left out.
        """
        gt, hyp = (file if file is not None and file.local_filename else None for file in input_files)
        if gt is None:
            self.logger.warning("page %s has no ground truth and is left out", hyp.pageId if hyp else "")
            return
        file_id = make_file_id(gt, self.output_file_grp)
        for suffix in _TYPES:
            self._check_new(f"{file_id}_{suffix[1:]}")
        pages = {gt.pageId: Path(gt.local_filename)}, {gt.pageId: Path(hyp.local_filename) if hyp else None}
        of_page, specified = self._meters()
        for meter in (of_page, specified):
            meter.update(*pages)
        evaluation = of_page.compute()
        failed = [error for page in evaluation.failed for error in page.errors]
        if failed:
            raise InputError(failed[0])
        for warning in evaluation.warnings:
            self.logger.warning("page %s: %s", gt.pageId, warning)
        self._add(evaluation, file_id, gt.pageId)
        self._meter += of_page
        self._specified += specified

    def _meters(self) -> tuple[Meter, Meter]:
        """Return an empty meter of what was asked for, and one of the OCR-D specification."""
        parameter = self.parameter
        named = {name: parameter[name] for name in ("preset", "level") if parameter[name]}
        options = {**named, **parameter["settings"]}
        reading = {name: options[name] for name in ("level", "skip_missing") if name in options}
        return (
            Meter(parameter["measures"] or None, details=True, **options),
            Meter(_SPECIFIED, preset="ocrd", **reading),
        )

    def _add_document(self) -> None:
        group = self.output_file_grp
        evaluation = self._meter.compute()
        self._add(evaluation, f"{group}_document", None)
        content = json.dumps(self._evaluations(self._specified.compute()), ensure_ascii=False, indent=1)
        self._add_file(f"{group}_ocrd-eval", ".json", None, content=content.encode())

    def _add(self, evaluation: CorpusEvaluation, name: str, page: str | None) -> None:
        """Add the JSON and the report of a page or of the document."""
        directory = Path(self.output_file_grp)
        directory.mkdir(exist_ok=True)
        evaluation.to_json(directory / f"{name}.json")
        evaluation.to_html(directory / f"{name}.html", images=Path())
        for suffix in _TYPES:
            self._add_file(name, suffix, page)

    def _add_file(self, name: str, suffix: str, page: str | None, content: bytes | None = None) -> None:
        file_id = f"{name}_{suffix[1:]}"
        if page is None:
            self._check_new(file_id)
        self.workspace.add_file(
            self.output_file_grp,
            file_id=file_id,
            page_id=page,
            mimetype=_TYPES[suffix],
            local_filename=os.path.join(self.output_file_grp, f"{name}{suffix}"),  # noqa: PTH118  (a str)
            content=content,
        )

    def _check_new(self, file_id: str) -> None:
        """Raise FileExistsError if a file is in the workspace already and may not be overwritten."""
        if config.OCRD_EXISTING_OUTPUT != "OVERWRITE" and next(
            self.workspace.mets.find_files(ID=file_id), None
        ):
            raise FileExistsError(
                f"{file_id} is in the workspace already; remove it, or set OCRD_EXISTING_OUTPUT=OVERWRITE"
            )

    def _evaluations(self, specified: CorpusEvaluation) -> list[dict[str, Any]]:
        """Return the content of a file in OCR-D's evaluation schema."""
        gt_group, hyp_group = self.input_file_grp.split(",")
        mets = self.workspace.mets
        identifier = str(mets.unique_identifier or "")
        base = (
            identifier
            if urlsplit(identifier).scheme
            else Path(self.workspace.mets_target).absolute().as_uri()
        )
        gt, hyp, output = (
            {"@id": f"{base}#{group}", "label": f"{what}: file group {group}"}
            for what, group in (
                ("ground truth", gt_group),
                ("recognised text", hyp_group),
                ("evaluation", self.output_file_grp),
            )
        )
        steps = workflow_steps(mets.agents, hyp_group)
        metadata = {
            "ocr_workflow": {
                "@id": hyp["@id"],
                "label": ", ".join(step["id"] for step in steps) or hyp_group,
            },
            "ocr_workspace": hyp,
            "eval_workflow": {"@id": output["@id"], "label": EXECUTABLE},
            "eval_workspace": output,
            "gt_workspace": gt,
            **({"workflow_steps": steps} if steps else {}),
            "eval_tool": f"pagemeter {__version__}",
            "document_metadata": {"number_of_pages": len(mets.physical_pages)},
            "provenance": {"parameters": dict(self.parameter)},
        }
        results = evaluation_results(specified)
        return [{**output, "metadata": metadata, "evaluation_results": results}]


def evaluation_results(specified: CorpusEvaluation) -> dict[str, Any]:
    """Return the rates of the OCR-D specification for the document and for each page.

    Args:
        specified: The evaluation of `CER:T` and `WER:T` with the preset `ocrd`.

    """
    scores = {page.name: page.scores for page in specified.pages if page.scores}
    rates = {
        name: tuple(of_page[measure].path_rate for measure in _SPECIFIED) for name, of_page in scores.items()
    }
    cers = [cer for cer, _ in rates.values()]
    if not cers:
        return {"by_page": []}
    return {
        "document_wide": {
            "cer_mean": statistics.fmean(cers),
            "cer_median": statistics.median(cers),
            "cer_range": [min(cers), max(cers)],
            **({"cer_standard_deviation": statistics.stdev(cers)} if len(cers) > 1 else {}),
            "wer": specified["WER:T"].path_rate,
        },
        "by_page": [{"page_id": name, "cer_mean": cer, "wer": wer} for name, (cer, wer) in rates.items()],
    }


def workflow_steps(agents: Iterable[Any], group: str) -> list[dict[str, Any]]:
    """Return the processors that led to a file group and their parameters, first one first.

    Args:
        agents: The agents of a METS file, to which OCR-D processors add themselves with their file groups.
        group: The file group.

    """
    made_by: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for agent in agents:
        notes = dict(_notes(agent.notes))
        name = str(agent.name).split(" ")[0]
        if not name.startswith("ocrd-"):
            continue
        try:
            params = json.loads(notes.get("parameter") or "{}")
        except ValueError:
            params = {}
        step = {"id": name, "params": params}
        inputs = notes.get("input-file-grp", "").split(",")
        made_by |= dict.fromkeys(notes.get("output-file-grp", "").split(","), (step, inputs))
    steps: list[dict[str, Any]] = []
    groups = [group]
    while groups:
        if made := made_by.pop(groups.pop(0), None):
            steps.insert(0, made[0])
            groups += made[1]
    return steps


def _notes(notes: Iterable[tuple[Mapping[str, str], str | None]]) -> Iterator[tuple[str, str]]:
    """Yield the options of an agent; depending on their origin, the attribute has a namespace or not."""
    for attributes, text in notes:
        for name, value in attributes.items():
            if name.rpartition("}")[2] == "option":
                yield value, text or ""


@click.command()
@ocrd_cli_options  # type: ignore[untyped-decorator]
def cli(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
    """Run the processor."""
    return ocrd_cli_wrap_processor(PagemeterEvaluate, *args, **kwargs)
