"""The overview of the trained model: the picture, its attention overlay, and the class."""

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
from views.widgets.vision.looks import every_look, lit, original, whole
from views.widgets.vision.seen import Seen
from views.widgets.vision.summary import (
    gives,
    origin,
    proves,
    tell,
)

LAYERS_BESIDE = 3  # whose thumbnails are in one line


def vision_card(model: Vision, seen: Seen, words: Words) -> None:
    """Draw the picture, its overlay, the class, and thumbnails of all heads to choose from."""
    texts = in_language(WORDS)
    with st.container(border=True, key="vision_card"):
        photo, sees, looks = st.columns(3, gap="medium")
        with photo:
            original(seen, words)
        with sees:
            whole(seen, words)
        with looks:
            lit(seen, words)
        says, caption = st.columns(2, gap="medium")
        with says:
            answer(model, model.classification(seen.trace, seen.sample), texts, words.code)
        with caption:
            tell(seen, [gives(seen)], words, key="gives")
            tell(seen, proves(model, seen), words, key="proves", style="quiet")
            prose([[(origin(model, words), "")]], key="card_origin", style="quiet")
        groups = {
            texts.looks.layer.format(layer=n): [*looks_of_layer(model.heads, n), Look(MEAN, n)]
            for n in range(1, model.layers + 1)
        }
        groups |= {texts.looks.through: [Look(ROLLOUT)]}
        across = LAYERS_BESIDE * (model.heads + 1)
        every_look(seen, texts.looks.all, groups, choose_look, words, most=across)
