"""What the numbers of a step say about this very input, worded by a language."""

import numpy as np

from core import Stage, Term, Trace, explain, rules
from views import numbers
from views.figures.plane import filling
from views.naming import token_name, told_as, with_noun
from views.scene.readings import difference
from views.selection import Selection
from views.spans import Span, spans
from views.text import Words

NEARLY_EVEN = 0.2  # of an even share: how far from it a share may be


def readings(trace: Trace, selection: Selection, words: Words) -> list[list[Span]]:
    """One or two sentences about the chosen row or cell of a step; none where it has none."""
    key, stage = selection.key, trace[selection.key]
    if is_padding(trace, selection):
        row = _name(trace, stage, selection, words)
        silent = trace.token == "frame"
        said = words.reading.is_silence if silent else words.reading.is_padding
        return [spans(said, row=row)]
    told = told_as(trace, key)
    if told in _READERS and not isinstance(stage.rule, rules.Given):
        return [_READERS[told](trace, selection, words)]
    return []


def nearly_even(shares: np.ndarray) -> bool:
    """Whether no share is more than a fifth off an even one: 0.55 : 0.45, not 0.73 : 0.27.

    shares: of all keys that may be seen, (key,).
    """
    return bool((np.abs(shares * shares.size - 1) <= NEARLY_EVEN).all())


def is_padding(trace: Trace, selection: Selection) -> bool:
    """Whether the chosen row is a query that is mere filling."""
    role = "query" if "query" in trace[selection.key].roles else "token"
    filled = filling(trace, role, selection.at["batch"])
    return filled is not None and role in selection.at and bool(filled[selection.at[role]])


def _weights(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    """Where the chosen query looks most, against an even share of what it may see."""
    stage = trace["weights"]
    at = selection.at
    row = stage.tensor[at["batch"], at["head"], at["query"]]
    logits = trace["masked" if "masked" in trace else "scaled"].tensor
    allowed = np.isfinite(logits[at["batch"], at["head"], at["query"]])
    seen = int(allowed.sum())
    query = _name(trace, stage, selection, words)
    if not seen:
        return spans(words.reading.nobody, row=query)
    best = int(row.argmax())
    key = token_name(trace, stage, "key", best, at["batch"], words)
    if seen == 1:
        return spans(words.reading.only_one, row=query, column=key)
    share = 1 / seen
    template = words.reading.looks
    if nearly_even(row[allowed]):
        template = words.reading.nearly_even
    return spans(
        template,
        row=query,
        column=key,
        weight=numbers.short(float(row[best])),
        share=numbers.short(share),
    )


def _scores(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    stage, at = trace[selection.key], selection.at
    row = stage.tensor[at["batch"], at["head"], at["query"]]
    best = int(row.argmax())
    return spans(
        words.reading.largest,
        row=_name(trace, stage, selection, words),
        column=token_name(trace, stage, "key", best, at["batch"], words),
        value=numbers.short(float(row[best])),
    )


def _scaled(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    at = selection.at
    scores, scaled = (
        trace[key].tensor[at["batch"], at["head"], at["query"]] for key in ("scores", "scaled")
    )
    largest = int(np.abs(scores).argmax())
    before, after = float(scores[largest]), float(scaled[largest])
    return spans(words.reading.shrinks, before=numbers.short(before), after=numbers.short(after))


def _masked(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    stage, at = trace["masked"], selection.at
    row = stage.tensor[at["batch"], at["head"], at["query"]]
    return spans(
        words.reading.allowed,
        row=_name(trace, stage, selection, words),
        allowed=str(int(np.isfinite(row).sum())),
        all=str(row.size),
    )


def _dropped(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    at = selection.at
    place = at["batch"], at["head"], at["query"]
    weights, dropped = trace["weights"].tensor[place], trace["dropped"].tensor[place]
    if not weights.any():
        return spans(words.reading.nobody, row=_name(trace, trace["dropped"], selection, words))
    if not dropped.any():
        return spans(words.reading.all_lost)
    best = int(dropped.argmax())
    lost = int(((weights > 0) & (dropped == 0)).sum())
    return spans(
        words.reading.dropped if lost else words.reading.none_lost,
        lost=str(lost),
        times=numbers.short(float(dropped[best] / weights[best])),
        column=token_name(trace, trace["dropped"], "key", best, at["batch"], words),
        before=numbers.short(float(weights[best])),
        after=numbers.short(float(dropped[best])),
    )


def _head_output(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    stage, at = trace["dropped" if "dropped" in trace else "weights"], selection.at
    place = at["batch"], at["head"], at["query"]
    row = stage.tensor[place]
    query = _name(trace, trace["head_output"], selection, words)
    if not trace["weights"].tensor[place].any():
        return spans(words.reading.nobody, row=query)
    if not row.any():
        return spans(words.reading.all_lost)
    best = int(row.argmax())
    return spans(
        with_noun(words.reading.takes, trace, words),
        row=query,
        column=token_name(trace, stage, "key", best, at["batch"], words),
        weight=numbers.short(float(row[best])),
    )


def _concat(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    column = selection.at["concat"]
    d_v = trace["head_output"].size("d_v")
    return spans(
        words.reading.from_head,
        column=str(column + 1),
        head=(str(column // d_v + 1), "head"),
        place=str(column % d_v + 1),
    )


def _output(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    cell = explain(trace, "output", selection.index(trace["output"]))
    d_v = trace["head_output"].size("d_v")
    products = _products(cell.made_by)
    sums = [
        sum(p.value for p in products[start : start + d_v])
        for start in range(0, len(products), d_v)
    ]
    b = cell.value - sum(sums) if "b_O" in trace else 0.0
    digits = numbers.digits_that_add_up([*sums, b], cell.value) or numbers.MOST_DIGITS
    before, after = words.reading.contributions.split("{parts}")
    said: list[Span] = [(before, "")]
    for head, value in enumerate(sums, start=1):
        said += [(words.list_mark, "")] if head > 1 else []
        said += spans(
            words.reading.contribution,
            value=numbers.plain(value, digits),
            head=(str(head), "head"),
        )
    return [*said, (after, "")]


def _products(term: Term) -> list[Term]:
    if term.operation == "product":
        return [term]
    return [product for part in term.parts for product in _products(part)]


def _projection(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    return spans(words.viewer.same_numbers, difference=difference(trace, selection.key))


def _answers(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    """The largest of all answers that a row has scores or probabilities for."""
    stage, at = trace[selection.key], selection.at
    row, over = stage.tensor[at["batch"], at["token"]], stage.roles[-1]
    best = int(row.argmax())
    return spans(
        words.reading.largest,
        row=_name(trace, stage, selection, words),
        column=token_name(trace, stage, over, best, at["batch"], words),
        value=numbers.short(float(row[best])),
    )


def _normalised(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    return _shifted(trace, "residual", selection, words)


def _normed_stream(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    return _shifted(trace, "stream", selection, words)


def _normed_sum(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    return _shifted(trace, "summed", selection, words)


def _shifted(trace: Trace, source: str, selection: Selection, words: Words) -> list[Span]:
    """What LayerNorm did to mean and deviation of a row."""
    at = selection.at
    place = at["batch"], at["query" if "query" in trace[selection.key].roles else "token"]
    before, after = (trace[key].tensor[place] for key in (source, selection.key))
    return spans(
        words.reading.shift,
        mean=numbers.plain(float(before.mean()), 2),
        mean_after=numbers.plain(float(after.mean()), 2),
        deviation=numbers.plain(float(before.std()), 2),
        deviation_after=numbers.plain(float(after.std()), 2),
    )


def _unchanged(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    return [(words.reading.unchanged, "")]


def _name(trace: Trace, stage: Stage, selection: Selection, words: Words) -> Span:
    """The token of the chosen row."""
    role = "query" if "query" in stage.roles else "token"
    return token_name(trace, stage, role, selection.at[role], selection.at["batch"], words)


_READERS = {
    "Q": _projection,
    "K": _projection,
    "V": _projection,
    "scores": _scores,
    "scaled": _scaled,
    "masked": _masked,
    "weights": _weights,
    "dropped": _dropped,
    "head_output": _head_output,
    "concat": _concat,
    "output": _output,
    "normalised": _normalised,
    "learnt_norm": _normalised,
    "normed_stream": _normed_stream,
    "normed_sum": _normed_sum,
    "logits": _answers,
    "probabilities": _answers,
    "patches": _unchanged,
    "flattened": _unchanged,
}
