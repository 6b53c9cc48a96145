"""`pagemeter.compat.jiwer` and the preset give what jiwer itself gives."""

from __future__ import annotations

import random
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pagemeter as pm
from pagemeter.compat import jiwer as ours

jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed", exc_type=ImportError)

RATES = ("cer", "wer", "mer", "wil", "wip")
TRANSFORMS = ("wer_default", "wer_contiguous", "wer_standardize", "wer_standardize_contiguous")
text = st.text(st.sampled_from("ab* \t\n"), max_size=20) | st.text(st.sampled_from("abcd "), max_size=40)
spoken = st.text(st.sampled_from("aAn't 's<[>]. \n"), max_size=30)
pairs = st.lists(st.tuples(text, text), min_size=1, max_size=3)


def sides(pairs):
    return [one for one, _ in pairs], [other for _, other in pairs]


@given(pairs)
def test_rates_are_equal(pairs):
    for name in RATES:
        assert getattr(ours, name)(*sides(pairs)) == getattr(jiwer, name)(*sides(pairs))


@given(st.text(st.sampled_from("abä\u0308 \t\n\u00a0\u2028"), max_size=25), text)
def test_the_preset_gives_the_numbers_of_jiwer(gt, hyp):
    peer = pm.evaluate(gt, hyp, preset="jiwer").peer
    words, characters = jiwer.process_words(gt, hyp), jiwer.process_characters(gt, hyp)
    for name in ("hits", "substitutions", "deletions", "insertions"):
        assert peer[name] == getattr(words, name)
        assert peer[f"character {name}"] == getattr(characters, name)
    for name in ("wer", "mer", "wil", "wip"):
        assert peer[name] == pytest.approx(getattr(words, name))
    assert peer["cer"] == pytest.approx(characters.cer)


@given(pairs, st.sampled_from(["process_words", "process_characters"]))
def test_alignments_and_counts_are_equal(pairs, name):
    assert asdict(getattr(ours, name)(*sides(pairs))) == asdict(getattr(jiwer, name)(*sides(pairs)))


@given(pairs, st.booleans(), st.booleans(), st.sampled_from([None, 5, 20]))
def test_alignments_look_alike(pairs, measures, skip, width):
    for name in ("process_words", "process_characters"):
        drawn = (
            one.visualize_alignment(getattr(one, name)(*sides(pairs)), measures, skip, width)
            for one in (ours, jiwer)
        )
        assert len(set(drawn)) == 1


@given(pairs, st.sampled_from([None, 1, 2]))
def test_error_counts_are_equal(pairs, top):
    for name in ("process_words", "process_characters"):
        outputs = [(one, getattr(one, name)(*sides(pairs))) for one in (ours, jiwer)]
        first, second = (tuple(map(dict, one.collect_error_counts(output))) for one, output in outputs)
        assert first == second
        assert len({one.visualize_error_counts(output, top_k=top) for one, output in outputs}) == 1


@given(st.lists(spoken, max_size=3))
def test_transforms_return_the_same(texts):
    arguments = {"SubstituteRegexes": ({"a+": "b"},), "SubstituteWords": ({"a": "c"},)}
    arguments["RemoveSpecificWords"] = (["a", "n"],)
    for name in ours.transforms.__all__:
        if name[0].isupper() and name not in ("AbstractTransform", "Compose"):
            first, second = (getattr(one, name)(*arguments.get(name, ())) for one in (ours, jiwer))
            assert first(list(texts)) == second(list(texts)), name
            assert [first(one) for one in texts] == [second(one) for one in texts], name


@given(spoken, spoken, st.sampled_from(TRANSFORMS))
def test_ready_transforms_return_the_same(one, other, name):
    first, second = (getattr(module, name)([one, other]) for module in (ours, jiwer))
    assert first == second


@pytest.mark.parametrize(
    ("gt", "hyp", "letters"),
    [
        (3000, 2900, "abcd"),  # a table of more than a megabyte is divided
        (6500, 6500, "abcdefgh"),
        (64, 40000, "ab"),  # texts with few tokens on one side are not divided
        (65, 40000, "ab"),
        (40000, 9, "ab"),
        (40000, 10, "ab"),
    ],
)
def test_long_texts_are_divided_as_by_rapidfuzz(gt, hyp, letters):
    draw = random.Random(gt + hyp)
    texts = ["".join(draw.choices(letters, k=length)) for length in (gt, hyp)]
    assert asdict(ours.process_characters(*texts)) == asdict(jiwer.process_characters(*texts))
    assert ours.cer(*texts) == jiwer.cer(*texts)


def test_everything_public_is_there():
    public = {name for name in dir(jiwer) if not name.startswith("_")}
    modules = {"alignment", "measures", "name", "process", "transformations", "transforms"}
    assert public - modules == set(ours.__all__)
