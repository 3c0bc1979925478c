"""A token that the reader hides is covered in small pictures too, by no more than its share."""

import numpy as np
from in_node import evaluate

MODULES = ["microscope/figure/hidden_tokens.js"]
COVERED = """
  const rectangles = [], pen = { fillRect: (...rectangle) => rectangles.push(rectangle) };
  hidden_tokens.coverHidden(pen, given.hidden, given.of, given.picture, { card: "white" });
  return { rectangles, ground: pen.fillStyle };
"""


def test_the_veil_of_a_small_picture_has_the_share_that_its_tokens_have():
    """Of 48 × 48 pixels one token of 5 has 9.6 rows and columns, one of 485 a tenth of one."""
    for hidden, tokens in ((4, 5), (0, 485)):
        picture = {"width": 48, "height": 48}
        asked = {"hidden": [hidden], "of": [tokens, tokens], "picture": picture}
        found = evaluate(MODULES, COVERED, asked)
        begin, share = hidden * 48 / tokens, 48 / tokens
        expected = [[0, begin, 48, share], [begin, 0, share, 48]]
        np.testing.assert_allclose(found["rectangles"], expected, rtol=1e-12)
        assert found["ground"] == "white"
