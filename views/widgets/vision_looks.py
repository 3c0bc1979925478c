"""The picture in patches, the same picture lit by a look, and small by every look there is."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from views.figures.photo import float32_text, photo_url
from views.reader import in_language
from views.text import Words
from views.text.vision import WORDS
from views.widgets.component import component
from views.widgets.picture import picture
from views.widgets.prose import heading
from views.widgets.vision_look import (
    HEAD,
    MEAN,
    ROLLOUT,
    Look,
    look_from_cls,
    look_from_patch,
)
from views.widgets.vision_seen import Seen

FOLDER = "vision"


def whole(seen: Seen, words: Words) -> None:
    """The picture in patches; a click looks from another one."""
    said = in_language(WORDS)
    heading(said.sees.format(n=seen.patches.size))
    picture(
        seen.pixels, seen.grid, key="whole", label=words.image.original,
        chosen=seen.patch, caption=said.sees_hint, on_choose=look_from_patch,
    )  # fmt: skip


def lit(seen: Seen, words: Words) -> None:
    """The picture lit by what the token looks at, and the way back to [CLS]."""
    label = told(seen, words)
    heading(label)
    picture(
        seen.pixels, seen.grid, key="lit", label=label, chosen=seen.patch, weights=seen.patches,
        live=seen.look.by == HEAD, scale=seen.scale, on_choose=look_from_patch,
    )  # fmt: skip
    st.button(
        in_language(WORDS).from_cls,
        key="look_from_cls",
        on_click=look_from_cls,
        disabled=seen.patch is None,
    )


def told(seen: Seen, words: Words) -> str:
    """Who looks, and by which head or heads."""
    text, look = in_language(WORDS).looks, seen.look
    by = {HEAD: text.head, MEAN: text.mean, ROLLOUT: text.rollout}[look.by]
    return by.format(query=seen.name(words), layer=look.layer, head=look.head)


def every_look(
    seen: Seen,
    groups: Mapping[str, Sequence[Look]],
    choose: Callable[[Look], None],
    words: Words,
    most: int | None = None,
) -> None:
    """The picture lit in every way, small; a click chooses one.

    groups: the looks by the name of their group. most: how many stand beside one another.
    """
    known = {look.name: look for looks in groups.values() for look in looks}

    def chosen() -> None:
        asked = st.session_state["looks"].choose
        if asked in known:
            choose(known[asked])

    data = {
        "photo": photo_url(seen.pixels),
        "size": [seen.pixels.shape[1], seen.pixels.shape[0]],
        "grid": seen.grid,
        "chosen": seen.look.name,
        "columns": min(most or len(known), len(known)),
        "groups": [
            {"called": title, "looks": [_small(seen.by(look), words) for look in looks]}
            for title, looks in groups.items()
        ],
        "language": words.code,
    }
    component("looks", FOLDER)(key="looks", data=data, on_choose_change=chosen)


def _small(seen: Seen, words: Words) -> dict[str, object]:
    text, look = in_language(WORDS).looks, seen.look
    called = {HEAD: text.one_head, MEAN: text.the_mean, ROLLOUT: text.the_rollout}[look.by]
    scale = seen.scale
    return {
        "name": look.name,
        "called": called.format(head=look.head),
        "weights": float32_text(seen.patches),
        "largest": scale.high,
        "root": scale.root,
    }
