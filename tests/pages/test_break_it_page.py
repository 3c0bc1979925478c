import re

import numpy as np
from claims import for_all
from page_reader import Open, printed, texts, titled
from streamlit.testing.v1 import AppTest
from wrong_lines import BREAKS

from core import Weights, multi_head_attention
from core.experiments.mistakes import MISTAKES, attend
from core.options import AttentionOptions
from core.sources import text
from views.navigation import PAGES
from views.text import words_beside
from views.text.spans import plain

WORDS = words_beside(PAGES["break_it"])


def failing(at: AppTest, lang: str) -> set[str]:
    """The invariants whose line has a cross."""
    (table,) = (m.value for m in at.markdown if m.value.startswith(f"| {WORDS[lang].columns[0]}"))
    lines = table.splitlines()[2:]
    names = list(WORDS[lang].alarms)
    assert len(lines) == len(names)
    return {name for name, line in zip(names, lines, strict=True) if "✗" in line}


def test_a_first_look_shows_a_wrong_line_its_effect_and_the_failing_invariants(
    open_page: Open,
) -> None:
    at = open_page("break_it", lang="en", text="我爱北京")
    assert not at.exception
    assert "# wrong" in at.code[0].value
    words = WORDS["en"]
    X = text.embed(text.read("我爱北京", "word"), 8, 7)["X"].tensor
    weights = Weights.seeded(8, 2, 7)
    right = multi_head_attention(X, weights, AttentionOptions(causal=True))
    broken = attend(X, weights, MISTAKES["axis"].operations)
    grids = titled(at)
    for title, expected in (
        (f"weights · {words.right}", right["weights"].tensor[0, 0]),
        (f"output · {words.right}", right["output"].tensor[0]),
        (f"weights · {words.broken}", broken.weights[0, 0]),
        (f"output · {words.difference}", broken.output[0] - right["output"].tensor[0]),
    ):
        np.testing.assert_allclose(printed(grids[title]), expected, atol=0.0051)
    assert failing(at, "en") == BREAKS["axis"]
    assert grids[f"weights · {words.broken}"]["below"] == ["Σ 1.00"] * 3
    assert "1.88" in texts(at)  # what the row of 北京 hands out in all


@for_all("name", MISTAKES)
def test_every_mistake_breaks_its_invariants_and_is_described(open_page: Open, name: str) -> None:
    at = open_page("break_it", lang="zh", mistake=name, d_k="3")
    assert not at.exception
    assert failing(at, "zh") == BREAKS[name]
    begins = WORDS["zh"].off_by.strip().split("{")[0]
    assert begins in texts(at)
    assert MISTAKES[name].wrong.__name__ in "".join(code.value for code in at.code)


def test_q_times_k_fails_unless_n_is_d_k(open_page: Open) -> None:
    at = open_page("break_it", lang="zh", mistake="upright")
    assert not at.exception
    assert failing(at, "zh") == set()
    assert "size 3 is different from 4" in "".join(code.value for code in at.code)
    at.button(key="make_square").click().run()
    assert at.number_input(key="d_k").value == 3
    assert at.query_params["d_k"] == "3"
    assert failing(at, "zh") == BREAKS["upright"]


def test_for_a_sentence_too_long_to_be_square_the_fitting_lengths_are_stated(
    open_page: Open,
) -> None:
    at = open_page("break_it", lang="en", mistake="upright", text="one two three four " * 4)
    assert not at.button
    assert any("3 to 8 tokens" in caption.value.replace("\\", "") for caption in at.caption)


def test_effect_and_invariants_are_hidden_until_the_prediction_is_made(open_page: Open) -> None:
    at = open_page("break_it", lang="en", mistake="late_mask", predict="1")
    words = WORDS["en"]
    assert f"weights · {words.broken}" not in titled(at)
    assert words.columns[0] not in texts(at)
    for guess in ("forbidden_is_zero", "rows_sum_to_one"):
        at.checkbox(key=f"guess_late_mask_{guess}").check().run()
        assert words.columns[0] not in texts(at)
    at.toggle(key="ring_late_mask").set_value(True).run()
    assert plain(words.missed.format(ringing=2, found=1, silent=1)) in texts(at)
    assert failing(at, "en") == BREAKS["late_mask"]
    at.checkbox(key="guess_late_mask_forbidden_is_zero").uncheck().run()
    at.checkbox(key="guess_late_mask_future_changes_nothing").check().run()
    assert plain(words.guessed) in texts(at)


def test_a_measured_invariant_matches_the_head_that_is_shown(open_page: Open) -> None:
    at = open_page("break_it", lang="en", heads="3", text="我爱北京")
    X = text.embed(text.read("我爱北京", "word"), 12, 7)["X"].tensor
    weights = Weights.seeded(12, 3, 7)
    wrong = {}
    for mistake, invariant in (("axis", "rows_sum_to_one"), ("zero_mask", "forbidden_is_zero")):
        at.button_group(key="mistake").set_value(mistake).run()
        broken = attend(X, weights, MISTAKES[mistake].operations).weights[0]
        for head in range(3):
            at.button_group(key="head").set_value(head + 1).run()
            largest = {
                "axis": np.abs(broken[head].sum(axis=1) - 1).max(),
                "zero_mask": np.triu(broken[head], 1).max(),
            }[mistake]
            (line,) = (
                line for m in at.markdown for line in m.value.splitlines()
                if line.count("|") == 4 and WORDS["en"].alarms[invariant].holds in line
            )  # fmt: skip
            measured = float(re.findall(r"\d+\.\d+", line.replace("\\", ""))[-1])
            if f"in head {head + 1}" not in line or abs(measured - largest) > 0.0051:
                wrong[mistake, head] = line
    assert wrong == {}


def test_controls_change_the_numbers_and_the_link(open_page: Open) -> None:
    at = open_page("break_it", lang="en")
    before = titled(at)["output · right"]["printed"]
    at.number_input(key="seed").set_value(8).run()
    assert at.query_params["seed"] == "8"
    assert titled(at)["output · right"]["printed"] != before
    at.number_input(key="heads").set_value(3).run()
    at.button_group(key="head").set_value(3).run()
    at.number_input(key="heads").set_value(2).run()
    assert not at.exception
    assert at.session_state["head"] == 2
