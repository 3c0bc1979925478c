"""The sheets below the steps: the graph of stages, shapes and cost, source code, and terms."""

from typing import Any

from core import Trace, cost, shapes
from views.figures.graph import graph_of
from views.figures.plane import sizes_of
from views.figures.symbols import Convention
from views.scene.code import code
from views.scene.naming import depends_on_weights, term_name, words_key
from views.text import GLOSSARY, Words, numbers
from views.text.glossary import find_term, of_stage
from views.text.spans import symbols

SHEETS = ("map", "shapes", "code", "figure")  # as in ``assets/microscope/sheets/sheets.js``
SENTENCES = (
    "map_hint", "code_is", "code_in_rows", "no_code", "copy", "copied", "picture_hint",
    "of_size", "about_size", "copy_link", "again", "again_hint", "exact",
)  # fmt: skip
FROM_MEMORY = ("K", "V", "scores", "weights")
NONE = "—"


def sheets(trace: Trace, words: Words, convention: Convention, origin: str = "") -> dict[str, Any]:
    """The sheets of a trace, in JSON types.

    origin: where the weights come from, for the stages in ``weighted``. Names, symbols, formulas
    and rules of the stages are in the scene and not repeated here.
    """
    texts = words.viewer
    return {
        "map": _map(trace, convention),
        "shapes": _shapes(trace, words, convention),
        "code": code(trace) | {"in_columns": convention == "columns"},
        "terms": {key: _terms(trace, key, words) for key in trace},
        "weighted": [key for key in trace if depends_on_weights(trace, key)],
        "origin": origin,
        "words": {
            "names": {name: texts[name] for name in SHEETS},
            **{name: texts[name] for name in SENTENCES},
            "take": texts.take.as_dict(),
            "take_for": texts.take_for.as_dict(),
            "paper": texts.paper.as_dict(),
            "terms": GLOSSARY[words.code].words_here,
        },
    }


def _map(trace: Trace, convention: Convention) -> dict[str, Any]:
    """The graph of stages: a box for each, in pixels, and the lines between them."""
    graph = graph_of(trace, convention)
    return {
        "width": graph.width,
        "height": graph.height,
        "boxes": [
            {"key": box.key, "box": [box.x, box.y, box.width, box.height], "given": box.given}
            for box in graph.boxes
        ],
        "lines": [
            {"path": line.path, "source": line.source, "target": line.target}
            for line in graph.lines
        ],
    }


def _shapes(trace: Trace, words: Words, convention: Convention) -> dict[str, Any]:
    """For each stage its named axes, number of values, multiply-adds and bytes; and the totals."""
    spent = cost.per_stage(trace)
    total = cost.trace_cost(trace)
    values = {key: stage.tensor.size for key, stage in trace.items()}
    return {
        "columns": words.viewer.shape_columns,
        "rows": [
            {"key": key, "sizes": list(sizes_of(trace[key], convention))}
            | _counted(values[key], spent[key])
            for key in trace
        ],
        "total": {"name": words.viewer.total} | _counted(sum(values.values()), total),
        "heads": _heads(trace, words),
    }


def _counted(values: int, spent: cost.Cost) -> dict[str, str]:
    return {
        "values": numbers.count(values),
        "multiply_adds": numbers.count(spent.multiply_adds) if spent.multiply_adds else NONE,
        "bytes": numbers.size(spent.bytes),
    }


def _heads(trace: Trace, words: Words) -> dict[str, Any] | None:
    """The cost of one head compared with that of this trace's number of heads.

    None unless Q, K and V are computed from one X, d_model is divided among the heads, and each
    head has its own keys and values.
    """
    if not {"X", "Q"} <= trace.keys() or "memory" in trace:
        return None
    if trace["X"].size("d_model") % trace["Q"].size("head") or "kv_head" in trace["K"].roles:
        return None
    n, d_model = trace["X"].size("token"), trace["X"].size("d_model")
    many, batch = trace["Q"].size("head"), trace["X"].size("batch")
    both = [shapes.attention_cost(n, d_model, heads) for heads in (1, many)]
    counted = (
        ("parameters", 1), ("projections", batch), ("attention", batch), ("output", batch),
        ("weights", batch),
    )  # fmt: skip
    texts = words.viewer
    return {
        "title": texts.heads_cost,
        "columns": [name.format(heads=many) for name in texts.heads_cost_columns],
        "rows": [
            {
                "name": symbols(name.replace("$", "")),
                "counts": [numbers.count(times * getattr(column, field)) for column in both],
            }
            for name, (field, times) in zip(texts.heads_cost_rows, counted, strict=True)
        ],
    }


def _terms(trace: Trace, key: str, words: Words) -> list[tuple[str, str]]:
    """The glossary terms of a step, each with its URL relative to a page of the app."""
    names = of_stage(words_key(trace, key)) or of_stage(key)
    if "memory" in trace and key in FROM_MEMORY:
        names = (*names, "cross_attention")
    texts = GLOSSARY[words.code]
    return [(term_name(name, texts), _url(name, words)) for name in names]


def _url(name: str, words: Words) -> str:
    """The page about a term that is named after it, else its card in the glossary."""
    if find_term(name).page == name:
        return f"{name}?lang={words.code}"
    return f"glossary?lang={words.code}&term={name}"
