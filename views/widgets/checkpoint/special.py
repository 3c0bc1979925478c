"""Special tokens: the switch that hides them, their share of the weights, and the pooled token."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import Trace
from views import link, parse
from views.preferences import in_language
from views.selection import Selection, choose_token
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import plain, spans
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.prose import prose

NAME = "special"


@dataclass(frozen=True)
class Special:
    """Tokens that may be hidden.

    kind: ``special`` tokens; ``cls``, the only one of a picture; or the ``first`` token of a model
    without special tokens. names: each once; none for the first token, which is the user's.
    """

    kind: str
    positions: tuple[int, ...]
    names: tuple[str, ...] = ()


def special_of(chosen: Chosen) -> Special:
    """The tokens of the input that may be hidden."""
    if not isinstance(chosen.given, str):
        specials = chosen.model.config.specials
        kind = "cls" if len(specials) == 1 else "special"
        return Special(kind, tuple(range(len(specials))), specials)
    encoding = chosen.model.encode(chosen.given)
    if not encoding.special:
        return Special("first", (0,))
    names = dict.fromkeys(encoding.tokens[position] for position in encoding.special)
    return Special("special", encoding.special, tuple(names))


def hidden_positions(special: Special) -> tuple[int, ...]:
    """The positions that are hidden; the choice is bound to the link as ``special``."""
    shown = link.bind_param(NAME, True, parse.flag)
    return () if shown else special.positions


def shares(
    weights: np.ndarray, logits: np.ndarray, positions: tuple[int, ...]
) -> tuple[float, float]:
    """The share of all weights that some keys get, and what it would be if weights were even.

    weights, logits (query, key): the mean over i of Σ_j w_ij, j in ``positions``; even weights are
    1 / n_i for the n_i keys of query i with a finite logit.
    """
    allowed = np.isfinite(logits)
    chosen = list(positions)
    even = allowed[:, chosen].sum(axis=1) / allowed.sum(axis=1)
    return float(weights[:, chosen].sum(axis=1).mean()), float(even.mean())


def special_tokens(special: Special, chosen: Chosen, trace: Trace, selection: Selection) -> None:
    """Draw the switch, and the share of its tokens in the chosen head. After ``hidden_positions``.

    Nothing for a model without tokens of its own, such as Whisper.
    """
    if not special.positions:
        return
    texts, head = in_language(CHECKPOINT).special, selection.at["head"]
    weights = trace[f"{chosen.attention}/weights"].tensor[0, head]
    logits = next(
        trace[path].tensor[0, head]
        for path in (f"{chosen.attention}/masked", f"{chosen.attention}/scaled")
        if path in trace
    )
    taken, even = shares(weights, logits, special.positions)
    count = {0: "first", 1: "one"}.get(len(special.names), "several")
    sentence = spans(
        texts.taken[count],
        head=(str(head + 1), "head"),
        names=(_listed(special.names, texts), "key"),
        taken=numbers.per_cent(taken),
        even=numbers.per_cent(even),
    )
    with st.container(key="special_tokens", gap="xsmall"):
        shown = st.checkbox(texts.show[special.kind], key=NAME, help=plain(texts.help))
        paragraphs = [sentence] if shown else [sentence, spans(texts.hidden)]
        prose(paragraphs, key="special_take", style="quiet")


def _listed(names: tuple[str, ...], texts: Words) -> str:
    *others, last = names or ("",)
    return texts.and_.join([texts.list_.join(others), last]) if others else last


def pooled_start(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The initial cell of CLIP: the pooled token and its largest weight; None for other models."""
    position = chosen.model.pooled(chosen.given)
    if position is None:
        return None
    weights = trace[f"{chosen.attention}/weights"].tensor[0, 0, position]  # (key,)
    return {"query": position, "key": int(weights.argmax())}


def pooled_token(chosen: Chosen, trace: Trace) -> None:
    """Draw which row of the last layer CLIP pools, and a button to it; nothing for other models."""
    position = chosen.model.pooled(chosen.given)
    if position is None:
        return
    texts = in_language(CHECKPOINT).pooled
    kind = "text" if isinstance(chosen.given, str) else "picture"
    name = trace["input/X"].axis("token").label(position)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pooled"):
        sentence = spans(texts.says[kind], token=(name, "query"), row=str(position + 1))
        prose([sentence], key="pooled_says", style="quiet")
        if kind == "text":  # a picture has its own button for [CLS]
            go = plain(texts.go)
            st.button(go, key="pooled_go", on_click=choose_token, args=(position,), width="content")
