"""Writing with a KV cache: its faults, and the invariants that each of them breaks or keeps."""

import numpy as np
import pytest

from core import explain
from core.models.cached import (
    FAULTS,
    attention_trace,
    differences,
    rounded,
    with_cache,
    with_rounded_cache,
)

TEXT = "The cat sat on the mat because"
LAYERS, HEADS, KV_HEADS, D_K, D = 6, 4, 2, 48, 192


@pytest.fixture(scope="module")
def writing(decoder):
    return decoder.write(TEXT, 8)


@pytest.fixture(scope="module")
def passes(decoder, writing):
    faulty = {fault: with_cache(decoder.decoder, writing, fault) for fault in FAULTS}
    return {None: writing.cached, **faulty}


def test_what_is_written_is_what_the_model_predicts_of_the_text_so_far(decoder, writing):
    assert writing.ended
    assert "".join(writing.names[:-1]) == "␣of␣the␣storm."
    text = TEXT
    for i, found in enumerate(writing.passes):
        made = decoder.predict(text)
        assert found.likeliest == made.likeliest[0]
        np.testing.assert_allclose(found.probabilities, made.probabilities, atol=1e-5)
        if i + 1 < len(writing.passes):
            text = decoder.append_token(text, found.likeliest)


def test_at_most_so_many_tokens_are_written(decoder):
    short = decoder.write(TEXT, 2)
    assert len(short.encodings) == len(short.names) == 3
    assert not short.ended
    assert [len(encoding.ids) for encoding in short.encodings] == [8, 9, 10]


def test_cached_and_uncached_agree_unless_keys_are_rotated_twice(writing, passes):
    apart = {fault: differences(writing.passes, found) for fault, found in passes.items()}
    rotated = apart.pop("rotated_twice")
    assert all(max(found) < 1e-4 for found in apart.values()), apart
    assert rotated[0] < 1e-4  # prefill alone does not show it
    assert min(rotated[1:]) > 0.1
    wrong = [
        one.likeliest != other.likeliest
        for one, other in zip(writing.passes, passes["rotated_twice"], strict=True)
    ]
    assert any(wrong)


def test_a_cache_holds_keys_and_values_of_shared_heads_and_nothing_else(writing, passes):
    for step, encoding in enumerate(writing.encodings):
        n = len(encoding.ids)
        numbers = {fault: found[step].cached_numbers for fault, found in passes.items()}
        expected = 2 * LAYERS * KV_HEADS * D_K * n
        assert numbers[None] == numbers["rotated_twice"] == expected
        assert numbers["repeated"] == 2 * LAYERS * HEADS * D_K * n
        assert numbers["cached_q"] == expected + LAYERS * HEADS * D_K * n


def test_only_queries_that_are_asked_again_cost_work(writing, passes):
    for step in range(1, len(writing.encodings)):
        n = len(writing.encodings[step].ids)
        spent = {fault: found[step].multiply_adds for fault, found in passes.items()}
        assert spent[None] == spent["rotated_twice"] == spent["repeated"]
        # n − 1 old rows: a dot product and a weighted value for each key that they may look at
        again = LAYERS * HEADS * (n - 1) * n // 2 * 2 * D_K
        assert spent["cached_q"] == spent[None] + again
        masked = LAYERS * HEADS * n * (n - 1) // 2 * 2 * D_K
        assert writing.passes[step].multiply_adds == n * spent[None] - masked


def test_keys_that_are_rotated_twice_have_turned_by_twice_their_position(passes):
    good, bad = (passes[fault][1].caches[0].K[0] for fault in (None, "rotated_twice"))
    angle = np.arange(8)[:, None] * 10000.0 ** (-np.arange(24) / 24)
    for head in range(KV_HEADS):
        one, other = (K[head, :8, :24] + 1j * K[head, :8, 24:] for K in (good, bad))
        np.testing.assert_allclose(other, one * np.exp(1j * angle), atol=1e-4)
        np.testing.assert_allclose(good[head, 8], bad[head, 8], atol=1e-6)  # the new one


def test_a_number_of_a_cached_step_opens_with_the_names_of_all_tokens(decoder, writing, passes):
    caches = passes[None][0].caches
    trace = attention_trace(decoder.decoder, writing.encodings[1], caches, 3)
    whole = attention_trace(decoder.decoder, writing.encodings[1], (), 3)
    assert trace["weights"].axis("key").names() == writing.encodings[1].tokens
    assert trace["past_K"].axis("past_key").names() == writing.encodings[0].tokens
    np.testing.assert_allclose(
        trace["weights"].tensor[:, :, 0], whole["weights"].tensor[:, :, -1], atol=1e-5
    )
    cell = explain(trace, "present_K", (0, 1, 4, 7))
    assert cell.value == pytest.approx(float(caches[2].K[0, 1, 4, 7]))


def test_a_cache_in_few_bits_has_as_many_levels_between_its_ends():
    values = np.array([[0.0, 1.0, 2.5, 3.0], [7.0, 7.0, 7.0, 7.0]])
    np.testing.assert_allclose(rounded(values, 2, 1), [[0, 1, 2, 3], [7, 7, 7, 7]])  # 2.5: to even
    np.testing.assert_allclose(rounded(values, 1, 0), values)  # two numbers, both of them ends


def test_the_fewer_bits_the_further_off_and_16_bits_are_hardly_noticed(decoder, writing):
    for by_channel in (False, True):
        made = [
            with_rounded_cache(decoder.decoder, writing, bits, by_channel=by_channel)
            for bits in (16, 8, 2)
        ]
        apart = [differences(writing.cached[-1:], [one])[0] for one in made]
        assert apart[0] < 1e-4 < apart[1] < apart[2] / 30, (by_channel, apart)
