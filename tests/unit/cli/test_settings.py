"""The command line: settings, reading options, and the signature that reproduces both."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from collected import evaluate
from pagemeter import Settings
from pagemeter.cli.setting_options import SETTING_OPTIONS
from pagemeter.signature import LINE_TYPE_SETTINGS, escape


def test_every_setting_has_an_option():
    assert {row.field for row in SETTING_OPTIONS} == {field.name for field in fields(Settings)}


@pytest.mark.parametrize("row", SETTING_OPTIONS, ids=lambda row: row.field)
def test_every_setting_takes_the_value_that_the_signature_shows(row, run, good):
    values = {
        "mapping": "long-s",
        "keep_lines": ".",
        "drop_lines": "^$",
        "strip": "digits",
        "time_limit": "5",
        "effort": "quick",
    }
    values |= {"threshold": "0.1", "tokeniser": "uax29", "hyphens": "join", "case": "fold"}
    values |= {"preset": "dinglehopper@0.11"}
    values |= dict.fromkeys(LINE_TYPE_SETTINGS, "header") | {"partial": "yes"}
    values |= {"gap": "9", "wildcard": "[?]", "gap_pattern": "[…]"}
    value = values.get(row.field, str(getattr(Settings(), row.field)))
    options = [row.flag] if row.field == "partial" else [row.flag, value]
    options += ["--gap", "9"] if row.field == "gap_pattern" else []
    code, out, _ = evaluate(run, good, "-m", "CER", *options)
    assert code == 0
    shown = out if "@" in value else out.replace("@", "|")
    assert f"|{row.field}:{escape(value, '[]?^$.@')}" in shown + "|"


@pytest.mark.parametrize(
    "options", [["--strip", "symbols,digits"], ["--strip", "digits", "--strip", "symbols"]]
)
def test_kinds_to_strip_are_repeated_or_separated_by_commas(run, good, options):
    assert "|strip:digits,symbols|" in evaluate(run, good, "-m", "CER", *options)[1]


@pytest.mark.parametrize("value", ["long-s,ligatures", "ligatures"])
def test_mappings_are_repeated_or_separated_by_commas(run, good, value):
    _, out, _ = evaluate(run, good, "-m", "CER", "--mapping", value)
    assert all(f"{name}@" in out for name in value.split(","))


def test_the_file_of_a_mapping_may_have_a_comma_in_its_name(run, good):
    (good / "a,b.tsv").write_text("u\to\n")
    assert evaluate(run, good, "-m", "CER", "--mapping", good / "a,b.tsv")[0] == 0


def test_the_signature_reproduces_the_numbers(run, good):
    options = ["-m", "CER:S", "-m", "WER", "--case", "fold", "--unit", "codepoint", "--drop-lines", "^a|b c$"]
    evaluate(run, good, *options, "--json", good / "a.json")
    first = json.loads((good / "a.json").read_text())
    evaluate(run, good, "--from-signature", first["signature"], "--json", good / "b.json")
    second = json.loads((good / "b.json").read_text())
    assert second == first
    assert "case:fold" in first["signature"]


def test_options_override_a_signature(run, good):
    _, out, _ = evaluate(
        run, good, "--from-signature", "measures:WER|case:fold", "-m", "CER", "--case", "keep"
    )
    assert "measures:CER|" in out
    assert "|case:keep|" in out


def test_a_mapping_that_has_moved_is_given_with_its_signature(run, good):
    """It is identified by its digest; the numbers are the same, and the signature has its new path."""
    before, after = good / "rules.tsv", good / "elsewhere.tsv"
    before.write_text("e\tE\n")
    _, out, _ = evaluate(run, good, "-m", "CER", "--mapping", "long-s", "--mapping", before)
    line = out.splitlines()[-1]
    before.rename(after)
    code, _, err = evaluate(run, good, "--from-signature", line)
    assert code == 1
    assert "rules.tsv: the mapping of this signature does not exist" in err
    assert "with --mapping" in err
    _, again, _ = evaluate(run, good, "--from-signature", line, "--mapping", "long-s", "--mapping", after)
    assert again == out.replace("rules.tsv", "elsewhere.tsv")


def test_a_mapping_with_other_rules_does_not_replace_one_that_is_gone(run, good):
    (good / "rules.tsv").write_text("e\tE\n")
    _, out, _ = evaluate(run, good, "-m", "CER", "--mapping", good / "rules.tsv")
    (good / "rules.tsv").unlink()
    code, _, err = evaluate(run, good, "--from-signature", out.splitlines()[-1], "--mapping", "long-s")
    assert code == 2
    assert "the mapping given is long-s@8ff1119a. Give the mapping with which the signature was made" in err


def test_a_signature_of_another_version_gives_a_warning(run, good):
    code, _, err = evaluate(run, good, "--from-signature", "measures:CER|case:fold|version:0.0.0")
    assert code == 0
    assert "by pagemeter 0.0.0" in err


def test_the_settings_can_be_read_from_the_printed_signature(run, good):
    _, out, _ = evaluate(run, good, "--case", "fold", "--encoding", "utf-8", "--skip-missing")
    line = next(line for line in out.splitlines() if "|solver:" in line)
    assert Settings.from_signature(line) == Settings(case="fold")


def test_reading_options_reach_the_files(run, good):
    (good / "a.x").write_bytes("ä # b".encode("latin-1"))
    same = ("eval", good / "a.x", good / "a.x", "-m", "CER", "--encoding", "latin-1")
    code, out, err = run(*same, "--gt-format", "markdown", "--hyp-format", "text")
    assert code == 0
    assert "gt_format:markdown|hyp_format:text|encoding:latin-1|" in out
    assert "same file" in err


def test_one_format_may_be_named_for_both_sides(run, good):
    _, out, _ = evaluate(run, good, "-m", "CER", "--format", "text", "--level", "line", "--order", "document")
    assert "|format:text|level:line|order:document|" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--encoding", "latin-1"], "encoding:latin-1"),
        (["--hyp-encoding", "latin-1"], "hyp_encoding:latin-1"),
        (["--encoding", "latin-1", "--gt-encoding", "utf-8"], "gt_encoding:utf-8|hyp_encoding:latin-1"),
        (["--gt-level", "word", "--order", "document"], "gt_level:word|order:document"),
        (
            ["--level", "word", "--hyp-order", "top-down", "--gt-dpi", "300"],
            "level:word|hyp_order:top-down|gt_dpi:300",
        ),
    ],
)
def test_each_side_has_its_own_reading_options_and_the_signature_reproduces_them(run, good, options, said):
    _, out, _ = evaluate(run, good, "-m", "CER", *options)
    signature = out.splitlines()[-1]
    assert signature.startswith(f"measures:CER|{said}|confidence:")
    assert evaluate(run, good, "--from-signature", signature)[1].splitlines()[-1] == signature


def test_one_side_in_another_encoding_does_not_spoil_the_other(run, good):
    (good / "gt/2.gt.txt").write_text("sécond pägé")
    (good / "hyp/2.pred.txt").write_bytes("sécond pägé".encode("latin-1"))
    assert "--hyp-encoding latin-1" in evaluate(run, good, "-m", "CER")[2]
    code, out, _ = evaluate(run, good, "-m", "CER", "--hyp-encoding", "latin-1")
    assert code == 0
    assert out.splitlines()[1].split()[:4] == ["CER", "0.00", "%", "0"]


@pytest.mark.parametrize("option", ["--format", "--gt-level", "--hyp-order", "--hyp-encoding"])
def test_a_wrong_reading_option_is_named_as_it_was_given(run, good, option):
    code, _, err = evaluate(run, good, option, "nonsense")
    assert code == 2
    assert f"pagemeter: {option} nonsense: unknown " in err
