"""What the sheet *Take it along* saves of the step that is shown, and of all."""

import csv
import io
import re

import numpy as np
from claims import for_all
from shown_traces import TRACES, middle, sentence

from core import load
from views.export.file import ExportOptions
from views.export.formats import WRITERS
from views.text import LANGUAGES

EN = LANGUAGES["en"]
AT = {"batch": 0, "head": 1, "query": 5, "key": 0}


def written(name: str, key: str = "weights", at=AT, trace=sentence) -> str:
    return WRITERS[name](trace(), EN, ExportOptions(key=key, at=at)).decode("utf-8-sig")


def test_the_menu_offers_every_format_that_there_is():
    for words in LANGUAGES.values():
        assert [*words.viewer.take.keys()] == ["png", "svg", *WRITERS]


def test_a_table_has_the_matrix_that_is_shown_and_its_names():
    (first, *names), *rows = csv.reader(io.StringIO(written("csv"), newline=""))
    stage = sentence()["weights"]
    assert first == ""
    assert tuple(names) == stage.axis("key").names()
    assert tuple(row[0] for row in rows) == stage.axis("query").names()
    np.testing.assert_array_equal(np.array(rows)[:, 1:].astype(float), stage.tensor[0, 1])


def test_latex_has_the_matrix_and_the_sum_of_the_selected_cell():
    text = written("tex")
    assert r"\text{weights} = \operatorname{softmax}(\text{masked}) = \left[\begin{array}" in text
    assert r"{\text{weights}}_{1, 2, 6, 1} = \frac{e^{4.1871}}{e^{4.1871} + e^{-\infty} + " in text
    assert text.count(r" \\") == 6
    assert "= 0.6590" in text


@for_all("name", TRACES)
def test_latex_of_any_step_is_balanced(name):
    trace = TRACES[name]()
    for key in trace:
        text = written("tex", key, middle(trace, key), TRACES[name])
        assert text.isascii(), key
        assert text.count("{") == text.count("}"), key
        assert len(re.findall(r"\\left\b", text)) == len(re.findall(r"\\right\b", text)), key


def test_all_numbers_are_those_of_the_trace(tmp_path):
    path = tmp_path / "run.npz"
    path.write_bytes(WRITERS["npz"](sentence(), EN, ExportOptions()))
    again = load(path)
    for key, stage in sentence().items():
        np.testing.assert_array_equal(again[key].tensor, stage.tensor)
