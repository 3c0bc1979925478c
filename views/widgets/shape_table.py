"""The shapes of all steps, with what each costs, and one head set against many."""

from core import Trace, cost, rules
from views import numbers
from views.figures.formula import in_columns
from views.figures.plane import sizes_of
from views.figures.symbols import Convention
from views.spans import mathematics
from views.text import Words
from views.widgets.prose import heading
from views.widgets.table import table


def shape_table(trace: Trace, current: str, words: Words, convention: Convention = "rows") -> None:
    """Every stage: operation, named axes with their sizes, values, multiply-adds and bytes."""
    rows, written = [], in_columns if convention == "columns" else str
    for key, stage in trace.items():
        spent = cost.stage_cost(stage)
        name = f"**{mathematics(key)}**" if key == current else mathematics(key)
        rows.append(
            (
                name,
                f"${written(stage.formula)}$" if not isinstance(stage.rule, rules.Given) else "—",
                named_shape(trace, key, convention),
                numbers.count(stage.tensor.size),
                numbers.count(spent.multiply_adds) if spent.multiply_adds else "—",
                numbers.size(spent.bytes),
            )
        )
    total = cost.trace_cost(trace)
    rows.append(
        (
            f"**{words.viewer.total}**",
            "",
            "",
            numbers.count(sum(stage.tensor.size for stage in trace.values())),
            numbers.count(total.multiply_adds),
            numbers.size(total.bytes),
        )
    )
    table(words.viewer.shape_columns, rows)


def heads_cost(trace: Trace, words: Words) -> None:
    """One head set against as many as this trace has: all is the same but the number of weights.

    Nothing where not one X makes Q, K and V: they are given, or there is a memory, or no attention
    at all. Nothing either where the heads do not share d_model out among them.
    """
    if not {"X", "Q"} <= trace.keys() or "memory" in trace:
        return
    if trace["X"].size("d_model") % trace["Q"].size("head"):
        return
    n, d_model = trace["X"].size("token"), trace["X"].size("d_model")
    many = trace["Q"].size("head")
    one, all_heads = (cost.attention_cost(n, d_model, heads) for heads in (1, many))
    names = [name.format(heads=many) for name in words.viewer.heads_cost_columns]
    batch = trace["X"].size("batch")
    counted = (
        ("parameters", 1), ("projections", batch), ("attention", batch), ("output", batch),
        ("weights", batch),
    )  # fmt: skip
    rows = [
        [label, *(numbers.count(times * getattr(column, field)) for column in (one, all_heads))]
        for label, (field, times) in zip(words.viewer.heads_cost_rows, counted, strict=True)
    ]
    heading(words.viewer.heads_cost)
    table(names, rows)


def named_shape(trace: Trace, key: str, convention: Convention = "rows") -> str:
    """The shape in words, such as ``(batch 1, head 2, query 3, d_k 4)``, as Markdown."""
    named = ", ".join(f"{role} {size}" for role, size in sizes_of(trace[key], convention))
    return mathematics(f"({named})")
