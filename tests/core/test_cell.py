import math

import numpy as np
import pytest
from attention_inputs import (
    D_K,
    D_MEMORY,
    D_MODEL,
    D_V,
    DROPOUT,
    HEADS,
    KEY,
    MEMORY_TOKENS,
    SCALE,
    TEMPERATURE,
    TOKENS,
    EveryOption,
    projected,
)
from claims import for_all
from plain_loops import PlainLoops
from rules_as_text import through_json

from core import Term, UnknownStage, explain, scaled_dot_product_attention


def close(value, expected, rtol, atol):
    return value == expected or abs(value - expected) <= atol + rtol * abs(expected)


@pytest.fixture(scope="module")
def given():
    return EveryOption.in_precision(np.float64)


@pytest.fixture(scope="module")
def trace(given):
    return through_json(given.trace())


@pytest.mark.parametrize(
    ("dtype", "rtol", "atol"), [(np.float64, 1e-12, 1e-13), (np.float32, 1e-5, 1e-5)]
)
def test_explain_recomputes_every_cell_of_every_stage(dtype, rtol, atol):
    given = EveryOption.in_precision(dtype)
    trace = through_json(given.trace())
    loops = PlainLoops(given, trace)
    for key, stage in trace.items():
        assert stage.tensor.dtype in (dtype, bool), key
        every = list(np.ndindex(stage.tensor.shape))
        for index in every if dtype is np.float64 else every[::3]:
            cell = explain(trace, key, index)
            expected = getattr(loops, key)(*index)
            assert cell.value == stage.tensor[index], (key, index)
            assert close(cell.made_by.value, expected, 1e-12, 1e-13), (key, index)
            assert close(cell.value, expected, rtol, atol), (key, index)


def remade(term: Term) -> float:
    """The value of a term, recomputed from its parts."""
    parts = [part.value for part in term.parts]
    match term.operation:
        case "given" | "cell" | "constant":
            assert not parts
            return term.value
        case "dot" | "sum":
            return math.fsum(parts)
        case "product":
            return math.prod(parts)
        case "mask":
            return parts[0] if all(parts[1:]) else -math.inf
        case "softmax":
            assert term.facts["total"] == pytest.approx(math.fsum(parts), rel=1e-15)
            for part in term.parts:
                (cell,) = part.parts
                assert cell.value <= term.facts["maximum"]
                top = max(term.facts["maximum"], -1e300)
                assert part.value == pytest.approx(math.exp(cell.value - top), rel=1e-15)
            return parts[term.chosen] / term.facts["total"] if term.facts["total"] else 0.0
        case "exponential":
            return term.value
        case "normalise":
            deviation = math.sqrt(term.facts["variance"] + term.facts["epsilon"])
            return (parts[term.chosen] - term.facts["mean"]) / deviation
        case "rmsnorm":
            return parts[term.chosen] / math.sqrt(term.facts["mean_square"] + term.facts["epsilon"])
    raise AssertionError(f"unknown operation {term.operation}")


def every_term(term):
    yield term
    for part in term.parts:
        yield from every_term(part)


def test_the_value_of_a_term_follows_from_its_parts(trace):
    for key, stage in trace.items():
        # Each index of each axis at least once, not each combination.
        longest = max(stage.tensor.shape)
        for i in range(longest):
            index = tuple(i % n for n in stage.tensor.shape)
            for term in every_term(explain(trace, key, index).made_by):
                assert close(remade(term), term.value, 1e-14, 1e-15), (key, index)
                if term.operation == "cell":
                    address = term.address
                    assert trace[address.stage].tensor[address.index] == term.value


def cells_of(term):
    """The stage and index of every cell that a term reads, in order."""
    return [(t.address.stage, t.address.index) for t in every_term(term) if t.address]


@for_all(
    ("key", "index", "read"),
    [
        ("Q", (1, 2, 3, 10),
         [cell for m in range(D_MODEL) for cell in (("X", (1, 3, m)), ("W_Q", (2, m, 10)))]
         + [("b_Q", (2, 10))]),
        ("K", (1, 2, 6, 10),
         [cell for m in range(D_MEMORY) for cell in (("memory", (1, 6, m)), ("W_K", (2, m, 10)))]
         + [("b_K", (2, 10))]),
        ("scores", (1, 2, 4, 6),
         [cell for k in range(D_K) for cell in (("Q", (1, 2, 4, k)), ("K", (1, 2, 6, k)))]),
        ("weights", (0, 1, 4, 3), [("masked", (0, 1, 4, k)) for k in range(KEY)]),
        ("dropped", (0, 2, 4, 1), [("weights", (0, 2, 4, 1)), ("keep", (0, 2, 4, 1))]),
        *(("concat", (1, 4, c), [("head_output", (1, c // D_V, 4, c % D_V))])
          for c in (0, D_V - 1, D_V, HEADS * D_V - 1)),
        ("output", (0, 3, 16),
         [cell for c in range(HEADS * D_V)
          for cell in (("concat", (0, 3, c)), ("W_O", (c // D_V, c % D_V, 16)))]
         + [("b_O", (16,))]),
    ],
)  # fmt: skip
def test_a_cell_reads_the_cells_of_its_formula(trace, key, index, read):
    assert cells_of(explain(trace, key, index).made_by) == read


def test_constants_have_their_symbols(trace):
    paper = scaled_dot_product_attention(*projected())
    for found, key, expected in (
        (trace, "scaled", [("s", SCALE), ("1/T", 1 / TEMPERATURE)]),
        (trace, "dropped", [("1/(1-p)", 1 / (1 - DROPOUT))]),
        (paper, "scaled", [(r"1/\sqrt{d_k}", 1 / math.sqrt(D_K))]),
    ):
        parts = explain(found, key, (0, 1, 2, 3)).made_by.parts
        assert [(p.symbol, p.value) for p in parts if p.operation == "constant"] == expected


@for_all(
    ("index", "hiding"),
    [
        ((0, 0, 1, 2), {"causal"}),  # a later key
        ((1, 0, 4, 4), {"key_mask"}),  # no real token, though not later
        ((1, 0, 3, 0), {"allowed"}),  # a query that may look at nothing
        ((1, 0, 3, 5), {"causal", "key_mask", "allowed"}),
    ],
)
def test_a_masked_cell_lists_its_masks(trace, index, hiding):
    cell = explain(trace, "masked", index)
    biased, *masks = cell.made_by.parts
    assert cell.made_by.operation == "mask"
    assert cell.value == cell.made_by.value == -math.inf
    assert math.isfinite(biased.value)
    assert [mask.address.stage for mask in masks] == ["key_mask", "causal", "allowed"]
    assert {mask.address.stage for mask in masks if not mask.value} >= hiding
    if len(hiding) == 1 and hiding != {"allowed"}:
        assert {m.address.stage for m in masks if not m.value} - {"allowed"} == hiding


def test_softmax_and_layer_norm_give_their_intermediate_results(trace):
    row = [float(x) for x in trace["masked"].tensor[0, 1, 4]]
    softmax = explain(trace, "weights", (0, 1, 4, 3)).made_by
    assert (softmax.chosen, softmax.facts["maximum"]) == (3, max(row))
    assert softmax.facts["total"] == pytest.approx(sum(math.exp(x - max(row)) for x in row))
    fully_masked = explain(trace, "weights", (1, 2, 3, 0)).made_by
    assert (fully_masked.value, fully_masked.facts["total"]) == (0, 0)
    row = [float(x) for x in trace["residual"].tensor[1, 2]]
    norm = explain(trace, "normalised", (1, 2, 8)).made_by
    mean = sum(row) / D_MODEL
    variance = sum((x - mean) ** 2 for x in row) / D_MODEL
    assert (norm.chosen, len(norm.parts)) == (8, D_MODEL)
    assert norm.facts == pytest.approx({"mean": mean, "variance": variance, "epsilon": 1e-5})


@for_all(
    ("key", "index", "what"),
    [
        ("memory", (1, 6, 18), "input"),
        ("W_V", (2, 18, 12), "parameter"),
        ("causal", (4, 6), "mask"),
        ("keep", (1, 2, 4, 6), "random"),
    ],
)
def test_a_given_cell_has_no_parts_and_names_its_origin(trace, key, index, what):
    cell = explain(trace, key, index)
    assert (cell.made_by.operation, cell.made_by.parts) == ("given", ())
    assert cell.made_by.symbol == what
    assert cell.made_by.value == cell.value


def test_addresses_have_the_labels_of_their_sample(trace):
    for sample in range(2):
        weight = explain(trace, "weights", (sample, 1, 2, 5))
        names = (str(sample + 1), "2", TOKENS[sample][2], MEMORY_TOKENS[5])
        assert weight.address.labels == names
        q, _ = explain(trace, "scores", (sample, 1, 4, 0)).made_by.parts[3].parts
        assert q.address.labels == (str(sample + 1), "2", TOKENS[sample][4], "4")
    assert explain(trace, "concat", (0, 1, D_V + 2)).address.labels == ("1", TOKENS[0][1], "2·3")


@for_all(
    "index", [(2, 0, 0, 0), (0, 3, 0, 0), (0, 0, 0, 7), (-1, 0, 0, 0), (0, 0, 0), (0, 0, 0, 0, 0)]
)
def test_the_error_for_an_index_out_of_range_names_the_axes(trace, index):
    with pytest.raises(IndexError, match=r"batch 2, head 3, query 5, key 7"):
        explain(trace, "weights", index)
    with pytest.raises(UnknownStage, match="no stage 'score'"):
        explain(trace, "score", (0,))
