"""Rounding to half precision in the browser, against NumPy's and ml_dtypes'."""

import ml_dtypes
import numpy as np
import pytest
from in_node import evaluate

from views.scene.blob import pack

KINDS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
TIES = [1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 2.0**-25, 3 * 2.0**-25]
ENDS = [65504, 65519.9, 65520, -65520, 3.4e38, 1e-40, 2.0**-14, 2.0**-24, 2.0**-133, 0, 1]
ROUNDED = "return given.values.map((value) => String(rules.roundTo(value, given.precision)));"


@pytest.mark.parametrize("precision", KINDS)
def test_the_browser_rounds_as_the_half_precision_does(precision):
    draw = np.random.default_rng(3)
    drawn = draw.normal(size=500) * 10.0 ** draw.integers(-9, 5, 500)
    values = np.array([*TIES, *ENDS, *drawn], np.float32)
    given = {"values": values.tolist(), "precision": precision}
    found = evaluate(["microscope/engine/rules.js"], ROUNDED, given)
    with np.errstate(over="ignore"):
        expected = values.astype(KINDS[precision]).astype(float)
    np.testing.assert_array_equal([float(one) for one in found], expected)


def test_an_array_in_half_precision_is_read_as_the_numbers_that_it_holds():
    bits = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(256, 256)
    blob = pack({}, {"W": bits, "next": np.array([2.5])})
    body = """
      const { arrays } = blob.unpacked(new Uint8Array(given));
      const values = [...arrays.W.values, ...arrays.next.values];
      return [arrays.W.shape, values.map((one) => (Object.is(one, -0) ? "-0" : String(one)))];
    """
    shape, found = evaluate(["microscope/engine/blob.js"], body, list(blob))
    assert shape == [256, 256]
    expected = [*bits.astype(float).ravel(), 2.5]
    np.testing.assert_array_equal([float(one) for one in found], expected)
    assert [one for one in found if one == "-0"] == ["-0"]
