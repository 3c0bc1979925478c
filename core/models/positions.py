"""A decoder's attention with other positions than those it was trained with."""

from dataclasses import replace
from typing import Literal, get_args

from core import notation
from core.masks import alibi_slopes
from core.models.altered import Attention
from core.sources.position import sinusoids
from core.trace import Trace

Kind = Literal["none", "sinusoids", "alibi", "moved"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOVED = 64  # positions


def with_positions(attention: Attention, kind: Kind) -> Attention:
    """The attention of a decoder with rotary positions, with others in their place.

    ``none``: no rotation. ``sinusoids``: none, and sinusoids added to X ("Attention Is All You
    Need", Vaswani et al., 2017, section 3.5), here in front of the projections of the layer.
    ``alibi``: none, and linear biases ("Train Short, Test Long", Press et al., 2022, section 3).
    ``moved``: as trained, with every token ``MOVED`` positions later.
    """
    if kind == "moved":
        rotary = attention.options.rotary
        assert rotary is not None
        return attention.with_options(rotary=replace(rotary, offset=MOVED))
    unplaced = attention.with_options(rotary=None)
    if kind == "sinusoids":
        return replace(unplaced, source=_with_sinusoids(attention.source))
    if kind == "alibi":
        return unplaced.with_options(alibi=alibi_slopes(attention.weights.heads))
    return unplaced


def _with_sinusoids(source: Trace) -> Trace:
    """X + position as what is given: (batch 1, token, d_model)."""
    X = source["X"]
    placed = X.tensor + sinusoids(*X.tensor.shape[1:]).astype(X.tensor.dtype)
    return Trace([notation.given("X", placed, X.axes)])
