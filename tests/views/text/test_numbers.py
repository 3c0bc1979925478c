import math
from decimal import Decimal

import pytest
from claims import for_all
from hypothesis import example, given
from hypothesis import strategies as st

from views.text import numbers

MINUS = "\N{MINUS SIGN}"
SMALL = st.floats(-1e6, 1e6, allow_nan=False)


def read(printed: str) -> Decimal:
    return Decimal(printed.replace(MINUS, "-"))


def test_a_negative_number_has_a_real_minus():
    assert numbers.plain(-0.53, 2) == f"{MINUS}0.53"
    assert numbers.short(-0.053) == f"{MINUS}0.053"


@for_all("value", [-0.0, -0.004, -1e-30])
def test_what_rounds_to_zero_has_no_sign(value):
    assert numbers.plain(value, 2) == "0.00"


SCHOOL = {
    (1.125, 2): "1.13", (-1.125, 2): f"{MINUS}1.13", (0.125, 2): "0.13", (0.375, 2): "0.38",
    (0.005, 2): "0.01", (-0.005, 2): f"{MINUS}0.01", (2.675, 2): "2.68", (1.005, 2): "1.01",
    (1.00499999, 2): "1.00", (2.5, 0): "3", (0.5, 0): "1", (0.49999999999999994, 0): "0",
    (0.00045, 4): "0.0005", (999.995, 2): "1000.00", (1e22, 1): "10000000000000000000000.0",
    (5e-324, 6): "0.000000", (123456789012.345, 2): "123456789012.35",
}  # fmt: skip


def test_halves_are_rounded_away_from_zero():
    found = {(value, digits): numbers.plain(value, digits) for value, digits in SCHOOL}
    assert found == SCHOOL
    assert numbers.short(1.25e-5) == "1.3·10⁻⁵"
    assert numbers.short(9.96e-6) == "1.0·10⁻⁵"
    assert numbers.short(0.00125) == "0.0013"
    assert numbers.per_cent(0.285, 0) == f"29{numbers.PER_CENT}"
    assert numbers.per_cent(0.0125) == f"1.3{numbers.PER_CENT}"
    assert numbers.size(1_250) == "1.3 kB"
    assert [numbers.whole(value) for value in (0.5, 1.5, 2.5, -2.5)] == [1, 2, 3, -3]


@for_all(
    ("value", "printed"),
    [
        (0, "0.00"), (1, "1.00"), (15.9259, "15.93"), (0.4073, "0.41"), (0.1, "0.10"),
        (0.0512, "0.051"), (0.00102, "0.0010"), (0.00013, "0.00013"), (1.6e-5, "1.6·10⁻⁵"),
        (-2.04e-12, f"{MINUS}2.0·10⁻¹²"), (-123.456, f"{MINUS}123.46"),
    ],
)  # fmt: skip
def test_a_short_number_keeps_at_least_two_digits_that_mean_something(value, printed):
    assert numbers.short(value) == printed


@given(st.floats(1e-12, 1e6))
def test_a_short_number_is_off_by_five_percent_at_most(value):
    mantissa, _, power = numbers.short(value).partition("·10")
    power = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)
    assert float(mantissa) * 10**power == pytest.approx(value, rel=0.05)


def test_thousands_are_set_apart_by_a_thin_space():
    assert numbers.count(1) == "1"
    assert numbers.count(1234567) == "1\u202f234\u202f567"


@for_all(
    ("share", "printed"),
    [
        (0, "0.0"), (0.0316, "3.2"), (0.0994, "9.9"), (0.0996, "10"), (0.1, "10"), (0.4567, "46"),
        (0.996, "100"), (1, "100"),
    ],
)  # fmt: skip
def test_a_percentage_below_ten_has_one_decimal(share, printed):
    assert numbers.per_cent(share) == f"{printed}\N{NO-BREAK SPACE}%"


@for_all(
    ("value", "printed"),
    [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (153_664, "153.7 kB"),
        (20_000_000, "20.0 MB"), (3_200_000_000, "3.2 GB"), (7_100_000_000_000, "7.1 TB"),
        (2**45, "35.2 TB"), (8_000_000_000_000_000, "8000.0 TB"),
    ],
)  # fmt: skip
def test_bytes_are_printed_in_a_suitable_unit(value, printed):
    assert numbers.size(value) == printed


@given(SMALL, st.integers(2, 6))
@example(2.675, 2)  # lies below the tie that its own shortest decimal shows
@example(1.005, 2)
@example(0.125, 2)  # an exact tie
@example(-0.0045, 3)
def test_the_number_that_is_added_up_is_the_number_that_is_printed(value, digits):
    assert numbers.rounded(value, digits) == read(numbers.plain(value, digits))


@given(st.lists(SMALL, min_size=1, max_size=13))
def test_with_the_digits_found_the_printed_terms_add_up(terms):
    total = math.fsum(terms)
    digits = numbers.digits_that_add_up(terms, total)
    for tried in range(2, 7):
        fits = sum(read(numbers.plain(t, tried)) for t in terms) == read(
            numbers.plain(total, tried)
        )
        assert fits == (tried == digits) or (digits is not None and tried > digits)


def test_a_bare_number_has_no_zeros_behind_the_point_and_few_figures():
    for value, printed in (
        (0.5, "0.5"), (2.0, "2"), (100.0, "100"), (0.0, "0"), (-1.5, f"{MINUS}1.5"),
        (1 / 3, "0.333333"), (0.00002, "2.0·10⁻⁵"), (1234567.0, "1234567"),
    ):  # fmt: skip
        assert numbers.bare(value) == printed
    assert numbers.bare(2.0449, 3) == "2.04"
    assert numbers.bare(1.125, 3) == "1.13"
