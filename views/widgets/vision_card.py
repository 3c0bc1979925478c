"""The first look: the picture in patches, lit by what a token looks at, and what it is called."""

import streamlit as st

from views.figures.photo import float32_text, photo_url
from views.reader import in_language
from views.text import Words
from views.text.vision import WORDS
from views.widgets.component import component
from views.widgets.picture import picture
from views.widgets.prose import heading, prose
from views.widgets.vision_answer import answer
from views.widgets.vision_look import (
    HEAD,
    MEAN,
    ROLLOUT,
    Look,
    choose_look,
    look_from_cls,
    look_from_patch,
    looks_of_layer,
)
from views.widgets.vision_seen import Seen
from views.widgets.vision_told import gives, origin, proves

FOLDER = "vision"


def vision_card(seen: Seen, words: Words) -> None:
    """The picture, the same picture lit, the answer, and all heads; each click looks anew."""
    said = in_language(WORDS)
    with st.container(border=True, key="vision_card"):
        sees, lit, told = st.columns([1, 1, 1.15], gap="medium")
        with sees:
            heading(said.sees.format(n=seen.patches.size))
            picture(
                seen.pixels, seen.grid, key="whole", label=words.image.original,
                chosen=seen.patch, caption=said.sees_hint, on_choose=look_from_patch,
            )  # fmt: skip
        with lit:
            _lit(seen, words)
        with told:
            answer(seen.model, seen.model.read_off(seen.trace, seen.sample), said, words.code)
            prose([gives(seen, words)], key="gives")
            prose([[(origin(seen.model), "")]], key="card_origin", style="quiet")
        heading(said.looks.all.format(query=seen.name(words)))
        _every_look(seen, words)
        prose(proves(seen), key="proves", style="quiet")


def _lit(seen: Seen, words: Words) -> None:
    said, look = in_language(WORDS), seen.look
    told = {HEAD: said.looks.head, MEAN: said.looks.mean, ROLLOUT: said.looks.rollout}[look.by]
    label = told.format(query=seen.name(words), layer=look.layer, head=look.head)
    heading(label)
    picture(
        seen.pixels, seen.grid, key="lit", label=label, chosen=seen.patch, weights=seen.patches,
        live=look.by == HEAD, scale=seen.scale, on_choose=look_from_patch,
    )  # fmt: skip
    looks = seen.patch is None
    st.button(said.from_cls, key="look_from_cls", on_click=look_from_cls, disabled=looks)


def _every_look(seen: Seen, words: Words) -> None:
    """The picture lit in every way, small; a click chooses one."""
    text = in_language(WORDS).looks
    numbered = range(1, seen.model.layers + 1)
    groups = [(text.layer.format(layer=n), looks_of_layer(seen.model, n)) for n in numbered]
    groups.append((text.through, [Look(ROLLOUT)]))
    known = {look.name: look for _, looks in groups for look in looks}

    def choose() -> None:
        asked = st.session_state["looks"].choose
        if asked in known:
            choose_look(known[asked])

    data = {
        "photo": photo_url(seen.pixels),
        "size": [seen.pixels.shape[1], seen.pixels.shape[0]],
        "grid": seen.grid,
        "chosen": seen.look.name,
        "groups": [
            {"called": title, "looks": [_small(seen.by(look), words) for look in looks]}
            for title, looks in groups
        ],
        "language": words.code,
    }
    component("looks", FOLDER)(key="looks", data=data, on_choose_change=choose)


def _small(seen: Seen, words: Words) -> dict[str, object]:
    text, look = in_language(WORDS).looks, seen.look
    called = {HEAD: text.one_head, MEAN: text.the_mean, ROLLOUT: text.the_rollout}[look.by]
    return {
        "name": look.name,
        "called": called.format(head=look.head),
        "weights": float32_text(seen.patches),
        "largest": seen.scale.high,
        "root": seen.scale.root,
    }
