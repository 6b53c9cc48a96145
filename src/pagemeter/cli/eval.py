"""`pagemeter eval`: compare recognised pages with their ground truth."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pagemeter.cli.console import print_message
from pagemeter.cli.execution import (
    check_limits,
    configuration,
    open_store,
    page_results,
    pair_sides,
    start_processes,
)
from pagemeter.cli.outputs import check_outputs, open_files, open_terminal, preparations, protect_inputs
from pagemeter.cli.parser import EXIT_DONE, EXIT_FAILED
from pagemeter.cli.setting_options import as_option
from pagemeter.corpus import Outcome, Totals
from pagemeter.corpus.run_config import OPTIONAL_MARK
from pagemeter.errors import InputError, UsageError
from pagemeter.measure import Measure
from pagemeter.report.columns import format_percent, format_rate
from pagemeter.report.names import printable
from pagemeter.report.summary import messages
from pagemeter.stats import table_intervals

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from pagemeter.corpus import RunConfig
    from pagemeter.errors import Problem
    from pagemeter.inputs.pairs import Pairing
    from pagemeter.report import Sink

_MOST_NAMES = 5


def run_eval(parsed: argparse.Namespace) -> int:
    """Pair the files, evaluate the pages, write the reports and return the exit code."""
    check_limits(parsed)
    check_outputs(parsed)
    protect_inputs(parsed, [path for path in (parsed.gt, parsed.hyp) if path])
    limits = [RateLimit.parse(text) for text in parsed.fail_above or ()]
    config = configuration(parsed, [limit.name for limit in limits])
    if parsed.confidences:
        config = _with_confidences(parsed, config)
    start_processes(parsed)
    pairing = pair_sides(parsed, parsed.hyp, config, parsed.hyp_group)
    with ExitStack() as stack:
        terminal = open_terminal(stack, parsed, config.selection)
        outcome = _evaluate(parsed, config, pairing, terminal)
        try:
            for sink in terminal:
                sink.finish(outcome)
        finally:  # the reader of the table may have closed it
            code = print_problems(outcome.totals, limits, skip_missing=config.skip_missing)
    return code


def _with_confidences(parsed: argparse.Namespace, config: RunConfig) -> RunConfig:
    """Return the configuration with confidences, after a check that it has a measure of words."""
    if parsed.store is not None:
        raise UsageError(
            "a results store does not keep confidences",
            setting=("confidences", ""),
            remedy="leave out {} or {}",
            settings=(("confidences", ""), ("store", "")),
        )
    config = replace(config, confidences=True)
    config.confidence_measure  # noqa: B018  (raises an error if there is none)
    return config


def _evaluate(
    parsed: argparse.Namespace, config: RunConfig, pairing: Pairing, terminal: Sequence[Sink]
) -> Outcome:
    """Evaluate all pages and write the report files, which are complete before anything is printed."""
    totals = Totals(settings=config.settings)
    unseen = dict(config.verdicts.marked if config.verdicts else {})
    with ExitStack() as stack:
        store = stack.enter_context(open_store(parsed, config))
        files = open_files(stack, parsed, config.selection)
        for result in page_results(
            parsed,
            config,
            pairing.pairs,
            "evaluating",
            details=parsed.per_line,
            prepare=preparations(parsed),
            store=store,
        ):
            totals.add(result)
            unseen.pop(result.name, None)
            for sink in (*files, *terminal):
                sink.add(result)
        if unseen:
            print_message(_unseen_verdicts(unseen))
        if nothing_recognised(totals):
            print_message(*messages(totals, as_option))
            raise InputError(
                "no hypothesis could be used", remedy="check the messages above and the files of HYP"
            )
        outcome = Outcome(
            totals,
            config.with_evaluated_measures(totals).signature,
            pairing.passed_over,
            table_intervals(totals.table, config.resampling),
            named=bool(parsed.measure),
        )
        for sink in files:
            sink.finish(outcome)
    return outcome


def _unseen_verdicts(unseen: Mapping[str, Sequence[object]]) -> str:
    names = ", ".join(map(printable, list(unseen)[:_MOST_NAMES]))
    more = f" and {len(unseen) - _MOST_NAMES} more" if len(unseen) > _MOST_NAMES else ""
    count = f"{len(unseen):,} page{'s' * (len(unseen) != 1)}"
    return f"warning: verdicts on {count} that are not in this run: {names}{more}"


def nothing_recognised(totals: Totals) -> bool:
    """Return True if every page lacks its hypothesis; rates would then be meaningless."""
    return bool(totals.pages) and totals.missed == totals.pages


def print_problems(
    totals: Totals, limits: Sequence[RateLimit], *, skip_missing: bool, warnings: Sequence[Problem] = ()
) -> int:
    """Print warnings (also those of pages), errors and exceeded limits, and return the exit code."""
    exceeded = [text for limit in limits if (text := limit.exceeded(totals))]
    evaluated = totals.scores or totals.partial
    lines = [f"warning: {warning.render(as_option)}" for warning in warnings]
    lines += [*messages(totals, as_option), *(f"error: {text}" for text in exceeded)]
    if not totals.pages:
        lines.append("error: no page was evaluated")
    elif not evaluated:
        lines.append("error: no page could be evaluated by any measure")
    print_message(*lines)
    unpaired = (totals.without_hyp or totals.without_gt) and not skip_missing
    failed = totals.failed or totals.unusable_hyp
    return EXIT_FAILED if failed or unpaired or exceeded or not evaluated else EXIT_DONE


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The highest rate that a measure may have, for use in continuous integration.

    >>> RateLimit.parse("CER:RS=5%") == RateLimit.parse("cer:sr=0.05")
    True
    """

    measure: Measure
    rate: float

    @classmethod
    def parse(cls, text: str) -> RateLimit:
        """Parse MEASURE=RATE; the rate is a number or a percentage."""
        name, equals, number = text.rpartition("=")
        measure, number = Measure.parse(name if equals else text), number.strip()
        try:
            value = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
        except ValueError:
            value = -1.0
        setting = "fail_above", text
        if not equals or not value >= 0:
            raise UsageError(
                f"give a measure and a rate, such as {measure}=0.05 or {measure}=5%", setting=setting
            )
        if value > 1 and not number.endswith("%"):
            per_cent = f"{100 * value:g}%"
            remedy = f"write {measure}={number}%, or {measure}={per_cent} if that is meant"
            raise UsageError(f"{number} is {per_cent}", setting=setting, remedy=remedy)
        return cls(measure, value)

    @property
    def name(self) -> str:
        """The id that adds the measure to the run as optional, so that no page fails because of it."""
        return f"{self.measure}{OPTIONAL_MARK if self.measure.geometry else ''}"

    def exceeded(self, totals: Totals) -> str | None:
        """Return a message if the rate is above the limit, or may be, None otherwise."""
        score = totals.scores.get(self.measure)
        if score is None and totals.pages:
            return f"{self.measure} has no total to compare with its limit, because pages lack positions"
        if score is None or score.rate <= self.rate:
            return None
        limit = f"the limit of {format_percent(self.rate)}"
        base = score.base(score.settings.denominator if score.settings else "gt")
        if score.lower_bound <= self.rate * base and not score.optimal:
            hint = "increase --effort to prove more"
            return f"{self.measure} may be above {limit}: only {format_rate(score)} is proven; {hint}"
        return f"{self.measure} is {format_rate(score)}, above {limit}"
