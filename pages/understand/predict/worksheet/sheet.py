"""The worksheet and its answer key: given matrices, steps with boxes, and questions."""

from dataclasses import dataclass
from string import Template
from typing import cast
from xml.etree.ElementTree import Element

import numpy as np

from core import Stage, Trace, rules
from core.exercises import judging, quiz_cells
from core.kinds import GRADIENT
from pages.understand.predict.digits import FULL, divisor_of
from pages.understand.predict.worksheet.sums import (
    Piece,
    as_html,
    digits_on_paper,
    element,
    mathematics,
    matrix,
    sum_line,
    symbol,
)
from views.figures.symbols import name_of
from views.text import Words, numbers, words_beside
from views.widgets.sheet_input import sentence_of

WORDS = words_beside(__file__)

STEPS = ("scores", "scaled", "masked", "weights", "head_output")
BACKWARDS = tuple(
    f"{GRADIENT}{key}" for key in ("V", "weights", "masked", "scaled", "scores", "Q", "K")
)
SHOWN = 0  # the row that is worked as an example
LINES = 2
IN_HALF_A_PAGE = 4  # columns of a matrix


@dataclass(frozen=True, eq=False)
class Sheet:
    """An exercise of one head: Q, K and V are given, and what follows from them is to be found.

    Of a trace with gradients, the weights and the gradients of A V are given too, and those before
    are to be found.
    seed: what it was drawn from; None for numbers of the reader's own. address: of this exercise;
    empty where only the computer that serves it could open it.
    """

    seed: int | None
    trace: Trace
    address: str = ""

    @property
    def turned(self) -> bool:
        """Whether the gradients are to be found."""
        return BACKWARDS[0] in self.trace

    @property
    def steps(self) -> list[str]:
        """The stages to compute, in order."""
        steps = [key for key in (BACKWARDS if self.turned else STEPS) if key in self.trace]
        if f"{GRADIENT}masked" in steps:
            steps.remove(f"{GRADIENT}scaled")  # the same numbers
        return steps

    def boxes(self, key: str) -> np.ndarray:
        """Which cells of a stage are to be filled in: all but the worked example's row."""
        whole = quiz_cells.every_cell(self.trace, key)
        return whole & ~quiz_cells.one_row(self.trace, key, SHOWN)


def page(template: str, sheet: Sheet, filled: bool, words: Words) -> str:
    """The whole file.

    template: HTML with ``$lang``, ``$title`` and ``$body``. filled: the answer key.
    """
    texts = WORDS[words.code]
    title = (texts.title_back if sheet.turned else texts.title).format(
        example=sentence_of(sheet.trace["scores"].axis("query").names() or ())
    )
    names = texts.of_own if sheet.seed is None else texts.of_seed
    part = names["key" if filled else "sheet"].format(seed=sheet.seed)
    steps = (_step(sheet, n, filled, texts, words) for n in range(len(sheet.steps)))
    width = max(sheet.trace[key].tensor.shape[-1] for key in sheet.steps)
    wide = {"class_": "wide"} if width > IN_HALF_A_PAGE else {}
    body = [
        _header(title, part, filled, texts), _given(sheet, texts),
        element("main", *steps, _questions(sheet, filled, texts, words), **wide),
        _footer(sheet, texts),
    ]  # fmt: skip
    return Template(template).substitute(
        lang=words.tag,
        title=_text(f"{title} · {part}"),
        body="\n".join(as_html(piece) for piece in body),
    )


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _header(title: str, part: str, filled: bool, texts: Words) -> Element:
    node = element("header", element("h1", title), element("p", part, class_="part"))
    if not filled:
        blanks = (element("span", name, element("i")) for name in (texts.name, texts.class_))
        node.append(element("p", *blanks, class_="who"))
        node.append(element("p", texts.task, class_="task"))
    return node


def _given(sheet: Sheet, texts: Words) -> Element:
    """Q, K and V, and the meaning of every symbol."""
    given = ("weights", f"{GRADIENT}head_output") if sheet.turned else ()
    tables = (_table(sheet.trace[key]) for key in (*"QKV", *given))
    used = {"M": "masked" in sheet.trace, "d_k": divisor_of(sheet.trace).startswith("√")}
    symbols = texts.symbols_back if sheet.turned else texts.symbols
    meant = {key: text for key, text in symbols.items() if used.get(key, True)}
    symbols = (
        element("li", mathematics(latex), f"\u2003{text}".format(d_k=sheet.trace["Q"].size("d_k")))
        for latex, text in meant.items()
    )
    return element(
        "section",
        element("h2", texts.given),
        element("div", *tables, class_="matrices"),
        element("ul", *symbols, class_="symbols"),
        class_="given",
    )


def _step(sheet: Sheet, number: int, filled: bool, texts: Words, words: Words) -> Element:
    key = sheet.steps[number]
    stage, boxes = sheet.trace[key], sheet.boxes(key)[0, 0]
    pieces: list[Piece] = [
        element("h2", f"{number + 1} · ", mathematics(stage.formula.replace("}_i", "}")))
    ]  # the only head needs no number
    if not filled:
        pieces.append(element("p", _how(sheet, key, texts)))
    if key == "weights":
        pieces.append(_powers(sheet, texts))
    pieces.append(_table(stage, boxes, filled))
    if filled:
        line = sum_line(sheet.trace, key, _opened(stage, boxes), words)
        pieces.append(element("p", *line, class_="sum"))
    return element("section", *pieces, class_="step")


def _how(sheet: Sheet, key: str, texts: Words) -> str:
    divisor = divisor_of(sheet.trace)
    if sheet.turned:
        return str(texts.how_back[key.removeprefix(GRADIENT)].format(divisor=divisor))
    if key != "scaled" or not divisor.startswith("√"):
        return str(texts.how[key].format(divisor=divisor))
    root = sheet.trace["Q"].size("d_k") ** 0.5
    fields = {"sign": "=≈"[root % 1 > 0], "root": numbers.short(root)}
    return str(texts.by_root.format(divisor=divisor, **fields))


def _opened(stage: Stage, boxes: np.ndarray) -> tuple[int, ...]:
    """The cell whose sum is shown: the largest of the last row."""
    row = len(boxes) - 1
    return (0, 0, row, int(np.where(boxes[row], stage.tensor[0, 0, row], -np.inf).argmax()))


def _table(stage: Stage, boxes: np.ndarray | None = None, filled: bool = True) -> Element:
    values = stage.tensor[0, 0]
    rows, columns = (
        [stage.axes[axis].label(index) for index in range(stage.tensor.shape[axis])]
        for axis in (-2, -1)
    )
    name, digits = symbol(name_of(stage.key)), digits_on_paper(values)
    return matrix(name, values, rows, columns, digits, boxes=boxes, filled=filled)


def _powers(sheet: Sheet, texts: Words) -> Element:
    """exp(x − max) for every row with a box."""
    logits = _logits(sheet.trace)
    rows = logits.tensor[sheet.boxes("weights").any(axis=-1)]
    left = rows - rows.max(axis=-1, keepdims=True)
    digits = digits_on_paper(logits.tensor)
    needed = sorted({x for x in left[np.isfinite(left)].tolist()}, reverse=True)
    items = (
        element(
            "li", "e", element("sup", numbers.plain(x, digits)),
            f" = {numbers.plain(float(np.exp(x)), FULL)}",
        )
        for x in needed
    )  # fmt: skip
    return element(
        "div", element("p", texts.powers, class_="small"), element("ul", *items, class_="powers")
    )


def _questions(sheet: Sheet, filled: bool, texts: Words, words: Words) -> Element:
    """Questions on the largest weight, or gradient of a score, of each row with boxes."""
    key = f"{GRADIENT}scores" if sheet.turned else "weights"
    question = texts.question_back if sheet.turned else texts.question
    pieces = []
    for sample, head, query in np.argwhere(sheet.boxes(key).any(axis=-1)).tolist():
        asks = element("p", question.format(row=sheet.trace[key].axis("query").label(query)))
        if filled:
            why = _because(sheet, key, (sample, head, query), texts, words)
            answer = element("p", element("b", why))
        else:
            answer = element("div", *(element("i") for _ in range(LINES)), class_="lines")
        pieces.append(element("div", asks, answer, class_="question"))
    return element("section", element("h2", texts.questions), *pieces, class_="questions")


def _because(sheet: Sheet, key: str, row: tuple[int, int, int], texts: Words, words: Words) -> str:
    weights, logits = sheet.trace[key], _logits(sheet.trace)
    largest = judging.winners(weights.tensor[row])
    if not largest:  # all gradients are 0
        return str(texts.because_none)
    columns = [weights.axis("key").label(key) for key in largest]
    first = (*row, largest[0])
    because = texts.because_tied if columns[1:] else texts.because
    return (texts.because_back if sheet.turned else because).format(
        columns=words.list_mark.join(columns),
        column=columns[0],
        weight=numbers.plain(float(weights.tensor[first]), FULL),
        score=numbers.plain(float(logits.tensor[first]), digits_on_paper(logits.tensor)),
        stage=logits.key,
    )


def _logits(trace: Trace) -> Stage:
    """The stage that softmax is applied to."""
    rule = cast(rules.Softmax, trace["weights"].rule)
    return trace[rule.of.stage]


def _footer(sheet: Sheet, texts: Words) -> Element:
    again = texts.again.format(seed=sheet.seed) if sheet.seed is not None else texts.same_numbers
    node = element("p", again if sheet.address or sheet.seed is not None else "")
    if sheet.address:
        node.append(element("span", sheet.address))
    return element("footer", node)
