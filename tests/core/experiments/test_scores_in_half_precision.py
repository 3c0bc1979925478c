import math

import ml_dtypes
import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import scaled_dot_product_attention
from core.experiments.half_precision import ORDERS, STORED, stored_score
from core.options import LARGEST, AttentionOptions

KINDS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32}


def vectors(entry: float, d_k: int) -> np.ndarray:
    return np.full(d_k, entry)


def test_a_product_beyond_65504_is_infinite_before_it_is_scaled_and_fits_if_scaled_first():
    q = vectors(150, 4)  # 150 · 150 · 4 = 90,000; divided by 2 it is 45,000
    found = [stored_score(q, q, order, "float16") for order in ORDERS]
    # Near 45,000 numbers of float16 are 32 apart: 1406 · 32 = 44,992.
    assert [one.product for one in found] == [math.inf, 44992, pytest.approx(44992, rel=2e-3)]
    assert [one.scaled for one in found] == [math.inf, 44992, found[2].product]
    for precision in ("bfloat16", "float32"):
        product = stored_score(q, q, "after", precision).product
        assert product == pytest.approx(90000, rel=2**-8)
    row = np.array([np.inf, 0], np.float16)
    with np.errstate(invalid="ignore"):
        assert np.isnan(np.exp(row - row.max())[0])


@for_all("precision", STORED)
def test_every_result_is_one_of_its_precision_and_all_orders_agree_where_nothing_overflows(
    precision,
):
    rng, kind = np.random.default_rng(7), KINDS[precision]
    q, k = rng.standard_normal((2, 64))
    for order in ORDERS:
        found = stored_score(q, k, order, precision)
        for value in (found.product, found.scaled):
            assert float(kind(value)) == value
        assert found.scaled == pytest.approx(float(q @ k) / 8, abs=0.05)


def test_core_names_the_largest_number_of_the_precision():
    for precision in ("float16", "bfloat16"):
        assert LARGEST[precision] == float(ml_dtypes.finfo(KINDS[precision]).max)
    Q = vectors(150, 4).reshape(1, 1, 1, 4)
    with refuses(
        "beyond_precision", name="scores", value="90000", precision="float16", limit="65504"
    ):
        scaled_dot_product_attention(Q, Q, Q, AttentionOptions(precision="float16"))
