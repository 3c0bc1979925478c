"""T5, mT5 and Marian: what ``transformers`` computed, what a trace holds, and what is refused."""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, configured, copied
from claims import for_all
from refuses import refuses
from safetensors.numpy import load_file

from core import cost, explain
from core.interventions import parse
from core.limits import LIMITS, WRITTEN_TOKENS
from core.models import checkpoint, families
from core.models.block import output_stage
from core.models.text_to_text import TextToText, Written
from core.nested import parts, subtrace

SOURCE = "translate: the love lov cat sun the love lov é love"
SOURCES = {"t5": SOURCE, "mt5": SOURCE, "marian": "the cat loves the sun !"}
KINDS, T5 = (*SOURCES,), ("t5", "mt5")
EXPECTED = {kind: load_file(FOLDERS / kind / "expected.safetensors") for kind in KINDS}
CLOSE = {"rtol": 1e-5, "atol": 1e-5}


@cache
def opened(kind, folder=None) -> TextToText:
    whole = checkpoint.open(folder or FOLDERS / kind).text_to_text
    assert whole is not None
    return whole


def recorded(kind) -> Written:
    return Written(tuple(EXPECTED[kind]["written"].tolist()), False)


@for_all("kind", KINDS)
def test_it_reads_and_writes_what_transformers_reads_and_writes(kind):
    model, expected = opened(kind), EXPECTED[kind]
    assert model.encode(SOURCES[kind]).ids == tuple(expected["source"].tolist())
    np.testing.assert_allclose(model.memory(SOURCES[kind]), expected["memory"], **CLOSE)
    assert model.greedy(SOURCES[kind], len(expected["written"])) == recorded(kind)


@for_all("kind", KINDS)
@for_all("layer", [1, 2, 3])
def test_every_layer_of_both_sides_computes_what_transformers_computes(kind, layer):
    model, expected = opened(kind), EXPECTED[kind]
    trace = model.trace(SOURCES[kind], recorded(kind), layer)
    read, write = (min(layer, side.config.layers) for side in (model.encoder, model.decoder))
    shown = {"encoder/self": read, "decoder/self": write, "decoder/cross": write}
    for name, number in shown.items():
        side, part = name.split("/")
        found = trace[f"{side}/{number}/{part}/weights"].tensor[0]
        np.testing.assert_allclose(found, expected[f"weights/{name}/{number}"], **CLOSE)
        hidden = f"hidden/{side}/{number}"
        if hidden in expected:
            last = output_stage(subtrace(trace, f"{side}/{number}/feed_forward")).tensor[0]
            np.testing.assert_allclose(last, expected[hidden], **CLOSE)
    if read == model.encoder.config.layers:
        end = trace[f"decoder/{write}/cross/memory"].tensor[0]
        np.testing.assert_allclose(end, expected["memory"], **CLOSE)


@for_all("kind", KINDS)
def test_every_row_of_the_prediction_is_about_the_token_that_is_written_there(kind):
    model, expected, written = opened(kind), EXPECTED[kind], recorded(kind)
    trace = model.trace(SOURCES[kind], written, 3)
    logits, names = (
        trace["prediction/logits"],
        trace["prediction/logits"].axis("vocabulary").names(),
    )
    for row, number in enumerate(written.numbers):
        column = names.index(model.target.name_of(number))
        assert logits.tensor[0, row].argmax() == column
        assert logits.tensor[0, row, column] == pytest.approx(
            expected["logits"][row].max(), rel=1e-5
        )
        shares = np.exp(expected["logits"][row] - expected["logits"][row].max())
        found = trace["prediction/probabilities"].tensor[0, row, column]
        assert found == pytest.approx(1 / shares.sum(), rel=1e-4)
    assert ("prediction/X_scaled" in trace) == (kind == "t5")
    assert ("prediction/b_P" in trace) == (kind == "marian")


def test_the_parts_are_those_of_both_sides_and_every_number_leads_to_the_texts():
    model = opened("t5")
    whole = model.trace(SOURCE, layer=3)
    assert parts(whole) == (
        "input", "encoder/3/self", "encoder/3/feed_forward", "final_norm", "target",
        "decoder/2/self", "decoder/2/cross", "decoder/2/feed_forward", "prediction",
    )  # fmt: skip
    first = model.trace(SOURCE, layer=1)
    assert "prediction/logits" not in first and "final_norm/X" not in first
    copies = {
        "encoder/1/self/stream": "input/X", "decoder/1/self/stream": "target/X",
        "decoder/1/cross/stream": "decoder/1/self/residual",
    }  # fmt: skip
    for copied_to, copied_from in copies.items():
        assert explain(first, copied_to, (0, 1, 2)).made_by.address.stage == copied_from
    assert first["decoder/1/cross/memory"].computed_from == ()
    made = explain(whole, "decoder/2/cross/memory", (0, 1, 2)).made_by
    assert made.address.stage == "final_norm/normalised"
    for before, after in pairwise([first, whole]):  # K and V come from the same memory
        np.testing.assert_allclose(
            before["decoder/1/cross/memory"].tensor, after["decoder/2/cross/memory"].tensor,
            rtol=1e-4, atol=1e-5,
        )  # fmt: skip


@for_all("kind", T5)
def test_no_layer_divides_by_the_root_and_all_share_one_bias(kind):
    model = opened(kind)
    tables = []
    for layer in (1, 2):
        trace = model.trace(SOURCE, layer=layer)
        for path in (f"encoder/{layer}/self", f"decoder/{layer}/self", f"decoder/{layer}/cross"):
            scaled = trace[f"{path}/scaled"]
            assert scaled.kind == "unscaled"
            np.testing.assert_array_equal(scaled.tensor, trace[f"{path}/scores"].tensor)
        assert f"decoder/{layer}/cross/bias" not in trace
        tables.append(trace[f"encoder/{layer}/self/bias_table"].tensor)
    np.testing.assert_array_equal(*tables)


def test_a_target_that_is_given_is_read_behind_the_first_token():
    model = opened("t5")
    written = model.encode_target("love the sun")
    assert written == Written((4, 6, 7, 1), True)
    assert model.target_encoding(written).ids == (0, 4, 6, 7)
    assert model.text_of(written) == "love the sun"
    trace = model.trace(SOURCE, written, 2)
    assert trace["target/X"].axis("token").names() == ("<pad>", "▁love", "▁the", "▁sun")
    assert trace["prediction/logits"].axis("vocabulary").names()[:4] == (
        "▁love", "▁the", "▁sun", "</s>"
    )  # fmt: skip


def test_writing_ends_behind_the_token_that_ends_a_text_and_at_the_limit():
    model = opened("t5")
    written = [one for one, _ in model.write(SOURCE)]
    assert len(written[-1].numbers) == min(WRITTEN_TOKENS, model.decoder.config.positions)
    assert [one.numbers for one in written] == [
        written[-1].numbers[: n + 1] for n in range(len(written))
    ]
    last = written[0].numbers[0]  # taken for the one that ends a text, it does
    decoder = replace(model.decoder, config=replace(model.decoder.config, end=last))
    ending = replace(model, decoder=decoder)
    assert ending.greedy(SOURCE) == Written((last,), True)
    assert ending.text_of(ending.greedy(SOURCE)) == ""


def test_the_bytes_of_a_trace_are_known_before_it_is_computed():
    model = opened("mt5")
    trace = model.trace(SOURCE, recorded("mt5"), 1)
    needed = cost.trace_cost(trace).bytes
    counted = model._trace_bytes(15, 9)
    assert 0.9 * needed < counted < 1.1 * needed
    with refuses("trace_too_large"):
        model.trace(SOURCE, layer=1, limits=replace(LIMITS, trace_bytes=counted // 2))


@for_all(
    ("kind", "name"),
    [
        ("t5", "shared.weight"),
        ("t5", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"),
        ("t5", "encoder.final_layer_norm.weight"),
        ("t5", "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"),
        ("t5", "decoder.block.1.layer.1.EncDecAttention.k.weight"),
        ("t5", "decoder.block.1.layer.1.layer_norm.weight"),
        ("mt5", "decoder.block.0.layer.2.DenseReluDense.wi_1.weight"),
        ("mt5", "decoder.final_layer_norm.weight"),
    ],
)
def test_a_missing_tensor_or_one_of_another_shape_is_named(kind, name, tmp_path_factory):
    def without(tensors):
        return {key: value for key, value in tensors.items() if key != name}

    def longer(tensors):
        return tensors | {name: np.concatenate([tensors[name]] * 2)}

    for changed, code in ((without, "missing_tensor"), (longer, "tensor_does_not_fit")):
        with refuses(code, name=name):
            checkpoint.open(copied(kind, tmp_path_factory.mktemp("own"), changed))


@for_all("kind", ["T5EncoderModel", "MT5EncoderModel"])
def test_an_encoder_alone_is_refused(kind, tmp_path_factory):
    folder = copied("t5", tmp_path_factory.mktemp("own"), architectures=[kind])
    with refuses("wrong_setting", name="architectures", value=kind):
        checkpoint.open(folder)


def test_a_head_that_is_tied_is_scaled_unless_the_configuration_says_otherwise():
    def scale(kind, **changed):
        configured(kind, **changed)
        path = FOLDERS / kind / "config.json"
        stated = json.loads(path.read_text("utf-8")) | changed
        stated = {name: value for name, value in stated.items() if value is not ...}
        return families.decoder_config(stated).output_scale

    first, absent = 14**-0.5, {"scale_decoder_outputs": ...}
    assert scale("t5") == scale("t5", **absent) == first
    assert scale("t5", **absent, tie_word_embeddings=...) == first
    assert scale("t5", **absent, tie_word_embeddings=False) == 1  # version 1.1, before 5.0
    assert scale("t5", scale_decoder_outputs=False) == 1
    assert scale("mt5") == scale("mt5", tie_word_embeddings=False) == 1


@for_all(
    ("setting", "activation", "gated"),
    [
        ("relu", "relu", False), ("gelu", "gelu", False), ("gated-gelu", "gelu_tanh", True),
        ("gated-silu", "silu", True), ("gated-relu", "relu", True),
        ("gelu_new", "gelu_tanh", False),
    ],
)  # fmt: skip
def test_the_feed_forward_layers_are_those_that_are_stated(setting, activation, gated):
    config = configured("t5", feed_forward_proj=setting)
    assert (config.activation, config.gated) == (activation, gated)


def test_marian_never_writes_padding_and_its_positions_are_all_sines_then_all_cosines():
    model = opened("marian")
    config = model.decoder.config
    assert config.never == (config.start,)
    position = model.trace(SOURCES["marian"])["target/position"]
    angle = np.arange(5)[:, None] / 10000 ** (np.arange(0, 12, 2) / 12)
    expected = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    np.testing.assert_allclose(position.tensor[:5], expected, atol=1e-6)
    padding = np.zeros(config.vocabulary, np.float32)
    padding[config.start] = 1e6
    changed = replace(model, decoder=replace(model.decoder))
    changed.decoder.__dict__["output_bias"] = padding
    assert config.start not in changed.greedy(SOURCES["marian"], 5).numbers


CUT = json.loads((FOLDERS / "marian" / "cut.json").read_text("utf-8"))


@for_all("text", [text for text in CUT if text != "target"])
def test_marians_pieces_are_cut_as_transformers_and_sentencepiece_cut_them(text):
    encoding = opened("marian").encode(text)
    assert list(encoding.ids) == CUT[text]
    unknown = [i for i, number in enumerate(CUT[text]) if number == 1]
    assert [*encoding.unknown] == unknown


def test_what_marian_writes_is_cut_by_the_pieces_of_its_other_language():
    assert [*opened("marian").encode_target("die Sonne").numbers] == CUT["target"]
    source = opened("marian").encode("die Sonne").tokens  # only the other language has "ie"
    assert source == ("▁", "d", "ie", "▁", "S", "o", "n", "n", "e", "</s>")


def test_without_a_tokenizer_json_spiece_model_is_read_with_its_own_ids(tmp_path):
    folder = copied("mt5", tmp_path)
    (folder / "tokenizer.json").unlink()
    content = (FOLDERS / "marian" / "source.spm").read_bytes()
    (folder / "spiece.model").write_bytes(content)
    encoding = opened("mt5", folder).encode("the cat")
    names = ["<unk>", "<s>", "</s>"]  # first in the file, as SentencePiece writes them
    assert encoding.tokens == ("▁", "t", "h", "e", "▁cat", "</s>") and encoding.ids[-1] == 2
    assert [opened("mt5", folder).source.name_of(number) for number in range(3)] == names


@for_all(
    ("name", "content", "code"),
    [
        ("source.spm", b"", "empty_file"),
        ("source.spm", b"\x0a\xff", "damaged_checkpoint"),
        ("source.spm", b"\xff" * 30, "damaged_checkpoint"),
        ("source.spm", b"\x12\x02\x18\x02", "wrong_setting"),  # byte pairs
        ("source.spm", b"\x12\x02\x18\x01", "damaged_checkpoint"),  # no piece
        (
            "target.spm",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0",
            "wrong_file_type",
        ),
        ("vocab.json", b'{"</s>": 0, "<unk>": 2}', "damaged_checkpoint"),
        ("vocab.json", b'{"a": 0}', "damaged_checkpoint"),
        ("vocab.json", b'{"</s>": "0", "<unk>": 1}', "damaged_checkpoint"),
    ],
)
def test_a_damaged_file_of_pieces_is_named(name, content, code, tmp_path_factory):
    folder = copied("marian", tmp_path_factory.mktemp("own"))
    (folder / name).write_bytes(content)
    with refuses(code, **({} if code == "wrong_file_type" else {"file": name})):
        checkpoint.open(folder)


@for_all(
    ("name", "missing"),
    [("target.spm", "target.spm"), ("vocab.json", "vocab.json"), ("source.spm", "tokenizer.json")],
)
def test_a_missing_file_of_pieces_is_named(name, missing, tmp_path_factory):
    folder = copied("marian", tmp_path_factory.mktemp("own"))
    (folder / name).unlink()
    with refuses("missing_file", file=missing):
        checkpoint.open(folder)


CHANGES = (
    "mute=2.1", "mute=decoder.1.2", "mute=cross.2.1", "even=decoder.2.1", "first=cross.1.2",
    "row=decoder.1.1@3:0,1", "row=cross.2.1@3:1,0,3", "hide=*@2", "hide=cross.*@1", "off=cross.*",
    "patch=2.1@3;from={other}", "patch=decoder.2.1@3;patch=cross.1.2@2;from={other}",
    "stream=2@3;from={other}", "stream=decoder.2@3;from={other}",
)  # fmt: skip
OTHERS = {"t5": "love the cat sun the lov", "mt5": "love the cat sun the lov", "marian": "a sun !"}


@for_all("kind", KINDS)
def test_what_is_changed_is_changed_alike_in_what_is_written_and_in_every_trace(kind):
    model, target = opened(kind), replace(recorded(kind), ended=True)
    last = model.decoder.config.layers
    before = [chance for _, chance in model.write(SOURCES[kind], target=target)]
    for text in CHANGES:
        changed = model.changed(parse(text.format(other=OTHERS[kind])))
        chances = [chance for _, chance in changed.write(SOURCES[kind], target=target)]
        assert before != chances, text
        trace = changed.trace(SOURCES[kind], target, max(last, changed.layers))
        names = trace["prediction/logits"].axis("vocabulary").names()
        rows = trace["prediction/probabilities"].tensor[0]
        columns = [names.index(model.target.name_of(number)) for number in target.numbers]
        found = rows[np.arange(len(columns)), columns][: len(chances)]
        np.testing.assert_allclose(found, chances, rtol=1e-4, atol=1e-7, err_msg=text)
    for text in ("mute=4.1", "mute=decoder.3.1", "mute=cross.1.9"):
        with refuses("out_of_range"):
            opened("t5").changed(parse(text))


@for_all("kind", KINDS)
def test_a_patch_is_what_the_other_text_has_there_and_its_own_changes_nothing(kind):
    model, written = opened(kind), opened(kind).greedy(SOURCES[kind])
    places = "patch=1.2@3;stream=2@2;patch=decoder.2.1@3;patch=cross.1.2@1;stream=decoder.2@3"
    changed = model.changed(parse(f"{places};from={SOURCES[kind]}"))
    both = [[chance for _, chance in one.write(SOURCES[kind], target=written)]
            for one in (model, changed)]  # fmt: skip
    np.testing.assert_allclose(*both, rtol=1e-4)
    expected = model.trace(OTHERS[kind])["decoder/1/cross/head_output"].tensor[0, 1, 2]
    patched = model.changed(parse(f"patch=cross.1.2@3;from={OTHERS[kind]}"))
    found = patched.trace(SOURCES[kind], written)["decoder/1/cross/patched"].tensor[0, 1, 2]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    for text, code in (
        ("patch=1.1@99;from=the cat", "out_of_range"),
        ("patch=1.1@1", "no_other_text"),
    ):
        with refuses(code):
            model.changed(parse(text))


@for_all(("kind", "part"), [("t5", "encoder"), ("mt5", "decoder"), ("marian", "cross")])
def test_the_effect_of_a_head_is_that_of_the_text_written_without_it(kind, part):
    first = parse(f"even=1.1;patch=cross.1.2@1;from={OTHERS[kind]}")
    model, written, row = opened(kind).changed(first), recorded(kind), 2
    target = replace(written, ended=True)

    def chance(text):
        changed = opened(kind).changed(parse(f"{text}from={OTHERS[kind]}"))
        return [chance for _, chance in changed.write(SOURCES[kind], target=target)][row]

    begun = str(replace(first, other="")) + ";"
    before = chance(begun)
    found = list(model.effects(SOURCES[kind], written, row, part))
    config = model.side(part).config
    assert len(found) == config.layers * config.heads
    dot = "" if part == "encoder" else f"{part}."
    for one in found:
        muted = chance(f"{begun}mute={dot}{one.layer}.{one.head};")
        assert one.change == pytest.approx(np.log(muted / before), abs=2e-4), one
