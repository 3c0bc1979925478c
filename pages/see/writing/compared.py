"""What the model would write next, and with other words hidden or without attention, as bars."""

import zlib
from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from core.interventions import Change, Interventions
from core.models.opened_model import Checkpoint
from core.sources.visible import as_word
from pages.see.writing.models import WORDS
from pages.see.writing.tokens import word_of
from views import link
from views.preferences import in_language, words
from views.text import numbers
from views.text.spans import plain
from views.widgets.checkpoint.cached_layers import next_probabilities
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.next_token import hiding
from views.widgets.component import component
from views.widgets.interventions import Intervened, changed_model, toggle
from views.widgets.prose import heading

SHOWN = 6
FEW = 40  # words of a text that can be hidden by a press
OFF = Interventions((Change("off", None),))


def hide_words(chosen: Chosen, of: Intervened[Checkpoint]) -> None:
    """Draw the words of a short text: a press hides one from all others, or shows it again."""
    hides = hiding(chosen)
    if not 0 < len(hides) <= FEW:
        return
    names = chosen.model.encode(str(chosen.given)).tokens
    hidden = [token for token, change in hides.items() if change in of.asked.changes]
    key = f"hidden_words_{zlib.crc32(repr(names).encode())}"
    link.show(key, hidden)

    def press() -> None:
        for token in {*hidden} ^ {*st.session_state[key]}:
            toggle(hides[token])

    st.pills(
        in_language(WORDS).hide, [*hides], selection_mode="multi", key=key, on_change=press,
        format_func=lambda token: plain(as_word(names[token])),
    )  # fmt: skip


def compared(
    chosen: Chosen, of: Intervened[Checkpoint], append: Callable[[Chosen, int], None] | None
) -> None:
    """Draw the next tokens of the model beside those of it with the reader's changes.

    Where nothing is changed, it is compared with itself without attention. append: what a press
    does with a token, by its id; None for a text that is full.
    """
    texts, changes = in_language(WORDS).compared, of.asked or OFF
    model = of.model if of.is_changed else changed_model(of.plain, OFF)
    last = as_word(chosen.model.encode(str(chosen.given)).tokens[-1])
    hidden = [token for token, change in hiding(chosen).items() if change in changes.changes]
    right = texts.off.format(last=last) if changes == OFF else texts.changed
    if hidden and len(hidden) == len(changes.changes):
        names = chosen.model.encode(str(chosen.given)).tokens
        quoted = words().list_mark.join(f"“{as_word(names[token])}”" for token in hidden)
        right = texts.hidden.format(words=quoted)
    sides = ((texts.on, of.plain), (right, model))
    with st.container(key="compared_changed" if of.is_changed else "compared_plain"):
        columns = st.columns(2)
    for i, (place, (title, one)) in enumerate(zip(columns, sides, strict=True)):
        key = f"compared_{i}"
        with place:
            heading(title)
            data = {
                "language": words().tag,
                "label": title,
                "chosen": "",
                "tokens": True,
                "bars": _bars(chosen, next_probabilities(chosen, one, of.plain), bool(append)),
            }
            press = partial(_press, key, chosen, append)
            component("bars")(key=key, data=data, on_choose_change=press)


def _bars(chosen: Chosen, probabilities: np.ndarray, can_grow: bool) -> list[list[str | float]]:
    """A row for each of the likeliest tokens, by its id; "" for one that cannot be appended."""
    return [
        [
            str(number) if can_grow and not chosen.model.is_end_of_text(int(number)) else "",
            word_of(chosen.model, str(chosen.given), int(number)),
            numbers.per_cent(float(probabilities[number])), float(probabilities[number]), "",
        ]
        for number in (-probabilities).argsort(kind="stable")[:SHOWN]
    ]  # fmt: skip


def _press(key: str, chosen: Chosen, append: Callable[[Chosen, int], None] | None) -> None:
    """Callback: append the token whose bar was pressed."""
    if append:
        append(chosen, int(st.session_state[key].choose))
