"""Blocks of large (query, key) stages that the browser computes, in Node, against NumPy."""

import numpy as np
from in_node import evaluate

from core import AttentionOptions, Trace, scaled_dot_product_attention
from views.scene.scene import scene
from views.text import LANGUAGES

N = 300  # beyond 256 × 256 cells
RANDOM = np.random.default_rng(0)
KEYS = ("scores", "scaled", "capped", "masked", "weights", "causal", "distance", "dropped")
OPTIONS = {
    "alone": AttentionOptions(),
    "masks": AttentionOptions(
        causal=True, window=(40, 0), sink_tokens=2, key_mask=np.arange(N)[None] < 290
    ),
    "biases": AttentionOptions(
        alibi=np.array([0.5, 0.25]), soft_cap=3.0, sinks=np.ones(2), causal=True
    ),
    "rounded": AttentionOptions(precision="bfloat16", dropout=0.2),
}
ROWS, COLUMNS = [0, 1, 7, 150, 299], [0, 2, 3, 149, 150, 299]
READ = """
  return given.scenes.map(({ sent, key, head }) => {
    const shown = new trace.Trace(blob.unpacked(sent)), at = { batch: 0, head, kv_head: 0 };
    return given.sides.map(([down, right]) => {
      const rows = { role: down, positions: Int32Array.from(given[down]) };
      const columns = { role: right, positions: Int32Array.from(given[right]) };
      return Array.from(block.block(shown, key, { rows, columns, at }), String);
    });
  });
"""


def attended(options: AttentionOptions) -> Trace:
    """Two heads that share their keys."""
    Q, K, V = (RANDOM.normal(size=(1, heads, N, 5)) for heads in (2, 1, 1))
    return scaled_dot_product_attention(Q, K, V, options)


def test_blocks_are_those_of_the_stage_and_of_its_transpose() -> None:
    traces = {name: attended(options) for name, options in OPTIONS.items()}
    asked = [(name, key) for name in traces for key in KEYS if key in traces[name]]
    scenes = [
        {"sent": scene(traces[name], key, 0, 1, (), LANGUAGES["en"]), "key": key, "head": 1}
        for name, key in asked
    ]
    given = {"scenes": scenes, "query": ROWS, "key": COLUMNS}
    sides = [("query", "key"), ("key", "query")]
    modules = [f"microscope/engine/{name}.js" for name in ("blob", "trace", "block")]
    found = evaluate(modules, READ, given | {"sides": sides})
    wrong = []
    for (name, key), (rows, columns) in zip(asked, found, strict=True):
        tensor = traces[name][key].tensor
        expected = tensor[(0, 1) if tensor.ndim == 4 else ()][np.ix_(ROWS, COLUMNS)]
        for made, by in ((rows, expected), (columns, expected.T)):
            values = np.array(made, float).reshape(by.shape)
            if not np.allclose(values, by, rtol=3e-2 if name == "rounded" else 1e-5, atol=1e-6):
                wrong.append((name, key, values, by))
    assert not wrong, wrong
