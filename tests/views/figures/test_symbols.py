import pytest
from shown_traces import STAGES

from views.figures import figure
from views.figures.symbols import SYMBOLS, symbol_of

KEYS = sorted({key for _, key in STAGES})


@pytest.mark.parametrize("key", KEYS)
def test_every_stage_has_a_symbol_that_is_plain_text_in_plain_elements(key):
    symbol = symbol_of(key)
    assert symbol[0][0] == "span"
    for element, text in symbol:
        assert element in ("span", "sup", "sub")
        assert text.strip() == text != ""
        assert not set(text) & set("<>&$\\^{}")


@pytest.mark.parametrize(
    ("key", "symbol"),
    [
        ("X", (("span", "X"),)),
        ("scores", (("span", "QK"), ("sup", "⊤"))),
        ("W_Q", (("span", "W"), ("sup", "Q"))),
        ("b_V", (("span", "b"), ("sup", "V"))),
        ("W_O", (("span", "W"), ("sup", "O"))),
        ("scaled", (("span", "÷√d"), ("sub", "k"))),
    ],
)
def test_symbols_are_those_of_the_paper(key, symbol):
    assert symbol_of(key) == symbol


def test_a_stage_without_a_symbol_of_its_own_goes_by_its_key():
    assert "causal" not in SYMBOLS
    assert symbol_of("causal") == (("span", "causal"),)


@pytest.mark.parametrize("key", figure.SYMBOLS)
def test_a_matrix_is_written_alike_in_the_figure_and_on_the_map(key):
    (_, base), (_, raised) = symbol_of(key)
    assert figure.SYMBOLS[key] == f"{base}<sup>{raised}</sup>"


def test_the_figure_has_a_symbol_for_every_matrix_and_bias():
    named = {key for key in KEYS if key.startswith(("W_", "b_"))}
    assert named == set(figure.SYMBOLS)
