"""The worked examples of the lesson, number by number."""

import json
import math
from pathlib import Path

import numpy as np
from claims import for_all

from core import HeadWeights, Weights, multi_head_attention, scaled_dot_product_attention
from core.options import AttentionOptions

EXAMPLES = json.loads(
    (Path(__file__).parent / "data" / "worked_examples.json").read_text(encoding="utf-8")
)
BEIJING, D4_H2 = EXAMPLES["wo_ai_beijing"], EXAMPLES["d4_h2"]


def numbers(rows):
    return np.array([[-math.inf if x is None else x for x in row] for row in rows], dtype=float)


def agree(tensor, rows):
    np.testing.assert_allclose(tensor, numbers(rows), rtol=0, atol=1e-9)


@for_all("divisor", [8, 1])
@for_all("causal", [True, False])
def test_wo_ai_beijing(divisor, causal):
    expected = BEIJING[f"divisor_{divisor}_{'causal' if causal else 'no_mask'}"]
    Q, K, V = (np.array(BEIJING[name])[None, None] for name in "qkv")
    trace = scaled_dot_product_attention(
        Q, K, V, AttentionOptions(scale=1 / divisor, causal=causal)
    )
    for key in ("scores", "scaled", "weights"):
        agree(trace[key].tensor[0, 0], expected[key])
    agree(trace["masked" if causal else "scaled"].tensor[0, 0], expected["masked"])
    agree(trace["head_output"].tensor[0, 0], expected["output"])
    assert ("masked" in trace) == causal
    written = {8: r"\frac{\text{scores}}{8}", 1: r"\text{scores}"}[divisor]
    assert trace["scaled"].formula == rf"\text{{scaled}} = {written}"


def test_two_heads_of_d_model_4():
    heads = [
        HeadWeights(*(np.array(D4_H2[name][i]) for name in ("W_Q", "W_K", "W_V"))) for i in range(2)
    ]
    W_O = np.array(D4_H2["W_O"])
    heads = [
        HeadWeights(head.W_Q, head.W_K, head.W_V, W_O[2 * i : 2 * i + 2])
        for i, head in enumerate(heads)
    ]
    trace = multi_head_attention(np.array([D4_H2["x"]]), Weights.from_heads(heads))
    for i, expected in enumerate(D4_H2["heads"]):
        for key in ("Q", "K", "V"):
            agree(trace[key].tensor[0, i], expected[key.lower()])
        for key in ("scores", "scaled", "weights"):
            agree(trace[key].tensor[0, i], expected[key])
        agree(trace["head_output"].tensor[0, i], expected["output"])
    agree(trace["concat"].tensor[0], D4_H2["concat"])
    agree(trace["output"].tensor[0], D4_H2["output"])
