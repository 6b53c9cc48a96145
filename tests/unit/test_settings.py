"""Settings and their signature."""

from __future__ import annotations

import math
import pickle
from dataclasses import fields
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter.corpus import MeasureSelection, RunConfig
from pagemeter.errors import FormatError, InputError, UsageError
from pagemeter.settings import EFFORTS, SETTING_CHOICES, STRIPPABLE, TOKENISERS, Settings
from pagemeter.signature import LINE_TYPE_SETTINGS
from pagemeter.text import TextMapping


def cut(text: str) -> list[str]:
    return text.split("-")


def other_cut(text: str) -> list[str]:
    return text.split("+")


class Cutter:
    """A callable that is not a function."""

    def __call__(self, text: str) -> list[str]:
        return text.split()


def signature_of(**settings) -> dict[str, str]:
    return dict(part.split(":", 1) for part in Settings(**settings).signature.split("|"))


class TestFields:
    def test_american_spellings_are_accepted(self):
        american, british = (
            {"normalize": "NFKC", "tokenizer": "uax29"},
            {"normalise": "NFKC", "tokeniser": "uax29"},
        )
        assert Settings(**american) == Settings().with_(**american) == Settings(**british)
        assert pm.evaluate("ﬁn", "fin", "CER", **american)["CER"].errors == 0
        assert pm.cer("ﬁn", "fin", normalize="NFKC") == 0.0
        with pytest.raises(UsageError, match="normalize and normalise are the same setting"):
            Settings(normalize="NFC", normalise="NFD")

    def test_the_defaults_change_nothing_but_unicode_form_and_white_space(self):
        found = {f.name: getattr(Settings(), f.name) for f in fields(Settings)}
        assert found == {
            "solver": "exact",
            "unit": "grapheme",
            "mapping": None,
            "normalise": "NFC",
            "keep_lines": None,
            "drop_lines": None,
            "hyphens": "keep",
            "case": "keep",
            "strip": (),
            "only": "all",
            "whitespace": "collapse",
            "line_end": "counted",
            "boundaries": "scripts",
            "tokeniser": "whitespace",
            "line_pairs": "any",
            "threshold": 0.0,
            "effort": "default",
            "time_limit": None,
            **dict.fromkeys(LINE_TYPE_SETTINGS, ()),
            "partial": False,
            "gap": None,
            "unclear": "text",
            "supplied": "file",
            "wildcard": None,
            "gap_pattern": None,
            "counts": "canonical",
            "denominator": "gt",
            "average": "micro",
            "empty": "inf",
            "preset": None,
        }

    @pytest.mark.parametrize("name", SETTING_CHOICES)
    def test_an_unknown_choice_is_named_with_those_known(self, name):
        with pytest.raises(UsageError, match=f"{name}='nonsense'.*Use one of {SETTING_CHOICES[name][0]}"):
            Settings(**{name: "nonsense"})

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"normalise": "NFCC"}, "did you mean NFC"),
            ({"normalise": "nfcc"}, "did you mean NFC"),
            ({"tokeniser": "uax39"}, "did you mean uax29"),
            (
                {"tokeniser": None},
                "Use one of whitespace, space, uax29, punctuation, dinglehopper, isri, or a callable",
            ),
            ({"strip": "punctation"}, "did you mean punctuation"),
            ({"strip": ("digits", "vowels")}, "strip='vowels'"),
            ({"threshold": 1}, "a share from 0 to below 1"),
            ({"threshold": math.nan}, "a share from 0 to below 1"),
            ({"threshold": "a"}, "threshold='a': not a number"),
            ({"time_limit": -1}, "0 or more"),
            ({"time_limit": math.nan}, "0 or more"),
            ({"time_limit": "soon"}, "time_limit='soon': not a number"),
            ({"effort": -1}, "0 or more"),
            ({"effort": math.nan}, "0 or more"),
            ({"effort": "defualt"}, "did you mean default"),
            ({"effort": None}, "Use one of quick, default, thorough, exhaustive, or a number"),
            ({"drop_lines": "("}, r"drop_lines='\('.*position 1.*Correct the regular expression"),
            ({"keep_lines": ""}, "keep_lines: .*not empty"),
            ({"keep_lines": 3}, "keep_lines=3"),
            ({"strip": 3}, "strip=3: give one or several of diacritics"),
            ({"strip": [3]}, r"strip='\[3\]': give one or several of diacritics"),
            ({"mapping": 3}, "cannot make a mapping of int"),
        ],
    )
    def test_a_value_without_meaning_is_refused_with_a_remedy(self, settings, message):
        with pytest.raises(UsageError, match=message):
            Settings(**settings)

    def test_strip_is_a_set_in_any_form(self):
        expected = ("digits", "punctuation")
        for given in ("punctuation, digits", ["punctuation", "digits"], ("digits", "digits,punctuation")):
            assert Settings(strip=given).strip == expected

    def test_choices_may_be_given_in_any_case(self):
        assert Settings(normalise="nfc", solver="EXACT", strip="Digits", tokeniser="UAX29") == Settings(
            strip="digits", tokeniser="uax29"
        )

    def test_numbers_given_as_integers_are_kept_as_floats(self):
        assert signature_of(time_limit=2**53 + 1)["time_limit"] == "9007199254740992"

    def test_an_unknown_setting_suggests_the_nearest(self):
        with pytest.raises(UsageError, match=r"unknown setting 'normalisation'.*did you mean normalise"):
            Settings().with_(normalisation="NFD")

    def test_settings_can_be_sent_to_another_process(self):
        settings = Settings(mapping="long-s", strip="digits", drop_lines="^x")
        assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301


class TestMappings:
    def test_names_files_and_dictionaries_make_one_mapping_in_their_order(self, tmp_path):
        file = tmp_path / "own.tsv"
        file.write_text("a\tb\n")
        found = Settings(mapping=["ligatures", file, {"x": "y"}]).mapping
        assert [table.kind for table in found.tables] == ["bundled", "file", "custom"]

    def test_an_empty_mapping_is_none(self):
        assert Settings(mapping=[]).mapping is None
        assert Settings(mapping=[]) == Settings()


class TestSignature:
    def test_a_signature_has_the_settings_in_the_order_of_the_pipeline(self):
        names = list(signature_of())
        assert names == [*(f.name for f in fields(Settings) if f.name != "preset"), "version"]
        pipeline = names[names.index("mapping") : names.index("tokeniser") + 1]
        assert pipeline == [
            "mapping", "normalise", "keep_lines", "drop_lines", "hyphens", "case", "strip", "only",
            "whitespace", "line_end", "boundaries", "tokeniser",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        "settings",
        [
            *(
                {name: value, "gap": 9}
                for name, known in SETTING_CHOICES.items()
                for value in known
                if name != "solver"
            ),
            *({"solver": value} for value in SETTING_CHOICES["solver"]),
            {"wildcard": "[?]", "gap_pattern": "[.]{3}", "gap": 7},
            *({"tokeniser": name} for name in TOKENISERS),
            *({"strip": kind} for kind in STRIPPABLE),
            {"strip": STRIPPABLE},
            {"threshold": 0.1},
            {"threshold": 1 / 3},
            {"time_limit": math.inf},
            *({"effort": effort} for effort in (*EFFORTS, 0, 0.1, 3, math.inf)),
            {"time_limit": 1e-9},
            {"mapping": ["ligatures", "long-s"]},
            {"keep_lines": r"^[A-Z]\w+: \d{1,3}|ä%|\x27'\"`"},
            {"drop_lines": "none"},
            {"drop_lines": "%6Eone"},
            {"drop_lines": "a\tb\nc\u2028d\ue000😀"},
        ],
    )
    def test_a_signature_restores_the_settings(self, settings):
        made = Settings(**settings)
        assert Settings.from_signature(made.signature) == made
        assert Settings.from_signature(f"  {made.signature}\n") == made

    def test_a_signature_is_one_ascii_word_that_fits_between_single_quotes(self):
        line = Settings(keep_lines="it's | a: 'ü'\n").signature
        assert line.isascii()
        assert line.isprintable()
        assert not set(line) & set(" '\"")

    def test_common_expressions_stay_readable(self):
        assert signature_of(drop_lines=r"^\d+$")["drop_lines"] == r"^\d+$"

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("solver", "'solver' is not of the form name:value"),
            ("", "'' is not of the form"),
            ("case:fold|case:keep", "case is given twice"),
            ("cases:fold", "unknown setting 'cases'.*did you mean case"),
            ("case:bold", "did you mean fold"),
            ("threshold:much", "threshold='much': not a number"),
            ("strip:vowels", "strip='vowels'"),
            ("mapping:long-s", "'long-s' is not of the form name@digest"),
            ("mapping:long-s@00000000", "not those of the signature"),
        ],
    )
    def test_a_line_that_is_not_a_signature_is_an_error(self, line, message):
        with pytest.raises((UsageError, InputError), match=message):
            Settings.from_signature(line)

    def test_the_signature_of_a_run_has_its_settings(self):
        config = RunConfig(MeasureSelection.of(["CER"]), Settings(case="fold"), skip_missing=True)
        assert Settings.from_signature(f"{config.signature}\n") == config.settings

    def test_a_setting_before_the_first_is_not_a_part_of_a_run(self):
        with pytest.raises(UsageError, match="case is given twice"):
            Settings.from_signature(f"case:fold|{Settings().signature}")

    def test_settings_missing_in_a_line_have_their_defaults(self):
        assert Settings.from_signature("case:fold") == Settings(case="fold")


class TestMappingsInSignatures:
    @pytest.fixture
    def file(self, tmp_path) -> Path:
        path = tmp_path / "a map|of: ünusual, custom(names)@1.tsv"
        path.write_text("ꝛ\tr\n", encoding="utf-8")
        return path

    def test_a_file_is_named_with_a_digest_and_read_again(self, file):
        made = Settings(mapping=file)
        assert Settings.from_signature(made.signature) == made
        assert made.signature.split("mapping:")[1].split("|")[0].endswith(f"@{made.mapping.tables[0].digest}")

    def test_a_file_whose_rules_have_changed_is_refused(self, file):
        line = Settings(mapping=file).signature
        file.write_text("ꝛ\tx\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"not those of the signature.*Restore the file"):
            Settings.from_signature(line)

    def test_comments_and_the_order_of_rules_may_change(self, file):
        file.write_text("a\tb\nc\td\n", encoding="utf-8")
        made = Settings(mapping=file)
        file.write_text("# more to say\nc\td\na\tb\n", encoding="utf-8")
        assert Settings.from_signature(made.signature).mapping.label == made.mapping.label

    def test_a_missing_file_is_named(self, file):
        line = Settings(mapping=file).signature
        file.unlink()
        with pytest.raises(InputError, match="the mapping of this signature does not exist"):
            Settings.from_signature(line)

    def test_a_file_with_a_wrong_rule_is_named_with_its_line(self, file):
        line = Settings(mapping=file).signature
        file.write_text("no rule\n")
        with pytest.raises(FormatError, match=r"\.tsv: line 1: 'no rule' has no TAB"):
            Settings.from_signature(line)

    def test_a_file_with_the_name_of_a_bundled_mapping_is_another_mapping(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("long-s").write_text("s\tſ\n", encoding="utf-8")
        made = Settings(mapping=Path("long-s"))
        assert made.mapping.apply("s") == "ſ"
        assert Settings.from_signature(made.signature) == made
        assert Settings(mapping="long-s").mapping.apply("ſ") == "s"

    def test_rules_made_in_python_are_named_but_must_be_passed(self):
        mapping = TextMapping.from_rules({"a": "b"}, name="my rules")
        line = Settings(mapping=mapping).signature
        assert f"mapping:custom(my%20rules)@{mapping.tables[0].digest}|" in line
        with pytest.raises(UsageError, match=r"custom\(my%20rules\).*cannot be restored.*mapping="):
            Settings.from_signature(line)
        assert Settings.from_signature(line, mapping=mapping) == Settings(mapping=mapping)

    def test_other_rules_than_those_of_the_signature_are_refused(self):
        line = Settings(mapping=TextMapping.from_rules({"a": "b"})).signature
        with pytest.raises(UsageError, match="the mapping given is"):
            Settings.from_signature(line, mapping=TextMapping.from_rules({"a": "c"}))
        with pytest.raises(UsageError, match="it has mapping:none"):
            Settings.from_signature(Settings().signature, mapping=TextMapping.of("long-s"))


class TestTokenisersInSignatures:
    def test_a_callable_is_named_with_a_digest_of_its_source(self):
        shown = signature_of(tokeniser=cut)["tokeniser"]
        assert shown.startswith("custom(")
        assert ".cut)@" in shown
        assert shown == signature_of(tokeniser=cut)["tokeniser"]
        assert shown.partition("@")[2] != signature_of(tokeniser=other_cut)["tokeniser"].partition("@")[2]

    @pytest.mark.parametrize("tokeniser", [str.split, Cutter(), eval("lambda text: text.split()"), len])  # noqa: S307
    def test_every_kind_of_callable_can_be_named(self, tokeniser):
        assert signature_of(tokeniser=tokeniser)["tokeniser"].startswith("custom(")

    def test_it_must_be_passed_to_be_restored(self):
        line = Settings(tokeniser=cut).signature
        with pytest.raises(UsageError, match=r"tokeniser custom\(.*cannot be restored.*tokeniser="):
            Settings.from_signature(line)
        assert Settings.from_signature(line, tokeniser=cut) == Settings(tokeniser=cut)
        with pytest.raises(UsageError, match="the tokeniser given is"):
            Settings.from_signature(line, tokeniser=other_cut)
