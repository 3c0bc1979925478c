"""Printed tables as readers paste them."""

import math

import pytest
from claims import for_all

from core.exercises.judging import Guess
from pages.understand.errata.printed import TableError, parse_table


@for_all(
    "text",
    [
        "0.31 0.69\n-2 1", "0.31\t0.69\r\n−2\t1\n\n", "[[0.31, 0.69],\n [-2, 1]]",
        "0.31,0.69; -2,1", "0.31，0.69；－2，1", "| 0.31 | 0.69 |\n| -2 | 1 |", "0,31 0,69\n-2 1",
    ],
)  # fmt: skip
def test_numbers_are_parsed_with_any_separator(text):
    assert parse_table(text) == (
        (Guess(0.31, 0.01), Guess(0.69, 0.01)),
        (Guess(-2, 1), Guess(1, 1)),
    )


def test_a_comma_alone_is_a_decimal_comma():
    assert parse_table("1,000 2,500") == ((Guess(1, 0.001), Guess(2.5, 0.001)),)


def test_omitted_and_infinite_cells_are_parsed():
    assert parse_table("? … -inf −∞") == ((None, None, Guess(-math.inf), Guess(-math.inf)),)


@for_all(
    ("text", "kind", "fields"),
    [
        ("", "empty", {}),
        (" \n\t\n", "empty", {}),
        ("[]", "empty", {}),
        ("1 2\n3", "ragged", {"row": 2, "columns": 1, "first": 2}),
        ("1 zwei", "number", {"row": 1, "column": 2, "text": "zwei"}),
        ("1\nnan", "number", {"row": 2, "column": 1, "text": "nan"}),
        ("1e308", "number", {"row": 1, "column": 1, "text": "1e308"}),
        ("inf", "number", {"row": 1, "column": 1, "text": "inf"}),
        ("<b>" * 20, "number", {"row": 1, "column": 1, "text": ("<b>" * 20)[:24]}),
        ("[1.000,5]", "grouped", {"text": "1.000,5", "plain": "1000.5"}),
        ("1,000.5 2", "grouped", {"text": "1,000.5", "plain": "1000.5"}),
        ("1 000", "grouped", {"text": "1 000", "plain": "1000"}),
        ("1 " * 65, "large", {"rows": 1, "columns": 65, "limit": 64}),
        ("1\n" * 65, "large", {"rows": 65, "columns": 1, "limit": 64}),
        ("1" * 20_001, "long", {"limit": 20_000}),
    ],
)
def test_text_that_is_no_table_raises_table_error_with_its_kind(text, kind, fields):
    with pytest.raises(TableError) as refused:
        parse_table(text)
    assert refused.value.kind == kind
    assert dict(refused.value.fields) == fields
