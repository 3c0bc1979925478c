"""What stands between printed numbers is true of the numbers as printed."""

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from shown_cells import cells, in_both_languages, open_cell, read, said, single
from shown_traces import STAGES, TRACES, crossed, numbers, sentence

from core import scaled_dot_product_attention
from views.text import LANGUAGES

EN = LANGUAGES["en"]
MASKED, ALLOWED = (1.25, 0.0, 3.0), np.array([True, False, True])


def of(*keys):
    pairs = [(name, key) for name, key in STAGES if key in keys]
    return pytest.mark.parametrize(("name", "key"), pairs)


def opened_stages(name, key, most=80):
    trace = TRACES[name]()
    return [(index, open_cell(trace, key, index)) for index in sorted(cells(trace, key, most))]


def as_multiplied(line):
    """Product of the printed factors, rounded like the printed product; the sign between them."""
    factors = [read(part.split(" ")[0]) for part in said(line.made).split(" × ")]
    sign, product = said(line.value).split(" ")
    product = read(product)
    return math.prod(factors, start=Decimal(1)).quantize(product, ROUND_HALF_EVEN), sign, product


@of("scaled", "dropped")
def test_equals_is_printed_over_factors_exactly_where_they_make_the_product(name, key):
    for index, shown in opened_stages(name, key):
        (line,) = shown.terms
        made, sign, product = as_multiplied(line)
        assert sign == ("=" if made == product else "≈")
        assert (shown.relation, read(shown.total)) == ("=", product)
        exact = float(TRACES[name]()[key].tensor[index])
        assert float(product) == pytest.approx(
            exact, abs=0.51 * 10.0 ** product.as_tuple().exponent
        )


@pytest.mark.parametrize("width", [1, 2, 3, 5, 7, 8, 16, 64])
def test_equals_is_true_for_every_width_of_a_head(width):
    Q, K = numbers(1, 1, 5, width, seed=1), numbers(1, 1, 5, width, seed=2)
    trace = scaled_dot_product_attention(Q, K, K, temperature=1.3, dropout=0.4, seed=3)
    for key in ("scaled", "dropped"):
        for index in np.ndindex(5, 5):
            (line,) = open_cell(trace, key, (0, 0, *index)).terms
            made, sign, product = as_multiplied(line)
            assert sign == ("=" if made == product else "≈")


def test_a_constant_is_printed_before_what_it_is():
    Q = np.zeros((1, 1, 1, 4))
    shown = open_cell(scaled_dot_product_attention(Q, Q, Q), "scaled", (0, 0, 0, 0))
    assert said(shown.terms[0].made) == "0.00 × 0.50 (1/√dk)"
    assert ("k", "sub") in shown.terms[0].made


@of("masked")
def test_equals_is_printed_over_a_masked_cell_exactly_where_its_terms_add_up(name, key):
    for index, shown in opened_stages(name, key, 200):
        terms = [read(line.made[0][0]) for line in shown.terms]
        if math.isinf(TRACES[name]()[key].tensor[index]):
            assert (shown.relation, shown.total) == ("=", "−∞")
            assert terms[-1] == -math.inf
        else:
            assert shown.sign == "+"
            assert shown.relation == ("=" if sum(terms) == read(shown.total) else "≈")


def test_a_sum_that_cannot_add_up_as_printed_says_about():
    """Two numbers whose sum rounds otherwise with 2, 3, 4, 5 and 6 digits."""
    a, b = next(
        (a, b)
        for a, b in np.random.default_rng(0).normal(size=(300_000, 2))
        if all(
            Decimal(f"{a:.{d}f}") + Decimal(f"{b:.{d}f}") != Decimal(f"{a + b:.{d}f}")
            for d in range(2, 7)
        )
    )
    one = np.ones((1, 1, 1, 1))
    for options in ({"allowed": one > 0}, {}):
        trace = scaled_dot_product_attention(one, one * a, one, scale=1, bias=one * b, **options)
        shown = open_cell(trace, "masked", (0, 0, 0, 0))
        assert shown.relation == "≈"
        assert sum(read(line.made[0][0]) for line in shown.terms) != read(shown.total)


def test_a_struck_cell_leads_to_minus_infinity_and_is_not_added_to_it():
    trace = single(MASKED, allowed=ALLOWED, scale=1)
    struck, passed = (open_cell(trace, "masked", (0, 0, 0, j)) for j in (1, 2))
    assert (struck.sign, struck.total, passed.sign, passed.total) == ("→", "−∞", "+", "3.00")
    assert [said(line.made) for line in struck.terms] == ["0.00 scaled", "−∞ allowed"]
    assert [said(line.made) for line in passed.terms] == ["3.00 scaled"]


def assert_table_adds_up(shown, words):
    """The printed powers make the printed sum and the printed shares 1; or a note denies it."""
    total = read(re.search(r"\d+\.\d+", said(shown.columns[-1]))[0])
    powers, shares = (sum(read(said(row[i])) for row in shown.rows) for i in (3, 4))
    adds_up = powers == total and shares == 1
    assert said(shown.notes[0]) == words.opened.softmax_sum.format(sum=shared(shown, 1))
    denied = [[(words.opened.rounded, "")]]
    assert shown.notes[1:] == ([] if adds_up else denied)
    return adds_up


def shared(shown, value):
    places = -read(shown.total).as_tuple().exponent
    return f"{value:.{places}f}"


@in_both_languages
@of("weights")
def test_a_softmax_adds_up_as_printed_or_says_that_it_does_not(name, key, words):
    trace, found = TRACES[name](), []
    for index in cells(trace, key, 40):
        shown = open_cell(trace, key, index, words)
        if shown.rows:
            found.append(assert_table_adds_up(shown, words))
    assert True in found


@in_both_languages
def test_thirds_never_add_up(words):
    shown = open_cell(single([0, 0, 0], scale=1), "weights", (0, 0, 0, 1), words)
    assert [said(row[-1]) for row in shown.rows] == ["0.3333"] * 3
    assert not assert_table_adds_up(shown, words)


def test_more_digits_are_printed_where_four_do_not_add_up():
    """The fewest of 4, 5 and 6 with which powers and shares both add up."""
    tried = []
    for seed in range(60):
        scores = numbers(4, seed=seed).round(6)
        powers = [math.exp(score - max(scores)) for score in scores]
        total = math.fsum(powers)
        fits = [
            d for d in (4, 5, 6)
            if sum(Decimal(f"{p:.{d}f}") for p in powers) == Decimal(f"{total:.{d}f}")
            and sum(Decimal(f"{p / total:.{d}f}") for p in powers) == 1
        ]  # fmt: skip
        shown = open_cell(single(scores, scale=1), "weights", (0, 0, 0, 0))
        digits = -read(shown.total).as_tuple().exponent
        assert (digits, len(shown.notes)) == ((fits[0], 1) if fits else (4, 2)), seed
        tried.append(digits)
    assert {4, 5} <= set(tried)


@of("Q", "scores", "head_output", "output", "X", "residual")
def test_a_bar_is_a_term_against_the_largest_and_has_its_sign(name, key):
    for _, shown in opened_stages(name, key, 12):
        values = [float(read((said(line.value) or said(line.made)).lstrip("=≈ ").split(" ")[0]))
                  for line in shown.terms]  # fmt: skip
        largest = max(map(abs, values)) or 1
        for line, value in zip(shown.terms, values, strict=True):
            assert line.bar == pytest.approx(value / largest, abs=0.02 / largest)
            assert -1 <= line.bar <= 1


@of("scaled", "dropped", "normalised")
def test_a_single_term_has_a_full_bar_of_its_sign(name, key):
    seen = set()
    for index, shown in opened_stages(name, key):
        (line,) = shown.terms
        assert line.bar == np.sign(TRACES[name]()[key].tensor[index])
        seen.add(line.bar)
    assert seen == ({1, 0} if key == "dropped" else {1, -1})


def test_minus_infinity_has_no_bar():
    for trace in (sentence(), crossed()):
        for index in cells(trace, "masked", 200):
            for line in open_cell(trace, "masked", index).terms:
                assert (line.bar == 0) == ("−∞" in said(line.made))
    Q = numbers(1, 1, 2, 3, seed=1)
    trace = scaled_dot_product_attention(Q, Q, Q, bias=np.array([0.5, -np.inf]))
    score, bias = open_cell(trace, "masked", (0, 0, 0, 1)).terms
    assert (abs(score.bar), bias.bar) == (1, 0)
    assert open_cell(sentence(), "bias", (2, 1)).total == "−∞"


@in_both_languages
@pytest.mark.parametrize(("terms", "told"), [(12, False), (13, True)])
def test_more_than_twelve_terms_are_counted(terms, told, words):
    Q = np.ones((1, 1, 1, terms))
    shown = open_cell(scaled_dot_product_attention(Q, Q, Q), "scores", (0, 0, 0, 0), words)
    assert len(shown.terms) == terms
    assert shown.notes == ([[(words.opened.terms.format(terms=13), "")]] if told else [])


@in_both_languages
@pytest.mark.parametrize("index", [(0, 0), (0, 1), (3, 4), (5, 9), (6, 16)])
def test_a_number_of_position_is_told_by_its_sine_or_cosine(index, words):
    shown = open_cell(sentence(), "position", index, words)
    said_so = re.search(r"(sin|cos)\((\d+) / 10000\^\((\d+) / d_model\)\)", said(shown.notes[0]))
    wave, place, even = said_so.groups()
    assert wave == ("sin", "cos")[index[1] % 2]
    assert (int(place), int(even)) == (index[0], index[1] // 2 * 2)
    value = getattr(math, wave)(int(place) / 10000 ** (int(even) / 17))
    assert float(read(shown.total)) == pytest.approx(value, abs=6e-5)
