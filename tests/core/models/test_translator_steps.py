"""Each step of a translation is a row of the finished one: the causal mask sees to it."""

import numpy as np
import pytest
from claims import for_all

from core.models import translator

SENTENCE = "我明天去北京"


@pytest.fixture(scope="module")
def whole():
    return translator.load().translate(SENTENCE)


@for_all("read", range(7))
def test_what_the_model_computed_for_a_step_is_the_same_before_and_after_the_next_words(
    whole, read
):
    model = translator.load()
    step = model.trace(whole.tokens, whole.words[:read])
    compared = 0
    for key, stage in step.items():
        if not key.startswith(("target/", "decoder/", "prediction/")):
            continue
        first = tuple(slice(0, size) for size in stage.tensor.shape)
        same = whole.trace[key].tensor[first]
        np.testing.assert_allclose(stage.tensor, same, atol=1e-12, err_msg=key)
        compared += 1
    assert compared > 100


def test_each_word_was_the_likeliest_after_those_before_it(whole):
    model = translator.load()
    for place, word in enumerate((*whole.words, model.end)):
        step = model.trace(whole.tokens, whole.words[:place])
        assert translator.candidates(step, place, 1)[0][0] == word


def test_without_the_causal_mask_it_would_not_be_so(whole):
    """The source has none: there a word more changes the rows of the others."""
    model = translator.load()
    longer = model.encoder(model.cut(SENTENCE + "吗"))["encoder/2/self/weights"].tensor
    shorter = model.encoder(model.cut(SENTENCE))["encoder/2/self/weights"].tensor
    assert np.abs(longer[:, :, :4, :4] - shorter).max() > 0.01
