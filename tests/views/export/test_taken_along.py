"""What the sheet *Take it along* saves of the step that is shown, and of all."""

import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from claims import for_all
from PIL import Image
from shown_traces import HEADS, TRACES, many_patches, sentence, words_in_a_row

from core import load
from core.errors import InputError
from views.export.file import ExportOptions
from views.export.formats import WRITERS, offers
from views.text import LANGUAGES
from views.widgets.microscope import is_hosted

EN = LANGUAGES["en"]
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"  # Inkscape 1.2 knows no other
AT = {"batch": 0, "head": 1, "query": 5, "key": 0}


def test_the_menu_offers_every_format_that_there_is():
    for words in LANGUAGES.values():
        assert {*words.viewer.take.keys()} == {"png", "svg", "csv", "tex", *WRITERS}


@for_all("name", ["sentence", "picture", "sound", "half precision", "next word", "own patches"])
def test_the_size_that_the_menu_says_beforehand_is_about_right(name):
    trace = TRACES[name]()
    for format, said in offers(trace, EN).items():
        if said == EN.viewer.too_large or (format == "xlsx" and name == "half precision"):
            with pytest.raises(InputError):
                WRITERS[format](trace, EN, ExportOptions())
            continue
        amount, unit = re.search(r"≈ ([\d.]+) (\w+)", said).groups()
        about = float(amount) * {"B": 1, "kB": 1e3, "MB": 1e6}[unit]
        assert 0.6 < about / len(WRITERS[format](trace, EN, ExportOptions())) < 1.7, format


def test_all_numbers_are_those_of_the_trace(tmp_path):
    path = tmp_path / "run.npz"
    path.write_bytes(WRITERS["npz"](sentence(), EN, ExportOptions()))
    again = load(path)
    for key, stage in sentence().items():
        np.testing.assert_array_equal(again[key].tensor, stage.tensor)


def test_an_address_of_ones_own_computer_or_network_is_not_hosted():
    own = (
        "localhost", "127.0.0.1", "127.9.9.9", "10.0.0.7", "192.168.7.9", "172.16.0.1",
        "172.31.255.1", "169.254.3.4", "100.64.0.1", "0.0.0.0", "[::1]", "[fd00::7]", "[fe80::1]",
        "teacher.local", "box.home.arpa", "pc.home.arpa.", "my.localhost", "pc.lan", "pc", "",
    )  # fmt: skip
    for host in own:
        assert not is_hosted(f"http://{host}:8501/sentence?lang=zh"), host
    for host in ("attention.example", "172.32.0.1", "8.8.8.8", "[2001:4860::8888]", "local.com"):
        assert is_hosted(f"https://{host}/sentence"), host
    assert not is_hosted("")


def of_paper(name, at=AT, trace=sentence, **more):
    options = ExportOptions(key="weights", at=at, **more)
    return WRITERS[name](trace(), LANGUAGES["zh"], options)


def test_a_figure_for_a_paper_is_small_and_needs_no_font():
    many = of_paper("paper_svg", {"batch": 0, "head": 3}, many_patches)
    assert len(many) < 1_000_000
    for text in (many, of_paper("paper_svg"), of_paper("paper_svg", all_heads=True)):
        figure = ElementTree.fromstring(text)
        tags = [element.tag.partition("}")[2] for element in figure.iter()]
        assert "text" not in tags
        assert all(image.get(LINK) for image in figure.iter(f"{SVG}image"))
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
    heads = ElementTree.fromstring(of_paper("paper_svg", all_heads=True)).iter(f"{SVG}image")
    assert len([*heads]) == HEADS + 1  # and the colour scale


def test_a_figure_has_the_width_and_the_caption_that_are_chosen_in_every_form():
    long = "图一：一个很长的图注。" * 9
    narrow, wide = (of_paper("paper_svg", width=w, caption=long).decode() for w in (60.0, 300.0))
    assert 'width="60mm"' in narrow
    assert narrow.count('aria-label="图一') == 1  # its lines are texts of their own
    lines = re.findall(r'aria-label="([^"]+)"', narrow)
    assert long == "".join(lines[-4:])
    assert long in wide
    pdf = of_paper("paper_pdf", width=60.0, caption=long)
    assert float(re.search(rb"MediaBox\[0 0 ([\d.]+)", pdf)[1]) == pytest.approx(
        60 / 25.4 * 72, 1e-4
    )
    for place, number in zip(re.findall(rb"(\d{10}) 00000 n", pdf), range(1, 99), strict=False):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % number)
    assert "weights · 头 2".encode("utf-16-be").hex().encode() in pdf
    with Image.open(io.BytesIO(of_paper("paper_png", width=60.0))) as picture:
        assert round(picture.width / 600 * 25.4) == 60
    for width in (0, 29.9, 401, float("nan")):
        with pytest.raises(InputError, match="out_of_range"):
            of_paper("paper_svg", width=width)


def test_a_name_that_no_font_here_can_draw_is_refused():
    def strange():
        return words_in_a_row(("a", "\U0001f600", "b"))

    with pytest.raises(InputError, match="no_font"):
        of_paper("paper_svg", {"batch": 0, "head": 0}, strange)
