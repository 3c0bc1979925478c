"""All heads of all layers as small pictures, sorted by what they do with the text."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.head_patterns import KINDS, kind_of
from core.interventions import Change
from core.models.prediction import Listed
from pages.see.writing.models import WORDS
from views import link, parse
from views.figures.palette import PALETTES
from views.figures.scale import FAINT, Scale, round_up
from views.preferences import in_language, words
from views.scene.blob import pack
from views.text import numbers
from views.widgets.checkpoint.cached_layers import pictured_heads
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.head_overview import HeadLink, opening_head
from views.widgets.choice import option_input
from views.widgets.component import component
from views.widgets.interventions import toggle
from views.widgets.prose import prose

KEY = "head_pictures"
ORDERS = ("kind", "layer")
OPEN = "maps"  # parameter: whether the pictures are shown
SINKS = ("first", "special")  # kinds that are folded away: most heads, which do little here


def head_pictures(chosen: Chosen, head: int, reading: Listed) -> None:
    """Draw a small picture of every head, once it is asked for; a press opens it.

    head: the chosen one, from 0.
    """
    texts, model = in_language(WORDS).heads, chosen.model
    if not st.toggle(texts.title.format(heads=model.layers * model.heads), key=OPEN):
        link.preserve_param("heads", ORDERS[0], parse.one_of(ORDERS))
        return
    with st.container(horizontal=True, gap="medium"):
        order = option_input(
            texts.order, "heads", ORDERS, texts.orders.__getitem__, label_visibility="collapsed",
            width="content",
        )  # fmt: skip
        mutes = st.toggle(texts.mutes, key="mutes", help=texts.mutes_help, width="content")
    header, pictures = _drawing(chosen, order, reading)
    header["chosen"] = HeadLink(chosen.layer, head + 1).name
    changes = model.interventions.changes
    header["mutes"] = mutes
    header["changed"] = [HeadLink(one.layer or 0, one.head).name for one in changes if one.head]
    component("head_pictures")(
        key=KEY,
        data=pack(header, {"pictures": pictures}),
        on_choose_change=_mute if mutes else opening_head(model, KEY),
    )
    prose([[(texts.says, "")]], key="heads_says", style="quiet")


def _mute() -> None:
    """Callback: mute the head whose picture was pressed, or no longer."""
    layer, head = map(int, st.session_state[KEY].choose.split("/"))
    toggle(Change("mute", layer, head))


def _drawing(chosen: Chosen, order: str, reading: Listed) -> tuple[dict[str, Any], np.ndarray]:
    """The heads in groups, and the levels of their pictures: (head, side, side) uint8."""
    texts, model = in_language(WORDS).heads, chosen.model
    patterns, weights = pictured_heads(chosen)
    ids, following = model.encode(str(chosen.given)).ids, reading.numbers[0]
    found = [
        (kind, layer, number, value)
        for layer, heads in enumerate(patterns, start=1)
        for number, (kind, value) in enumerate(
            (kind_of(one, ids, following) for one in heads), start=1
        )
    ]
    if order == "layer":
        names = {layer: texts.layer.format(layer=layer) for layer in range(1, model.layers + 1)}
        groups = [
            (name, "", False, [one for one in found if one[1] == at]) for at, name in names.items()
        ]
    else:
        found.sort(key=lambda one: (KINDS.index(one[0]), -one[3]))
        groups = [
            (texts.kinds[kind].name, texts.kinds[kind].about, kind in SINKS, [*members])
            for kind, members in groupby(found, key=itemgetter(0))
        ]
    header = {
        "language": words().tag,
        "label": texts.label,
        "title": texts.head,
        "heads": model.heads,
        "groups": [
            {
                "name": name,
                "about": about,
                "folded": folded,
                "heads": [
                    [f"{layer}/{number}", f"{texts.kinds[kind].name}: {numbers.per_cent(value, 0)}"]
                    for kind, layer, number, value in members
                ],
            }
            for name, about, folded, members in groups
        ],
        "palettes": {
            theme: {"share": palette.share, "ground": palette.ground}
            for theme, palette in PALETTES.items()
        },
    }
    flat = weights.reshape(-1, *weights.shape[2:])
    high = round_up(float(flat.max()))
    scale = Scale("share", 0, high, root=high * len(ids) >= FAINT)
    return header, scale.positions(flat)
