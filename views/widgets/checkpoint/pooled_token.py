"""The token of CLIP whose last vector stands for the whole text or picture."""

from collections.abc import Mapping

import streamlit as st

from core import Trace
from views.preferences import in_language
from views.selection import choose_token
from views.text import CHECKPOINT
from views.text.spans import plain, spans
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.prose import prose


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
