"""The first look: the picture in patches, lit by what a token looks at, and what it is called."""

import streamlit as st

from core.models.vision import Vision
from views.reader import in_language
from views.text import Words
from views.text.vision import WORDS
from views.widgets.prose import prose
from views.widgets.vision.answer import answer
from views.widgets.vision.look import (
    MEAN,
    ROLLOUT,
    Look,
    choose_look,
    looks_of_layer,
)
from views.widgets.vision.looks import every_look, lit, whole
from views.widgets.vision.seen import Seen
from views.widgets.vision.summary import (
    gives,
    origin,
    proves,
    tell,
)


def vision_card(model: Vision, seen: Seen, words: Words) -> None:
    """The picture, the same picture lit, the answer, and all heads; each click looks anew."""
    said = in_language(WORDS)
    with st.container(border=True, key="vision_card"):
        sees, looks, told = st.columns([1, 1, 1.15], gap="medium")
        with sees:
            whole(seen, words)
        with looks:
            lit(seen, words)
        with told:
            answer(model, model.read_off(seen.trace, seen.sample), said, words.code)
            tell(seen, [gives(seen)], words, key="gives")
            prose([[(origin(model, words), "")]], key="card_origin", style="quiet")
        groups = {
            said.looks.layer.format(layer=n): [*looks_of_layer(model.heads, n), Look(MEAN, n)]
            for n in range(1, model.layers + 1)
        }
        groups |= {said.looks.through: [Look(ROLLOUT)]}
        every_look(seen, said.looks.all, groups, choose_look, words)
        tell(seen, proves(model, seen), words, key="proves", style="quiet")
