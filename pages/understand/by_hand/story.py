"""An explanation of each example in one or two sentences, with its numbers."""

import numpy as np

from core import Trace
from core.models.by_hand import Sheet
from core.models.worked import PRESETS, WORDS
from views.text import Words, numbers
from views.text.spans import Span, spans

ENGLISH = "Beijing"
NEARLY_ALL = 0.95


def story(preset: str, sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    """The sentences; none if the sheet was edited so that they would not be true."""
    is_beijing = sheet.tokens[: len(WORDS)] == WORDS and trace["Q"].tensor.shape[1::2] == (1, 1)
    if is_beijing and not {"allowed", "sliding_window"} & trace.keys():
        return _beijing(sheet, trace, texts)
    first = PRESETS[preset]
    as_given = all(np.array_equal(first.matrices.get(n, 0), m) for n, m in sheet.matrices.items())
    explain = {"whole_numbers": _whole, "d4_h2": _heads}.get(preset)
    as_scaled = sheet.options.scale == first.options.scale
    if explain is None or not as_given or not as_scaled or "masked" in trace:
        return []
    return explain(sheet, trace, texts)


def _beijing(sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    Q, K, V, scores, weights, output = (
        trace[key].tensor[0, 0] for key in ("Q", "K", "V", "scores", "weights", "head_output")
    )
    if V.shape[1] != 1:
        return []
    n, last = len(sheet.tokens) - sheet.padded, len(WORDS) - 1
    name: Span = (WORDS[last], "query")
    sums = numbers.weighted_sum(
        weights[last, :n].tolist(), V[:n, 0].tolist(), float(output[last, 0])
    )
    row: dict[str, str | Span] = {"row": name, "sum": sums}
    best = int(weights[last].argmax())
    if sheet.padded:
        return [
            spans(
                texts.filling,
                count=str(sheet.padded),
                row=name,
                weight=numbers.bare(weights[last, n:].sum()),
                output=_n(output[last, 0]),
            )
        ]
    if sheet.options.causal:
        shares = [_n(share) for share in weights[1, :2]]
        causal = spans(
            texts.reading,
            first=(WORDS[0], "query"),
            first_output=_n(output[0, 0]),
            second=(WORDS[1], "query"),
            shares=" + ".join(shares),
            second_output=_n(output[1, 0]),
        )
        return [causal, spans(texts.reading_row, **row)]
    related = spans(
        texts.translation,
        english=ENGLISH,
        query=(WORDS[1], "query"),
        key=(WORDS[2], "key"),
        q=_short(Q[1, 0]),
        k=_short(K[2, 0]),
        score=_short(scores[1, 2]),
        weight=_n(weights[1, 2]),
    )
    largest = float(weights[last, best])
    sentence = spans(texts.translation_row, **row)
    sentence += spans(
        texts.picked if largest > NEARLY_ALL else texts.mixed,
        best=(sheet.tokens[best], "key"),
        largest=_n(largest),
    )
    return [related, sentence]


def _whole(sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    scores, weights = trace["scores"].tensor[0, 0], trace["weights"].tensor[0, 0]
    best = int(weights[1].argmax())
    return [
        spans(
            texts.whole,
            row=(sheet.tokens[0], "query"),
            scores=_row(scores[0]),
            output=_row(trace["output"].tensor[0, 0]),
            other=(sheet.tokens[1], "query"),
            best=(sheet.tokens[best], "key"),
            largest=_n(weights[1, best]),
        )
    ]


def _heads(sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    one, two = (trace["weights"].tensor[0, head, 0] for head in range(2))
    return [
        spans(texts.heads, token=(sheet.tokens[0], "query"), one=_row(one, 2), two=_row(two, 2)),
        spans(
            texts.heads_output,
            concat=_row(trace["concat"].tensor[0, 0], 2),
            output=_row(trace["output"].tensor[0, 0], 2),
        ),
    ]


def _n(value: float) -> str:
    return numbers.short(float(value))


def _short(value: float) -> str:
    """A number without trailing zeros."""
    return numbers.bare(value)


def _row(values: np.ndarray, digits: int | None = None) -> str:
    printed = (_short(v) if digits is None else numbers.plain(float(v), digits) for v in values)
    return f"[{', '.join(printed)}]"
