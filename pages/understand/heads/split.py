"""One packed projection or one per head, and how it is split: view, then transpose."""

import numpy as np

from core import Trace, ops
from core.experiments.heads import largest_difference, projected_apart
from core.experiments.mistakes import origin, reshape_only
from pages.understand.heads.controls import Inputs
from views.figures.scale import Scale, scale_of
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose
from views.widgets.sentence_line import token_names


def packed(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw how much one packed product and h separate ones differ."""
    heading(texts.packed)
    apart = projected_apart(trace["X"].tensor, inputs.weights)
    largest = max(largest_difference(apart[key], trace[key].tensor) for key in apart)
    sentence = spans(
        texts.packed_says, heads=str(inputs.heads), d_k=str(trace["Q"].size("d_k")),
        apart=numbers.short(largest), how=(texts.rounding if largest else texts.exact, ""),
    )  # fmt: skip
    prose([sentence], key="packed_says")


def split(inputs: Inputs, trace: Trace, texts: Words) -> None:
    """Draw which numbers head 1 gets by view and transpose, and by view alone."""
    heading(texts.split)
    names, n, d_k = token_names(trace), trace["Q"].size("query"), trace["Q"].size("d_k")
    whole = ops.merge_heads(trace["Q"].tensor)
    scale = scale_of(trace, "Q")
    ways = {texts.right: ops.split_heads, texts.wrong: reshape_only}
    for number, (name, way) in enumerate(ways.items()):
        cells = [origin(way, n, inputs.heads, d_k, 0, row) for row in range(n)]
        taken = np.zeros((n, inputs.d_model), dtype=bool)
        for token, column in (cell for row in cells for cell in row):
            taken[token, column] = True
        rows = [
            texts.wrong_row.format(token=names[row[0][0]], first=row[0][1] + 1, last=row[-1][1] + 1)
            for row in cells
        ]
        is_wrong = name == texts.wrong
        grids(
            [
                _packed(whole[0], names, scale, taken, sign="→", note=texts.packed_note),
                Grid(
                    f"{name} (query {n}, d_k {d_k})", way(whole, inputs.heads)[0, 0], scale, rows,
                    _numbered(d_k), column_role="d_k", small=True,
                    note=texts.wrong_note if is_wrong and inputs.heads > 1 else "",
                ),
            ],
            key=f"split_{number}",
        )  # fmt: skip
    if inputs.heads == 1:
        prose([[(texts.split_one, "")]], key="split_says")
        return
    sentence = spans(
        texts.split_says, d_model=str(inputs.d_model), first=(f"“{names[0]}”", "query"), n=str(n),
        heads=str(inputs.heads), d_k=str(d_k), count=str(n * d_k),
        wrong=(texts.list_mark.join(rows), "query"),
    )  # fmt: skip
    prose([sentence], key="split_says")


def _packed(
    values: np.ndarray,
    names: tuple[str, ...],
    scale: Scale,
    taken: np.ndarray,
    *,
    sign: str,
    note: str,
) -> Grid:
    n, d_model = values.shape
    return Grid(
        f"Q (query {n}, d_model {d_model})", values, scale, names, _numbered(d_model),
        column_role="d_model", marked=taken, sign=sign, note=note, small=True,
    )  # fmt: skip


def _numbered(count: int) -> list[str]:
    return [str(place) for place in range(1, count + 1)]
