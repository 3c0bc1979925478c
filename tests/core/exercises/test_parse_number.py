"""Numbers as people type them."""

import math

import pytest
from claims import for_all

from core.exercises.judging import Guess
from core.exercises.parse_number import parse_number
from core.limits import TYPED

READ = {
    "0.41": Guess(0.41, 0.01), "0,41": Guess(0.41, 0.01), "0，41": Guess(0.41, 0.01),
    "０．４１": Guess(0.41, 0.01), "0。41": Guess(0.41, 0.01), " 0.41 ": Guess(0.41, 0.01),
    ".5": Guess(0.5, 0.1), "5.": Guess(5.0, 1.0), "0.410": Guess(0.41, 0.001),
    "30": Guess(30.0, 1.0), "-2.5": Guess(-2.5, 0.1), "−2.5": Guess(-2.5, 0.1),
    "－2.5": Guess(-2.5, 0.1), "+3": Guess(3.0, 1.0), "1/3": Guess(1 / 3), "-7/4": Guess(-1.75),
    "41%": Guess(0.41, 0.01), "41 %": Guess(0.41, 0.01), "1.6e-5": Guess(1.6e-5, 1e-6),
    "1.6·10⁻⁵": Guess(1.6e-5, 1e-6), "1.6×10^-5": Guess(1.6e-5, 1e-6),
    "2·10³": Guess(2000.0, 1000.0), "-inf": Guess(-math.inf), "−∞": Guess(-math.inf),
    "- ∞": Guess(-math.inf),
}  # fmt: skip
HOSTILE = [
    "", " ", "x", "nan", "inf", "∞", "+inf", "1e999", "-1e999", "0e999", "1e13", "1/0", "1/x",
    "--1",
    "1.2.3", "1,234.5", "½", "1½", "5²", "٣", "0x10", "1_000", "True", "\x00",
    "1" * (TYPED.text + 1),
    "__import__('os')", "$\\frac12$", "<b>1</b>",
]  # fmt: skip


@for_all("text", READ)
def test_a_number_is_parsed_with_the_unit_of_its_last_digit(text):
    guess = parse_number(text)
    assert guess.value == pytest.approx(READ[text].value, rel=1e-15)
    assert guess.unit == pytest.approx(READ[text].unit, rel=1e-15)


@for_all("text", HOSTILE)
def test_text_that_is_no_number_raises_value_error(text):
    with pytest.raises(ValueError):
        parse_number(text)
