"""Every stage with its shape and cost, calculated and, within limits, really computed."""

import re
from typing import Any

import streamlit as st

from core.cost import Cost
from core.limits import COMPUTED, COMPUTED_WORK
from core.models import standard
from core.models.standard import from_input, part_that_fits
from core.shapes import AttentionShape, Shape, attention_cost, total
from pages.understand.sizes.controls import Inputs
from views.figures.chart import Figure, chart, lines
from views.figures.palette import PALETTES, Theme, role_colour
from views.preferences import theme
from views.text import Words, numbers
from views.text.spans import Span, spans
from views.widgets.chart import show_chart
from views.widgets.component import component
from views.widgets.prose import heading, prose

SYMBOLS = {"W_Q": "W^Q", "W_K": "W^K", "W_V": "W^V", "W_O": "W^O", "W_E": "W^E"}
MANY = 10_000  # sizes from here on have thousands separators
STEPS = tuple(2**power for power in range(1, 18))  # 2 … 131 072 tokens
WRITTEN = (  # LaTeX as text
    (r"\\(?:text|operatorname)\{([^}]*)\}", r"\1"),
    (r"\\frac\{(.*)\}\{(.*)\}", r"\1 / \2"),
    (r"\\sqrt\{(.*)\}", r"√\1"),
    (r"_\{(.*)\}", r"[\1]"),
    (r"\^\\top", "ᵀ"),
    (r"\\dots", "…"),
    (r" \\cdot", ""),
    (r"\\(?:,|(?=_))", ""),
)


def table(chosen: Inputs, texts: Words) -> None:
    """Draw the table of shapes from input to output, and how much was really computed."""
    modality, sizes = chosen.modality, chosen.sizes
    part = part_that_fits(modality, sizes, COMPUTED.trace_bytes, COMPUTED_WORK)
    real: dict[str, Shape] = {}
    seconds = 0.0
    if part:
        real, seconds = _computed(modality, *vars(part).values())
    with st.container(border=True, key="table_card"):
        heading(texts.table)
        component("shapes")(key="shapes_table", data=_data(texts, chosen, part, real))
        lines = [_how_far(texts, modality, sizes, part, seconds)]
        if modality == "sound":
            lines.append(texts.begins_at_x)
        if modality == "image" and "image" not in {
            shape.key for shape in from_input(modality, sizes)
        }:
            lines.append(texts.no_square.format(n=sizes.n))
        prose([[(line, "")] for line in lines], key="real")


def growth(chosen: Inputs, texts: Words) -> None:
    """Draw how the two parts of the cost grow with n."""
    sizes = chosen.sizes
    here = attention_cost(sizes.n, sizes.d_model, sizes.heads)
    with st.container(border=True, key="growth_card"):
        heading(texts.growth)
        show_chart(_growth_chart(sizes, texts, theme()), "growth", texts.growth)
        share = numbers.plain(100 * here.attention / here.multiply_adds, 1)
        sentence = spans(
            texts.growth_here, n=str(sizes.n), share=share, equal=str(2 * sizes.d_model)
        )
        prose([sentence], key="growth_here")


def _growth_chart(sizes: AttentionShape, texts: Words, theme: Theme) -> Figure:
    """Two lines, of the cost that grows with n and with n², each with a marker at this n."""
    ns = sorted({*STEPS, sizes.n})
    costs = [attention_cost(n, sizes.d_model, sizes.heads) for n in ns]
    spent = [[one.projections + one.output for one in costs], [one.attention for one in costs]]
    colours = (role_colour("d_model", theme), PALETTES[theme].share[2])
    traces = [
        lines(
            ns, line, colour, width=3, name=name, hover=map(numbers.count, line),
            size=[14 if n == sizes.n else 0 for n in ns], before="n = %{x}: ",
        )
        for line, name, colour in zip(spent, texts.growth_lines, colours, strict=True)
    ]  # fmt: skip
    x, y = texts.growth_axes
    return chart(traces, theme, x=x, y=y, xaxis={"type": "log"}, yaxis={"type": "log"})


@st.cache_data(max_entries=32, show_spinner=False)
def _computed(
    modality: str, batch: int, n: int, d_model: int, heads: int, d_k: int
) -> tuple[dict[str, Shape], float]:
    """The shapes of a real computation and its seconds, cached for all sessions."""
    shapes, seconds = standard.computed(modality, AttentionShape(batch, n, d_model, heads, d_k))
    return {shape.key: shape for shape in shapes}, seconds


def _data(
    texts: Words, chosen: Inputs, part: AttentionShape | None, real: dict[str, Shape]
) -> dict[str, Any]:
    shapes = from_input(chosen.modality, chosen.sizes)
    before = {shape.key: shape for shape in from_input(chosen.modality, chosen.standard)}
    partly = {shape.key: shape for shape in from_input(chosen.modality, part)} if part else {}
    changed = chosen.sizes != chosen.standard
    whole, then = total(shapes), total(before.values())
    rows = [
        {
            "name": name_of(shape.key),
            "axes": axes_of(shape, before.get(shape.key, shape)),
            "operation": spans(operation(shape.formula)),
            "numbers": _numbers(shape.values, shape.cost)
            + [times(shape.values, before[shape.key].values)] * (changed and shape.key in before),
            "real": _checked(texts, real.get(shape.key), partly.get(shape.key)),
            "total": False,
            "lit": shape.key in before and shape != before[shape.key],
        }
        for shape in shapes
    ]
    rows.append(
        {
            "name": [(texts.total, "")], "axes": [], "operation": [],
            "numbers": _numbers(sum(shape.values for shape in shapes), whole)
            + [times(whole.bytes, then.bytes)] * changed,
            "real": "", "total": True, "lit": False,
        }
    )  # fmt: skip
    columns = [name for name in texts.columns if changed or name != texts.factor]
    return {"columns": columns, "rows": rows}


def operation(formula: str) -> str:
    """The right side of a formula as text, with E_{tokens} as E[tokens]; empty if it has none."""
    right = formula.partition(" = ")[2]
    for latex, written in WRITTEN:
        right = re.sub(latex, written, right)
    return right


def _numbers(values: int, spent: Cost) -> list[str]:
    work = numbers.count(spent.multiply_adds) if spent.multiply_adds else "—"
    return [numbers.count(values), work, numbers.size(spent.bytes)]


def _checked(texts: Words, real: Shape | None, counted: Shape | None) -> str:
    """The shape of the real tensor, with a tick if it is as calculated."""
    if real is None:
        return texts.counted
    mark = "✓" if real == counted else "≠"
    return f"{mark} ({', '.join(map(str, real.sizes))})"


def _how_far(
    texts: Words, modality: str, sizes: AttentionShape, part: AttentionShape | None, seconds: float
) -> str:
    """A sentence on how much was computed, and on the limit."""
    limit, work = numbers.size(COMPUTED.trace_bytes), numbers.count(COMPUTED_WORK)
    if part is None:
        return texts.real_none.format(limit=limit, work=work)
    ms = numbers.count(numbers.whole(seconds * 1000))
    if part == sizes:
        return texts.real_all.format(ms=ms, seed=standard.SEED)
    whole = total(from_input(modality, sizes))
    template = texts.real_head if part.heads < sizes.heads else texts.real_samples
    return template.format(
        ms=ms,
        seed=standard.SEED,
        limit=limit,
        work=work,
        batch=sizes.batch,
        samples=part.batch,
        heads=sizes.heads,
        bytes=numbers.size(whole.bytes),
        spent=numbers.count(whole.multiply_adds),
    )


def axes_of(shape: Shape, before: Shape) -> list[dict[str, Any]]:
    """The named sizes of a shape, and whether they differ from another shape."""
    return [
        {"role": role, "size": size_of(size), "changed": size != other}
        for role, size, other in zip(shape.roles, shape.sizes, before.sizes, strict=True)
    ]


def name_of(key: str) -> list[Span]:
    """A stage's key as spans."""
    return spans(SYMBOLS[key]) if key in SYMBOLS else [(key, "")]


def times(now: int, before: int) -> str:
    """The ratio of two counts as text, such as ``4`` or ``2.04``."""
    factor = now / before
    return numbers.count(numbers.whole(factor)) if factor >= 100 else numbers.bare(factor, 3)


def size_of(size: int) -> str:
    return numbers.count(size) if size >= MANY else str(size)
