"""The controls of a model: where its weights come from, sizes, seed, mask and further options."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core import Trace, Weights, cost, multi_head_attention, shapes
from core.limits import LAST_SEED, LIMITS
from core.options import AttentionOptions
from views import link, parse
from views.text import Words
from views.text.spans import mathematics
from views.widgets.choice import choice
from views.widgets.mask_input import NO_MASK, Mask, bind_mask, mask_input
from views.widgets.whole_number import RangeErrors, seed_input, whole_number


@dataclass(frozen=True)
class Model:
    """The sizes and options of a multi-head attention with random weights."""

    d_model: int
    heads: int
    seed: int
    mask: Mask = NO_MASK
    position: bool = True
    temperature: float = 1.0
    dropout: float = 0.0
    residual: bool = False
    masked_heads: tuple[int, ...] = ()  # from 1

    def origin(self, words: Words) -> str:
        """Where the weights come from, in words."""
        return words.viewer.random.format(seed=self.seed)

    def options(self, n: int) -> AttentionOptions:
        """The options of attention among n tokens."""
        head_mask = ~np.isin(np.arange(self.heads) + 1, self.masked_heads)
        return AttentionOptions(
            head_mask=None if head_mask.all() else head_mask,
            temperature=self.temperature,
            dropout=self.dropout,
            seed=self.seed,
            residual=self.residual,
            **self.mask.options(n),
        )

    def attend(self, source: Trace) -> Trace:
        """All stages of attention on a source trace, whose X has shape (batch, n, d_model).

        Raises core.errors.InputError, such as heads_do_not_divide and trace_too_large.
        """
        weights = Weights.seeded(self.d_model, self.heads, self.seed)
        X = source["X"].tensor
        batch, n, _ = X.shape
        options = self.options(n)
        if "key_mask" in source:
            options = replace(options, key_mask=source["key_mask"].tensor)
        sizes = shapes.shared_out(batch, n, self.d_model, self.heads)
        expected = shapes.attention(sizes, options, dtype=X.dtype)
        cost.check_bytes(shapes.held_bytes(expected) + cost.trace_cost(source).bytes)
        return multi_head_attention(source, weights, options)


def preserve_model(words: Words, first: Model) -> None:
    """Keep the values of the controls in the link while they are not drawn."""
    _bind_parameters(link.preserve_param, words, first)


def _bind_parameters(bind: Callable[..., object], words: Words, first: Model) -> None:
    bind("d_model", first.d_model, parse.number(1, LIMITS.d_model))
    bind("heads", first.heads, parse.number(1, LIMITS.heads))
    bind_mask(bind, words.mask)
    bind("seed", first.seed, parse.number(0, LAST_SEED))
    bind("position", first.position, parse.flag)
    bind("temperature", first.temperature, parse.number(0.1, 5.0, float))
    bind("dropout", 0.0, parse.number(0.0, 0.9, float))
    bind("residual", False, parse.flag)
    every = range(1, LIMITS.heads + 1)
    bind("head_mask", list[int](), parse.some_of(every))


def model_input(words: Words, first: Model, mask: Mask | None = None) -> Model:
    """Draw the controls and return their values. first: the initial values.

    mask: the chosen mask, if the page has its own control for it.
    """
    text = words.model
    _bind_parameters(link.bind_param, words, first)
    left, right = st.columns(2)
    width = whole_number(text.d_model, 1, LIMITS.d_model, key="d_model", where=left)
    count = whole_number(text.heads, 1, LIMITS.heads, key="heads", where=right)
    if not link.remembered(RangeErrors).errors and width % count == 0:
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
        state = st.session_state
        state["head_mask"] = [head for head in state["head_mask"] if head <= count]
        masked = st.pills(
            text.head_mask, range(1, count + 1), selection_mode="multi", key="head_mask",
            help=text.head_mask_help,
        )  # fmt: skip
    return Model(
        width, count, seed, mask, position, temperature, dropout, residual, tuple(sorted(masked))
    )


def source_choice(
    label: str,
    sources: tuple[str, ...],
    labels: Mapping[str, str],
    on_change: Callable[[], None] | None = None,
) -> str:
    """Draw the choice of one of these sources and return it. labels: by source."""
    link.bind_param("model", sources[0], parse.one_of(sources))
    choice(label, "model", sources, labels.__getitem__, then=on_change)
    chosen: str = st.session_state["model"]
    return chosen
