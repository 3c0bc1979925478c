"""The logit lens as a table: what would come next if the model stopped behind each layer."""

from collections.abc import Sequence

import streamlit as st

from core.models.prediction import Listed
from pages.see.writing.controls import Asked, open_reading
from pages.see.writing.models import WORDS
from pages.see.writing.tokens import word_of
from views import link
from views.preferences import in_language, words
from views.text import numbers
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.component import component
from views.widgets.prose import heading, prose

KEY = "lens"
COLUMNS = 3  # likeliest tokens of a layer, before that of the last layer


def lens(chosen: Chosen, readings: Sequence[Listed]) -> None:
    """Draw a row for each layer: its likeliest tokens, and the token that comes next in the end."""
    texts, model = in_language(WORDS).lens, chosen.model
    final, written = readings[-1].numbers[0], str(chosen.given)
    named = word_of(model, written, final)

    def cell(reading: Listed, listed: int) -> list[str | float]:
        """The token, its probability as printed and from 0 to 1, and its index in the reading."""
        probability = reading.probabilities[listed]
        name = word_of(model, written, reading.numbers[listed])
        return [name, numbers.per_cent(probability), round(probability, 3), listed]

    rows = [
        [
            *(cell(reading, i) for i in range(min(COLUMNS, len(reading.numbers)))),
            cell(reading, reading.numbers.index(final)),
        ]
        for reading in readings
    ]

    def go() -> None:
        layer, listed = st.session_state[KEY].choose
        if 1 <= layer <= model.layers and 0 <= listed < len(readings[layer - 1].numbers):
            open_reading(layer, listed)

    heading(texts.title)
    lead = next(
        i for i in range(len(readings)) if all(final == one.numbers[0] for one in readings[i:])
    )
    finding = texts.finding.format(name=named, layer=lead + 1, layers=model.layers)
    prose([[(finding, "")]], key="lens_finding")
    data = {
        "language": words().tag,
        "label": texts.label,
        "layer": texts.layer,
        "columns": [*texts.columns, named],
        "every": texts.every.format(layers=model.layers),
        "turns": texts.turns,
        "cell": texts.cell,
        "chosen": chosen.layer,
        "rows": rows,
        "asked": link.remembered(Asked).times,
    }
    component("lens")(key=KEY, data=data, on_choose_change=go)
    says = texts.says.format(layer=chosen.layer)
    prose([[(says, "")]], key="lens_says", style="quiet")
