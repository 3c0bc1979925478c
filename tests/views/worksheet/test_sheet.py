"""The sheet and its key, read back from their HTML: the key has core's numbers, the sheet none."""

import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from core import Trace
from core.exercises import covering
from core.models.by_hand import Sheet as Written
from core.models.worked import PRESETS
from views.text import LANGUAGES
from views.text.understand.worksheet import WORDS
from views.worksheet.sheet import Sheet, page

TEMPLATE = (Path(__file__).parents[3] / "assets" / "worksheet" / "worksheet.html").read_text(
    "utf-8"
)
STAGES = ("scores", "scaled", "masked", "weights", "head_output", "concat", "output")
LINK = "http://localhost/predict?lang=zh&preset=<b>&seed=7"
WHOLE = covering.every_cell


class Tables(HTMLParser):
    """All tables as rows of (text, whether it is a box), and all text by the class around it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[tuple[str, bool]]]] = []
        self.captions: list[str] = []
        self.said: dict[str, list[str]] = {}
        self.tags: set[str] = set()
        self._cell: list[str] | None = None
        self._box = False
        self._caption = False
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        found = dict(attributes)
        if tag in ("meta", "br"):
            return
        self._open.append(found.get("class") or "")
        self.said.setdefault(self._open[-1], []).append("")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "td":
            self._cell, self._box = [], found.get("class") == "box"
        elif tag == "figcaption":
            self._caption = True
            self.captions.append("")

    def handle_endtag(self, tag):
        self._open.pop()
        if tag == "td":
            self.tables[-1][-1].append(("".join(self._cell or []), self._box))
            self._cell = None
        elif tag == "figcaption":
            self._caption = False

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)
        if self._caption:
            self.captions[-1] += data
        for name in self._open:
            self.said[name][-1] += data

    def stage(self, caption: str) -> list[list[list[tuple[str, bool]]]]:
        """The tables of a stage, one a head, without the rows of names."""
        return [
            [row for row in table if row]
            for name, table in zip(self.captions, self.tables, strict=True)
            if name.split(" · ")[0] == caption
        ]


def sheet_of(preset: str, causal: bool = False, cover=WHOLE, stages=STAGES) -> Sheet:
    trace = replace(PRESETS[preset], causal=causal).trace()
    there = tuple(key for key in stages if key in trace)
    return Sheet("例", trace, there, {key: cover(trace, key) for key in there}, LINK, 7)


def made(sheet: Sheet, filled: bool, code: str = "en") -> str:
    return page(TEMPLATE, sheet, filled, WORDS[code], LANGUAGES[code])


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def by_plain_loops(
    trace: Trace, divisor: float, causal: bool, padded: int
) -> dict[str, np.ndarray]:
    """Every stage once more from Q, K, V and W_O, with Python's own numbers."""
    Q, K, V = (trace[name].tensor[0].tolist() for name in "QKV")
    found: dict[str, list] = {key: [] for key in STAGES}
    for q, k, v in zip(Q, K, V, strict=True):
        n = len(q)
        scores = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in k] for x in q]
        scaled = [[x / divisor for x in row] for row in scores]
        masked = [
            [
                x if (j <= i or not causal) and j < n - padded else -math.inf
                for j, x in enumerate(row)
            ]
            for i, row in enumerate(scaled)
        ]
        weights = []
        for row in masked:
            powers = [math.exp(x) for x in row]
            weights.append([p / sum(powers) for p in powers])
        mixed = [
            [sum(w * y[j] for w, y in zip(row, v, strict=True)) for j in range(len(v[0]))]
            for row in weights
        ]
        for key, value in zip(STAGES[:5], (scores, scaled, masked, weights, mixed), strict=True):
            found[key].append(value)
    if "W_O" in trace:
        heads, rows = found["head_output"], range(len(Q[0]))
        joined = [[x for head in heads for x in head[i]] for i in rows]
        W_O = [row for head in trace["W_O"].tensor.tolist() for row in head]
        found["concat"] = [joined]
        found["output"] = [
            [
                [sum(x * w[j] for x, w in zip(row, W_O, strict=True)) for j in range(len(W_O[0]))]
                for row in joined
            ]
        ]
    return {key: np.array(value) for key, value in found.items() if value}


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_key_has_exactly_the_computed_numbers(preset, causal):
    sheet = sheet_of(preset, causal)
    read = Tables(made(sheet, filled=True))
    d_k = sheet.trace["Q"].size("d_k")
    expected = by_plain_loops(
        sheet.trace, PRESETS[preset].divisor or math.sqrt(d_k), causal, PRESETS[preset].padded
    )
    for key in sheet.stages:
        printed = np.array(
            [[[number(t) for t, _ in row] for row in table] for table in read.stage(key)]
        )
        np.testing.assert_allclose(printed, expected[key], atol=0.5001e-4, rtol=0)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_boxes_of_the_sheet_are_empty_and_those_of_the_key_filled(preset, code):
    def cover(trace, key):
        return covering.at_random(trace, key, 7)

    sheet = sheet_of(preset, True, cover)
    empty, full = (Tables(made(sheet, filled, code)) for filled in (False, True))
    for key in sheet.stages:
        boxes = sheet.covered[key].reshape(-1, *sheet.covered[key].shape[-2:])
        for tables, filled in ((empty.stage(key), False), (full.stage(key), True)):
            is_box = [[[box for _, box in row] for row in table] for table in tables]
            np.testing.assert_array_equal(np.array(is_box), boxes)
            for text, box in (cell for table in tables for row in table for cell in row):
                assert bool(text) == (filled or not box)


def test_nothing_of_the_key_is_told_elsewhere_on_the_sheet():
    """With everything covered, a computed number stands nowhere but where it is given."""
    sheet = sheet_of("d4_h2")
    text = re.sub(r"<style>.*?</style>", "", made(sheet, filled=False), flags=re.DOTALL)
    for key in sheet.stages:
        for value in np.unique(sheet.trace[key].tensor):
            assert f"{abs(value):.4f}" not in text
    assert "largest of the row" not in text
    assert "=" not in "".join(Tables(text).said.get("sum", []))


def test_the_powers_are_those_of_what_is_left_without_the_largest():
    (powers,) = Tables(made(sheet_of("wo_ai_beijing"), filled=False)).said["powers"]
    # 0.5 0.75 1.25 · 0.75 1.125 1.875 · 1.25 1.875 3.125, less the last of each row
    for x in (0.0, -0.5, -0.75, -1.125, -1.25, -1.875):
        assert f"e{x:.3f} = {math.exp(x):.4f}".replace("-", "−") in powers
    assert powers.count("=") == 6


def test_the_sums_of_the_key_add_up_as_printed():
    for preset in PRESETS:
        sheet = sheet_of(preset, cover=lambda trace, key: covering.at_random(trace, key, 3))
        sums = Tables(made(sheet, filled=True)).said["sum"]
        assert len(sums) == len(sheet.stages)
        for line in sums:
            *_, added, total = re.split(r" = | ≈ ", line)
            if " + " in added and "÷" not in added:
                terms = [number(term.strip("()")) for term in added.split(" + ")]
                assert sum(terms) == pytest.approx(number(total), abs=1e-9), line


def test_the_divided_sum_is_opened():
    sheet = sheet_of("wo_ai_beijing", stages=("scores", "scaled", "weights", "head_output"))
    sums = Tables(made(sheet, filled=True)).said["sum"]
    assert sums[0] == "scores[北京, 北京] = 5.00 × 5.00 = 25.00"
    assert sums[1] == "scaled[北京, 北京] = 25.00 ÷ 8 = 3.125"
    assert sums[2].endswith("≈ 1.0000 ÷ (0.1534 + 0.2865 + 1.0000) = 1.0000 ÷ 1.4399 = 0.6945")
    assert sums[3].endswith("≈ 1.0651 + 3.9796 + 20.8354 = 25.8801")


@pytest.mark.parametrize(("code", "name", "tie"), [("en", "Name", "A tie"), ("zh", "姓名", "并列")])
def test_questions_are_answered_in_the_key_and_ties_are_called_so(code, name, tie):
    sheet = sheet_of("whole_numbers")
    empty, full = (made(sheet, filled, code) for filled in (False, True))
    assert name in empty
    assert empty.count('class="question"') == 3
    assert empty.count('class="lines"') == 3
    assert tie not in empty
    assert full.count(tie) == 2  # the first cannot choose among three, the third between two
    assert 'class="lines"' not in full


def test_what_a_step_needs_is_given_unless_another_step_makes_it():
    names = Tables(made(sheet_of("d4_h2", stages=("weights", "output")), filled=False)).captions
    assert [name.split(" · ")[0] for name in names] == [
        "scaled", "scaled", "concat", "WO", "weights", "weights", "output",
    ]  # fmt: skip
    names = Tables(made(sheet_of("d4_h2", stages=("Q", "scores")), filled=False)).captions
    assert {name.split(" · ")[0] for name in names} == {"X", "WQ", "K", "Q", "scores"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_file_needs_nothing_else_and_whatever_it_prints_is_escaped(code):
    given = Written(
        ("<script>alert(1)</script>", "$&"),
        {name: np.array([[[1.0], [2.0]]]) for name in "QKV"},
    )
    trace = given.trace()
    covered = {"scores": WHOLE(trace, "scores")}
    sheet = Sheet('"><img src=x>', trace, ("scores",), covered, LINK)
    for filled in (False, True):
        html = made(sheet, filled, code)
        read = Tables(html)
        assert not read.tags & {"script", "img", "link", "iframe", "a"}
        assert "&lt;script&gt;" in html
        assert "default-src 'none'" in html
        assert "preset=&lt;b&gt;&amp;seed=7" in html
        assert "url(" not in html
        assert "$" not in html.replace("$&amp;", "")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_seed_stands_at_the_foot_where_it_chose_the_boxes(code):
    sheet = sheet_of("wo_ai_beijing")
    assert WORDS[code].seed.format(seed=7) in made(sheet, True, code)
    assert WORDS[code].seed.format(seed=7) not in made(replace(sheet, seed=None), True, code)
