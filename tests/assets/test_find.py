"""What Find lists of a large plane, in Node, of a small one that can be checked by hand."""

import numpy as np
from in_node import evaluate

from core import trace_of
from views.scene.scene import scene
from views.text import LANGUAGES

# Each row sums to 1; the first column and the diagonal are large, and do not count.
WEIGHTS = np.array(
    [
        [1.00, 0.00, 0.00, 0.00],
        [0.50, 0.50, 0.00, 0.00],
        [0.20, 0.45, 0.35, 0.00],
        [0.10, 0.30, 0.15, 0.45],
    ]
)
FIND = """
  const shown = new trace.Trace(blob.unpacked(given));
  const plane = shown.drawing("weights").planes.at(-1), { rows } = plane;
  const at = { batch: 0, head: 0, key: 1 }, listed = (found) =>
    found.map(({ value, query, key }) => [Math.round(100 * value), query, key]);
  return {
    largest: listed([...find.largestIn(shown, plane, at)].at(-1)),
    lookers: listed(find.lookersOf(shown, plane, at)),
    named: ["b", "B", "a", "2", "9", "", "c"].map((text) => find.nextNamed(shown, rows, text, 1)),
  };
"""


def test_the_largest_off_the_diagonal_and_who_looks_at_a_token_and_where_a_name_is_next():
    trace = trace_of(WEIGHTS[None, None], tokens=["a", "b", "a", "b"])
    modules = [
        "microscope/engine/blob.js",
        "microscope/engine/trace.js",
        "microscope/figure/find.js",
    ]
    found = evaluate(modules, FIND, scene(trace, "weights", 0, 0, (), LANGUAGES["en"]))
    assert found["largest"] == [[45, 2, 1], [30, 3, 1], [15, 3, 2]]
    assert found["lookers"] == [[50, 1, 1], [45, 2, 1], [30, 3, 1]]
    assert found["named"] == [3, 3, 2, 1, None, None, None]
