"""The exercise and its answer key: what is given, the steps with their boxes, and questions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Template
from typing import cast
from xml.etree.ElementTree import Element

import numpy as np

from core import Stage, Trace, rules
from core.exercises import judging
from views import numbers
from views.figures.symbols import name_of
from views.naming import with_noun
from views.printing import FULL, digits_of, divisor_of
from views.text import Words
from views.text.understand.worksheet import WorksheetWords
from views.worksheet.elements import (
    Piece,
    as_html,
    element,
    mathematics,
    matrix,
    symbol,
    titled,
)
from views.worksheet.sums import sum_line

MOST_QUESTIONS = 4
LINES = 2


@dataclass(frozen=True, eq=False)
class Sheet:
    """An exercise.

    example: what it is called. stages: the steps on the sheet, in the order of the trace.
    covered: for each of them which cells are boxes, of the stage's shape.
    link: the address of this exercise. seed: where the boxes were drawn at random.
    """

    example: str
    trace: Trace
    stages: tuple[str, ...]
    covered: Mapping[str, np.ndarray]
    link: str
    seed: int | None = None


def page(template: str, sheet: Sheet, filled: bool, said: WorksheetWords, words: Words) -> str:
    """The whole file.

    template: HTML with ``$lang``, ``$title`` and ``$body``. filled: the answer key.
    """
    title = said.title.format(example=sheet.example)
    part = said.key if filled else said.sheet
    steps = (_step(sheet, n, filled, said, words) for n in range(len(sheet.stages)))
    body = [_header(title, part, said), _given(sheet, said, words), *steps]
    body += [*_questions(sheet, filled, said, words), _footer(sheet, said)]
    return Template(template).substitute(
        lang="zh-CN" if words.code == "zh" else "en",
        title=_text(f"{title} · {part}"),
        body="\n".join(as_html(piece) for piece in body),
    )


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _header(title: str, part: str, said: WorksheetWords) -> Element:
    blanks = (element("span", name, element("i")) for name in (said.name, said.class_, said.date))
    return element(
        "header",
        element("h1", title),
        element("p", part, class_="part"),
        element("p", *blanks, class_="who"),
        element("p", said.task, class_="task"),
    )


def _given(sheet: Sheet, said: WorksheetWords, words: Words) -> Element:
    """The matrices that the steps need and that no step makes, and what else there is to know."""
    trace = sheet.trace
    read = (key for stage in sheet.stages for key in rules.stages_read(trace[stage].rule))
    needed = [key for key in dict.fromkeys(read) if key not in sheet.stages]
    shown = [key for key in needed if trace[key].tensor.dtype != bool]
    tables = (table for key in shown for table in _tables(trace[key], words))
    facts = []
    if "scaled" in sheet.stages:
        facts.append(said.given_divisor.format(divisor=divisor_of(trace)))
    if "causal" in trace:
        facts.append(said.given_causal)
    if "padding" in trace:
        facts.append(said.given_filling)
    return element(
        "section",
        element("h2", said.given),
        element("div", *tables, class_="matrices"),
        *(element("p", fact) for fact in facts),
        class_="given",
    )


def _step(sheet: Sheet, number: int, filled: bool, said: WorksheetWords, words: Words) -> Element:
    key = sheet.stages[number]
    trace, stage, covered = sheet.trace, sheet.trace[key], sheet.covered[key]
    title = with_noun(words.stages[key].title, trace, words)
    how = said.how[key].format(divisor=divisor_of(trace))
    pieces: list[Piece] = [
        element("h2", f"{number + 1} · ", *titled(title)),
        element("p", mathematics(stage.formula), element("span", how), class_="how"),
    ]
    if key == "weights" and covered.any():
        pieces.append(_powers(sheet, said))
    tables = _tables(stage, words, covered, filled)
    pieces.append(element("div", *tables, class_="matrices"))
    if filled and covered.any():
        line = sum_line(trace, key, _opened(stage, covered), words)
        pieces.append(element("p", said.sum, class_="small"))
        pieces.append(element("p", *line, class_="sum"))
    return element("section", *pieces, class_="step")


def _opened(stage: Stage, covered: np.ndarray) -> tuple[int, ...]:
    """The box whose sum is shown: the largest of the last row that has one, in the first head."""
    plane = np.argwhere(covered)[0][:-2]
    row = np.argwhere(covered[tuple(plane)])[-1][0]
    here = (*plane, row)
    column = np.where(covered[here], stage.tensor[here], -np.inf).argmax()
    return tuple(int(place) for place in (*here, column))


def _tables(
    stage: Stage, words: Words, covered: np.ndarray | None = None, filled: bool = True
) -> Iterator[Element]:
    """A matrix for each head of a stage. W^O, which belongs to all heads, is one."""
    values, digits = stage.tensor, digits_of(stage.tensor)
    rows, columns = (_names(stage, axis) for axis in (-2, -1))
    if stage.key == "W_O":
        heads, d_v, _ = values.shape
        rows = [f"{head + 1}·{place + 1}" for head in range(heads) for place in range(d_v)]
        values = values.reshape(heads * d_v, -1)
    for plane in np.ndindex(values.shape[:-2]):
        caption = symbol(name_of(stage.key))
        if stage.size("head") > 1 and plane:
            caption += [" · ", words.viewer.head.format(number=plane[-1] + 1)]
        here = None if covered is None else covered[plane]
        yield matrix(caption, values[plane], rows, columns, digits, covered=here, filled=filled)


def _names(stage: Stage, axis: int) -> list[str]:
    return [stage.axes[axis].label(place) for place in range(stage.tensor.shape[axis])]


def _powers(sheet: Sheet, said: WorksheetWords) -> Element:
    """e to the power of what is left once the largest is taken off, for every row with a box."""
    logits = _logits(sheet.trace)
    rows = logits.tensor[sheet.covered["weights"].any(axis=-1)]
    left = rows - rows.max(axis=-1, keepdims=True)
    digits = digits_of(logits.tensor)
    needed = {float(numbers.rounded(x, digits)): x for x in left[np.isfinite(left)].tolist()}
    items = (
        element(
            "li", "e", element("sup", numbers.plain(x, digits)),
            f" = {numbers.plain(float(np.exp(x)), FULL)}",
        )
        for _, x in sorted(needed.items(), reverse=True)
    )  # fmt: skip
    return element(
        "div", element("p", said.powers, class_="small"), element("ul", *items, class_="powers")
    )


def _questions(sheet: Sheet, filled: bool, said: WorksheetWords, words: Words) -> Iterator[Element]:
    """Who looks at whom, for the rows that have boxes."""
    if "weights" not in sheet.stages:
        return
    asked = np.argwhere(sheet.covered["weights"].any(axis=-1))[:MOST_QUESTIONS]
    if not len(asked):
        return
    weights = sheet.trace["weights"]
    heads = weights.size("head")
    pieces = []
    for sample, head, query in asked.tolist():
        template = said.question_in_head if heads > 1 else said.question
        row = weights.axis("query").label(query)
        asks = element("p", template.format(row=row, head=head + 1))
        if filled:
            why = _because(sheet.trace, (sample, head, query), said, words)
            answer = element("p", element("b", why))
        else:
            answer = element("div", *(element("i") for _ in range(LINES)), class_="lines")
        pieces.append(element("div", asks, answer, class_="question"))
    title = element("h2", said.questions)
    yield element("section", title, element("div", *pieces, class_="two"), class_="step")


def _because(trace: Trace, row: tuple[int, int, int], said: WorksheetWords, words: Words) -> str:
    weights, logits = trace["weights"], _logits(trace)
    largest = judging.winners(weights.tensor[row])
    best = (*row, largest[0])
    names = [weights.axis("key").label(place) for place in largest]
    template = said.tie if len(names) > 1 else said.because
    return template.format(
        column=names[0],
        columns=words.list_mark.join(names),
        weight=numbers.plain(float(weights.tensor[best]), FULL),
        score=numbers.plain(float(logits.tensor[best]), digits_of(logits.tensor)),
        stage=logits.key,
    )


def _logits(trace: Trace) -> Stage:
    """What softmax was taken of."""
    rule = cast(rules.Softmax, trace["weights"].rule)
    return trace[rule.of.stage]


def _footer(sheet: Sheet, said: WorksheetWords) -> Element:
    seed = [] if sheet.seed is None else [element("p", said.seed.format(seed=sheet.seed))]
    return element("footer", *seed, element("p", f"{said.this} {sheet.link}"))
