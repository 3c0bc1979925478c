"""The header of a scene: all that it has about a trace but its numbers."""

import json
from dataclasses import asdict
from functools import cache

import pytest
from blob_reader import unpacked
from claims import for_all
from shown_readings import in_both_languages
from shown_traces import LINES, STAGES, TRACES, crossed, many_patches, picture, plain
from shown_traces import sentence as of_words

from core import Trace, rules
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
LEARNT_NORM = {"normalised": "learnt_norm"}
FEED_FORWARD = {"output": "feed_forward_output"}
PRE_NORM = {"X": "normed_stream", "residual": "pre_norm_residual"}
PRE_RMS = {"gamma": "rms_gamma", "X": "rms_stream", "residual": "pre_norm_residual"}
PATCHES = (
    "picture", "patches", "pre-norm self", "pre-norm feed-forward", "class", "own patches",
    "own distilled patches", "own registered patches", "own spaced patches",
    "own normed patches", "own scaled self", "own scaled gate",
)  # fmt: skip
OWN = (
    "own words", "own entrance", "own self", "own causal self", "own feed-forward",
    "own unplaced entrance", "own scaled vectors", "own rotary self", "own sandwiched self",
    "own changed self", "own changed post-norm self",
    "own gated feed-forward", "own next token",
    "own offset entrance", "own sinusoids", "own normed entrance", "own bias-free entrance",
    "own unnormed self", "own local self", "own biased gate", "own final norm",
    "own bias-free norm", "own biased self", "own biased and masked self",
    "own entrance by distance", "own bias-free feed-forward", "own last RMSNorm", "own scaled head",
    "own sines first",
)  # fmt: skip
OF = {
    **dict.fromkeys(PATCHES, "patch"),
    **dict.fromkeys(OWN, "piece"),
    "sound": "frame",
    "own sound": "frame",
}
OF_FRAMES = {
    "W_E": "sound_matrix",
    "embedding": "sound_projection",
    "position": "sound_position",
    "key_mask": "sounding",
}
AUDIO_CONSTANTS = {  # by hand: 16 000 samples a second, windows of 400 a hop of 160 apart
    "rate": "16\u202f000", "hop": 10, "width": 25, "beyond": 15, "apart": 40, "top": 8000,
    "compression": "10\u202f000", "sounding": 0.1, "offset": 400, "frequency": 201, "mel": 13,
}  # fmt: skip
OWN_WORDS = {
    "tokens": "own_tokens", "E": "own_table", "embedding": "own_vectors",
    "position": "own_position",
}  # fmt: skip
SHARED = {"K": "shared_keys", "V": "shared_values", "K_rotated": "shared_rotated_keys"}
OTHERWISE = {
    "sound": OF_FRAMES,
    "picture": {"embedding": "projection"},
    "source": {"E": "learnt_table", "embedding": "scaled_vectors"},
    "post-norm cross": LEARNT_NORM,
    "post-norm feed-forward": LEARNT_NORM | FEED_FORWARD | {"X": "feed_forward_input"},
    "next word": {"X": "last_vectors"},
    "patches": {
        "W_E": "learnt_projection",
        "embedding": "projection",
        "cls": "learnt_cls",
        "position": "learnt_position",
    },
    "pre-norm self": PRE_NORM,
    "pre-norm feed-forward": PRE_NORM | FEED_FORWARD,
    "class": {"X": "last_vectors"},
    "own words": OWN_WORDS | {"X": "normed_sum"},
    "own entrance": OWN_WORDS | {"X": "own_entrance"},
    "own self": LEARNT_NORM | {"X": "own_stream"},
    "own causal self": PRE_NORM,
    "own feed-forward": PRE_NORM | FEED_FORWARD,
    "own unplaced entrance": OWN_WORDS | {"X": "unplaced_entrance"},
    "own sandwiched self": PRE_RMS | SHARED,
    "own scaled vectors": OWN_WORDS | {"embedding": "scaled_vectors", "X": "unplaced_entrance"},
    "own shares": {"gamma": "rms_gamma"},
    "own changed self": PRE_RMS | SHARED,
    "own changed post-norm self": LEARNT_NORM | {"X": "patched_input"},
    "own rotary self": PRE_RMS | SHARED,
    "own gated feed-forward": PRE_RMS | {"hidden": "gated", "output": "gated_output"},
    "own next token": {"gamma": "rms_gamma", "X": "rms_stream", "logits": "plain_logits"},
}
BIAS_FREE = {"X": "bias_free_normed_stream", "residual": "pre_norm_residual"}
OTHERWISE |= {
    "own offset entrance": OWN_WORDS
    | {"position": "offset_position", "segment": "only_segment", "X": "normed_sum"},
    "own sinusoids": OWN_WORDS
    | {"position": "stored_sinusoids", "summed": "placed_sum", "X": "normed_sum"},
    "own normed entrance": OWN_WORDS | {"X": "normed_vectors"},
    "own bias-free entrance": OWN_WORDS | {"X": "bias_free_normed_vectors"},
    "own unnormed self": {"X": "unnormed_stream", "residual": "pre_norm_residual"},
    "own local self": BIAS_FREE,
    "own biased gate": BIAS_FREE
    | {"gate": "gelu_gate", "hidden": "geglu", "output": "gated_output"},
    "own final norm": {"X": "last_vectors", "normalised": "final_norm"},
    "own bias-free norm": {"X": "last_vectors", "normalised": "bias_free_norm"},
}
OTHERWISE["today"] = OTHERWISE["half precision"] = {
    **SHARED,
    "weights": "sink_weights",
}
OTHERWISE["latent"] = {"K": "latent_keys", "V": "latent_values"}
OTHERWISE["own patches"] = OTHERWISE["patches"] | {
    "image": "own_image",
    "embedding": "own_projection",
    "X": "own_entrance",
}
OTHERWISE |= {
    "own distilled patches": OTHERWISE["own patches"] | {"sequence": "distilled_sequence"},
    "own registered patches": OTHERWISE["own patches"]
    | {"sequence": "registered_sequence", "position": "interpolated_position"},
    "own spaced patches": OTHERWISE["own patches"]
    | {"sequence": "registered_sequence", "position": "spaced_position"},
    "own normed patches": OTHERWISE["patches"] | {"image": "own_image", "X": "normed_sum"},
    "own sound": {
        "silence": "long_silence", "padded": "mirrored", "log_mel": "log10_mel", "level": "feature",
        "embedding": "convolved", "position": "stored_times", "X": "own_entrance",
    },
    "own biased self": PRE_RMS
    | {"bias": "relative_bias", "scaled": "unscaled", "masked": "biased"},
    "own biased and masked self": PRE_RMS
    | {"bias": "relative_bias", "scaled": "unscaled", "masked": "biased_and_masked"},
    "own sines first": OWN_WORDS
    | {"embedding": "scaled_vectors", "position": "sines_first", "X": "own_entrance"},
    "own entrance by distance": OWN_WORDS | {"X": "entrance_by_distance"},
    "own bias-free feed-forward": PRE_RMS
    | {"hidden": "bias_free_hidden", "output": "bias_free_output"},
    "own last RMSNorm": {"X": "last_vectors", "gamma": "rms_gamma", "normalised": "rms_norm"},
    "own scaled head": {"gamma": "rms_gamma", "X": "rms_stream", "logits": "plain_logits"},
    "own scaled self": PRE_NORM,
    "own scaled gate": PRE_NORM | {"hidden": "gated", "output": "gated_output"},
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
    described_as = OTHERWISE.get(name, {}).get(key, key)
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
    assert stage["kind"] == OTHERWISE.get(name, {}).get(key, key)
    for axis, number in zip(TRACES[name]()[key].axes, stage["kinds"], strict=True):
        found = "" if number is None else header["kinds"][number]
        assert (found if isinstance(found, str) else tuple(found)) == axis.kinds_of(sample)


def test_a_side_says_which_of_its_positions_are_patches():
    header = header_of(picture)
    side = header["drawings"]["weights"]["planes"][-1]["columns"]
    assert header["kinds"][side["kinds"]] == ["cls", *["patch"] * 15]
    side = header_of(plain)["drawings"]["weights"]["planes"][-1]["columns"]
    assert header_of(plain)["kinds"][side["kinds"]] == "word"


@pytest.mark.parametrize("sample", [0, 1])
def test_a_plane_has_the_names_of_the_sample(sample):
    header = header_of(of_words, sample=sample)
    result = header["drawings"]["weights"]["planes"][-1]
    words = [*LINES[sample], *["[PAD]"] * (7 - len(LINES[sample]))]
    assert header["sample"] == sample
    assert header["names"][result["rows"]["names"]] == words
    assert header["names"][result["columns"]["names"]] == words


@for_all("trace", [*TRACES.values(), many_patches])
def test_each_list_of_names_is_sent_once(trace):
    lists = [tuple(names) for names in header_of(trace)["names"]]
    assert len(lists) == len(set(lists))


def test_a_small_trace_goes_whole_whichever_step_and_head_are_looked_at():
    one, other = (scene(of_words(), key, 1, h, STEPS, EN) for key, h in (("X", 0), ("output", 2)))
    assert one == other
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


def test_the_numbers_do_not_depend_on_the_language():
    zh, en = (unpacked(scene(of_words(), "X", 0, 0, STEPS, w))[1] for w in LANGUAGES.values())
    assert zh.keys() == en.keys()
    assert all(zh[name].tobytes() == en[name].tobytes() for name in en)


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
    described = texts[OTHERWISE.get(name, {}).get(key, key)]
    noun = words.nouns[OF.get(name, "word")]
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


@in_both_languages
@for_all(("name", "key"), STAGES)
def test_a_headline_is_text_and_mathematics_by_turns(name, key, words):
    title = header_of(TRACES[name], code=words.code)["stages"][key]["title"]
    texts = "".join(part for part in title if isinstance(part, str))
    assert "$" not in texts
    assert "{" not in texts
    described = words.stages[OTHERWISE.get(name, {}).get(key, key)]
    assert sum(not isinstance(part, str) for part in title) == described.title.count("$") / 2


@for_all(("name", "key"), STAGES)
def test_a_stage_has_the_scale_of_its_figure(name, key):
    scale, data = scale_of(TRACES[name](), key), header_of(TRACES[name])["stages"][key]
    assert data["scale"] == asdict(scale) | {"ticks": list(scale.ticks)}
    assert len(data["ticks"]) == len(scale.ticks)


def test_the_ends_of_a_scale_are_printed_as_they_are():
    stages = header_of(of_words)["stages"]
    assert stages["weights"]["ticks"][0] == "0"
    assert float(stages["weights"]["ticks"][-1]) == stages["weights"]["scale"]["high"]
    low, middle, high = stages["scores"]["ticks"]
    assert (low, middle) == ("−" + high, "0")


def test_a_weight_is_masked_where_the_masked_score_is():
    masked_by = {key: data["masked_by"] for key, data in header_of(of_words)["stages"].items()}
    assert {key for key, by in masked_by.items() if by} == {"weights", "dropped"}
    assert masked_by["weights"] == masked_by["dropped"] == "masked"
    assert not any(data["masked_by"] for data in header_of(plain)["stages"].values())


def test_padding_positions_are_returned_if_there_are_any():
    assert header_of(of_words, sample=1)["filled"] == [False] * 4 + [True] * 3
    assert header_of(of_words, sample=0)["filled"] is None
    assert header_of(crossed, sample=1)["filled"] == [False] * 4 + [True] * 3


def test_the_scene_has_the_number_of_tokens_before_the_first_patch():
    before = [header_of(trace)["before"] for trace in (of_words, picture, many_patches)]
    assert before == [None, 1, 0]


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


def test_every_head_has_its_line():
    assert [len(header_of(trace)["head_patterns"]) for trace in (of_words, many_patches)] == [3, 4]


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
