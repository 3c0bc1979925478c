"""Tensors of other programs as a trace: weights alone, and Q, K and V."""

import ml_dtypes
import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import AttentionOptions, Weights, explain, multi_head_attention, trace_of
from core.experiments.head_patterns import head_patterns

LAYERS, HEADS, QUERY, KEY, D_K, D_V = 2, 3, 5, 7, 11, 13
RANDOM = np.random.default_rng(3)
Q, K, V = (
    RANDOM.normal(size=(HEADS, n, width)).astype(np.float32)
    for n, width in ((QUERY, D_K), (KEY, D_K), (KEY, D_V))
)
SHARES = RANDOM.dirichlet(np.ones(KEY), (LAYERS, HEADS, QUERY))
NAMES = [f"q{i}" for i in range(QUERY)]


class TorchLike:
    """What a tensor of PyTorch with a gradient does, and nothing more."""

    def __init__(self, array, dtype="torch.float32"):
        self.array, self.dtype = array, dtype

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")

    def detach(self):
        return OnGPU(self.array, self.dtype)


class OnGPU(TorchLike):
    def cpu(self):
        return Readable(self.array, self.dtype)


class Readable(TorchLike):
    def float(self):
        return Readable(self.array)

    def __array__(self, dtype=None, copy=None):
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array


GIVEN = {
    "NumPy": lambda array: array,
    "float16": lambda array: array.astype(np.float16),
    "PyTorch": TorchLike,
    "PyTorch's bfloat16": lambda array: TorchLike(array, "torch.bfloat16"),
    "JAX's bfloat16": lambda array: array.astype(ml_dtypes.bfloat16),
}


@for_all("name", GIVEN)
def test_tensors_of_any_library_are_attended_in_single_precision(name):
    trace = trace_of(*map(GIVEN[name], (Q, K, V)))
    assert trace["scores"].tensor.dtype == np.float32
    expected = np.einsum("hqd,hkd->hqk", Q, K)
    rounding = 0.3 if "float16" in name else 1e-5
    assert np.abs(trace["scores"].tensor[0] - expected).max() < rounding


def test_a_score_of_q_and_k_opens_to_its_products_and_a_weight_alone_is_given():
    cell = explain(trace_of(Q, K, V, tokens=NAMES), "scores", (0, 1, 2, 3))
    assert len(cell.made_by.parts) == D_K
    assert repr(cell) == f"<scores[1, 2, q2, 4] = {cell.value:.6g}: dot of {D_K} parts>"
    alone = trace_of(SHARES[0], NAMES)
    assert explain(alone, "weights", (0, 1, 2, 3)).made_by.operation == "given"
    assert repr(alone) == f"<Trace of 1 stage: weights (1, {HEADS}, {QUERY}, {KEY})>"
    assert len(head_patterns(alone, 0)) == HEADS


def test_the_weights_of_several_layers_are_parts():
    as_array, as_tuple = trace_of(SHARES), trace_of(tuple(SHARES[:, None]))
    for trace in (as_array, as_tuple):
        assert repr(trace) == "<Trace of 2 parts: layer/1, layer/2>"
        assert (trace["layer/2/weights"].tensor == SHARES[1:]).all()


def test_a_mask_is_read_as_pytorch_does_and_w_o_goes_on_to_the_output():
    allowed = RANDOM.random((QUERY, KEY)) < 0.6
    added = np.where(allowed, 0, np.finfo(np.float32).min).astype(np.float32)
    W_O = RANDOM.normal(size=(HEADS * D_V, 17))
    for mask in (allowed, added):
        trace = trace_of(Q, K, V, mask=mask, W_O=W_O)
        assert (np.isinf(trace["masked"].tensor[0]) == ~allowed).all()
        mixed = np.concatenate([*trace["head_output"].tensor[0]], axis=-1)
        assert np.allclose(trace["output"].tensor[0], mixed @ W_O, atol=1e-4)
        assert explain(trace, "output", (0, 1, 2)).made_by.operation == "dot"
    biased = trace_of(Q, K, V, mask=np.where(allowed, 0.5, -np.inf))
    assert np.allclose(
        biased["masked"].tensor - biased["scaled"].tensor, np.where(allowed, 0.5, -np.inf)
    )


def test_what_is_no_attention_is_refused():
    with refuses("out_of_range", name="weights", value=-1.0):
        trace_of(-np.ones((1, 2, 2)))
    with refuses("shape_mismatch", name="weights"):
        trace_of(np.ones(3))
    with refuses("shape_mismatch", name="W_O"):
        trace_of(Q, K, V, W_O=np.ones((3, 4)))
    with pytest.raises(TypeError, match="1 tensor or 3"):
        trace_of(Q, K, tokens=NAMES)
    with pytest.raises(TypeError, match="taken as they are"):
        trace_of(SHARES, options=AttentionOptions(causal=True))


def test_tokens_of_heads_are_named_and_another_role_is_refused():
    X, weights = RANDOM.normal(size=(1, QUERY, 6)), Weights.seeded(6, heads=2, seed=7)
    named = multi_head_attention(X, weights, labels={"query": NAMES})
    assert named["weights"].axis("key").names() == tuple(NAMES)
    memory = RANDOM.normal(size=(1, 2, 6))
    cross = multi_head_attention(X, weights, memory=memory, labels={"key": ["a", "b"]})
    assert cross["K"].axis("key").names() == ("a", "b")
    assert cross["Q"].axis("query").names() is None
    for wrong, why in (("keys", "there is no 'keys'"), ("key", "labels of query name both")):
        with pytest.raises(ValueError, match=why):
            multi_head_attention(X, weights, labels={wrong: NAMES})
