"""What is changed on purpose in a model, and what muting every head in turn does."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import explain, ops
from core.cost import trace_cost
from core.interventions import Change, parse
from core.models import checkpoint, embeddings, forward, search, translator, vision

TEXT, OTHER = "The cat sat on the mat", "The dog ran to the house"
FOLDERS = Path(__file__).parent / "data" / "checkpoints"
# One of each kind, in a layer before the last; token 3 is changed where a token is named.
EACH = (
    "mute=2.1", "scale=2.1:-0.5", "even=2.1", "self=2.1", "first=2.1", "row=2.1@3:0.2,0,0.6",
    f"patch=2.1@3;from={OTHER}", f"stream=2@3;from={OTHER}", "hide=2@3", "hide=*@3", "off=2",
    "off=*", f"mute=1.1;even=2.2;row=2.3@3:1;hide=2@2;stream=2@3;patch=2.4@3;from={OTHER}",
)  # fmt: skip


def attention_of(model, layer=2):
    path = f"encoder/{layer}/self/"
    return {
        key.removeprefix(path): stage.tensor[0]
        for key, stage in model.run(TEXT, layer).items()
        if key.startswith(path)
    }


def _note(done, *progress):
    done.append(progress)


@for_all("text", EACH)
def test_a_changed_run_is_the_same_with_a_trace_and_without_and_from_the_layer_that_changes(
    decoder, text
):
    model = decoder.changed(parse(text))
    streams = model.streams(TEXT)
    trace = model.run(TEXT, 2)
    np.testing.assert_allclose(
        list(trace.values())[-1].tensor[0], streams[2], atol=1e-4, err_msg=text
    )
    whole, begun = model.passed(TEXT), model.passed(TEXT, begun=decoder.passed(TEXT))
    parts = model.passed(TEXT, model.passed("The cat sat"))
    for one in (whole, begun, parts):
        np.testing.assert_allclose(np.array(one.streams), streams, atol=1e-3, err_msg=text)
    assert np.abs(streams[-1] - decoder.streams(TEXT)[-1]).max() > 2e-3, text


@for_all("text", EACH)
def test_every_cell_that_a_change_makes_opens_to_its_sum(decoder, text):
    trace = decoder.changed(parse(text)).run(TEXT, 2)
    plain = decoder.run(TEXT, 2)
    for key in ("not_hidden", "set_weights", "muted", "patched", "patched_stream"):
        path = f"encoder/2/self/{key}"
        assert path not in plain
        if path in trace:
            for index in list(np.ndindex(trace[path].tensor.shape))[::7]:
                cell = explain(trace, path, index)
                assert cell.made_by.value == pytest.approx(cell.value, rel=1e-5, abs=1e-6), path
    for path in ("encoder/2/self/output", "encoder/2/self/X"):
        cell = explain(trace, path, (0, 3, 5))
        assert cell.made_by.value == pytest.approx(cell.value, rel=1e-4, abs=1e-4), (text, path)


@for_all(
    ("kind", "text"), [*(("decoder", text) for text in EACH), ("bert", "stream=2@3;from=love")]
)
def test_the_estimated_bytes_of_a_trace_count_what_a_change_adds(decoder, kind, text):
    plain = decoder if kind == "decoder" else checkpoint.open(FOLDERS / kind)
    model = plain.changed(parse(text))
    trace = model.run(TEXT, 2)
    ids = trace["input/tokens"].tensor
    twice = ids.size - trace["input/E"].tensor.shape[0]  # these have no row of E of their own
    needed = trace_cost(trace).bytes + 4 * twice * model.config.d_model
    counted = embeddings.estimate_trace_bytes(model._model, ids.size)
    in_layer_1 = 4 * (model.heads + ids.size * model.config.d_model) * text.startswith("mute=1.1")
    assert counted == needed + in_layer_1, text


@for_all("text", EACH)
def test_a_changed_layer_is_the_same_whatever_blocks_its_heads_are_computed_in(
    decoder, text, monkeypatch
):
    model = decoder.changed(parse(text.replace("2.1", "2.3")))
    whole = model.streams(TEXT)
    with monkeypatch.context() as smaller:
        smaller.setattr(forward, "BLOCK", 1)
        np.testing.assert_allclose(model.streams(TEXT), whole, atol=1e-4, err_msg=text)


def test_a_muted_head_is_one_whose_rows_of_W_O_are_0(decoder):
    found = attention_of(decoder.changed(parse("mute=2.3")))
    given = decoder.attention(TEXT, 2)
    W_O, d_v = given.weights.W_O.copy(), given.weights.d_v
    W_O[2 * d_v : 3 * d_v] = 0
    zeroed = replace(given, weights=replace(given.weights, W_O=W_O)).trace()
    np.testing.assert_allclose(found["output"], zeroed["output"].tensor[0], atol=1e-6)
    np.testing.assert_array_equal(found["weights"], zeroed["weights"].tensor[0])


def test_what_a_change_sets_is_what_it_says(decoder):
    plain = attention_of(decoder)
    n = plain["weights"].shape[-1]
    causal = np.tri(n)
    for text, rows in (
        ("even=2.1", causal / causal.sum(axis=1, keepdims=True)),
        ("self=2.1", np.eye(n)),
        ("first=2.1", np.eye(n)[[0] * n]),
    ):
        found = attention_of(decoder.changed(parse(text)))["set_weights"]
        np.testing.assert_allclose(found[0], rows, atol=1e-6, err_msg=text)
        np.testing.assert_array_equal(found[1:], plain["weights"][1:])
    row = attention_of(decoder.changed(parse("row=2.1@4:1,0,3")))["set_weights"]
    np.testing.assert_allclose(row[0, 3], [0.25, 0, 0.75] + [0] * (n - 3))
    hidden = attention_of(decoder.changed(parse("hide=*@2")))["weights"]
    assert (np.delete(hidden[:, :, 1], 1, axis=1) == 0).all() and (hidden[:, 1, 1] > 0).all()
    half = attention_of(decoder.changed(parse("scale=2.1:0.5")))
    np.testing.assert_allclose(half["muted"][0], plain["head_output"][0] / 2, rtol=1e-6)
    other = decoder.run(OTHER, 2)
    patched = attention_of(decoder.changed(parse(f"patch=2.1@3;stream=2@5;from={OTHER}")))
    expected = other["encoder/2/self/head_output"].tensor[0, 0, 2]
    np.testing.assert_allclose(patched["patched"][0, 2], expected, atol=1e-5)
    expected = other["encoder/2/self/stream"].tensor[0, 4]
    np.testing.assert_allclose(patched["patched_stream"][4], expected, atol=1e-5)


# Pairs of texts with as many tokens; norms stand in front of the sublayers, or behind them.
PAIRS = {
    "decoder": (TEXT, "The dog ran to a house"), "gpt2": ("love the sun", "love the cat"),
    **dict.fromkeys(("bert", "distilbert"), ("love the sun", "the sun love")),
}  # fmt: skip


def every_token(kind, layer, tokens, other):
    """Patches of every token; kind: up to the layer."""
    return parse(";".join(f"{kind}{layer}@{one}" for one in tokens) + f";from={other}")


@for_all("kind", PAIRS)
def test_patches_of_another_text_are_its_run_and_those_of_the_text_itself_change_nothing(
    kind, decoder
):
    model = decoder if kind == "decoder" else checkpoint.open(FOLDERS / kind)

    def behind(model, text):
        return list(model.run(text, 2).values())[-1].tensor[0]

    text, other = PAIRS[kind]
    tokens = range(1, len(model.encode(text).ids) + 1)
    assert np.abs(behind(model, text) - behind(model, other)).max() > 1e-2
    for layer in (1, 2):
        streams = every_token("stream=", layer, tokens, other)
        found = behind(model.changed(streams), text)
        np.testing.assert_allclose(found, behind(model, other), atol=1e-4)
        heads = every_token("patch=", f"{layer}.2", tokens, text).changes
        itself = replace(streams, changes=streams.changes + heads, other=text)
        np.testing.assert_allclose(
            behind(model.changed(itself), text), behind(model, text), atol=1e-4
        )


def test_the_translator_is_patched_by_another_sentence_in_its_encoder_and_its_decoder():
    model, text, other = translator.load(), "我爱北京", "他爱上海"
    plain, theirs = (model.translate(one) for one in (text, other))
    assert len(plain.pieces) == len(theirs.pieces) and plain.pieces != theirs.pieces
    streams = every_token("stream=", 1, range(1, 4), other)
    every = model.changed(streams).translate(text)
    assert every.pieces == theirs.pieces
    np.testing.assert_array_equal(every.probabilities, theirs.probabilities)
    places = "stream=2@1;patch=1.2@3;stream=decoder.2@2;patch=decoder.1.1@3;patch=cross.3.2@2"
    for beam in (1, 4):
        itself = model.changed(parse(f"{places};from={text}")).translate(text, beam)
        np.testing.assert_allclose(itself.probabilities, plain.probabilities, atol=1e-6)
    changed = model.changed(parse(f"{places};from={other}"))
    made = changed.teacher_forced(plain.tokens, plain.pieces)
    for path, key, at in (
        ("encoder/1/self", "patched", (1, 2)), ("decoder/2/self", "X", (1,)),
        ("decoder/1/self", "patched", (0, 2)), ("decoder/3/cross", "patched", (1, 1)),
    ):  # fmt: skip
        came = theirs.trace[f"{path}/{key.replace('patched', 'head_output')}"]
        np.testing.assert_array_equal(made.trace[f"{path}/{key}"].tensor[0][at], came.tensor[0][at])
    memory = made.trace["encoder/3/feed_forward/normalised"].tensor
    decoder, rows = search.Decoder(changed.stored, memory, translator.LONGEST), np.zeros(1, int)
    searched = [decoder.step(np.array([one]), rows)[0] for one in (model.start, *made.pieces)]
    np.testing.assert_allclose(ops.softmax(np.array(searched)), made.probabilities, atol=1e-6)
    shifted = np.abs(made.probabilities - plain.probabilities).max(axis=-1)
    assert (shifted > 1e-4).all()
    (effect, *_) = changed.effects(made, 1, "decoder")
    muted = changed.stored.interventions.toggled(Change("mute", 1, 1, part="decoder"))
    after = model.changed(muted).teacher_forced(plain.tokens, plain.pieces)
    both = (np.log(one.probabilities[1, plain.pieces[1]]) for one in (after, made))
    assert effect.change == pytest.approx(float(np.subtract(*both)), abs=1e-5)


def test_attention_that_is_off_leaves_the_residual_stream_alone(decoder):
    trace = decoder.changed(parse("off=2")).run(TEXT, 2)
    stream, residual = (trace[f"encoder/2/self/{key}"].tensor for key in ("stream", "residual"))
    np.testing.assert_array_equal(stream, residual)


def test_the_effect_of_a_head_is_that_of_a_run_without_it(decoder):
    for model in (decoder, decoder.changed(parse("mute=3.2;even=5.1"))):
        passed, target = model.passed(TEXT), model.encode("warm").ids[-1]
        known = np.log(model.predict(TEXT).probabilities[target])
        done: list[tuple[int, int]] = []
        found = list(model.effects(passed, target, partial(_note, done)))
        assert [(one.layer, one.head) for one in found] == [
            (layer + 1, head + 1) for layer in range(model.layers) for head in range(model.heads)
        ]
        for one in (*found[::5], found[-1]):
            muted = (*model.interventions.changes, Change("mute", one.layer, one.head))
            changed = decoder.changed(replace(model.interventions, changes=muted))
            expected = changed.predict(TEXT)
            change = np.log(expected.probabilities[target]) - known
            assert one.change == pytest.approx(change, abs=1e-4), one
            assert one.likeliest == expected.likeliest[0], one
        assert done == sorted(done) and len(set(done[-1])) == 1
        resumed: list[tuple[int, int]] = []
        alone = [*model.effects(passed, target, of=[(1, 2), (4, 0)])]
        for one in alone:
            assert replace(one, change=pytest.approx(one.change, abs=1e-5)) in found
        assert [(one.layer, one.head) for one in alone] == [(2, 3), (5, 1)]
        rest = list(model.effects(passed, target, partial(_note, resumed), known=9))
        assert [(one.layer, one.head, one.likeliest) for one in rest] == [
            (one.layer, one.head, one.likeliest) for one in found[9:]
        ]
        changes = [[one.change for one in some] for some in (rest, found[9:])]
        np.testing.assert_allclose(*changes, atol=1e-5)
        layers, heads = model.layers, model.heads
        first = sum(layers - number // heads for number in range(9))
        assert resumed[0][0] > first and resumed[-1] == done[-1]


def test_other_models_take_changes_too():
    photo = np.random.default_rng(3).integers(0, 256, (96, 96, 3), dtype=np.uint8)
    model = vision.load()
    photo = photo[: model.side, : model.side]
    off = model.changed(parse("off=*;mute=1.1")).classify(photo)
    assert (off.trace["encoder/1/self/muted"].tensor == 0).all()
    assert np.abs(off.probabilities - model.classify(photo).probabilities).max() > 1e-3
    translates = translator.load()
    changed = translates.changed(
        parse("mute=cross.1.1;even=decoder.2.1;hide=*@2;off=cross.2;off=cross.3")
    )
    made = changed.translate("我喜欢喝茶，因为茶很好喝。")
    assert made.pieces != translates.translate("我喜欢喝茶，因为茶很好喝。").pieces
    assert (made.trace["decoder/1/cross/muted"].tensor[0, 0] == 0).all()
    assert "muted" not in made.trace["decoder/1/self/concat"].computed_from
    # Searching without a trace found what the trace has.
    likeliest = made.probabilities.argmax(axis=-1)[: len(made.pieces)]
    assert tuple(likeliest.tolist()) == made.pieces
    bert = checkpoint.open(FOLDERS / "bert")
    changed = bert.changed(parse("mute=1.1;even=1.2;hide=1@2"))
    np.testing.assert_allclose(
        changed.run("love the sun", 2)["encoder/2/self/X"].tensor[0],
        list(changed.run("love the sun", 1).values())[-1].tensor[0],
        atol=1e-5,
    )


@for_all("text", (*EACH, "mute=cross.1.2;self=decoder.2.1", ""))
def test_a_link_keeps_the_list(text):
    assert str(parse(text)) == text


@for_all(
    "text",
    ["mute=2", "mute=*.1", "mute=2.1@3", "mute=2.1:0", "scale=1.1", "scale=1.1:1e999", "off=1.1",
     "row=1.1@1:-1", "row=1.1@1:0", "self=cross.1.1", "loud=1.1", "mute=0.1", "stream=1", "?",
     "mute=1.1,mute=1.2", "scale=1.1:e"],
)  # fmt: skip
def test_what_is_no_change_is_refused(text):
    with refuses("not_a_change", text=text):
        parse(text)


def test_what_a_model_has_not_is_refused(decoder):
    for text, code in (
        ("mute=7.1", "out_of_range"), ("mute=1.5", "out_of_range"), ("off=cross.1", "not_a_change"),
        ("patch=1.1@1", "no_other_text"), (f"patch=1.1@64;from={OTHER}", "out_of_range"),
    ):  # fmt: skip
        with refuses(code):
            decoder.changed(parse(text))
    for text in ("hide=*@64", "row=1.1@2:1,1,1"):
        with refuses("out_of_range"):
            decoder.changed(parse(text)).run(TEXT, 1)
    with refuses("not_a_change"):
        vision.load().changed(parse("patch=1.1@1;from=x"))
    for text, code in (
        ("patch=1.1@1", "no_other_text"), ("patch=1.1@4;from=我爱北京", "out_of_range"),
        ("patch=1.1@1;from=x", "not_chinese"), ("stream=decoder.4@1;from=我", "out_of_range"),
    ):  # fmt: skip
        with refuses(code):
            translator.load().changed(parse(text))


@for_all("text", ["", EACH[-1]])
def test_the_shares_of_all_parts_add_up_to_the_logits(decoder, text):
    model = decoder.changed(parse(text))
    passed, reading = model.passed(TEXT), model.predict(TEXT)
    parts, trace = model.shares(passed, reading.likeliest)
    expected = reading.trace["logits"].tensor[0, 0]
    np.testing.assert_allclose(trace["shares"].tensor.sum(axis=0), expected, atol=1e-4)
    assert len(parts) == 1 + model.layers * (model.heads + 1)
    muted = [parts.index((1, 1))] if text else []
    assert [trace["shares"].tensor[i].any() for i in muted] == [False] * len(muted)
    for key in ("direction", "shares"):
        cell = explain(trace, key, (3, 1))
        assert cell.made_by.value == pytest.approx(cell.value, rel=1e-5, abs=1e-5)


def test_a_row_of_more_weights_than_there_are_keys_has_those_of_its_keys():
    model = translator.load()
    for text, path in (("row=1.1@1:1,1,1,1,1,1,1", "encoder/1/self"),
                       ("row=cross.1.1@1:0,0,0,1,1", "decoder/1/cross")):  # fmt: skip
        weights = model.changed(parse(text)).translate("我爱北京").trace[f"{path}/set_weights"]
        expected = [1 / 3] * 3 if "cross" not in text else [0] * 3
        np.testing.assert_allclose(weights.tensor[0, 0, 0], expected, rtol=1e-6)
