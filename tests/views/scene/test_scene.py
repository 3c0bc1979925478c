"""The header of a scene: all that it has about a trace but its numbers."""

import json
from dataclasses import asdict
from functools import cache

import numpy as np
from blob_reader import unpacked
from claims import for_all
from shown_readings import in_both_languages
from shown_traces import STAGES, TRACES, many_patches, picture, plain
from shown_traces import sentence as of_words

from core import Trace, notation, rules
from core.around import residual
from views.figures.scale import scale_of
from views.figures.symbols import name_of, symbol_of
from views.scene.arrays import group_of
from views.scene.scene import is_sent_whole, scene
from views.text import GLOSSARY, LANGUAGES
from views.text.load import Template

EN = LANGUAGES["en"]
STEPS = ("tokens", "X", "masked", "dropped", "weights", "residual", "normalised")
BY_SAMPLE = [
    (name, key, sample)
    for name, key in STAGES
    for sample in range(max(stage.size("batch") for stage in TRACES[name]().values()))
]
AUDIO_CONSTANTS = {  # by hand: 16 000 samples a second, windows of 400 a hop of 160 apart
    "rate": "16\u202f000", "hop": 10, "width": 25, "beyond": 15, "apart": 40, "top": 8000,
    "compression": "10\u202f000", "sounding": 0.1, "offset": 400, "frequency": 201, "mel": 13,
}  # fmt: skip


@cache
def header_of(trace, key="weights", sample=0, head=0, code="en"):
    return unpacked(scene(trace(), key, sample, head, STEPS, LANGUAGES[code]))[0]


@for_all(("name", "key"), STAGES)
def test_every_stage_is_described_as_it_is(name, key):
    stage, data = TRACES[name]()[key], header_of(TRACES[name])["stages"][key]
    assert data["roles"] == list(stage.roles)
    assert data["shape"] == list(stage.tensor.shape)
    assert rules.from_data(data["rule"]) == stage.rule
    assert data["type"] == {"float32": "f4", "float64": "f8", "bool": "b1", "int64": "i8"}.get(
        stage.tensor.dtype.name, "i4"
    )
    described_as = TRACES[name]()[key].kind
    for part, expected in (("name", name_of(key)), ("symbol", symbol_of(key, described_as))):
        assert [tuple(piece) for piece in data[part]] == list(expected)


@for_all(("name", "key", "sample"), BY_SAMPLE)
def test_every_position_has_the_name_that_it_has_in_this_sample(name, key, sample):
    header = header_of(TRACES[name], sample=sample)
    for axis, number in zip(TRACES[name]()[key].axes, header["stages"][key]["names"], strict=True):
        if number is not None:
            assert tuple(header["names"][number]) == axis.names(sample)
        else:
            names = axis.names(sample)
            assert names is None or names == tuple(str(i + 1) for i in range(len(names)))


@for_all(("name", "key", "sample"), BY_SAMPLE)
def test_every_position_is_of_the_kind_that_it_has_in_this_sample(name, key, sample):
    header = header_of(TRACES[name], sample=sample)
    stage = header["stages"][key]
    assert stage["kind"] == TRACES[name]()[key].kind
    for axis, number in zip(TRACES[name]()[key].axes, stage["kinds"], strict=True):
        found = "" if number is None else header["kinds"][number]
        assert (found if isinstance(found, str) else tuple(found)) == axis.kinds_of(sample)


@for_all("trace", [*TRACES.values(), many_patches])
def test_each_list_of_names_is_sent_once(trace):
    lists = [tuple(names) for names in header_of(trace)["names"]]
    assert len(lists) == len(set(lists))


def test_a_small_trace_goes_whole():
    header = header_of(of_words)
    assert header["head"] is None
    assert set(header["drawings"]) == set(header["stages"]) == set(of_words())


@for_all("key", ["image", "X", "scores", "normalised"])
def test_of_a_large_trace_the_group_of_the_step_is_drawn_and_all_stages_are_described(key):
    header = header_of(many_patches, key, 0, 3)
    assert (header["head"], header["heads"]) == (None if key in ("image", "X") else 3, 4)
    assert set(header["drawings"]) == set(group_of(many_patches(), key))
    assert set(header["stages"]) == set(many_patches())


def test_another_head_sample_or_language_is_another_blob():
    made = [
        scene(many_patches(), "scores", 0, 0, STEPS, EN),
        scene(many_patches(), "scores", 0, 1, STEPS, EN),
        scene(of_words(), "scores", 0, 0, STEPS, EN),
        scene(of_words(), "scores", 1, 0, STEPS, EN),
        scene(of_words(), "scores", 1, 0, STEPS, LANGUAGES["zh"]),
    ]
    assert len({blob[:4] for blob in made}) == len(made)


@in_both_languages
def test_an_absent_step_says_why(words):
    steps = {step["key"]: step for step in header_of(plain, code=words.code)["steps"]}
    assert tuple(steps) == STEPS
    for key in STEPS:
        assert steps[key]["called"] == words.stages[key].name
        expected = "" if key in plain() else words.stages[key].absent
        noun = words.nouns["word"]
        assert steps[key]["absent"] == expected.replace("{token}", noun)
        assert bool(steps[key]["absent"]) == (key not in plain())


@in_both_languages
@for_all(("name", "key"), STAGES)
def test_what_a_step_does_is_sent_in_pieces_with_the_row_and_the_column_left_open(name, key, words):
    trace, header = TRACES[name](), header_of(TRACES[name], code=words.code)
    stage, texts = header["stages"][key], words.stages
    described = texts[TRACES[name]()[key].kind]
    noun = words.nouns[trace.token]
    sizes = {
        "d_k": trace["Q"].size("d_k") if "Q" in trace else 1,
        "heads": trace["Q"].size("head") if "Q" in trace else 1,
        "d_ff": trace["hidden"].size("d_ff") if "hidden" in trace else 1,
        "pair": trace["cos"].size("pair") if "cos" in trace else 1,
        "group": 2,  # 4 heads on 2
        "kv_heads": 2,
        "grouped_query": GLOSSARY[words.code].terms.grouped_query.called,
    }
    sizes |= AUDIO_CONSTANTS if noun == words.nouns["frame"] else {}
    says = described.does.replace("{token}", noun).replace("patchs", "patches")
    expected = Template(says).format(row="row", column="column", **sizes)
    text = "".join({"sup": "^", "sub": "_"}.get(role, "") + part for part, role in stage["does"])
    assert text == expected
    assert {part for part, role in stage["does"] if role == "{}"} == {
        side for side in ("row", "column") if "{" + side + "}" in described.does
    }
    assert stage["called"] == described.name


@for_all(("name", "key"), STAGES)
def test_a_stage_has_the_scale_of_its_figure(name, key):
    scale, data = scale_of(TRACES[name](), key), header_of(TRACES[name])["stages"][key]
    assert data["scale"] == asdict(scale) | {"ticks": list(scale.ticks)}
    assert len(data["ticks"]) == len(scale.ticks)


def test_only_the_ends_of_a_clipped_scale_say_that_there_are_values_beyond():
    X = np.random.default_rng(0).normal(size=(1, 5, 200))
    X[0, 0, 3] = 22_000
    axes = notation.axes("batch", "token", "d_model")
    given = [notation.given("X", X, axes), notation.given("output", -X, axes)]
    trace = Trace([*given, residual(*given)])
    ticks = unpacked(scene(trace, "X", 0, None, ("X",), EN))[0]["stages"]["X"]["ticks"]
    signs = [tick[0] if tick[0] in "≤≥" else "" for tick in ticks]
    assert signs == ["≤", *[""] * (len(scale_of(trace, "X").ticks) - 2), "≥"]


def test_a_weight_is_masked_where_the_masked_score_is():
    masked_by = {key: data["masked_by"] for key, data in header_of(of_words)["stages"].items()}
    assert {key for key, by in masked_by.items() if by} == {"weights", "dropped"}
    assert masked_by["weights"] == masked_by["dropped"] == "masked"
    assert not any(data["masked_by"] for data in header_of(plain)["stages"].values())


@in_both_languages
def test_the_words_around_the_figure_are_those_of_the_language(words):
    sent = header_of(of_words, code=words.code)["words"]
    microscope = json.loads(json.dumps(words.microscope.as_dict()))
    assert sent["microscope"] == microscope
    assert sent["opened"] == json.loads(json.dumps(words.opened.as_dict()))
    assert (sent["code"], sent["heads"]) == (words.code, words.viewer.heads)
    assert sent["head"].format(number=2) == {"en": "head 2", "zh": "头 2"}[words.code]
    assert sent["patch"].format(number=2) == "2"
    assert header_of(picture, code=words.code)["words"]["patch"] == words.image.patch_label


@for_all("trace", TRACES.values())
def test_a_scene_sent_whole_is_the_same_at_every_stage_and_head(trace):
    def anew(key, head):  # a trace of its own, which remembers nothing
        return unpacked(scene(Trace(trace().values()), key, 0, head, STEPS, EN))[0]

    first, *_, last = trace()
    heads = max(stage.size("head") for stage in trace().values())
    header = anew(first, 0)
    if is_sent_whole(trace()):
        assert header == anew(last, heads - 1)


def test_how_a_page_adds_an_absent_step_is_not_in_the_header_of_another_page():
    trace, described = plain(), EN.stages.masked | {"absent": "Switch it on at the left."}
    here = EN | {"stages": EN.stages | {"masked": described}}
    headers = [unpacked(scene(trace, "weights", 0, 0, STEPS, words))[0] for words in (EN, here, EN)]
    absent = [
        next(s["absent"] for s in header["steps"] if s["key"] == "masked") for header in headers
    ]
    assert absent[1] == described.absent != absent[0] == absent[2]
