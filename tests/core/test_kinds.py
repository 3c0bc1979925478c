"""Kinds of positions along an axis, and of stages."""

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Axis, Stage, Weights, multi_head_attention, scaled_dot_product_attention
from core.notation import axes
from core.options import AttentionOptions
from core.rules import Given
from core.sources import audio, image, text

TWO = (("a", "b", "c"), ("d", "[PAD]", "[PAD]"))
REAL = np.array([[True, True, True], [True, False, False]])


def stage(axis, key="X", kind="", shape=(2, 3)):
    return Stage(key, key, np.zeros(shape), (Axis("batch", "B"), axis), Given("input"), kind)


def test_kinds_are_one_for_all_one_each_or_per_sample():
    one, each = Axis("token", "n", kinds="word"), Axis("token", "n", kinds=("cls", "patch"))
    own = Axis("token", "n", kinds=(("word", "word"), ("word", "filling")))
    assert [Axis("token", "n").kind(1), one.kind(1), each.kind(0), each.kind(1)] == [
        "", "word", "cls", "patch",
    ]  # fmt: skip
    assert [own.kind(1, sample) for sample in range(2)] == ["word", "filling"]
    assert own.kinds_of(1) == ("word", "filling")
    assert own.all_kinds == ("word", "filling")
    assert each.positions("patch", "cls", size=2) == (0, 1)
    assert own.positions("filling", size=2, sample=1) == (1,)


def test_an_unknown_kind_of_position_is_refused():
    with pytest.raises(ValueError, match="axis 'token': no position has the kind 'wrod'"):
        Axis("token", "n", kinds=(("word", "wrod"),))


@for_all("kinds", [("word",), (("word",) * 3,), (("word",) * 3, ("word",) * 2)])
def test_kinds_that_do_not_fit_are_refused(kinds):
    with refuses("labels_do_not_fit"):
        stage(Axis("token", "n", kinds=kinds))


def test_padded_positions_have_the_kind_filling():
    filled = Axis("token", "n", TWO, "word").filled(REAL)
    assert filled.kinds_of(0) == ("word",) * 3
    assert filled.kinds_of(1) == ("word", "filling", "filling")
    assert filled.labels == TWO
    assert filled.for_all_samples().kinds == ""
    same = Axis("token", "n", kinds=(("cls", "patch"),) * 2).for_all_samples()
    assert same.kinds == ("cls", "patch")
    assert Axis("frame", "N", kinds="frame").filled(REAL | True).kinds == "frame"


def test_axes_copies_labels_kinds_and_hops_of_a_given_axis():
    frames = Axis("frame", "N", ("0.00 s", "0.02 s"), ("frame", "filling"), hops=2)
    (query,) = axes("query", labels={"query": frames})
    assert query == Axis("query", "n_q", frames.labels, frames.kinds, hops=2)


def test_the_kind_of_a_stage_is_its_key_by_default():
    axis = Axis("token", "n")
    assert stage(axis).kind == stage(axis, "decoder/1/cross/X").kind == "X"
    assert (
        stage(axis, kind="feed_forward_input").kind
        == stage(axis, "encoder/1/X", "feed_forward_input").kind
        == "feed_forward_input"
    )


def test_padding_of_a_shorter_line_is_filling():
    trace = multi_head_attention(
        text.embed((("1", "b", "c"), ("1",)), 4, 1), Weights.seeded(4, 2, 1)
    )
    for key, role in (("tokens", "token"), ("X", "token"), ("Q", "query"), ("weights", "key")):
        axis = trace[key].axis(role)
        assert axis.kinds_of(0) == ("word",) * 3, key
        assert axis.kinds_of(1) == ("word", "filling", "filling"), key
    assert trace.token == "word"


def test_a_written_pad_token_is_a_word():
    assert text.embed((("[PAD]", "a"),), 4, 1)["X"].axis("token").kinds == "word"


def test_a_key_mask_marks_padding_in_X_only_for_self_attention():
    weights = Weights.seeded(4, 2, 1)
    source = text.embed((("a", "b", "c"), ("d", "e", "f")), 4, 1)
    own = multi_head_attention(source, weights, AttentionOptions(key_mask=REAL))
    crossed = multi_head_attention(
        source, weights, AttentionOptions(key_mask=REAL), memory=np.ones((2, 3, 4))
    )
    assert own["weights"].axis("query").kinds_of(1) == ("word", "filling", "filling")
    assert own["tokens"].axis("token").kinds_of(1) == ("word", "filling", "filling")
    assert crossed["weights"].axis("query").kinds == "word"


@pytest.mark.parametrize("cls", [True, False])
def test_a_picture_has_patches_after_cls(cls):
    trace = image.embed(np.zeros((1, 4, 4, 3)), 2, 4, 1, cls=cls)
    tokens = trace["X"].axis("token")
    assert [tokens.kind(i) for i in range(4 + cls)] == ["cls"] * cls + ["patch"] * 4
    assert trace["patches"].axis("patch").kinds == "patch"
    assert trace["image"].axis("width").kinds == ""
    assert trace.token == "patch"


@for_all("pool", [1, 2, 3])
def test_tokens_of_a_sound_have_their_duration_in_hops(pool):
    source = audio.embed(np.linspace(-1, 1, 1900), 16_000, 4, 1, mels=3, pool=pool)
    trace = multi_head_attention(source, Weights.seeded(4, 2, 1))
    assert trace["level"].axis("frame").hops == trace["frames"].axis("frame").hops == 1
    for key, role in (("embedding", "frame"), ("X", "token"), ("weights", "key")):
        assert (trace[key].axis(role).hops, trace[key].axis(role).kind(0)) == (pool, "frame")
    assert trace["X"].axis("d_model").hops == 0


def test_the_kind_of_a_key_mask_is_sounding_for_sound():
    sound = audio.embed(np.linspace(-1, 1, 480), 16_000, 4, 1, mels=3)
    audible = np.array([[True, True, False]])
    weights = Weights.seeded(4, 2, 1)
    assert (
        multi_head_attention(sound, weights, AttentionOptions(key_mask=audible))["key_mask"].kind
        == "sounding"
    )
    words = text.embed((("a", "b", "c"),), 4, 1)
    assert (
        multi_head_attention(words, weights, AttentionOptions(key_mask=audible))["key_mask"].kind
        == "key_mask"
    )


def test_attention_over_given_matrices_takes_the_given_axes():
    x = np.ones((1, 2, 3, 4))
    along = Axis("token", "n", ("a", "b", "c"), ("word", "word", "filling"))
    trace = scaled_dot_product_attention(x, x, x, labels={"query": along, "key": along})
    assert trace["weights"].axis("query").kind(2) == trace["K"].axis("key").kind(2) == "filling"
    assert trace["scores"].axis("key").symbol == "n_k"
