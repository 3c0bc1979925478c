"""Receptive fields against a walk from token to token, counts against the masks themselves."""

import numpy as np
import pytest
from claims import for_all

from core import masks
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.sliding_window import (
    allowed,
    layers_needed,
    long_reading,
    mean_weight,
    pairs,
    reach,
    receptive_field,
)

PATTERNS = [(1, 0, ()), (3, 0, ()), (2, 1, ()), (4, 2, (5,)), (2, 0, (3, 8)), (11, 0, ())]


def walked(mask, layers):
    """Level by level, from each query to all that it attends to, as sets."""
    reached = np.zeros((layers, *mask.shape), bool)
    for query in range(len(mask)):
        here = {query}
        for layer in range(layers):
            here |= {key for one in here for key in range(len(mask)) if mask[one, key]}
            reached[layer, query, list(here)] = True
    return reached


@for_all(("window", "sinks", "tokens"), PATTERNS)
def test_reach_equals_a_walk_over_the_mask(window, sinks, tokens):
    mask = allowed(11, window, sinks, tokens)
    expected = walked(mask, 5)
    np.testing.assert_array_equal(reach(mask, 5), expected)
    needed = layers_needed(reach(mask, 5))
    for query, key in np.ndindex(mask.shape):
        first = [layer for layer in range(5) if expected[layer, query, key]]
        assert needed[query, key] == (first[0] + 1 if first else 0)


def test_nothing_reaches_a_token_from_the_future_and_a_narrowest_window_reaches_nothing():
    for window, sinks, tokens in PATTERNS:
        mask = allowed(11, window, sinks, tokens)
        assert not np.triu(reach(mask, 6)[-1], 1).any()
        assert (reach(mask, 6)[0] == mask).all()
    np.testing.assert_array_equal(reach(allowed(7, 1), 6)[-1], np.eye(7))


@for_all("window", [1, 2, 3, 5])
@for_all("layers", [1, 2, 4])
def test_each_layer_adds_the_window_less_one(window, layers):
    n = 23
    reached = reach(allowed(n, window), layers)[-1, n - 1].sum()
    assert reached == min(n, receptive_field(window, layers))


def test_a_sink_or_a_global_token_is_a_short_cut():
    far = layers_needed(reach(allowed(12, 2), 11))
    assert far[11, 0] == 11
    assert layers_needed(reach(allowed(12, 2, 1), 11))[11, 0] == 1
    through = layers_needed(reach(allowed(12, 2, 0, (6,)), 11))
    assert through[11, 1] == 2, "over the global token"
    assert through[5, 0] == 5, "which those before it do not see"


@for_all("n", [1, 2, 7, 12])
@for_all("window", [1, 2, 5, 12, 20])
@for_all("sinks", [0, 1, 3, 12])
def test_pairs_counts_the_allowed_cells(n, window, sinks):
    mask = masks.causal(n, n) & masks.window(n, n, window - 1, -1, sink_tokens=sinks)
    assert pairs(n, window, sinks) == mask.sum()


def test_mean_weight_leaves_out_the_first_query():
    weights = np.array([[[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.1, 0.4]]])
    first = np.array([[True, False, False]] * 3)
    assert mean_weight(weights, first) == pytest.approx([0.375])
    assert mean_weight(np.ones((2, 1, 1)), np.ones((1, 1), bool)).tolist() == [0, 0]


def test_the_receptive_field_of_a_window_of_4096_in_32_layers():
    mistral = long_reading(LLAMA_8B, CONTEXT, 4096)
    assert mistral.field == 32 * 4095 + 1 == 131_041
    # 2 (K and V) · 32 layers · 8 heads · 128 numbers · 2 bytes · 4096 tokens
    assert mistral.cache_bytes == 2 * 32 * 8 * 128 * 2 * 4096
    assert mistral.pairs == 32 * (4096 * 131_072 - 4096 * 4095 // 2)


def test_layers_with_full_attention_cost_as_without_a_window():
    full = long_reading(LLAMA_8B, CONTEXT)
    assert full.cache_bytes == LLAMA_8B.cache_bytes(CONTEXT)
    assert full.pairs == 32 * CONTEXT * (CONTEXT + 1) // 2
    assert full.multiply_adds == 2 * 128 * 32 * full.pairs
    half = long_reading(LLAMA_8B, CONTEXT, 128, 2)
    local = long_reading(LLAMA_8B, CONTEXT, 128)
    assert 2 * half.cache_bytes == full.cache_bytes + local.cache_bytes
    assert 2 * half.pairs == full.pairs + local.pairs
    assert half.field == CONTEXT
    sixth = long_reading(LLAMA_8B, CONTEXT, 1024, 6)  # 5 of 32 layers
    assert 32 * sixth.cache_bytes == 5 * full.cache_bytes + 27 * (
        long_reading(LLAMA_8B, CONTEXT, 1024).cache_bytes
    )


def test_a_window_wider_than_the_text_costs_what_the_text_costs():
    wide = long_reading(LLAMA_8B, 100, 4096)
    assert (wide.pairs, wide.cache_bytes) == (32 * 5050, LLAMA_8B.cache_bytes(100))
    assert wide.field == 100
