"""What the model would write next with attention and without it, as bars side by side."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from core.interventions import NONE, Change, Interventions
from core.models.opened_model import Checkpoint
from core.sources.visible import as_word
from pages.see.writing.models import WORDS
from pages.see.writing.tokens import word_of
from views import link
from views.preferences import in_language, words
from views.text import numbers
from views.widgets.checkpoint.cached_layers import next_probabilities
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.component import component
from views.widgets.interventions import NAME, Intervened, changed_model
from views.widgets.prose import heading

SHOWN = 6
OFF = Interventions((Change("off", None),))


def compared(chosen: Chosen, of: Intervened[Checkpoint], opens: Callable[[int, int], None]) -> None:
    """Draw the next tokens of the model beside those of it with the reader's changes.

    Where nothing is changed, it is compared with itself without attention. A press opens a sum in
    the model that it belongs to. opens: how, of the layer and the place in the list.
    """
    texts, changes = in_language(WORDS).compared, of.asked or OFF
    model = of.model if of.is_changed else changed_model(of.plain, OFF)
    last = as_word(chosen.model.encode(str(chosen.given)).tokens[-1])
    right = texts.off.format(last=last) if changes == OFF else texts.changed
    sides = ((texts.on, of.plain, NONE), (right, model, changes))
    for i, (place, (title, one, made)) in enumerate(zip(st.columns(2), sides, strict=True)):
        key = f"compared_{i}"
        with place:
            heading(title, 3)
            data = {
                "language": words().tag,
                "label": title,
                "chosen": "",
                "from_zero": True,
                "bars": _bars(chosen, next_probabilities(chosen, one, of.plain)),
            }
            press = partial(_open, key, str(made), chosen.model.layers, opens)
            component("bars")(key=key, data=data, on_choose_change=press)


def _bars(chosen: Chosen, probabilities: np.ndarray) -> list[list[str | float]]:
    return [
        [
            str(i), word_of(chosen.model, str(chosen.given), int(number)),
            numbers.per_cent(float(probabilities[number])), float(probabilities[number]), "",
        ]
        for i, number in enumerate((-probabilities).argsort(kind="stable")[:SHOWN])
    ]  # fmt: skip


def _open(key: str, changes: str, layers: int, opens: Callable[[int, int], None]) -> None:
    """Callback: look into the bar that was pressed."""
    link.set_value(NAME, changes)
    opens(layers, int(st.session_state[key].choose))
