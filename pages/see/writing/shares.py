"""The logit of the next token as a sum: what each part of the model adds to it."""

import streamlit as st

from core import Trace
from core.models.logit_parts import PATCH, Part
from core.sources.visible import as_word
from pages.see.writing.models import WORDS
from views import link
from views.figures.model_map import SHARES
from views.preferences import in_language, words
from views.selection import Selection, go_to
from views.text import numbers
from views.widgets.component import component
from views.widgets.prose import heading, prose

KEY, SHOWN = "share_bars", 40  # parts in the list


def share_bars(parts: tuple[Part, ...], trace: Trace, selection: Selection, is_open: bool) -> None:
    """Draw what each part adds to the likeliest next token's logit; a press opens its sum.

    trace: the stages of ``core.models.logit_parts``. is_open: whether they are open below.
    """
    texts, stage = in_language(WORDS).shares, trace["shares"]
    made = stage.tensor[:, 0].tolist()
    order = sorted(range(len(made)), key=lambda i: -abs(made[i]))[:SHOWN]
    most = abs(made[order[0]]) or 1.0

    def go() -> None:
        part = int(st.session_state[KEY].choose)
        link.set_value("part", SHARES)
        go_to("shares", selection.at["head"], {"part": part, "vocabulary": 0})

    heading(texts.title.format(name=as_word(stage.axis("vocabulary").label(0))))
    data = {
        "language": words().tag,
        "label": texts.label,
        "chosen": str(selection.at.get("part", "")) if is_open else "",
        "bars": [
            [str(i), _name(parts[i]), numbers.plain(made[i]), round(made[i] / most, 3), ""]
            for i in order
        ],
    }
    component("bars")(key=KEY, data=data, on_choose_change=go)
    says = texts.says.format(sum=numbers.plain(sum(made)), shown=len(order), count=len(made))
    prose([[(says, "")]], key="shares_says", style="quiet")


def _name(part: Part) -> str:
    texts, (layer, head) = in_language(WORDS).shares, part
    if not layer:
        return str(texts.embedding)
    kind = {0: texts.feed_forward, PATCH: texts.patch}.get(head, texts.head)
    return str(kind.format(layer=layer, head=head))
