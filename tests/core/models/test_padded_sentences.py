"""Sentences of different lengths through the trained encoder at once."""

import numpy as np
import pytest

from core.models import translator
from core.sources.text import PAD

SHORT, LONG = ("我", "爱", "北京"), ("我们", "明天", "去", "上海", "学习", "中文", "吗")


@pytest.fixture(scope="module")
def model():
    return translator.load()


@pytest.fixture(scope="module")
def together(model):
    return model.encoder(SHORT, LONG)


@pytest.mark.parametrize(("sample", "line"), [(0, SHORT), (1, LONG)])
def test_a_padded_sample_has_in_every_stage_the_rows_that_it_has_alone(
    model, together, sample, line
):
    n, compared = len(line), 0
    for key, alone in model.encoder(line).items():
        if "batch" not in alone.roles or key == "source/tokens":
            continue  # tokens: rows of the table of what occurs, which is another
        of_sample = together[key].tensor[sample]
        for axis, role in enumerate(alone.roles[1:]):
            if role in ("token", "query", "key"):
                of_sample = of_sample.take(range(n), axis=axis)
        np.testing.assert_allclose(of_sample, alone.tensor[0], rtol=0, atol=2e-4)
        compared += 1
    # embedding, X; in each layer 12 of attention and 5 of feed-forward
    assert compared == 2 + model.layers * (12 + 5)


def test_padding_gets_no_weight_in_any_layer_and_head(model, together):
    for layer in range(1, model.layers + 1):
        weights = together[f"encoder/{layer}/self/weights"].tensor
        assert (weights[0, :, :, len(SHORT) :] == 0).all()
        np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)


def test_padding_is_labelled_and_has_the_first_row_of_the_table(model, together):
    assert together["source/X"].axis("token").names(0) == (*SHORT, *[PAD] * 4)
    (filling,) = set(together["source/tokens"].tensor[0, len(SHORT) :].tolist())
    assert together["source/E"].axis("vocabulary").label(filling) == "[UNK]"
    table = model.stored.tensors["source/E"]
    np.testing.assert_array_equal(together["source/E"].tensor[filling], table[0])


def test_sentences_of_one_length_need_no_mask(model):
    trace = model.encoder(SHORT, ("他", "喝", "茶"))
    assert not [key for key in trace if key.endswith(("key_mask", "masked"))]
    assert trace["encoder/1/self/weights"].size("batch") == 2
