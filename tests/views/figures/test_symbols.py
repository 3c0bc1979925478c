from claims import for_all
from shown_traces import STAGES, TRACES

from views.figures.symbols import name_of, symbol_of
from views.text.spans import in_figure, mathematics, spans

KEYS = sorted({key for _, key in STAGES})


@for_all("key", KEYS)
def test_every_stage_has_a_symbol_and_a_name_of_plain_text_in_plain_elements(key):
    for symbol in (symbol_of(key), name_of(key)):
        assert symbol[0][0] == "span"
        for element, text in symbol:
            assert element in ("span", "sup", "sub")
            assert text.strip() == text != ""
            assert not set(text) & set("<>&$\\^{}")


@for_all(
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


@for_all("key", [key for key in KEYS if key[:2] in ("W_", "b_")])
def test_the_numbers_of_a_matrix_or_bias_go_by_its_letter_raised_or_its_number_lowered(key):
    letter, index = key.split("_")
    side = "sub" if index.isdecimal() or index in ("gate", "up", "down", "C1", "C2") else "sup"
    assert name_of(key) == (("span", letter), (side, index)) == symbol_of(key)


def test_names_and_symbols_differ_where_a_step_is_no_matrix():
    assert symbol_of("output") == (("span", "·W"), ("sup", "O"))
    assert len({name_of(key) for key in KEYS}) == len(KEYS)


@for_all("name", TRACES)
def test_no_two_steps_of_a_trace_have_one_symbol(name):
    trace = TRACES[name]()
    assert len({symbol_of(key) for key in trace}) == len(trace)


def test_a_symbol_in_a_sentence_is_mathematics_in_figures_headings_and_prose():
    cases = {
        "score / √d_k": (
            "score / √<i>d</i><sub>k</sub>",
            r"score / $\sqrt{d_{k}}$",
            [("score / √", ""), ("d", "symbol"), ("k", "sub")],
        ),
        "W_Q 和 d_model": (
            "<i>W</i><sup>Q</sup> 和 <i>d</i><sub>model</sub>",
            r"$W^{Q}$ 和 $d_{\text{model}}$",
            [("W", "symbol"), ("Q", "sup"), (" 和 ", ""), ("d", "symbol"), ("model", "sub")],
        ),
        "head_output n_heads": (
            "head_output n_heads",
            r"head\_output n\_heads",
            [("head_output n_heads", "")],
        ),
    }
    for text, expected in cases.items():
        assert (in_figure(text), mathematics(text), spans(text)) == expected
