"""Why softmax is over keys: the same scores with softmax over keys, queries, or both."""

import numpy as np
import streamlit as st

from core import ops
from core.experiments.softmax_variants import OVER, Over, WeightSums, softmax_over
from views import link, parse
from views.figures.scale import Scale
from views.preferences import words
from views.text import Words, numbers
from views.text.spans import plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose

TOKENS = ("我", "爱", "北京")
Q = K = np.array([[2.0], [3.0], [5.0]])  # (query, d_k), (key, d_k)
V = np.array([[10.0], [20.0], [30.0]])
SCALE = 1 / 8


def axis_section(texts: Words) -> None:
    """Draw the choice of an axis, the scores and weights, and what is wrong with them."""
    heading(texts.heading)
    prose([spans(texts.lead)], key="axis_lead")
    over: Over = link.bind_param("over", "key", parse.one_of(OVER))
    st.segmented_control(
        texts.label, OVER, format_func=lambda option: plain(texts.options[option]), key="over",
        required=True,
    )  # fmt: skip
    scaled = ops.scale_scores(ops.dot_product_scores(Q, K), SCALE)
    shares = softmax_over(scaled, over)
    limit = float(scaled.max())
    before = Grid(
        "scaled", scaled, Scale("signed", -limit, limit), TOKENS, TOKENS, sign="→", digits=3
    )
    after = Grid(
        "weights",
        shares.weights,
        Scale("share", 0, 1),
        TOKENS,
        TOKENS,
        marked=np.repeat(~shares.whole[:, None], len(TOKENS), axis=1),
        after=[
            (texts.row_sum if whole else texts.not_one).format(sum=numbers.short(total))
            for total, whole in zip(shares.row_sums.tolist(), shares.whole, strict=True)
        ],
        below=[texts.row_sum.format(sum=numbers.short(s)) for s in shares.column_sums.tolist()],
        digits=3,
    )
    template = {"key": texts.right, "query": texts.wrong, "both": texts.thin}[over]
    figure, text = st.columns([3, 2])
    with figure:
        grids([before, after], key="axis_grids")
    with text:
        prose([spans(template, **_fields(shares)), spans(texts.answer)], key="axis_reads")


def _fields(shares: WeightSums) -> dict[str, str | tuple[str, str]]:
    """The fields of the sentences; each uses some of them."""
    outputs = ops.weighted_sum(shares.weights, V)[:, 0].tolist()
    most, least = int(shares.row_sums.argmax()), int(shares.row_sums.argmin())
    return {
        "outputs": words().list_mark.join(numbers.short(value) for value in outputs),
        "most": (TOKENS[most], "query"),
        "least": (TOKENS[least], "query"),
        "high": numbers.short(float(shares.row_sums[most])),
        "low": numbers.short(float(shares.row_sums[least])),
    }
