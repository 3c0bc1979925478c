import math
from decimal import ROUND_HALF_EVEN

import numpy as np
import pytest
from shown_cells import cells, in_both_languages, open_cell, read, said, single
from shown_traces import D_V, NOBODY, STAGES, TRACES, crossed, picture, sentence

from core import scaled_dot_product_attention
from core.rules import Dot, Sum

ADDED = [
    (name, key) for name, key in STAGES if isinstance(TRACES[name]()[key].rule, Dot | Sum)
]  # every product of two matrices, and X and residual
UNIT = {"X": ("embedding", "position"), "residual": ("X", "output")}


def factors(trace, key, index):
    """The two numbers of each product that makes a cell, by plain indexing."""
    at = {key: stage.tensor for key, stage in trace.items()}
    x, mixed = ("memory" if "memory" in trace and key != "Q" else "X"), "weights"
    mixed = "dropped" if "dropped" in trace else mixed
    if key in "QKV":
        b, h, i, j = index
        return list(zip(at[x][b, i], at[f"W_{key}"][h, :, j], strict=True))
    if key == "scores":
        b, h, i, j = index
        return list(zip(at["Q"][b, h, i], at["K"][b, h, j], strict=True))
    if key == "head_output":
        b, h, i, v = index
        return list(zip(at[mixed][b, h, i], at["V"][b, h, :, v], strict=True))
    b, i, m = index
    if key == "embedding":
        return list(zip(at["flattened"][b, i], at["W_E"][:, m], strict=True))
    W = [at["W_O"][c // D_V, c % D_V, m] for c in range(at["concat"].shape[2])]
    return list(zip(at["concat"][b, i], W, strict=True))


def test_sums_are_found():
    products = {*"QKV", "embedding", "scores", "head_output", "output"}
    assert {key for _, key in ADDED} == products | set(UNIT)


@in_both_languages
@pytest.mark.parametrize(("name", "key"), ADDED)
def test_the_printed_terms_add_up_to_the_printed_total(name, key, words):
    trace = TRACES[name]()
    for index in cells(trace, key):
        shown = open_cell(trace, key, index, words)
        terms = [
            read(line.value[0][0].split()[1] if line.value else line.made[0][0])
            for line in shown.terms
        ]
        off = abs(sum(terms) - read(shown.total))
        assert shown.relation == ("=" if off == 0 else "≈")
        places = -read(shown.total).as_tuple().exponent
        assert off == 0 or places == 6
        assert float(read(shown.total)) == pytest.approx(
            float(trace[key].tensor[index]), abs=0.51 * 10**-places + 1e-5
        )
        many = [[(words.opened.terms.format(terms=len(terms)), "")]] * (len(terms) > 12)
        rounds = off or any(line.value and "≈" in said(line.value) for line in shown.terms)
        assert shown.notes == many + [[(words.opened.rounding, "")]] * bool(rounds)


@pytest.mark.parametrize(("name", "key"), [pair for pair in ADDED if pair[1] not in UNIT])
def test_each_term_is_its_two_factors_and_their_product(name, key):
    trace = TRACES[name]()
    for index in cells(trace, key):
        made = factors(trace, key, index)
        lines = open_cell(trace, key, index).terms
        biased = f"b_{'O' if key == 'output' else key}" in trace
        assert len(lines) == len(made) + biased
        for line, (left, right) in zip(lines, made, strict=False):
            (a, _), (times, _), (b, _) = line.made
            relation, product = said(line.value).split(" ")
            half = 0.5 * 10.0 ** read(product).as_tuple().exponent + 1e-12
            assert times == " × "
            assert float(read(a)) == pytest.approx(float(left), abs=half)
            assert float(read(b)) == pytest.approx(float(right), abs=half)
            assert float(read(product)) == pytest.approx(float(left) * float(right), abs=half)
            printed = (read(a) * read(b)).quantize(read(product), ROUND_HALF_EVEN)
            assert (relation == "=") == (printed == read(product))
        if biased:
            assert said(lines[-1].made).endswith(f" b_{'O' if key == 'output' else key}")
            assert not lines[-1].value


@pytest.mark.parametrize(("key", "names"), UNIT.items())
def test_a_sum_of_stages_names_them(key, names):
    lines = open_cell(sentence(), key, (0, 2, 5)).terms
    for line, name in zip(lines, names, strict=True):
        value, stage = said(line.made).split(" ")
        assert stage == name
        index = (2, 5) if name == "position" else (0, 2, 5)
        assert float(read(value)) == pytest.approx(sentence()[name].tensor[index], abs=0.005)


def test_a_term_by_hand():
    Q, K = np.array([[[[5.0, -0.5]]]]), np.array([[[[3.0, 0.25]]]])
    shown = open_cell(scaled_dot_product_attention(Q, K, K), "scores", (0, 0, 0, 0))
    assert [said([*line.made, (" ", ""), *line.value]) for line in shown.terms] == [
        "5.00 × 3.00 = 15.00", "−0.50 × 0.25 = −0.12"
    ]  # fmt: skip
    assert (shown.relation, shown.total) == ("=", "14.88")
    assert [line.bar for line in shown.terms] == [1, -0.125 / 15]
    assert [role for _, role in shown.terms[0].made] == ["query", "", "key"]


def test_a_product_shows_the_constant_by_its_symbol_and_says_where_it_rounds():
    Q, K = np.zeros((1, 1, 1, 5)), np.zeros((1, 1, 2, 5))
    Q[..., 0], K[0, 0, :, 0] = 1, (5.0, 1234.5678912)
    (rounded,) = open_cell(scaled_dot_product_attention(Q, K, K), "scaled", (0, 0, 0, 1)).terms
    assert said(rounded.made) == "1234.5679 × 0.4472 (1/√dk)"
    assert said(rounded.value) == "≈ 552.1155"
    trace = scaled_dot_product_attention(Q, K, K, scale=0.25, temperature=2)
    shown = open_cell(trace, "scaled", (0, 0, 0, 0))
    assert said(shown.terms[0].made) == "5.00 × 0.25 (s) × 0.50 (1/T)"
    assert said(shown.terms[0].value) == "= 0.62"  # 0.625, to the even one
    assert shown.total == "0.62"


def test_dropout_shows_weight_switch_and_constant():
    trace = sentence()
    index = tuple(np.argwhere(trace["dropped"].tensor > 0)[5])
    (line,) = open_cell(trace, "dropped", tuple(map(int, index))).terms
    weight, keep, constant = said(line.made).split(" × ")
    constant, symbol = constant.split(" ", 1)
    assert float(read(weight)) == pytest.approx(trace["weights"].tensor[index], abs=0.005)
    assert (float(read(keep)), symbol) == (1, "(1/(1−p))")
    assert float(read(constant)) == pytest.approx(1 / 0.7, abs=0.001)


@in_both_languages
def test_softmax_opens_to_maximum_exponentials_sum_and_quotients(words):
    shown = open_cell(single([0.75, 1.125, -3], scale=1), "weights", (0, 0, 0, 0), words)
    assert [[said(cell) for cell in row] for row in shown.rows] == [
        ["1", "0.7500", "−0.3750", "0.6873", "0.4035"],
        ["2", "1.1250", "0.0000", "1.0000", "0.5870"],
        ["3", "−3.0000", "−4.1250", "0.0162", "0.0095"],
    ]
    filled = {"maximum": "1.1250", "total": "1.7035"}
    heads = [template.format(**filled) for template in words.opened.softmax_columns]
    assert [said(column) for column in shown.columns] == heads
    assert (shown.total, shown.chosen) == ("0.4035", 0)
    assert shown.notes == [[(words.opened.softmax_sum.format(sum="1.0000"), "")]]


def test_every_softmax_is_recomputed_from_its_row():
    trace = crossed()
    for b, h, i, j in cells(trace, "weights"):
        row = trace["masked"].tensor[b, h, i]
        if (b, i) == NOBODY or not np.isfinite(row).any():
            continue
        shown = open_cell(trace, "weights", (b, h, i, j))
        total = sum(math.exp(score - max(row)) for score in row)
        digits = -read(shown.total).as_tuple().exponent
        assert 4 <= digits <= 6
        for key, (label, score, _, _, share) in enumerate(shown.rows):
            assert label == [(trace["weights"].axis("key").label(key), "key")]
            assert said(score) == f"{row[key]:.{digits}f}".replace("-", "−").replace("inf", "∞")
            assert said(share) == f"{math.exp(row[key] - max(row)) / total:.{digits}f}"
        assert (shown.chosen, shown.total) == (j, said(shown.rows[j][-1]))


@in_both_languages
def test_a_row_that_may_look_at_nothing_has_no_table(words):
    sample, query = NOBODY
    shown = open_cell(sentence(), "weights", (sample, 1, query, 2), words)
    assert (shown.total, shown.rows, shown.terms) == ("0", [], [])
    assert shown.notes == [[(words.opened.softmax_empty, "")]]


@in_both_languages
def test_a_masked_cell_names_the_masks_that_strike_it_or_let_it_pass(words):
    masks = ("padding", "causal", "allowed")
    trace = sentence()
    at = {key: trace[key].tensor for key in (*masks, "masked", "scaled", "bias")}
    for b, h, i, j in cells(trace, "masked"):
        shown = open_cell(trace, "masked", (b, h, i, j), words)
        passes = (at["padding"][b, j], at["causal"][i, j], at["allowed"][b, i, j])
        struck = [mask for mask, allows in zip(masks, passes, strict=True) if not allows]
        template = words.opened.struck if struck else words.opened.passed
        named = words.list_mark.join(struck or masks)
        assert shown.notes == [[(template.format(mask=named), "")]]
        made = [said(line.made).split(" ")[1] for line in shown.terms]
        assert made == ["scaled", "bias"] + ([named] if struck == [named] else made[2:])
        if math.isinf(at["masked"][b, h, i, j]):
            assert shown.total == "−∞"
        else:
            terms = [read(line.made[0][0]) for line in shown.terms]
            assert sum(terms) == read(shown.total)


def test_layer_norm_is_recomputed_from_its_row():
    row = sentence()["residual"].tensor[1, 2].tolist()
    mean = sum(row) / 17
    variance = sum((x - mean) ** 2 for x in row) / 17
    shown = open_cell(sentence(), "normalised", (1, 2, 4))
    assert shown.relation == "≈"
    assert float(read(shown.total)) == pytest.approx(
        (row[4] - mean) / math.sqrt(variance + 1e-5), abs=6e-5
    )
    printed = [f"{value:.4f}".replace("-", "−") for value in (row[4], mean, variance)]
    mean_shown = f"({printed[1]})" if mean < 0 else printed[1]
    (line,) = shown.terms
    assert said(line.made) == f"({printed[0]} − {mean_shown}) ÷ √({printed[2]} + 1e-05)"


@in_both_languages
@pytest.mark.parametrize(
    ("trace", "key", "index", "source"),
    [
        (sentence, "embedding", (0, 6, 4), "E[{row}, 5]"),
        (sentence, "embedding", (0, 3, 4), "E[我, 5]"),
        (sentence, "concat", (0, 5, 16), "head_output[{head 2}, $a$, 4]"),
        (picture, "sequence", (1, 0, 4), "cls[5]"),
        (picture, "patches", (1, 7, 1, 0, 2), "image[4, 5, B]"),
    ],
)
def test_a_copied_number_says_where_it_stood(trace, key, index, source, words):
    shown = open_cell(trace(), key, index, words)
    source = source.replace("{head 2}", words.viewer.head.format(number=2))
    stage = trace()[key].tensor
    assert said(shown.notes[0]).replace(source, "{source}") == words.opened.copied
    assert float(read(shown.total)) == pytest.approx(float(stage[index]), abs=0.005)
