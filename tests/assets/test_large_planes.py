"""Blocks of large (query, key) stages that the browser computes, in Node, against NumPy."""

import numpy as np
import pytest
from in_node import evaluate

from core import AttentionOptions, Trace, explain, scaled_dot_product_attention
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


LATER = """
  const asked = [], window = (role, positions) => ({ role, positions: Int32Array.from(positions) });
  const shown = new trace.Trace(blob.unpacked(given.sent)), { cell: index } = given;
  shown.bytesAt = async (url) => {
    asked.push(url);
    return given.served[url] ? Uint8Array.from(given.served[url]).buffer : null;
  };
  const [rows, columns] = ["query", "key"].map((role, i) => window(role, [index[i + 2]]));
  const picture = block.block(shown, "weights", { rows, columns, at: { batch: 0, head: 0 } })[0];
  const before = asked.length;
  let read = 0, waits = 0;
  do {
    const arrived = new Promise((done) => { shown.arrived = done; });
    const isWaiting = trace.isWaiting(() => { read = cell.explain(shown, "weights", index); });
    if (!isWaiting) break;
    waits++;
    await arrived;
  } while (!shown.isLost);
  const made = read.made_by?.value;
  return { picture, before, asked, waits, value: read.value, made, isLost: shown.isLost };
"""


def test_a_number_is_exact_as_soon_as_it_is_read_and_a_picture_waits_for_nothing() -> None:
    Q, K, V = (RANDOM.normal(size=(1, 1, 2_000, 64)).astype(np.float32) for _ in "QKV")
    trace = scaled_dot_product_attention(Q, K, V)
    served: dict[str, bytes] = {}

    def serve(name: str, data: bytes) -> str:
        served[f"/media/{name}"] = data
        return f"/media/{name}"

    sent = scene(trace, "weights", 0, 0, (), LANGUAGES["en"], serve=serve)
    assert len(sent) < Q.nbytes + K.nbytes
    cell = (0, 0, 1_234, 56)
    modules = [f"microscope/engine/{name}.js" for name in ("blob", "trace", "block", "cell")]
    found = evaluate(modules, LATER, {"sent": sent, "served": served, "cell": cell})
    exact = explain(trace, "weights", cell).made_by.value
    assert found["before"] == 0
    assert found["asked"] == ["/media/Q", "/media/K"]
    assert found["picture"] == pytest.approx(exact, rel=5e-3)
    assert found["picture"] != pytest.approx(exact, rel=1e-6)
    assert found["made"] == pytest.approx(exact, rel=1e-6)
    lost = evaluate(modules, LATER, {"sent": sent, "served": {}, "cell": cell})
    assert (lost["isLost"], lost.get("value"), lost["waits"]) == (True, None, 1)


TILES = """
  const shown = new trace.Trace(blob.unpacked(given)), at = { batch: 0, head: 1, kv_head: 0 };
  const plane = shown.drawing("weights").planes.at(-1);
  const made = new tiles.Tiles(shown, plane, at), corner = { top: 0, left: 128, step: 2 };
  const window = { top: 200, bottom: 203, first: 5, last: 9 };
  let frames = 0;
  await new Promise((done) => {
    const redraw = () => {
      frames++;
      if (made.tiles.get("2 0 128")?.isFine && made.window) done();
      else made.ask([corner], window, redraw);
    };
    redraw();
  });
  const whole = new tile.Tile(shown, plane, at, corner);
  whole.refine(Infinity);
  const { numbers } = made.cellsIn(window, () => {});
  return {
    frames,
    drawn: [...made.tiles.get("2 0 128").paints],
    whole: [...whole.paints],
    numbers: Object.values(numbers),
  };
"""


def test_without_a_worker_tiles_and_numbers_come_between_frames_and_are_the_same() -> None:
    trace = attended(OPTIONS["alone"])
    names = ("engine/blob", "engine/trace", "figure/tiles", "figure/tile")
    modules = [f"microscope/{name}.js" for name in names]
    found = evaluate(modules, TILES, scene(trace, "weights", 0, 1, (), LANGUAGES["en"]))
    assert found["frames"] > 2  # a coarse tile, numbers, a fine tile
    assert found["drawn"] == found["whole"]
    weights = trace["weights"].tensor[0, 1, 200:203, 5:9]
    np.testing.assert_allclose(found["numbers"], weights.ravel(), rtol=1e-12)
