import numpy as np
import pytest
from refuses import refuses

from core import Weights, multi_head_attention
from core.experiments.cross import largest_difference
from core.experiments.grouped_query import shared


def weights_of(heads: int, kv_heads: int, d_k: int = 3, bias: bool = False) -> Weights:
    random = np.random.default_rng(5)
    d, keys = 7, kv_heads * d_k
    b = {"b_Q": random.normal(size=heads * d_k), "b_K": random.normal(size=keys),
         "b_V": random.normal(size=keys)} if bias else {}  # fmt: skip
    return Weights(
        W_Q=random.normal(size=(d, heads * d_k)), W_K=random.normal(size=(d, keys)),
        W_V=random.normal(size=(d, keys)), W_O=random.normal(size=(heads * d_k, d)),
        heads=heads, kv_heads=kv_heads, **b,
    )  # fmt: skip


@pytest.mark.parametrize("bias", [False, True])
def test_repeated_heads_give_what_the_shared_ones_give(bias):
    X = np.random.default_rng(1).normal(size=(2, 5, 7))
    few = weights_of(6, 2, bias=bias)
    many = shared(few, 6)
    assert many.kv_heads == 6
    one, other = multi_head_attention(X, few), multi_head_attention(X, many)
    for key in ("scores", "weights", "output"):
        assert largest_difference(one, other, key) < 1e-12, key
    for head in range(6):  # consecutive heads share
        np.testing.assert_array_equal(many.head(head).W_K, few.head(head // 3 * 3).W_K)


def test_fewer_heads_are_the_means_of_their_groups():
    many = weights_of(6, 6, bias=True)
    few = shared(many, 2)
    for group in range(2):
        of = [many.head(3 * group + i) for i in range(3)]
        for name in ("W_K", "W_V", "b_K", "b_V"):
            expected = sum(getattr(head, name) for head in of) / 3
            np.testing.assert_allclose(getattr(few.head(3 * group), name), expected, err_msg=name)
    np.testing.assert_array_equal(few.W_Q, many.W_Q)


@pytest.mark.parametrize("kv_heads", [0, 4, 12])
def test_groups_have_equally_many_heads(kv_heads):
    with refuses("heads_do_not_divide"):
        shared(weights_of(6, 6), kv_heads)
