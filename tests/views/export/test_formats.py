"""What the sheet *Take it along* saves of the step that is shown, and of all."""

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from claims import for_all
from PIL import Image
from shown_traces import HEADS, TRACES, many_patches, middle, sentence, words_in_a_row

from core import load
from core.errors import InputError
from views.export.file import ExportOptions
from views.export.formats import WRITERS
from views.text import LANGUAGES

EN = LANGUAGES["en"]
SVG = "{http://www.w3.org/2000/svg}"
AT = {"batch": 0, "head": 1, "query": 5, "key": 0}


def written(name: str, key: str = "weights", at=AT, trace=sentence) -> str:
    return WRITERS[name](trace(), EN, ExportOptions(key=key, at=at)).decode("utf-8-sig")


def test_the_menu_offers_every_format_that_there_is():
    for words in LANGUAGES.values():
        assert {*words.viewer.take.keys()} == {"png", "svg", *WRITERS}


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


def of_paper(name, at=AT, trace=sentence):
    return WRITERS[name](trace(), LANGUAGES["zh"], ExportOptions(key="weights", at=at))


def test_a_figure_for_a_paper_is_small_and_needs_no_font():
    many = of_paper("paper_svg", {"batch": 0, "head": 3}, many_patches)
    assert len(many) < 1_000_000
    for text in (many, of_paper("paper_svg"), of_paper("heads_svg")):
        figure = ElementTree.fromstring(text)
        tags = [element.tag.partition("}")[2] for element in figure.iter()]
        assert "text" not in tags
        assert tags.count("path") > 10
        assert figure.get("width") in ("85mm", "175mm")
    title, about = (figure.find(f"{SVG}{name}").text for name in ("title", "desc"))
    assert title == "weights"
    assert about.splitlines()[0] == " ".join(sentence()["weights"].axis("query").names())


def test_cells_of_a_paper_are_square_and_say_their_size_and_head():
    figure = ElementTree.fromstring(of_paper("paper_svg"))
    heat, _ = figure.iter(f"{SVG}image")
    assert heat.get("width") == heat.get("height")
    assert figure.find(f"{SVG}title").text == "weights · 头 2"
    with Image.open(io.BytesIO(of_paper("paper_png"))) as picture:
        assert round(picture.info["dpi"][0]) == 600
        assert round(picture.width / 600 * 25.4) == 85
        assert picture.info["Title"] == "weights · 头 2"
    assert of_paper("paper_pdf").startswith(b"%PDF")
    heads = ElementTree.fromstring(of_paper("heads_svg")).iter(f"{SVG}image")
    assert len([*heads]) == HEADS + 1  # and the colour scale


def test_a_name_that_no_font_here_can_draw_is_refused():
    def strange():
        return words_in_a_row(("a", "\U0001f600", "b"))

    with pytest.raises(InputError, match="no_font"):
        of_paper("paper_svg", {"batch": 0, "head": 0}, strange)
