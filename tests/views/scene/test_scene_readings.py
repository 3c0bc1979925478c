"""The reading of each stage, the data for it, and all templates."""

from functools import cache

import numpy as np
from blob_reader import unpacked
from claims import for_all
from shown_readings import in_both_languages
from shown_traces import D_V, STAGES, TRACES, many_patches, picture, sentence, sound

from core import Stage, Trace, scaled_dot_product_attention
from views.scene import readings
from views.scene.arrays import group_of
from views.scene.scene import scene
from views.text import LANGUAGES

ATTENTION = {
    "Q": "projection", "K": "projection", "V": "projection", "scores": "largest",
    "scaled": "shrinks", "masked": "allowed", "weights": "looks", "dropped": "dropped",
    "head_output": "takes", "concat": "from_head", "output": "contributions",
}  # fmt: skip
AFTER = ATTENTION | {"normalised": "shift"}
PREDICTION = {"logits": "largest", "probabilities": "largest"}
PIECES = {"patches": "unchanged", "flattened": "unchanged"}


def without(*keys: str) -> dict[str, str]:
    return {key: kind for key, kind in ATTENTION.items() if key not in keys}


READ = {
    "sentence": AFTER, "crossed": AFTER, "picture": AFTER | PIECES, "sound": ATTENTION,
    "plain": ATTENTION, "post-norm cross": AFTER,
    "post-norm feed-forward": {"normalised": "shift"}, "next word": PREDICTION, "patches": PIECES,
    "pre-norm self": ATTENTION | {"X": "shift"}, "pre-norm feed-forward": {"X": "shift"},
    "class": PREDICTION, "own words": {"X": "shift"}, "own patches": PIECES,
    "own distilled patches": PIECES, "own registered patches": PIECES, "own spaced patches": PIECES,
    "own normed patches": PIECES | {"X": "shift"}, "own scaled self": ATTENTION | {"X": "shift"},
    "own scaled gate": {"X": "shift"}, "own self": AFTER,
    "own causal self": ATTENTION | {"X": "shift"}, "own feed-forward": {"X": "shift"},
    "own rotary self": ATTENTION, "own changed self": ATTENTION,
    "own changed post-norm self": AFTER,
    "own sandwiched self": ATTENTION, "own next token": PREDICTION,
    "own offset entrance": {"X": "shift"}, "own sinusoids": {"X": "shift"},
    "own normed entrance": {"X": "shift"}, "own bias-free entrance": {"X": "shift"},
    "own unnormed self": ATTENTION, "own local self": ATTENTION | {"X": "shift"},
    "own biased gate": {"X": "shift"}, "own final norm": {"normalised": "shift"},
    "own bias-free norm": {"normalised": "shift"}, "today": AFTER, "half precision": AFTER,
    "own biased self": without("scaled", "masked"),
    "own biased and masked self": without("scaled"), "own scaled head": PREDICTION,
    "latent": without("K", "V"),
}  # fmt: skip


def header_of(trace, key="weights", code="en"):
    return unpacked(scene(trace, key, 0, 0, (), LANGUAGES[code]))[0]


@cache
def header_with(name, group):
    return header_of(TRACES[name](), group[-1])


@for_all(("name", "key"), STAGES)
def test_a_stage_has_the_reading_of_what_it_is(name, key):
    found = header_with(name, group_of(TRACES[name](), key))["stages"][key]
    assert found["reading"] == READ.get(name, {}).get(key)


def test_attention_that_is_handed_q_k_and_v_has_nothing_to_say_of_projections():
    handed = scaled_dot_product_attention(*np.ones((3, 1, 1, 2, 2)))
    stages = header_of(handed)["stages"]
    assert [stages[key]["reading"] for key in ("Q", "K", "V", "weights")] == [None] * 3 + ["looks"]


def test_a_reading_names_what_it_compares_with():
    stages = header_of(sentence())["stages"]
    of = {key: stage["facts"]["of"] for key, stage in stages.items() if "of" in stage["facts"]}
    assert of == {
        "scaled": "scores", "weights": "masked", "dropped": "weights", "head_output": "dropped",
        "normalised": "residual",
    }  # fmt: skip
    assert [stages[key]["facts"] for key in ("concat", "output")] == [{"d_v": D_V}] * 2
    before = {
        name: header_of(TRACES[name](), "X")["stages"]["X"]["facts"]
        for name in ("pre-norm self", "own words")
    }
    assert before == {"pre-norm self": {"of": "stream"}, "own words": {"of": "summed"}}
    bare = header_of(TRACES["plain"]())["stages"]
    assert [bare[key]["facts"]["of"] for key in ("weights", "head_output")] == ["scaled", "weights"]


def test_a_stage_whose_numbers_are_not_sent_has_no_reading():
    front, after = (header_of(sound(), key)["stages"] for key in ("X", "scores"))
    assert (front["scores"]["reading"], after["scores"]["reading"]) == (None, "largest")
    assert front["Q"] | {"reading": None, "facts": {}} == front["Q"]


def test_how_far_projections_lie_apart_is_found_once_for_all_samples_and_heads(monkeypatch):
    stages, changed = dict(sentence()), sentence()["K"].tensor.copy()
    changed[1, 2, 3, 4] += 0.25
    K = sentence()["K"]
    stages["K"] = Stage("K", K.formula, changed, K.axes, K.rule)
    trace = Trace(stages.values())
    assert header_of(trace)["stages"]["K"]["facts"] == {"difference": "0.25"}
    monkeypatch.setattr(np, "stack", None)
    assert header_of(trace)["stages"]["K"]["facts"] == {"difference": "0.25"}


@in_both_languages
def test_a_template_is_cut_where_something_is_filled_in(words):
    found = header_of(sentence(), code=words.code)["words"]["reading"]
    joined = {
        name: "".join(f"{{{text}}}" if role == "{}" else text for text, role in pieces)
        for name, pieces in found.items()
    }
    reading = vars(words.reading)
    assert joined.pop("takes") == reading["takes"].replace("{token}", words.nouns["word"])
    assert joined.pop("filling") == reading["is_padding"]
    assert joined.pop("same_numbers") == words.viewer.same_numbers
    assert joined == {name: reading[name] for name in joined}
    assert {*reading} - {*joined} == {"takes", "is_padding", "is_silence"}


@in_both_languages
def test_noun_and_padding_are_those_of_the_trace(words):
    pieces = {
        of: header_of(of(), "scores", words.code)["words"]["reading"]
        for of in (picture, many_patches, sound)
    }
    silence = readings.templates(sound(), words)["filling"]
    assert (
        [*map(tuple, pieces[sound]["filling"])]
        == silence
        != readings.templates(picture(), words)["filling"]
    )
    for of, noun in ((picture, "patch"), (many_patches, "patch"), (sound, "frame")):
        assert words.nouns[noun] in "".join(text for text, _ in pieces[of]["takes"])
