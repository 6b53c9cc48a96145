"""Deviations from the paper's Java tool; see docs/deviations.md.

What can be shown without the tool is shown on small pages; the rest on the tool's values for real pages.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache

import pytest
from rapidfuzz.distance import Levenshtein

import pagemeter as pm
from helpers import SHARED, errors, needs_shared, score

REFERENCE = SHARED / "reference"


def test_a_character_outside_the_basic_plane_is_one_character():
    """The tool counts UTF-16 units, and 𝔄 has two."""
    assert len("𝔄".encode("utf-16-le")) // 2 == 2
    for unit in ("grapheme", "codepoint"):
        found = score("𝔄b", "Ab", "CER", unit=unit)
        assert (found.n_gt, found.errors) == (2, 1)


@pytest.mark.parametrize("whitespace", ["collapse", "keep"])
def test_a_double_space_makes_no_empty_word(whitespace):
    assert score("one  two", "one two", "WER", whitespace=whitespace).n_gt == 2
    assert errors("one  two", "one two", "BOW", whitespace=whitespace) == 0


def test_white_space_is_collapsed_unless_kept():
    assert errors([" one  two "], ["one two"], "CER:R") == 0
    assert errors([" one  two "], ["one two"], "CER:R", whitespace="keep") == 3


def test_page_lines_are_read_in_the_order_of_the_file(tmp_path):
    """The tool sorts lines in a region by their top edge and ignores the index of RegionRefs."""
    file = tmp_path / "page.xml"
    file.write_text(page_xml(left=("third", "fourth"), right=("first", "second")), encoding="utf-8")
    assert [line.text for line in pm.load(file).lines] == ["first", "second", "third", "fourth"]


@pytest.mark.parametrize(
    ("setting", "gt", "hyp"),
    [
        ({"unit": "codepoint"}, "u\u0364ber", "uber"),
        ({"normalise": "NFKC"}, "ﬁn", "fin"),
        ({"whitespace": "keep"}, "a  b", "a b"),
    ],
    ids=str,
)
def test_every_text_setting_has_an_effect(setting, gt, hyp):
    assert pm.cer(gt, hyp) != pm.cer(gt, hyp, **setting)


def test_extra_lines_before_a_matching_block_cost_their_own_length_only():
    """The tool prunes cells that cost 100 more than the best of their column, and loses such blocks."""
    block = [f"{number} green bottles hanging on the wall" for number in range(5)]
    extra = ["an advertisement " * 5, "printed above the text " * 4]
    assert errors(block, extra + block, "CER:R") == sum(len(line.strip()) for line in extra) == 175


def test_a_gt_line_can_be_skipped_inside_a_hyp_line():
    """The tool needs 8 here. The printed recursion finds 1 as well."""
    assert errors(["aaaa", "b", "cccc"], ["aaaa cccc"], "CER:RS") == 1
    assert errors(["aaaa", "b", "cccc"], ["aaaa cccc"], "CER:RS", solver="paper") == 1


def test_gt_lines_are_never_cut():
    """Without R and with S, the tool also splits GT lines, and this page would have no error."""
    assert errors(["ab cd"], ["cd ab"], "CER:S") == Levenshtein.distance("ab cd", "cd ab") == 4


def test_only_words_that_follow_each_other_are_merged():
    """The tool merges lines across others, and "xx" would cost 2 letters and no space."""
    assert errors(["aa bb"], ["aa", "xx", "bb"], "CER:S") == Levenshtein.distance("aa bb", "aa xx bb") == 3


@needs_shared
def test_the_java_tool_lies_on_either_side_of_the_minimum_with_s_and_without_r():
    sides = Counter(side(pair, letters) for pair in pairs("char") for letters in ("S", "SG"))
    assert sides == {"equal": 19, "tool higher": 5, "tool lower": 4}


@needs_shared
@pytest.mark.parametrize(
    ("letters", "equal", "higher"),
    [(("R", "RG"), 26, 2), (("", "G"), 25, 3), (("RS", "RSG"), 22, 6)],
    ids=str,
)
def test_the_java_tool_is_at_or_above_every_other_minimum(letters, equal, higher):
    sides = Counter(side(pair, each) for pair in pairs("char") for each in letters)
    assert sides == {"equal": equal, "tool higher": higher}


@needs_shared
def test_dropping_a_constraint_raises_errors_in_the_java_tool_only():
    tool = [pairs(unit)[pair] for unit in ("char", "word") for pair in pairs(unit)]
    assert sum(raised(table) for table in tool) == 26
    assert len(tool) * 12 == 336
    assert sum(raised(ours(*pair)) for pair in pairs("char")) == 0


def test_words_left_over_cost_one_each():
    """The tool counts the separators of unmatched HYP lines as errors."""
    for name in ("WER", "WER:R", "WER:S", "WER:RS"):
        assert errors([], ["one two three"], name) == 3


@cache
def pairs(unit: str) -> dict[tuple[str, str], dict[str, int]]:
    """Return the tool's errors by page pair and letters."""
    table: dict[tuple[str, str], dict[str, int]] = {}
    with (REFERENCE / "citlab-java.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            letters = "".join(letter for letter in "RSG" if row[letter] == "1")
            if row["unit"] == unit:
                table.setdefault((row["gt"], row["hyp"]), {})[letters] = int(row["err"])
    return table


@cache
def ours(gt: str, hyp: str) -> dict[str, int]:
    """Return our errors on the tool's lines, with the tool's characters, by letters."""
    names = {letters: f"CER:{letters}" if letters else "CER" for letters in pairs("char")[gt, hyp]}
    pages = pm.load(REFERENCE / gt), pm.load(REFERENCE / hyp)
    found = pm.evaluate(*pages, names.values(), unit="codepoint", normalise="none", whitespace="keep")
    assert all(found[name].optimal for name in names.values())
    return {letters: found[name].errors for letters, name in names.items()}


def side(pair: tuple[str, str], letters: str) -> str:
    tool, minimum = pairs("char")[pair][letters], ours(*pair)[letters]
    return "equal" if tool == minimum else "tool higher" if tool > minimum else "tool lower"


def raised(table: dict[str, int]) -> int:
    """Return in how many of twelve cases the errors rise when a constraint is dropped."""
    freer = [("", "R"), ("S", "RS"), ("G", "RG"), ("SG", "RSG")]
    freer += [("", "G"), ("R", "RG"), ("S", "SG"), ("RS", "RSG")]
    freer += [("S", ""), ("RS", "R"), ("SG", "G"), ("RSG", "RG")]
    return sum(table[less] > table[more] for less, more in freer)


def page_xml(**regions: tuple[str, str]) -> str:
    """Return a page whose regions have their first line below the second, and whose last region is first."""
    order = "".join(
        f'<RegionRefIndexed index="{len(regions) - at}" regionRef="{name}"/>'
        for at, name in enumerate(regions)
    )
    text = "".join(
        f'<TextRegion id="{name}"><Coords points="0,0 300,0 300,200 0,200"/>'
        f"{text_line(below, 100)}{text_line(above, 0)}</TextRegion>"
        for name, (below, above) in regions.items()
    )
    return (
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        '<Page imageFilename="page.png" imageWidth="800" imageHeight="400"><ReadingOrder>'
        f'<OrderedGroup id="order">{order}</OrderedGroup></ReadingOrder>{text}</Page></PcGts>'
    )


def text_line(text: str, top: int) -> str:
    return (
        f'<TextLine id="{text}"><Coords points="0,{top} 300,{top} 300,{top + 30} 0,{top + 30}"/>'
        f"<TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>"
    )
