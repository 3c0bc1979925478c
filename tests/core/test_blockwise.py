"""Attention whose (query, key) stages are computed when they are read."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from core import AttentionOptions, blockwise, explain, scaled_dot_product_attention
from core.limits import LIMITS
from core.relative import RelativeBias
from core.trace import Trace

RANDOM = np.random.default_rng(0)
N = 7
SMALL = replace(LIMITS, stage_bytes=0, block_bytes=N * 4 * 2 * 8 * 3)  # three queries of 4 heads
OPTIONS = {
    "nothing": AttentionOptions(),
    "drops": AttentionOptions(causal=True, window=(2, 1), sink_tokens=1, dropout=0.3),
    "alibi": AttentionOptions(
        causal=True, alibi=np.array([0.5, 0.2, 0.1, 0.3]), soft_cap=5.0, sinks=np.ones(4)
    ),
    "given": AttentionOptions(
        allowed=np.tri(N, dtype=bool),
        bias=RANDOM.normal(size=(2, 4, N, N)),
        head_mask=np.array([True, False, True, True]),
    ),
    "lengths": AttentionOptions(lengths=np.array([3, 6]), causal=True, precision="bfloat16"),
    "for_all": AttentionOptions(key_mask=np.arange(N) < [[7], [5]], allowed=np.ones((N,), bool)),
    "relative": AttentionOptions(relative=RelativeBias(RANDOM.normal(size=(4, 8)), True, 5)),
}
INDICES: list[tuple[object, ...]] = [
    (0,),
    (1, 1),
    (slice(None), 1, 2),
    (..., 2, slice(1, 3)),
    (0, 0, 4, 2),
    (0, 0, slice(2, 6, 2), slice(None)),
    (0, 0, np.array([1, 3]), np.array([0, 2])),
    (0, 0, -1),
    (slice(1), ..., np.array([5, 0]), slice(None)),
    (np.array([0, 1]), 0),
]


def operands(heads: int) -> list[np.ndarray]:
    return [RANDOM.normal(size=(2, one, N, 3)) for one in (4, heads, heads)]


def in_blocks(
    monkeypatch: pytest.MonkeyPatch, arrays: list[np.ndarray], options: AttentionOptions
) -> Trace:
    with monkeypatch.context() as patched:
        patched.setattr(blockwise, "LIMITS", SMALL)
        return scaled_dot_product_attention(*arrays, options)


@pytest.mark.parametrize("name", OPTIONS)
def test_blocks_of_queries_give_the_stages_that_all_queries_give(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = operands(heads=2 if name == "nothing" else 4)
    whole = scaled_dot_product_attention(*arrays, OPTIONS[name])
    blocks = in_blocks(monkeypatch, arrays, OPTIONS[name])
    assert list(blocks) == list(whole)
    for key, stage in whole.items():
        other = blocks[key]
        lazy = isinstance(other.tensor, blockwise.BlockwiseArray)
        assert lazy == ({"query", "key"} <= set(stage.roles)), key
        assert (other.axes, other.rule, other.formula) == (stage.axes, stage.rule, stage.formula)
        assert other.tensor.dtype == stage.tensor.dtype, key
        near = {"rtol": 0, "atol": 1e-12, "err_msg": key}
        np.testing.assert_allclose(np.asarray(other.tensor), stage.tensor, **near)
        for index in INDICES if lazy and stage.tensor.ndim == 4 else ():
            read = np.asarray(other.tensor[index])
            np.testing.assert_allclose(read, stage.tensor[index], **near)
    for key in ("scaled", "weights", "head_output"):
        at = 1, 1, 5, 2
        assert explain(blocks, key, at).value == pytest.approx(whole[key].tensor[at], abs=1e-12)


def test_each_row_has_its_range_without_what_is_masked_and_the_total_of_its_softmax(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace = in_blocks(monkeypatch, operands(heads=4), OPTIONS["lengths"])
    masked, weights = trace["masked"].tensor, trace["weights"].tensor
    low, high, count = blockwise.of_rows(masked)
    for at, row in ((index, masked[index]) for index in np.ndindex(masked.shape[:-1])):
        seen = row[np.isfinite(row)]
        assert count[at] == seen.size
        if not seen.size:
            assert (low[at], high[at]) == (np.inf, -np.inf)
            continue
        assert (low[at], high[at]) == (seen.min(), seen.max())
        total = blockwise.logsumexp(masked, weights)[at]
        np.testing.assert_allclose(total, np.log(np.exp(seen).sum()), atol=0.02)  # in bfloat16


def test_no_matrix_of_all_queries_and_keys_is_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 1_500
    arrays = [RANDOM.normal(size=(1, 1, n, 4)) for _ in "QKV"]
    limits = replace(LIMITS, stage_bytes=0, block_bytes=500_000)
    monkeypatch.setattr(blockwise, "LIMITS", limits)
    tracemalloc.start()
    trace = scaled_dot_product_attention(*arrays, AttentionOptions(causal=True))
    assert blockwise.of_rows(trace["weights"].tensor)[1].max() == 1  # the first query sees itself
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * n * 8 / 2
