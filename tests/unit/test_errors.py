"""Errors and warnings: their parts, how they are rendered, and their classes."""

from __future__ import annotations

import copy
import pickle

import pytest

from pagemeter import errors
from pagemeter.errors import InputError, NotEvaluatedError, PagemeterError, Problem, did_you_mean

PROBLEM = Problem(
    "not UTF-8",
    "a.txt",
    "line 3",
    "give {} or {}",
    (("encoding", "latin-1"), ("skip_missing", "")),
    None,
    "text",
)


def option(name: str, value: str) -> str:
    return f"--{name.replace('_', '-')} {value}".strip()


def test_a_problem_shows_what_is_wrong_where_and_what_to_do():
    assert str(PROBLEM) == "a.txt: line 3: not UTF-8. Give encoding='latin-1' or skip_missing."
    assert PROBLEM.render(option) == "a.txt: line 3: not UTF-8. Give --encoding latin-1 or --skip-missing."


def test_the_reason_has_no_location_and_groups_problems():
    assert PROBLEM.reason == "not UTF-8. Give encoding='latin-1' or skip_missing."
    assert PROBLEM.as_dict() == {"source": "a.txt", "element": "line 3", "reason": PROBLEM.reason}


def test_a_wrong_setting_is_shown_before_the_detail():
    problem = Problem("give seconds, 0 or more", setting=("time_limit", "-1"))
    assert str(problem) == "time_limit=-1: give seconds, 0 or more"
    assert problem.render(option) == "--time-limit -1: give seconds, 0 or more"


def test_braces_in_a_remedy_without_settings_are_literal():
    assert str(Problem("wrong", remedy="write {}")) == "wrong. Write {}."


def test_a_message_does_not_quote_a_whole_file():
    message = str(Problem(f"{'a' * 10**6} has no TAB", "a.tsv", "b" * 10**6, remedy="write one"))
    assert len(message) < 10_000
    assert message.startswith("a.tsv: bbb")
    assert message.endswith("aaa has no TAB. Write one.")


@pytest.mark.parametrize(
    ("remedy", "shown"),
    [
        ("{x}", "{x}"),
        ("{", "{"),
        ("{0.__class__} {}", "{0.__class__} case='fold'"),
        ("{:99999999}", "{:99999999}"),
        ("use {} or {}", "Use case='fold' or {}"),
        ("{}", "Case='fold'"),
        ("none", "None"),
    ],
)
def test_braces_in_a_remedy_have_no_other_meaning(remedy, shown):
    assert str(Problem("wrong", remedy=remedy, settings=(("case", "fold"),))) == f"wrong. {shown}."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\x7f", "a\\x7f"),
        ("\u202efdp.xml", "\\u202efdp.xml"),
        ("\udce4.xml", "\\xe4.xml"),
        ("\ud800", "\\ud800"),
    ],
)
def test_a_message_has_only_characters_that_any_terminal_can_show(name, shown):
    assert str(Problem("wrong", name)) == f"{shown}: wrong"
    str(InputError("wrong", source=name)).encode()


def test_an_error_has_the_kind_of_its_class_and_can_be_sent_to_another_process():
    error = InputError("is empty", source="a.xml", remedy="leave it out")
    for other in (error, copy.copy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301
        assert (str(other), other.problem.kind) == ("a.xml: is empty. Leave it out.", "input")
    assert type(error)(error.problem).problem is error.problem


CLASSES = [value for value in vars(errors).values() if isinstance(value, type)]


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if issubclass(kind, BaseException)])
def test_every_class_is_in_the_docstring_of_the_module(kind):
    assert issubclass(kind, PagemeterError | errors.PagemeterWarning)
    assert kind.__name__ in errors.__doc__


def test_a_key_error_is_not_quoted():
    assert str(NotEvaluatedError("WER was not evaluated")) == "WER was not evaluated"


@pytest.mark.parametrize(
    ("name", "hint"), [("FOLD", " (did you mean fold?)"), ("flod", " (did you mean fold?)"), ("xyz", "")]
)
def test_the_nearest_name_is_suggested(name, hint):
    assert did_you_mean(name, ["keep", "fold"]) == hint
