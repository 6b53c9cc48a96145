"""The command line: syntax of options, and messages for wrong usage."""

from __future__ import annotations

from argparse import SUPPRESS

import pytest

from collected import evaluate
from pagemeter.cli.execution import choose_runner
from pagemeter.cli.parser import build_parser
from pagemeter.corpus import RunConfig


def test_every_option_is_explained_in_one_sentence():
    commands = build_parser()._commands
    actions = [action for command in commands.values() for action in command._actions]
    for action in [action for action in actions if action.help != SUPPRESS]:
        assert action.help
        assert action.help[0].isupper()
        assert action.help.endswith(".")
        assert ". " not in action.help.replace("such as .", "")


def test_an_unknown_option_suggests_the_nearest(run):
    code, _, err = run("eval", "--jsn", "out.json", "gt", "hyp")
    assert code == 2
    assert "unknown option --jsn (did you mean --json?)" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "--alignments", "x"], "--alignments (an option of eval)"),
        (["--latex=x", "compare"], "--latex (an option of compare; write it after the command)"),
        (["formats", "--csv"], "--csv (an option of eval, compare, kws, report)"),
    ],
)
def test_an_option_of_another_command_names_that_command(run, arguments, said):
    code, _, err = run(*arguments)
    assert code == 2
    assert f"unknown option {said}" in err


@pytest.mark.parametrize(("wrong", "right"), [("--measur=CER", "--measure"), ("--fail-abov", "--fail-above")])
def test_options_cannot_be_abbreviated(run, wrong, right):
    code, _, err = run("eval", wrong, "CER=1", "gt", "hyp")
    assert code == 2
    assert right in err


def test_an_unknown_short_option_is_wrong_usage(run):
    assert run("eval", "-x", "gt", "hyp")[0] == 2


def test_an_unknown_command_suggests_the_nearest(run):
    code, _, err = run("evla", "gt", "hyp")
    assert code == 2
    assert "did you mean eval?" in err


def test_an_unknown_option_before_the_command_is_wrong_usage(run):
    code, _, err = run("--versoin")
    assert code == 2
    assert "did you mean --version?" in err


def test_an_unknown_measure_suggests_the_nearest_before_any_file_is_read(run):
    code, _, err = run("eval", "nowhere", "nowhere", "-m", "CER:RX")
    assert code == 2
    assert "did you mean CER:R" in err


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("--solver", "exat", "did you mean exact"),
        ("--normalise", "NFG", "did you mean NF"),
        ("--level", "lin", "did you mean line"),
        ("--format", "alt0", "did you mean alto"),
        ("--threshold", "2", "from 0 to below 1"),
        ("--threshold", "x", "not a number"),
        ("--fail-above", "CER", "CER=0.05"),
        ("--from-signature", "solvr:exact", "did you mean solver"),
    ],
)
def test_a_wrong_value_is_wrong_usage_with_a_hint(run, good, option, value, hint):
    code, _, err = evaluate(run, good, option, value)
    assert code == 2
    assert hint in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--json", ""], "--json: the value is empty"),
        (["--json="], "--json=: the value is empty"),
        (["--from-signature", ""], "--from-signature: the value is empty"),
        (["--gt-suffix", ""], "--gt-suffix: the value is empty"),
        (["-m", ""], "-m: the value is empty"),
    ],
)
def test_an_empty_value_is_wrong_usage(run, good, arguments, said):
    code, out, err = evaluate(run, good, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_an_empty_path_is_wrong_usage(run, good):
    assert run("eval", "", good / "hyp")[0] == 2
    assert run("eval", good / "gt", "")[0] == 2


def test_no_command_is_wrong_usage(run):
    assert run()[0] == 2


@pytest.mark.parametrize(
    "order", ["gt hyp -m CER", "-m CER gt hyp", "gt -m CER hyp", "--strict gt -m CER hyp"]
)
def test_options_may_be_anywhere(run, good, order, monkeypatch):
    monkeypatch.chdir(good)
    assert run("eval", *order.split())[0] == 0


def test_too_many_arguments_are_wrong_usage(run, good):
    code, _, err = evaluate(run, good, good / "more")
    assert code == 2
    assert "more" in err
    assert err.startswith("usage: pagemeter eval [options] GT HYP\n")


def test_a_regular_expression_that_takes_too_long_is_wrong_usage(run, good, monkeypatch):
    monkeypatch.setattr("pagemeter.text.normalisation.SEARCH_SECONDS", 0.1)
    (good / "gt/1.gt.txt").write_text("a" * 60)
    files = good / "gt/1.gt.txt", good / "hyp/1.pred.txt"
    code, out, err = run("eval", *files, "-m", "CER", "--drop-lines", "(a|aa)+(a|aa)+$b")
    assert (code, out) == (2, "")
    assert err.startswith("pagemeter: --drop-lines '(a|aa)+(a|aa)+$b': more than 0.1 s for one line")


def test_a_resolution_of_zero_is_wrong_usage(run, good):
    assert evaluate(run, good, "--dpi", "0")[0] == 2


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--jobs", "0", "--jobs 0: give a number of processes above 0"),
        ("--jobs", "-1", "--jobs -1: give a number of processes above 0"),
        ("--page-seconds", "0", "--page-seconds 0: give a number of seconds above 0"),
        ("--page-seconds", "nan", "--page-seconds nan: give a number of seconds above 0"),
        ("--page-memory", "-2.5", "--page-memory -2.5: give a number of megabytes above 0"),
        ("--page-memory", "nan", "--page-memory nan: give a number of megabytes above 0"),
        ("--confidence", "95", "--confidence 95: give a share between 0.5 and 1, such as 0.95"),
        ("--time-limit", "-1", "--time-limit -1: give seconds, 0 or more"),
        ("--seed", "-1", "--seed -1: give a whole number, 0 or more"),
    ],
)
@pytest.mark.parametrize("arguments", [["eval", "gt", "hyp"], ["compare", "gt", "a", "b"]])
def test_an_invalid_number_names_its_option(run, arguments, option, value, said):
    code, _, err = run(*arguments, f"{option}={value}")
    assert code == 2
    assert err == f"pagemeter: {said}\n"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [("--dpi", "abc", "'abc' is not a number"), ("--resamples", "1e4", "'1e4' is not a whole number")],
)
def test_a_value_that_is_no_number_is_wrong_usage(run, option, value, message):
    code, _, err = run("eval", "gt", "hyp", option, value)
    assert code == 2
    assert err.endswith(f"argument {option}: {message}\n")


@pytest.mark.parametrize("option", ["--page-seconds", "--page-memory"])
@pytest.mark.parametrize("value", ["inf", "1e300", "1e18"])
def test_a_huge_limit_is_no_limit(run, good, option, value):
    assert evaluate(run, good, "-m", "CER", option, value, "--jobs", 1)[0] == 0


def test_a_limit_below_one_byte_is_one_byte():
    parsed = build_parser().parse_args(["eval", "gt", "hyp", "--page-memory", "1e-9"])
    assert choose_runner(parsed, RunConfig(), ()).page_memory == 1


def test_a_single_small_pair_has_the_default_time_limit():
    for options, seconds in ([], RunConfig().page_seconds), (["--page-seconds", "inf"], None):
        parsed = build_parser().parse_args(["eval", "gt", "hyp", *options])
        assert choose_runner(parsed, RunConfig(), ()).page_seconds == seconds
