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
    """Tokens that may be hidden: where they stand, and by what they are told.

    kind: ``special`` tokens, the only such one of a picture, its ``cls``, or the ``first`` token
    where a model has no special ones. names: each once; none for the first token, which is the
    reader's.
    """

    kind: str
    places: tuple[int, ...]
    names: tuple[str, ...] = ()


def special_of(chosen: Chosen) -> Special:
    """What may be hidden in what this model was given."""
    if not isinstance(chosen.given, str):
        specials = chosen.model.config.specials
        kind = "cls" if len(specials) == 1 else "special"
        return Special(kind, tuple(range(len(specials))), specials)
    encoding = chosen.model.encode(chosen.given)
    if not encoding.special:
        return Special("first", (0,))
    names = dict.fromkeys(encoding.tokens[place] for place in encoding.special)
    return Special("special", encoding.special, tuple(names))


def hidden(special: Special) -> tuple[int, ...]:
    """The places that the reader has hidden; the choice is kept in the link as ``special``."""
    shown = link.bind_param(NAME, True, parse.flag)
    return () if shown else special.places


def shares(weights: np.ndarray, logits: np.ndarray, places: tuple[int, ...]) -> tuple[float, float]:
    """How much of what all queries give some keys take, and what it would be if all gave evenly.

    weights, logits (query, key): taken = mean over i of Σ_j w_ij, j in ``places``; evenly, w_ij is
    1 / n_i for the n_i keys that query i may see, those with a finite logit.
    """
    seen = np.isfinite(logits)
    chosen = list(places)
    even = seen[:, chosen].sum(axis=1) / seen.sum(axis=1)
    return float(weights[:, chosen].sum(axis=1).mean()), float(even.mean())


def special_tokens(special: Special, chosen: Chosen, trace: Trace, selection: Selection) -> None:
    """The switch, and beside it what its tokens take in the chosen head. After ``hidden``.

    Nothing for a model that puts nothing of its own among the tokens, such as Whisper.
    """
    if not special.places:
        return
    said, head = in_language(CHECKPOINT).special, selection.at["head"]
    weights = trace[f"{chosen.attention}/weights"].tensor[0, head]
    logits = next(
        trace[path].tensor[0, head]
        for path in (f"{chosen.attention}/masked", f"{chosen.attention}/scaled")
        if path in trace
    )
    taken, even = shares(weights, logits, special.places)
    count = {0: "first", 1: "one"}.get(len(special.names), "several")
    sentence = spans(
        said.taken[count],
        head=(str(head + 1), "head"),
        names=(_listed(special.names, said), "key"),
        taken=numbers.per_cent(taken),
        even=numbers.per_cent(even),
    )
    with st.container(key="special_tokens", gap="xsmall"):
        shown = st.checkbox(said.show[special.kind], key=NAME, help=plain(said.help))
        told = [sentence] if shown else [sentence, spans(said.hidden)]
        prose(told, key="special_take", style="quiet")


def _listed(names: tuple[str, ...], said: Words) -> str:
    *others, last = names or ("",)
    return said.and_.join([said.list_.join(others), last]) if others else last


def pooled_start(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The cell to begin with: that token and what it looks at most; None for other models."""
    place = chosen.model.pooled(chosen.given)
    if place is None:
        return None
    weights = trace[f"{chosen.attention}/weights"].tensor[0, 0, place]  # (key,)
    return {"query": place, "key": int(weights.argmax())}


def pooled_token(chosen: Chosen, trace: Trace) -> None:
    """Which row of the last layer CLIP keeps, and the way to it; nothing for other models."""
    place = chosen.model.pooled(chosen.given)
    if place is None:
        return
    said = in_language(CHECKPOINT).pooled
    kind = "text" if isinstance(chosen.given, str) else "picture"
    name = trace["input/X"].axis("token").label(place)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pooled"):
        sentence = spans(said.says[kind], token=(name, "query"), row=str(place + 1))
        prose([sentence], key="pooled_says", style="quiet")
        if kind == "text":  # a picture has its own way to [CLS]
            go = plain(said.go)
            st.button(go, key="pooled_go", on_click=choose_token, args=(place,), width="content")
