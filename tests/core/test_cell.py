import math

import numpy as np
import pytest
from attention_inputs import (
    D_K,
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
    """What the parts of a term make, put together here."""
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


def test_the_parts_of_every_term_give_its_value_and_every_address_exists(trace):
    for key, stage in trace.items():
        # Each place of each axis at least once, not each combination.
        longest = max(stage.tensor.shape)
        for i in range(longest):
            index = tuple(i % n for n in stage.tensor.shape)
            for term in every_term(explain(trace, key, index).made_by):
                assert close(remade(term), term.value, 1e-14, 1e-15), (key, index)
                if term.operation == "cell":
                    where = term.address
                    assert trace[where.stage].tensor[where.index] == term.value


def test_a_projection_is_a_sum_of_products_and_the_bias_of_its_head(trace):
    cell = explain(trace, "K", (1, 2, 6, 10))
    dot, bias = cell.made_by.parts
    assert cell.made_by.operation == "sum"
    assert dot.operation == "dot"
    for m, product in enumerate(dot.parts):
        x, w = product.parts
        assert product.operation == "product"
        assert (x.address.stage, x.address.index) == ("memory", (1, 6, m))
        assert (w.address.stage, w.address.index) == ("W_K", (2, m, 10))
        assert product.value == x.value * w.value
    assert (bias.address.stage, bias.address.index) == ("b_K", (2, 10))


def test_a_score_multiplies_the_query_with_the_key_along_d_k(trace):
    dot = explain(trace, "scores", (1, 2, 4, 6)).made_by
    assert [[f.address.stage for f in p.parts] for p in dot.parts] == [["Q", "K"]] * D_K
    assert [[f.address.index for f in p.parts] for p in dot.parts] == [
        [(1, 2, 4, k), (1, 2, 6, k)] for k in range(D_K)
    ]


def test_scaling_names_its_constants(trace):
    score, scale, temperature = explain(trace, "scaled", (0, 1, 2, 3)).made_by.parts
    assert score.address.index == (0, 1, 2, 3)
    assert (scale.symbol, scale.value) == ("s", SCALE)
    assert (temperature.symbol, temperature.value) == ("1/T", 1 / TEMPERATURE)
    _, paper = explain(
        scaled_dot_product_attention(*projected()), "scaled", (0, 1, 2, 3)
    ).made_by.parts
    assert (paper.symbol, paper.value) == (r"1/\sqrt{d_k}", 1 / math.sqrt(D_K))


@for_all(
    ("index", "hiding"),
    [
        ((0, 0, 1, 2), {"causal"}),  # a later key
        ((1, 0, 4, 4), {"key_mask"}),  # no real token, though not later
        ((1, 0, 3, 0), {"allowed"}),  # a query that may look at nothing
        ((1, 0, 3, 5), {"causal", "key_mask", "allowed"}),
    ],
)
def test_a_masked_cell_says_which_masks_masked_it(trace, index, hiding):
    cell = explain(trace, "masked", index)
    biased, *masks = cell.made_by.parts
    assert cell.made_by.operation == "mask"
    assert cell.value == cell.made_by.value == -math.inf
    assert math.isfinite(biased.value)
    assert [mask.address.stage for mask in masks] == ["key_mask", "causal", "allowed"]
    assert {mask.address.stage for mask in masks if not mask.value} >= hiding
    if len(hiding) == 1 and hiding != {"allowed"}:
        assert {m.address.stage for m in masks if not m.value} - {"allowed"} == hiding


def test_a_cell_masked_by_the_bias_has_minus_infinity_as_a_summand(trace):
    batch, query = next(
        (b, q)
        for b in range(2)
        for q in range(1, 5)
        if trace["allowed"].tensor[b, q, 1] and trace["key_mask"].tensor[b, 1]
    )
    cell = explain(trace, "masked", (batch, 2, query, 1))
    biased, *masks = cell.made_by.parts
    assert cell.value == biased.parts[1].value == -math.inf
    assert biased.parts[1].address.stage == "bias"
    assert all(mask.value for mask in masks)


def test_softmax_shows_the_maximum_the_exponentials_and_their_total(trace):
    row = [float(x) for x in trace["masked"].tensor[0, 1, 4]]
    softmax = explain(trace, "weights", (0, 1, 4, 3)).made_by
    assert softmax.operation == "softmax"
    assert softmax.chosen == 3
    assert softmax.facts["maximum"] == max(row)
    assert softmax.facts["total"] == pytest.approx(sum(math.exp(x - max(row)) for x in row))
    assert [e.parts[0].address.index for e in softmax.parts] == [(0, 1, 4, k) for k in range(KEY)]
    assert [e.operation for e in softmax.parts] == ["exponential"] * KEY


def test_softmax_of_a_fully_masked_row_is_0(trace):
    softmax = explain(trace, "weights", (1, 2, 3, 0)).made_by
    assert (softmax.value, softmax.facts["total"]) == (0, 0)
    assert softmax.facts["maximum"] == -math.inf


def test_a_dropped_weight_is_a_product_of_the_weight_the_mask_and_the_scale(trace):
    weight, keep, growth = explain(trace, "dropped", (0, 2, 4, 1)).made_by.parts
    assert (weight.address.stage, keep.address.stage) == ("weights", "keep")
    assert weight.address.index == keep.address.index == (0, 2, 4, 1)
    assert (growth.symbol, growth.value) == ("1/(1-p)", 1 / (1 - DROPOUT))


@for_all("column", [0, D_V - 1, D_V, HEADS * D_V - 1])
def test_concat_copies_a_column_of_one_head(trace, column):
    copy = explain(trace, "concat", (1, 4, column)).made_by
    assert copy.operation == "cell"
    assert copy.address.stage == "head_output"
    assert copy.address.index == (1, column // D_V, 4, column % D_V)


def test_output_multiplies_each_column_of_concat_with_the_row_of_its_heads_W_O(trace):
    dot, bias = explain(trace, "output", (0, 3, 16)).made_by.parts
    for column, product in enumerate(dot.parts):
        x, w = product.parts
        assert x.address.index == (0, 3, column)
        assert (w.address.stage, w.address.index) == ("W_O", (column // D_V, column % D_V, 16))
    assert (bias.address.stage, bias.address.index) == ("b_O", (16,))


def test_normalise_shows_mean_and_variance_of_the_row(trace):
    row = [float(x) for x in trace["residual"].tensor[1, 2]]
    term = explain(trace, "normalised", (1, 2, 8)).made_by
    mean = sum(row) / D_MODEL
    assert term.facts["mean"] == pytest.approx(mean, rel=1e-12)
    assert term.facts["variance"] == pytest.approx(sum((x - mean) ** 2 for x in row) / D_MODEL)
    assert term.facts["epsilon"] == 1e-5
    assert (term.operation, term.chosen, len(term.parts)) == ("normalise", 8, D_MODEL)


@for_all(
    ("key", "index", "what"),
    [
        ("memory", (1, 6, 18), "input"),
        ("W_V", (2, 18, 12), "parameter"),
        ("causal", (4, 6), "mask"),
        ("keep", (1, 2, 4, 6), "random"),
    ],
)
def test_a_given_cell_has_no_parts_and_says_what_it_is(trace, key, index, what):
    cell = explain(trace, key, index)
    assert (cell.made_by.operation, cell.made_by.parts) == ("given", ())
    assert cell.made_by.symbol == what
    assert cell.made_by.value == cell.value


def test_places_carry_the_labels_of_their_own_sample(trace):
    for sample in range(2):
        weight = explain(trace, "weights", (sample, 1, 2, 5))
        names = (str(sample + 1), "2", TOKENS[sample][2], MEMORY_TOKENS[5])
        assert weight.address.labels == names
        q, _ = explain(trace, "scores", (sample, 1, 4, 0)).made_by.parts[3].parts
        assert q.address.labels == (str(sample + 1), "2", TOKENS[sample][4], "4")


def test_the_columns_of_concat_are_labelled_by_head_and_place(trace):
    assert explain(trace, "concat", (0, 1, D_V + 2)).address.labels == ("1", TOKENS[0][1], "2·3")


@for_all(
    "index", [(2, 0, 0, 0), (0, 3, 0, 0), (0, 0, 0, 7), (-1, 0, 0, 0), (0, 0, 0), (0, 0, 0, 0, 0)]
)
def test_the_error_for_an_index_out_of_range_names_the_axes(trace, index):
    with pytest.raises(IndexError, match=r"batch 2, head 3, query 5, key 7"):
        explain(trace, "weights", index)


def test_a_stage_that_the_trace_does_not_have_is_refused(trace):
    with pytest.raises(UnknownStage, match="no stage 'score'"):
        explain(trace, "score", (0,))
