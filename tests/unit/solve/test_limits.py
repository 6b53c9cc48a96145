"""Pages at the limits of tokens and lines: right counts, or one clear error, in bounded memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pagemeter as pm
from collected import exhaustive
from pagemeter.solve.instance import MOST_TOKENS

CHARACTERS = ("CER", "CER:R", "CER:S", "CER:RS")
WORDS = ("WER", "WER:R", "WER:S", "WER:RS", "BOW")
SIZES = (2**20, *exhaustive(2**20 - 1, 2**20 + 1), MOST_TOKENS)


def one_word(size: int) -> str:
    return "x" * size


def many_words(size: int) -> str:
    return "x " * (size // 2) + "x" * (size % 2)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_of", [one_word, many_words])
def test_a_page_of_characters_without_a_hypothesis(size, text_of):
    text = text_of(size).rstrip()
    for gt, hyp in ((text, ""), ("", text)):
        scores = pm.evaluate(gt, hyp, CHARACTERS)
        for name, score in scores.items():
            # HYP words that are in no run have no spaces between them.
            size_now = len(text.replace(" ", "")) if "S" in name and hyp else len(text)
            assert (score.errors, score.cor, score.sub) == (size_now, 0, 0), name
            assert score.optimal, name


@pytest.mark.parametrize("size", SIZES)
def test_a_page_of_words_without_a_hypothesis(size):
    lines = ["x " * 2**10] * (size // 2**10) + ["x " * (size % 2**10)]
    for gt, hyp in ((lines, []), ([], lines)):
        for name, score in pm.evaluate(gt, hyp, WORDS).items():
            assert (score.errors, score.cor, score.sub) == (size, 0, 0), name


def test_equal_pages_that_reach_the_limit_together():
    lines = ["x" * 1023] * 1024  # with a space between two lines, 2^20 - 1 tokens
    for name, score in pm.evaluate(lines, lines, CHARACTERS).items():
        assert (score.errors, score.cor) == (0, 1023 * 1024), name


def test_all_tokens_substituted_at_half_the_limit():
    """SUB is as large as it can be, in pages whose lines have nothing in common."""
    gt, hyp = ["x" * 2**8] * 2**11, ["y" * 2**8] * 2**11
    for name, score in pm.evaluate(gt, hyp, ["CER", "CER:R"]).items():
        assert (score.errors, score.sub, score.cor) == (2**19, 2**19, 0), name
    gt, hyp = ["x " * 2**8] * 2**11, ["y " * 2**8] * 2**11
    for name, score in pm.evaluate(gt, hyp, ["WER", "WER:R"]).items():
        assert (score.errors, score.sub, score.cor) == (2**19, 2**19, 0), name


@pytest.mark.parametrize("name", CHARACTERS)
def test_one_token_more_than_the_limit_is_an_error(name):
    with pytest.raises(pm.PagemeterError, match=f"more than {MOST_TOKENS}. Split them into pages"):
        pm.evaluate("x" * (MOST_TOKENS + 1), "", name)


# A subprocess evaluates and prints its peak memory, because the peak of this process includes other tests.
PEAK = """
import pagemeter as pm
try:
    result = pm.evaluate({gt}, {hyp}, {name!r}, effort=2)[{name!r}].errors
except pm.PagemeterError as error:
    result = error
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024, result)
"""


def peak_of(gt: str, hyp: str, name: str) -> tuple[int, str]:
    """Return the peak memory of one evaluation in MB, and its errors or its message."""
    code = PEAK.format(gt=gt, hyp=hyp, name=name)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    megabytes, result = done.stdout.strip().split(" ", 1)
    return int(megabytes), result


needs_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@needs_proc
@pytest.mark.parametrize(
    "name", ["CER:S", "WER", "BOW", *exhaustive("CER", "CER:R", "CER:RS", "WER:R", "WER:S", "WER:RS")]
)
def test_blank_lines_need_no_memory(name):
    megabytes, errors = peak_of("[''] * 100_000", "[''] * 100_000", name)
    assert errors == "0"
    assert megabytes < 300


@needs_proc
@pytest.mark.parametrize("name", ["CER:R", "CER", "CER:RS"])
def test_a_hundred_thousand_equal_lines_need_little_memory(name):
    megabytes, errors = peak_of("['x'] * 100_000", "['x'] * 100_000", name)
    assert errors == "0"
    assert megabytes < 400


@needs_proc
@pytest.mark.parametrize(
    ("gt", "hyp", "name"),
    [
        ("[str(i * i % 7) for i in range(50_000)]", "[str(i * 4 % 9) for i in range(50_000)]", "CER:R"),
        ("[f'a b{i}' for i in range(20_000)]", "[f'a c{i}' for i in range(20_000)]", "WER"),
        ("[f'{i:06} {i}' for i in range(20_000)]", "[f'{i:06} a{i}' for i in range(20_000)]", "CER"),
    ],
    ids=["R", "few common words", "many common characters"],
)  # fmt: skip
def test_tables_of_pairs_of_lines_have_a_limit(gt, hyp, name):
    megabytes, message = peak_of(gt, hyp, name)
    assert "needs more than 512 MB of memory" in message
    assert "Split them into pages" in message
    assert megabytes < 1000


@needs_proc
@pytest.mark.parametrize("name", ["WER:R", "WER", "WER:RS"])
def test_a_long_line_of_different_words_needs_little_memory(name):
    """The bit masks of all words at once would be quadratic: 1.2 GB."""
    line = "' '.join(f'{}' for i in range(100_000))"
    megabytes, errors = peak_of(line.format("w{i}"), line.format("w{i + 1}"), name)
    assert errors == "2"
    assert megabytes < 400


def test_the_distance_of_long_lines_of_different_words_is_right():
    """The masks of a long line are built in strips of 4096 tokens."""
    gt = [f"w{i}" for i in range(20_000)]
    hyp = list(gt)
    for place in (1, 4095, 4096, 8191, 8192, 15_000, 19_999):
        hyp[place] = "wrong"
    del hyp[9_000:9_010]
    score = pm.evaluate([" ".join(gt)], [" ".join(hyp)], "WER:R")["WER:R"]
    assert (score.errors, score.sub, score.ins, score.dels) == (17, 7, 10, 0)


def test_blank_lines_keep_the_numbers_of_the_other_lines():
    gt, hyp = ["", "ab cd", "", "", "ef"], ["", "", "ab cx", "ef", ""]
    for name in CHARACTERS:
        matches = pm.evaluate(gt, hyp, name)[name].matches
        assert [match.gt for match in matches] == [1, 4], name
    for name in ("CER", "CER:R"):
        assert [match.hyp_line for match in pm.evaluate(gt, hyp, name)[name].matches] == [2, 3], name
