import numpy as np
import pytest

from core import Axis, Stage, Weights, multi_head_attention
from core.layers import FeedForward, Norm
from core.models.block import (
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
    pre_norm_attention,
    pre_norm_feed_forward,
)
from core.options import AttentionOptions
from core.rules import Given

WIDTH, HEADS, D_FF = 6, 2, 11
RANDOM = np.random.default_rng(17)
WEIGHTS = Weights.seeded(WIDTH, HEADS, seed=3)
NORM = Norm(RANDOM.normal(size=WIDTH), RANDOM.normal(size=WIDTH), 1e-5)
LAYER = FeedForward(
    RANDOM.normal(size=(WIDTH, D_FF)),
    RANDOM.normal(size=D_FF),
    RANDOM.normal(size=(D_FF, WIDTH)),
    RANDOM.normal(size=WIDTH),
)


def sequence(n: int, role: str = "token") -> Stage:
    axes = (Axis("batch", "B"), Axis(role, "n"), Axis("d_model", "d"))
    return Stage("normalised", "x", RANDOM.normal(size=(1, n, WIDTH)), axes, Given("input"))


def normed(rows: np.ndarray) -> np.ndarray:
    """LayerNorm by rows, in another order of operations than the code under test."""
    made = np.empty_like(rows)
    for i, row in enumerate(rows):
        made[i] = np.asarray(NORM.gamma) * (row - np.mean(row)) * (np.var(row) + 1e-5) ** -0.5
        made[i] += np.asarray(NORM.beta)
    return made


def fed(rows: np.ndarray) -> np.ndarray:
    return np.where((h := rows @ LAYER.W_1 + LAYER.b_1) > 0, h, 0) @ LAYER.W_2 + LAYER.b_2


def test_post_norm_attention_is_the_norm_of_the_input_plus_attention():
    x = sequence(5, "query")
    found = multi_head_attention(x.tensor, WEIGHTS, AttentionOptions(causal=True))["output"].tensor[
        0
    ]
    made = output_stage(
        post_norm_attention(x, WEIGHTS, NORM, options=AttentionOptions(causal=True))
    )
    assert made.key == "normalised"
    assert made.tensor[0] == pytest.approx(normed(x.tensor[0] + found), abs=1e-12)


def test_pre_norm_attention_adds_attention_of_the_norm_to_the_stream():
    x = sequence(5)
    found = multi_head_attention(normed(x.tensor[0])[None], WEIGHTS)["output"].tensor[0]
    made = output_stage(pre_norm_attention(x, WEIGHTS, NORM))
    assert made.key == "residual"
    assert made.tensor[0] == pytest.approx(x.tensor[0] + found, abs=1e-12)


def test_feed_forward_comes_before_or_after_its_norm():
    x = sequence(5)
    rows = x.tensor[0]
    behind = output_stage(post_norm_feed_forward(x, LAYER, NORM)).tensor[0]
    before = output_stage(pre_norm_feed_forward(x, LAYER, NORM)).tensor[0]
    assert behind == pytest.approx(normed(rows + fed(rows)), abs=1e-11)
    assert before == pytest.approx(rows + fed(normed(rows)), abs=1e-11)
