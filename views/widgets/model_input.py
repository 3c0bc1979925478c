"""The controls that every front door shares: sizes, seed, mask and what is one click deeper."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core import Trace, Weights, cost, multi_head_attention, shapes
from core.limits import LAST_SEED, LIMITS
from core.options import AttentionOptions
from views import link, parse
from views.spans import mathematics
from views.text import Words
from views.widgets.mask_input import NO_MASK, Mask, keep_mask, mask_input
from views.widgets.whole_number import Refused, seed_input, whole_number


@dataclass(frozen=True)
class Model:
    """What the reader chose for the attention itself."""

    d_model: int
    heads: int
    seed: int
    mask: Mask = NO_MASK
    position: bool = True
    temperature: float = 1.0
    dropout: float = 0.0
    residual: bool = False

    def origin(self, words: Words) -> str:
        """Where the weights come from."""
        return words.viewer.random.format(seed=self.seed)

    def options(self, n: int) -> AttentionOptions:
        """The options of attention among n tokens."""
        return AttentionOptions(
            temperature=self.temperature,
            dropout=self.dropout,
            seed=self.seed,
            residual=self.residual,
            **self.mask.options(n),
        )

    def attend(self, source: Trace) -> Trace:
        """All stages from the source to the end, with seeded random weights.

        Raises core.errors.InputError, HeadsDoNotDivide and TraceTooLarge among them.
        """
        weights = Weights.seeded(self.d_model, self.heads, self.seed)
        X = source["X"].tensor
        batch, n, _ = X.shape
        options = self.options(n)
        expected = shapes.attention(
            shapes.shared_out(batch, n, self.d_model, self.heads),
            itemsize=X.itemsize,
            key_mask="key_mask" in source,
            causal=options.causal,
            allowed=None if options.allowed is None else options.allowed.shape,
            dropout=options.dropout > 0,
            residual=options.residual,
        )
        cost.check_bytes(shapes.total(expected).bytes + cost.trace_cost(source).bytes)
        return multi_head_attention(source, weights, options)


def hold_model(words: Words, first: Model) -> None:
    """Keep in the link what the controls say while they are not shown."""
    _parameters(link.preserve_param, words, first)


def _parameters(keep: Callable[..., object], words: Words, first: Model) -> None:
    keep("d_model", first.d_model, parse.number(1, LIMITS.d_model))
    keep("heads", first.heads, parse.number(1, LIMITS.heads))
    keep_mask(keep, words.mask)
    keep("seed", first.seed, parse.number(0, LAST_SEED))
    keep("position", first.position, parse.flag, parse.written_flag)
    keep("temperature", first.temperature, parse.number(0.1, 5.0, float))
    keep("dropout", 0.0, parse.number(0.0, 0.9, float))
    keep("residual", False, parse.flag, parse.written_flag)


def model_input(words: Words, first: Model, mask: Mask | None = None) -> Model:
    """The controls, with these values to begin with.

    mask: the chosen one, where the page has a control of its own for it.
    """
    text = words.model
    _parameters(link.bind_param, words, first)
    left, right = st.columns(2)
    width = whole_number(text.d_model, 1, LIMITS.d_model, key="d_model", where=left)
    count = whole_number(text.heads, 1, LIMITS.heads, key="heads", where=right)
    if not link.remembered(Refused).errors and width % count == 0:
        follows = text.d_k_follows.format(d_model=width, heads=count, d_k=width // count)
        st.caption(mathematics(follows))
    mask = mask or mask_input(words.mask)
    seed = seed_input(text.seed, first.seed, help=text.seed_help)
    with st.expander(text.more):
        position = st.checkbox(text.position, key="position")
        temperature = st.slider(
            text.temperature, 0.1, 5.0, step=0.1, key="temperature",
            help=text.temperature_help,
        )  # fmt: skip
        dropout = st.slider(
            text.dropout, 0.0, 0.9, step=0.1, key="dropout",
            help=text.dropout_help,
        )  # fmt: skip
        residual = st.checkbox(text.residual, key="residual")
    return Model(width, count, seed, mask, position, temperature, dropout, residual)
