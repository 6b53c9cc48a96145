"""The mutations of files keep the structure that they change, and the samples cover all formats."""

from __future__ import annotations

import json
import random

import pytest
from lxml import etree

import fuzz.seeds
from fuzz import mutation
from fuzz.mutation import json_mutated, lines_mutated, mutated, xml_mutated
from fuzz.seeds import seeds, seeds_of
from pagemeter.formats import formats

XML = b'<a x="1,2 3,4"><b y="7">one</b>two<c z="a"/><b/></a>'
JSON = b'{"lines": [{"text": "one", "n": 1}, "two", [1, 2.5]], "id": null}'


@pytest.mark.parametrize("known", [known.name for known in formats()])
def test_every_format_has_a_sample(known, monkeypatch):
    monkeypatch.setattr(fuzz.seeds, "FOLDERS", fuzz.seeds.FOLDERS[:1])
    assert seeds_of(known)


def test_changed_elements_are_well_formed():
    outputs = {xml_mutated(random.Random(seed), XML, XML) for seed in range(300)}
    assert len(outputs) > 200
    for output in outputs:
        etree.fromstring(output, etree.XMLParser(huge_tree=True))


def test_elements_with_characters_that_cannot_be_written_are_left_to_other_mutations():
    outputs = {xml_mutated(random.Random(seed), b"<a><b/>&#xD800;</a>", XML) for seed in range(50)}
    assert None in outputs


@pytest.mark.parametrize("change", mutation._XML_CHANGES, ids=lambda change: change.__name__)
def test_each_change_of_elements_has_an_effect(change):
    outputs = set()
    for seed in range(20):
        root = etree.fromstring(XML)
        change(random.Random(seed), list(root.iter()), b"<d><e/></d>")
        outputs.add(etree.tostring(root))
    assert outputs - {XML}


def test_changed_values_are_json():
    outputs = {json_mutated(random.Random(seed), JSON, JSON) for seed in range(300)}
    assert len(outputs) > 200
    parsed = 0
    for output in outputs:
        try:
            json.loads(output)
            parsed += 1
        except (ValueError, RecursionError):  # numbers that only look like JSON
            pass
    assert parsed > 0.8 * len(outputs)


def test_lines_are_moved_repeated_and_deleted():
    outputs = {lines_mutated(random.Random(seed), b"one\ntwo\nthree", b"four") for seed in range(100)}
    assert {len(output.split(b"\n")) for output in outputs} > {2, 3, 4}


def test_a_seed_gives_the_same_file():
    for name, data in seeds()[:10]:
        assert mutated(random.Random(name), data, XML) == mutated(random.Random(name), data, XML)
