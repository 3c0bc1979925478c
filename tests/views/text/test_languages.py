"""Texts have the placeholders that code fills in, in both languages."""

import re
import tomllib
from functools import cache
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from all_texts import leaves
from claims import for_all
from shown_traces import BACKWARDS, TRACES

from core import Trace, masks, trace_of
from core.models.families import FAMILIES
from core.rules import Given
from core.sources import audio
from views.figures.symbols import SYMBOLS
from views.navigation import PAGES
from views.scene.audio_constants import AUDIO_CONSTANTS
from views.scene.naming import stage_words, words_key
from views.scene.scene import SPECTRUM
from views.text import CHECKPOINT, LANGUAGES, words_beside

AUDIO = words_beside(PAGES["audio"])

ZH, EN = LANGUAGES["zh"], LANGUAGES["en"]


def names_in(template: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(template) if name is not None)


TEXTS = {code: dict(leaves(words)) for code, words in LANGUAGES.items()}
MICROSCOPE = re.compile(r"\.(microscope|head_pattern)\b")


@cache
def shown() -> list[tuple[Trace, str]]:
    """Every step of every trace."""
    return [(made(), key) for made in (TRACES | BACKWARDS).values() for key in made()]


@cache
def worded() -> set[tuple[str, str]]:
    """The kinds of tokens, each with the keys of its steps' words."""
    return {(trace.token, words_key(trace, key)) for trace, key in shown()}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_name_in_a_text_is_a_plain_word(code):
    for path, text in TEXTS[code].items():
        for name in names_in(text):
            assert name.isidentifier(), f"{path}: {{{name}}}"


@for_all("code", LANGUAGES)
def test_every_step_has_words(code):
    for trace, key in shown():
        words = stage_words(trace, key, LANGUAGES[code])
        assert all(text.strip() for text in (words.name, words.title, words.does)), key


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_of_a_step_belongs_to_a_step_of_some_trace(code):
    words = LANGUAGES[code]
    used = [stage_words(trace, key, words) for trace, key in shown()]
    assert [key for key, about in words.stages.items() if about not in used] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_text_of_a_step_has_only_the_fields_that_the_viewer_fills_in(code):
    of_others = {key for token, key in worded() if token != "frame"}
    of_frames_alone = {key for _, key in worded()} - of_others
    filled = {"row", "column", "d_k", "d_ff", "heads", "group", "pair", "token"}
    filled |= {"kv_heads", "grouped_query"}
    for key, words in LANGUAGES[code].stages.items():
        of_frames = {*AUDIO_CONSTANTS, *SPECTRUM} if key in of_frames_alone else set()
        assert set(names_in(words.does)) <= filled | of_frames
        assert set(names_in(words.get("absent", ""))) <= {"token"}
        assert not names_in(words.name)
        # A title is no template: its formulas have braces of their own.
        assert set(re.findall(r"{(\w+)}", re.sub(r"\$.+?\$", "", words.title))) <= {"token"}


FILLED_IN = {  # by the browser and by views.scene.readings; the other texts stand as they are
    ".microscope.unused": {"count"},
    ".microscope.more": {"terms"},
    ".microscope.find_lookers": {"key"},
    ".microscope.pin": {"head"},
    ".head_pattern.itself": {"value"},
    ".head_pattern.previous": {"value"},
    ".head_pattern.following": {"value"},
    ".head_pattern.special": {"value"},
    ".head_pattern.one": {"key", "value"},
    ".head_pattern.along": {"value", "reached", "keys"},
    ".head_pattern.broadly": {"percent"},
    ".head_pattern.mixed": {"value"},
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_texts_of_the_microscope_and_head_patterns_have_the_expected_fields(code):
    ours = {path: text for path, text in TEXTS[code].items() if MICROSCOPE.match(path)}
    named = {path: set(names_in(text)) for path, text in ours.items() if names_in(text)}
    assert named == FILLED_IN


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_kind_of_token_has_a_noun(code):
    nouns = LANGUAGES[code].nouns
    assert set(nouns) == {"word", "piece", "patch", "frame"}
    assert len({nouns[kind] for kind in ("word", "patch", "frame")}) == 3


def test_a_title_has_the_same_formulas_in_both_languages():
    for key in {key for _, key in worded()}:
        zh, en = (re.findall(r"\$.+?\$", words.stages[key].title) for words in (ZH, EN))
        assert zh == en, key


@for_all("code", LANGUAGES)
@for_all("key", ["sequence", "position", "masked", "dropped", "output", "residual", "normalised"])
def test_a_step_that_may_be_absent_says_why(code, key):
    assert LANGUAGES[code].stages[key].absent.strip()


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_kind_of_given_number_is_explained(code):
    sound = audio.embed(np.linspace(-1, 1, 331), 16_000, 5, seed=3)
    kinds = {
        stage.rule.what
        for trace in (sound, trace_of(np.eye(2)), *(made() for made in TRACES.values()))
        for stage in trace.values()
        if isinstance(stage.rule, Given)
    }
    assert kinds == set(LANGUAGES[code].opened.given)


def test_every_symbol_belongs_to_a_step_or_a_parameter_of_some_trace():
    assert set(SYMBOLS) <= {key for _, key in worded()}


def test_the_named_model_types_are_those_that_can_be_opened():
    assert {*CHECKPOINT["en"].called} == {*FAMILIES}


@for_all("code", LANGUAGES)
def test_a_mask_that_is_offered_is_one_of_the_core_and_all_its_controls_have_words(code):
    for texts in (LANGUAGES[code].mask, AUDIO[code].mask):
        assert texts.options.keys() <= masks.CHOICES.keys()
        assert not texts.options.keys() & {*masks.WINDOWED} or {"window", "window_help"} <= {*texts}


ROOT = Path(__file__).parents[3]
KEYS_OF_WORDS = [key for key in ZH.stages if re.fullmatch(r"[a-z]+(_[a-z]+)+", key)]
IDENTIFIERS = re.compile(rf"(?<!\w)({'|'.join(KEYS_OF_WORDS)})(?!\w)")


def test_no_sentence_contains_the_key_of_a_stage():
    files = [*ROOT.glob("views/text/*.toml"), *ROOT.glob("pages/**/*.toml")]
    found = [
        (file.name, text)
        for file in files
        for _, text in leaves(tomllib.loads(file.read_text("utf-8")))
        if IDENTIFIERS.search(text) and not IDENTIFIERS.fullmatch(text)
    ]
    assert len(files) > 40
    assert found == []
