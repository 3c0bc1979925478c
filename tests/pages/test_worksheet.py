"""The sheet and its key, read back from their HTML: the key has core's numbers, the sheet none."""

import math
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from core import Trace
from core.models.by_hand import Sheet as Written
from core.models.worked import random_gradients, random_sheet
from pages.understand.predict.worksheet.sheet import Sheet, page
from views.text import LANGUAGES

TEMPLATE = (Path(__file__).parents[2] / "assets" / "worksheet" / "worksheet.html").read_text(
    "utf-8"
)
STEPS = ["scores", "scaled", "masked", "weights", "head_output"]
ADDRESS = "https://example.org/predict?lang=zh&preset=<b>&worksheet=7"
SEEDS = range(4)


class Tables(HTMLParser):
    """All tables by the name in their corner, as rows of (text, whether it is a box), and all text
    by the class around it.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[tuple[str, bool]]]] = {}
        self.by_class: dict[str, list[str]] = {}
        self.tags: set[str] = set()
        self._rows: list[list[tuple[str, bool]]] = []
        self._name = ""
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag in ("meta", "br"):
            return
        found = dict(attributes).get("class") or tag
        self._open.append(found)
        self.by_class.setdefault(found, []).append("")
        if tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag == "td":
            self._rows[-1].append(("", found == "box"))

    def handle_endtag(self, tag):
        self._open.pop()
        if tag == "table":
            self.tables[self.by_class["name"][-1]] = [row for row in self._rows if row]

    def handle_data(self, data):
        if "td" in self._open or "box" in self._open:
            text, box = self._rows[-1][-1]
            self._rows[-1][-1] = (text + data, box)
        for name in self._open:
            self.by_class[name][-1] += data


def sheet_of(seed: int, causal: bool = False, address: str = ADDRESS) -> Sheet:
    return Sheet(seed, random_sheet(seed, causal=causal).trace(), address)


def made(sheet: Sheet, filled: bool, code: str = "en") -> str:
    return page(TEMPLATE, sheet, filled, LANGUAGES[code])


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def by_plain_loops(trace: Trace, causal: bool) -> dict[str, np.ndarray]:
    """Every step once more from Q, K and V, with Python's own numbers."""
    Q, K, V = (trace[name].tensor[0, 0].tolist() for name in "QKV")
    scores = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in K] for x in Q]
    scaled = [[x / math.sqrt(len(Q[0])) for x in row] for row in scores]
    masked = [
        [x if j <= i or not causal else -math.inf for j, x in enumerate(row)]
        for i, row in enumerate(scaled)
    ]
    weights = []
    for row in masked:
        powers = [math.exp(x) for x in row]
        weights.append([p / sum(powers) for p in powers])
    mixed = [
        [sum(w * y[j] for w, y in zip(row, V, strict=True)) for j in range(len(V[0]))]
        for row in weights
    ]
    found = dict(zip(STEPS, (scores, scaled, masked, weights, mixed), strict=True))
    return {key: np.array(value) for key, value in found.items() if causal or key != "masked"}


@pytest.mark.parametrize("causal", [False, True])
def test_the_key_has_exactly_the_computed_numbers(causal):
    for seed in SEEDS:
        sheet = sheet_of(seed, causal)
        read = Tables(made(sheet, filled=True))
        expected = by_plain_loops(sheet.trace, causal)
        assert [*read.tables] == ["Q", "K", "V", *expected]
        for key, values in expected.items():
            printed = [[number(text) for text, _ in row] for row in read.tables[key]]
            np.testing.assert_allclose(printed, values, atol=0.5001e-4, rtol=0)


@pytest.mark.parametrize("causal", [False, True])
def test_the_key_of_a_sheet_backwards_has_the_gradients_by_plain_loops_and_the_sheet_none(causal):
    for seed in SEEDS:
        trace = random_gradients(random_sheet(seed, causal=causal).trace(), seed)
        sheet = Sheet(seed, trace, ADDRESS)
        Q, K, V, A, d = (
            trace[key].tensor[0, 0].tolist() for key in (*"QKV", "weights", "grad/head_output")
        )
        n, width = range(len(Q)), range(len(Q[0]))
        dV = [[sum(A[i][j] * d[i][c] for i in n) for c in range(len(d[0]))] for j in n]
        dA = [[sum(a * b for a, b in zip(d[i], V[j], strict=True)) for j in n] for i in n]
        mean = [sum(A[i][j] * dA[i][j] for j in n) for i in n]
        dS = [[A[i][j] * (dA[i][j] - mean[i]) for j in n] for i in n]
        of_score = [[x / 2 for x in row] for row in dS]  # √4
        dQ = [[sum(of_score[i][j] * K[j][c] for j in n) for c in width] for i in n]
        dK = [[sum(of_score[i][j] * Q[i][c] for i in n) for c in width] for j in n]
        logits = "dmasked" if causal else "dscaled"
        expected = {"dV": dV, "dweights": dA, logits: dS, "dscores": of_score, "dQ": dQ, "dK": dK}
        empty, full = (Tables(made(sheet, filled)) for filled in (False, True))
        assert [*full.tables][5:] == [*expected]
        for key, values in expected.items():
            printed = [[number(text) for text, _ in row] for row in full.tables[key]]
            np.testing.assert_allclose(printed, values, atol=0.5001e-4, rtol=0)
            assert all(bool(text) != box for row in empty.tables[key] for text, box in row)
        (line,) = (line for line in full.by_class["sum"] if line.startswith(logits))
        index = np.array(dS[-1]).argmax()
        assert line.endswith(f" ≈ {dS[-1][index]:.4f}".replace("-", "−"))


def test_the_sheet_contains_no_number_of_the_key():
    """A number that is to be found stands nowhere, if it has enough digits to be unique."""
    for seed in SEEDS:
        sheet = sheet_of(seed)
        text = re.sub(r"<style>.*?</style>", "", made(sheet, filled=False), flags=re.DOTALL)
        for key in ("weights", "head_output"):
            for value in sheet.trace[key].tensor[0, 0][1:].flat:
                assert f"{value:.4f}" not in text, (seed, key)
        assert "largest of the row" not in text.split("<main>")[1].split("</h2>")[-1]
        assert "sum" not in Tables(text).by_class


def test_every_symbol_of_the_sheet_is_defined_on_it():
    """A name is defined by standing on the left of a step, in the list or in what is to be done."""
    faults = []
    for code in LANGUAGES:
        for causal in (False, True):
            html = made(sheet_of(5, causal), filled=False, code=code)
            formulas = [
                re.findall(r"<m(?:i|text)[^>]*>([^<]+)</m", math)
                for math in re.findall(r"<h2>[^<]*<math>(.*?)</math>", html)
            ]
            listed = re.findall(r"<li><math>(.*?)</math>", html)
            defined = {leaf for math in listed for leaf in re.findall(r">([^<>]+)<", math)}
            assert ("M" in defined) == causal
            for step in formulas:
                defined.add(step[0])
                unknown = [leaf for leaf in step if leaf not in defined]
                faults += [leaf for leaf in unknown if f"<p>{leaf}" not in html]
            faults += [name for name in Tables(html).tables if name not in defined]
            assert len(formulas) == 4 + causal
            assert "√4 = 2" in html
            assert {"Q", "K", "V", "⊤", "d", "k", "e"} <= defined
    assert not faults


def test_the_sums_of_the_key_add_up_as_printed():
    for seed in SEEDS:
        sums = Tables(made(sheet_of(seed), filled=True)).by_class["sum"]
        assert len(sums) == 4
        for line in sums:
            *_, added, total = re.split(r" = | ≈ ", line)
            if " + " in added and "÷" not in added:
                terms = [number(term.strip("()")) for term in added.split(" + ")]
                assert sum(terms) == pytest.approx(number(total), abs=1e-9), line


def test_the_key_shows_one_sum_of_each_step():
    """Q[北京] = 2, 1, 0, 3 and K[爱] = 1, 2, 1, 1 by hand: 2 + 2 + 0 + 3 = 7, halved 3.5."""
    Q, K = [[1, 0, 1, 0], [0, 1, 1, 1], [2, 1, 0, 3]], [[1, 0, 0, 0], [1, 2, 1, 1], [0, 1, 0, -1]]
    given = {"Q": Q, "K": K, "V": [[1, 2], [3, 4], [5, 6]]}
    matrices = {name: np.array([matrix]) for name, matrix in given.items()}
    trace = Written(("我", "爱", "北京"), matrices).trace()
    sums = Tables(made(Sheet(1, trace), filled=True)).by_class["sum"]
    assert sums[0] == "scores[北京, 爱] = 2 × 1 + 1 × 2 + 0 × 1 + 3 × 1 = 2 + 2 + 0 + 3 = 7"
    assert sums[1] == "scaled[北京, 爱] = 7 ÷ √4 = 3.5"
    # e^−2.5 = 0.082085, e^0 = 1, e^−4.5 = 0.011109; in all 1.093194, and 1 / 1.093194 = 0.914751
    assert sums[2].endswith("≈ 1.0000 ÷ (0.0821 + 1.0000 + 0.0111) = 1.0000 ÷ 1.0932 ≈ 0.9148")


def test_questions_are_answered_in_the_key_only():
    empty, full = (Tables(made(sheet_of(4), filled)).by_class for filled in (False, True))
    assert "Name" in empty["who"][0]
    assert len(empty["question"]) == len(empty["lines"]) == 2
    assert not any("largest" in text for text in empty["question"])
    assert all("largest" in text for text in full["question"])
    assert "lines" not in full
    assert "who" not in full


def test_the_file_is_self_contained_and_its_text_is_escaped():
    matrices = {name: np.array([[[1.0], [2.0]]]) for name in "QKV"}
    trace = Written(("<script>alert(1)</script>", "$&"), matrices).trace()
    for filled in (False, True):
        html = made(Sheet(7, trace, ADDRESS), filled)
        assert not Tables(html).tags & {"script", "img", "link", "iframe", "a"}
        assert "&lt;script&gt;" in html
        assert "default-src 'none'" in html
        assert "preset=&lt;b&gt;&amp;worksheet=7" in html
        assert "url(" not in html
        assert "$" not in html.replace("$&amp;", "")
