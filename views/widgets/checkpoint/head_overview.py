"""All heads of an opened model at a glance: what each does with this input, each a link."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import InputError
from core.experiments.head_patterns import (
    HALF,
    NEARLY_ALL,
    PATTERNS,
    HeadPattern,
)
from core.models.families.whisper import STRIDE
from core.models.opened_model import Checkpoint
from core.sources.spectrum import frames_of
from views import link, parse
from views.figures.axis import shortened
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import plain
from views.widgets.checkpoint.cached_layers import Heads, surveyed
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.component import component
from views.widgets.errors import error_sentence
from views.widgets.prose import prose

NAME, KEY = "board", "head_overview"
NONE = "none"  # a head where no token has a choice


@dataclass(frozen=True)
class HeadLink:
    """A head that the overview leads to, each number from 1."""

    layer: int
    head: int

    @property
    def name(self) -> str:
        """Its unique name."""
        return f"{self.layer}/{self.head}"


def opening_head(model: Checkpoint, key: str) -> Callable[[], None]:
    """The callback of a component that names the head to open. key: the component's."""
    by_name = {
        one.name: one
        for layer in range(1, model.layers + 1)
        for one in (HeadLink(layer, number) for number in range(1, model.heads + 1))
    }

    def go() -> None:
        asked = st.session_state[key].choose
        if asked in by_name:
            open_head(by_name[asked])

    return go


def overview_asked(chosen: Chosen) -> bool:
    """Whether the reader wants to see all heads; the parameter ``board`` of the link."""
    texts, model = in_language(CHECKPOINT).head_overview, chosen.model
    asked: bool = link.bind_param(NAME, False, parse.flag)
    st.checkbox(
        texts.show.format(heads=model.layers * model.heads),
        key=NAME,
        help=plain(texts.help),
    )
    return asked


def head_overview(chosen: Chosen, head: int, special: tuple[str, ...], words: Words) -> None:
    """Every head of the model by what it does here, and what that is worth.

    head: the chosen one of the chosen layer, from 0. special: what special tokens are called.
    """
    texts, model = in_language(CHECKPOINT).head_overview, chosen.model
    with st.container(border=True, key="overview_card"):
        room = st.container(key="surveying")  # always there, else the component is mounted anew
        try:
            with room:
                heads = surveyed(chosen)
        except InputError as error:
            prose([[(error_sentence(error, words), "")]], key="overview_error", style="error")
            return
        data = drawing(chosen, heads, HeadLink(chosen.layer, head + 1), special, words)
        component("head_overview")(key=KEY, data=data, on_choose_change=opening_head(model, KEY))
        count = model.layers * model.heads
        half, nearly = numbers.per_cent(HALF, 0), numbers.per_cent(NEARLY_ALL, 0)
        how = texts.how.format(half=half, nearly=nearly)
        prose([[(texts.proves.format(heads=count), "")]], key="overview_proves")
        prose([[(how, "")]], key="overview_how", style="quiet")


def open_head(head_link: HeadLink) -> None:
    """Callback: show another head, at the current step if that is one of attention."""
    if not str(st.session_state.get("part", "")).endswith("/self"):
        link.set_value("stage", "weights")
    link.set_value("layer", head_link.layer)
    link.set_value("head", head_link.head)
    link.set_value("part", f"encoder/{head_link.layer}/self")


def drawing(
    chosen: Chosen, heads: Heads, head_link: HeadLink, special: tuple[str, ...], words: Words
) -> dict[str, Any]:
    """The data of the component: one cell per head, and the words of each kind."""
    texts, names = in_language(CHECKPOINT).head_overview, _names(chosen, words)
    cells = [[_cell(one, names) for one in layer] for layer in heads]
    counted = Counter(kind for layer in cells for kind, *_ in layer)
    known = {"token": texts.tokens[chosen.model.token], "special": texts.and_.join(special)}
    shown = [kind for kind in (*PATTERNS, NONE) if counted[kind]]
    by_kind = {kind: texts.kinds[kind] for kind in shown}

    def filled(text: str, **fields: str) -> str:
        for name, field in (known | fields).items():
            text = text.replace(f"{{{name}}}", field)
        return text

    return {
        "language": words.tag,
        "label": texts.label,
        "layer": texts.layer,
        "head": texts.head,
        "title": texts.position,
        "chosen": head_link.name,
        "cells": cells,
        "kinds": {kind: filled(text.says) for kind, text in by_kind.items()},
        "counts": {
            "before": texts.counts.format(heads=sum(counted.values())),
            "kinds": [
                {"kind": kind, "text": filled(text.counted, count=str(counted[kind]))}
                for kind, text in by_kind.items()
            ],
        },
    }


def _cell(one: HeadPattern | None, names: tuple[str, ...]) -> tuple[str, str, float, str]:
    """A head's kind, its measure as printed, its strength from 0 to 1, and its favourite token."""
    if one is None:
        return NONE, "", 0.0, ""
    kind, value = one.pattern
    least = NEARLY_ALL if kind == "broadly" else HALF
    strength = 0.0 if kind == "mixed" else (value - least) / (1 - least)
    favourite = names[one.favourite] if kind in ("one", "first") else ""
    return kind, numbers.plain(value), round(strength, 2), favourite


def _names(chosen: Chosen, words: Words) -> tuple[str, ...]:
    """The label of each token, for heads whose favourite token is named."""
    texts, given = in_language(CHECKPOINT).head_overview, chosen.given
    if isinstance(given, str):
        return tuple(
            texts.key.format(name=shortened(name), number=position)
            for position, name in enumerate(chosen.model.encode(given).tokens, start=1)
        )
    config = chosen.model.config
    if chosen.model.listens:
        return frames_of(config.positions, STRIDE).names() or ()
    patches = range(1, config.positions - len(config.specials) + 1)
    named = (words.image.patch_label.format(number=number) for number in patches)
    return (*config.specials, *named)
