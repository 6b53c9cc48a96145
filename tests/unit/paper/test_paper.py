"""Section III of the paper: its examples, edge cases and interpretations."""

from __future__ import annotations

import sys
from itertools import product

import pytest

import pagemeter as pm
from pagemeter.errors import InputError, UsageError
from pagemeter.paper import PaperMatch, PaperSolution, line_distance, solve_as_printed
from pagemeter.paper.recursion import (
    Mark,
    Prices,
    Recursion,
    flatten,
    flatten_words,
    line_tokens,
    page_path,
    split_best_path,
    split_best_path_with_segmentation,
)

# The lines of fig:sp.
HYP = [
    *("Küblböck Elise", "Kainz Josina Led.", "KüblböckLed. L."),
    *("Schönbrunn", "Aberg", "Schönbrunn", "10", "103", "102"),
]
GT = [
    *("Küblböck Elise", "Kainz Josina", "Küblböck Led.", '"', "Led.", "L."),
    *("Schönbrunn", "Aberg", "Schönbrunn", "102", "103", "104"),
]
# Which HYP line lies on which GT line there; GT line 3 has none, HYP lines 1 and 2 lie on two GT lines each.
PLACES = {0: 0, 1: 1, 2: 2, 4: 1, 5: 2, 6: 3, 7: 4, 8: 5, 9: 6, 10: 7, 11: 8}
NEAR = [[PLACES.get(x) == y for y in range(len(HYP))] for x in range(len(GT))]

CONFIGURATIONS = list(product([True, False], repeat=2))


def characters(gt: list[str], hyp: list[str], letters: str = "", near=None) -> PaperSolution:
    """Return the solution for characters; `letters` has R and S as in the id of a measure."""
    words = [line.split(" ") if line else [] for line in hyp]
    return solve_as_printed(
        gt, words, joiner=" ", order="R" in letters, segmentation="S" in letters, neighbours=near
    )


def word_tokens(gt: list[str], hyp: list[str], letters: str = "", near=None) -> PaperSolution:
    """Return the solution for words as tokens."""
    return solve_as_printed(
        [line.split() for line in gt],
        [[(word,) for word in line.split()] for line in hyp],
        joiner=None,
        order="R" in letters,
        segmentation="S" in letters,
        neighbours=near,
    )


def counts(solution: PaperSolution, n_gt: int) -> tuple[int, int, int, int]:
    """Return INS, DEL, SUB and COR as in fig:errortable."""
    ins = n_gt - solution.cor - solution.sub
    return ins, solution.errors - solution.sub - ins, solution.sub, solution.cor


def test_figure_2_characters_in_reading_order():
    assert counts(characters(GT, HYP, "R"), 80) == (9, 8, 1, 70)


@pytest.mark.parametrize(
    ("letters", "near", "expected"),
    [
        ("R", None, (3, 1, 4, 8)),
        ("", None, (3, 1, 3, 9)),
        ("", NEAR, (3, 1, 4, 8)),
        ("S", None, (2, 0, 2, 11)),
        ("S", NEAR, (2, 0, 3, 10)),
    ],
    ids=["R", "none", "G", "S", "SG"],
)
def test_figure_2_words(letters, near, expected):
    assert counts(word_tokens(GT, HYP, letters, near), 15) == expected


def test_greedy_needs_19_errors_on_figure_2_where_17_are_possible():
    """Alg. 3 is not optimal: with one constraint more, CER^R has 18."""
    assert characters(GT, HYP).errors == 19
    assert characters(GT, HYP, "R").errors == 18


def test_flatten_is_the_example_of_the_paper():
    flat = flatten([("a", "b"), ("c", "d"), ("e", "f")])
    lb = Mark.BREAK
    assert flat.letters[1:] == (lb, "a", "b", lb, "c", "d", lb, "e", "f", lb)
    assert flat.cuts == (1, 4, 7, 10)
    assert [flat.length(y) for y in flat.slots] == [2, 2, 2]


def test_flatten_of_no_line_is_one_line_break():
    assert flatten([]).letters[1:] == (Mark.BREAK,)
    assert flatten_words([[], []], [[], []]) == flatten([])


def test_words_are_read_back_with_spaces_for_line_breaks():
    flat = flatten_words([["ab", "c"], ["d"]], [[" "], []])
    assert "".join(flat.read(range(3), " ")) == "ab c d"
    gaps = flatten_words([["ab", "c"], ["d"]], [[Mark.GAP], []])
    assert "".join(gaps.read(range(3), Mark.GAP)) == "abcd"


@pytest.mark.parametrize(
    ("words", "spaces", "line"),
    [([], "", ""), (["a"], "", "a"), (["", ""], " ", " "), (["ab", "", "c"], "\t ", "ab\t c")],
)
def test_a_line_is_its_words_with_the_spaces_between_them(words, spaces, line):
    assert "".join(line_tokens(words, spaces)) == line


def test_a_line_of_words_as_tokens_has_nothing_between_them():
    assert line_tokens([("its", ","), ("own",)], ()) == ("its", ",", "own")


def test_the_path_of_an_empty_hypothesis_is_the_one_in_the_proof_of_theorem_1():
    hyp, gt = flatten([]), flatten(["ab", "c"])
    assert page_path(Recursion(hyp, gt, Prices.of(hyp, gt))) == (3, ((1, 1), (1, 4), (1, 6)))


def test_alg_1_as_printed_would_stop_inside_a_line():
    """After a deleted first letter, the path has a q with q_2 ∈ l_g and q_1 ∉ l_h, inside a line."""
    hyp, gt = flatten(["xab"]), flatten(["ab"])
    _, path = page_path(Recursion(hyp, gt, Prices.of(hyp, gt)))
    assert (2, 1) in path
    assert 1 in gt.cuts
    assert 2 not in hyp.cuts
    split = split_best_path(path, hyp, gt)
    assert (split.matched, split.unmatched_hyp, split.unmatched_gt) == (((0, 0),), (), ())


def test_alg_1_finds_matched_deleted_and_inserted_lines():
    hyp, gt = flatten(["aa", "bbb"]), flatten(["bbb", "c"])
    split = split_best_path(page_path(Recursion(hyp, gt, Prices.of(hyp, gt)))[1], hyp, gt)
    assert (split.matched, split.unmatched_hyp, split.unmatched_gt) == (((1, 0),), (0,), (1,))


def test_alg_2_returns_the_segmentation():
    hyp, gt = flatten_words([["aa", "bb"], ["cc", "dd"]], [" ", " "]), flatten(["aa", "bb cc", "xyz"])
    distance, path = page_path(Recursion(hyp, gt, Prices.of(hyp, gt), space=" "))
    split = split_best_path_with_segmentation(path, hyp, gt)
    assert ["".join(hyp.read(segment, " ")) for segment in split.segments] == ["aa", "bb cc", "dd"]
    assert (distance, split.matched) == (3, ((0, 0), (1, 1), (2, 2)))


@pytest.mark.parametrize(("order", "segmentation"), CONFIGURATIONS)
@pytest.mark.parametrize("joiner", [" ", None])
@pytest.mark.parametrize("lines", [[], [()], [(), ()]])
def test_an_empty_page_costs_the_tokens_of_the_other(order, segmentation, joiner, lines):
    config = {"joiner": joiner, "order": order, "segmentation": segmentation, "neighbours": None}
    assert solve_as_printed(lines, [list(line) for line in lines], **config).errors == 0
    assert solve_as_printed(["ab", "c"], [list(line) for line in lines], **config).errors == 3
    found = solve_as_printed(lines, [["ab"], ["c"]], **config)
    assert (found.errors, found.cor, found.sub) == (3, 0, 0)


@pytest.mark.parametrize("letters", ["", "R", "S", "RS"])
def test_lines_of_one_character(letters):
    found = characters(["a", "b", "c"], ["a", "x", "c"], letters)
    assert (found.errors, found.cor, found.sub) == (1, 2, 1)
    assert [match.hyp_words for match in found.matches] == [range(1), range(1, 2), range(2, 3)]


@pytest.mark.parametrize("letters", ["", "R"])
def test_an_empty_line_between_others_is_a_line_without_segmentation(letters):
    assert characters(["a", "", "b"], ["a", "", "b"], letters).errors == 0
    assert characters(["a b"], ["a", "", "b"], letters).errors == 3


@pytest.mark.parametrize("letters", ["S", "RS"])
def test_an_empty_line_between_others_is_nothing_with_segmentation(letters):
    found = characters(["a b"], ["a", "", "b"], letters)
    assert found.matches == (PaperMatch(0, None, range(2), 0, 3, 0),)


@pytest.mark.parametrize("letters", ["", "R", "S", "RS"])
def test_a_double_space_is_an_empty_word(letters):
    assert characters(["a  b"], ["a  b"], letters).errors == 0


@pytest.mark.parametrize("letters", ["", "R", "S", "RS"])
@pytest.mark.parametrize("text", ["a\u00a0b", "ab\tcd\u3000e", " \u00a0 a\t\tb "])
def test_white_space_that_is_kept_is_not_all_a_space(letters, text):
    plain = text.translate(dict.fromkeys(map(ord, "\t\u00a0\u3000"), " "))
    pairs = [(text, text), (plain, text), (text, plain)]
    same, *others = (
        pm.evaluate(*pair, f"CER:{letters}", solver="paper", whitespace="keep")[f"CER:{letters}"].errors
        for pair in pairs
    )
    assert same == 0
    assert min(others) > 0


def test_without_segmentation_a_match_names_the_line_and_its_words():
    found = characters(["c d"], ["a b", "c d", "e"], "R")
    assert found.matches == (PaperMatch(0, 1, range(2, 4), 0, 3, 0),)
    assert (found.errors, found.recursion) == (4, 4)


def test_unmatched_lines_count_their_spaces_and_unmatched_words_do_not():
    assert characters([], ["a b"], "R").errors == 3
    assert characters([], ["a b"], "RS").errors == 2


def test_ties_go_to_substitutions():
    """ "ab" to "ba" is two substitutions, not one deletion and one insertion around a correct letter."""
    assert line_distance("ab", "ba") == (2, 0, 2)
    assert counts(characters(["ba"], ["ab"], "R"), 2) == (0, 0, 2, 0)


def test_merged_lines_of_the_paper_cost_nothing_with_segmentation():
    """E:G_H_seg: 9 without, 0 with segmentation."""
    for letters in ("", "R"):
        assert characters(["Kainz Josina", "Led."], ["Kainz Josina Led."], letters).errors == 9
        assert characters(["Kainz Josina", "Led."], ["Kainz Josina Led."], letters + "S").errors == 0


@pytest.mark.parametrize(
    ("gt", "hyp", "errors", "recursion"),
    [
        (["ab cd"], ["ab", "cd"], 0, 0),  # a line break is a space
        (["cdef"], ["cd", "ef"], 4, 4),  # it cannot be deleted: the definition gives 1
        (["cdef"], ["cd ef"], 1, 1),  # a space can
        (["aaaa", "b", "cccc"], ["aaaa cccc"], 1, 1),  # a GT line may be skipped between two words
        (["abxcd"], ["ab cd"], 1, 2),  # no space is substituted; the matching re-scores to less
    ],
)
def test_the_recursion_with_segmentation_is_as_printed(gt, hyp, errors, recursion):
    found = characters(gt, hyp, "RS")
    assert (found.errors, found.recursion) == (errors, recursion)


def test_boundaries_between_words_cost_nothing():
    assert word_tokens(["a b c"], ["a", "b c"], "RS").errors == 0
    assert word_tokens(["a", "b c"], ["a b", "c"], "RS").errors == 0


def test_there_is_no_boundary_inside_a_word_of_two_tokens():
    """The word `its,` can only be matched as a whole: one token is extra, and one GT line is missing."""
    found = solve_as_printed(
        [["its"], [","]],
        [[("its", ",")]],
        joiner=None,
        order=True,
        segmentation=True,
        neighbours=None,
    )
    assert (found.errors, len(found.matches)) == (2, 1)


def test_tokens_may_be_numbers():
    found = solve_as_printed(
        [(1, 2, 0, 3)],
        [[(1, 2)], [(3,)]],
        joiner=0,
        order=True,
        segmentation=True,
        neighbours=None,
    )
    assert (found.errors, found.cor) == (0, 4)


@pytest.mark.parametrize("letters", ["", "R", "S", "RS"])
def test_nothing_is_matched_where_nothing_is_near(letters):
    found = characters(["ab", "c"], ["ab", "c d"], letters, [[False, False], [False, False]])
    assert (found.matches, found.errors) == ((), 7 if "S" in letters else 8)


@pytest.mark.parametrize("letters", ["", "R", "S", "RS"])
def test_a_gt_line_without_neighbours_is_skipped_at_its_length(letters):
    found = characters(
        ["ab", "ab", "cd"], ["ab", "cd"], letters, [[False, False], [True, False], [False, True]]
    )
    assert [match.gt for match in found.matches] == [1, 2]
    assert found.errors == 2


@pytest.mark.parametrize("letters", ["S", "RS"])
def test_a_run_takes_no_word_of_a_line_that_is_far(letters):
    """The line in the middle is not near, so the three lines cannot be merged."""
    found = characters(["aa bb cc"], ["aa", "bb", "cc"], letters, [[True, False, True]])
    assert [len(match.hyp_words) for match in found.matches] == [1]
    assert found.errors == 6 + 4


@pytest.mark.parametrize("segmentation", [True, False])
def test_greedy_matches_a_line_with_the_lowest_error_rate(segmentation):
    """Both GT lines are nearest to "abc"; the second is matched with it, because it is equal."""
    found = characters(["abd", "abc"], ["abc", "xyz"], "S" * segmentation)
    assert [match.hyp_words.start for match in found.matches] == [1, 0]
    assert found.errors == 3


def test_greedy_does_not_join_what_is_left_around_a_taken_run():
    """After "mmmmmm" is matched, "aa" and "bb" are two fragments; joined they would give 7 errors."""
    found = characters(["mmmmmm", "aa mmmmmm bb"], ["aa mmmmmm bb"], "S")
    assert [match.hyp_words for match in found.matches] == [range(1, 2), range(1)]
    assert found.errors == 10 + 2


def test_greedy_matches_empty_lines_first():
    found = characters(["", "a"], ["a", ""], "")
    assert [match.hyp_line for match in found.matches] == [1, 0]


@pytest.mark.parametrize("letters", ["", "R", "S", "RS"])
def test_two_thousand_lines_exceed_no_recursion_limit(letters):
    lines = ["a"] * 2000
    assert len(lines) > sys.getrecursionlimit()
    assert characters(lines, lines, letters).errors == 0


def test_greedy_may_need_as_many_rounds_as_there_are_lines():
    """In each round the same HYP line is best for all GT lines, so each round matches only one."""
    hyp = ["a" * (12 - k) for k in range(12)]
    found = characters(["a" * 12] * 12, hyp)
    assert len(found.matches) == 12
    assert found.errors == sum(range(12))


@pytest.mark.parametrize("letters", ["R", "RS"])
def test_pages_that_are_too_large_are_an_error(letters):
    line = "a" * 70_000
    with pytest.raises(InputError, match="more than 4294967296"):
        characters([line], [line], letters)


@pytest.mark.parametrize("mask", [[], [[True]], [[True, True], [True]]])
def test_a_mask_of_another_shape_is_an_error(mask):
    with pytest.raises(UsageError, match="2 GT lines with an entry for each of 2 HYP lines"):
        characters(["a", "b"], ["a", "b"], "R", mask)
