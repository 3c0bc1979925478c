"""All heads of an opened model at a glance: what each does with this input, each a door."""

from collections import Counter
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

NAME, KEY = "board", "heads_board"
NONE = "none"  # a head where no token has a choice


@dataclass(frozen=True)
class Door:
    """A head that the board leads to, each number from 1."""

    layer: int
    head: int

    @property
    def name(self) -> str:
        """What tells it from every other one."""
        return f"{self.layer}/{self.head}"


def board_asked(chosen: Chosen) -> bool:
    """Whether the reader wants to see all heads; kept in the link as ``board``."""
    said, model = in_language(CHECKPOINT).board, chosen.model
    asked: bool = link.bind_param(NAME, False, parse.flag)
    st.checkbox(
        said.show.format(heads=model.layers * model.heads),
        key=NAME,
        help=plain(said.help),
    )
    return asked


def board(chosen: Chosen, head: int, special: tuple[str, ...], words: Words) -> None:
    """Every head of the model by what it does here, and what that is worth.

    head: the chosen one of the chosen layer, from 0. special: what special tokens are called.
    """
    said, model = in_language(CHECKPOINT).board, chosen.model
    with st.container(border=True, key="board_card"):
        room = st.container(key="surveying")  # always there, or the board would be made anew
        try:
            with room:
                heads = surveyed(chosen)
        except InputError as error:
            prose([[(error_sentence(error, words), "")]], key="board_error", style="error")
            return
        doors = {
            door.name: door
            for layer in range(1, model.layers + 1)
            for door in (Door(layer, number) for number in range(1, model.heads + 1))
        }

        def go() -> None:
            asked = st.session_state[KEY].choose
            if asked in doors:
                open_door(doors[asked])

        data = drawing(chosen, heads, Door(chosen.layer, head + 1), special, words)
        component("board")(key=KEY, data=data, on_choose_change=go)
        count = model.layers * model.heads
        half, nearly = numbers.per_cent(HALF, 0), numbers.per_cent(NEARLY_ALL, 0)
        how = said.how.format(half=half, nearly=nearly)
        prose([[(said.proves.format(heads=count), "")]], key="board_proves")
        prose([[(how, "")]], key="board_how", style="quiet")


def open_door(door: Door) -> None:
    """Callback: look at another head, at the step that is looked at if it is one of attention."""
    if not str(st.session_state.get("part", "")).endswith("/self"):
        link.set_value("stage", "weights")
    link.set_value("layer", door.layer)
    link.set_value("head", door.head)
    link.set_value("part", f"encoder/{door.layer}/self")


def drawing(
    chosen: Chosen, heads: Heads, door: Door, special: tuple[str, ...], words: Words
) -> dict[str, Any]:
    """The board as the browser takes it: a cell a head, and the words of each kind."""
    said, names = in_language(CHECKPOINT).board, _names(chosen, words)
    cells = [[_cell(one, names) for one in layer] for layer in heads]
    counted = Counter(kind for layer in cells for kind, *_ in layer)
    known = {"token": said.tokens[chosen.model.token], "special": said.and_.join(special)}
    shown = [kind for kind in (*PATTERNS, NONE) if counted[kind]]
    texts = {kind: said.kinds[kind] for kind in shown}

    def filled(text: str, **fields: str) -> str:
        for name, field in (known | fields).items():
            text = text.replace(f"{{{name}}}", field)
        return text

    return {
        "language": words.tag,
        "label": said.label,
        "layer": said.layer,
        "head": said.head,
        "place": said.place,
        "chosen": door.name,
        "cells": cells,
        "kinds": {kind: filled(text.says) for kind, text in texts.items()},
        "counts": {
            "before": said.counts.format(heads=sum(counted.values())),
            "kinds": [
                {"kind": kind, "text": filled(text.counted, count=str(counted[kind]))}
                for kind, text in texts.items()
            ],
        },
    }


def _cell(one: HeadPattern | None, names: tuple[str, ...]) -> tuple[str, str, float, str]:
    """A head's kind, the measure as it is printed, how strongly it is so, and its favourite."""
    if one is None:
        return NONE, "", 0.0, ""
    kind, value = one.pattern
    least = NEARLY_ALL if kind == "broadly" else HALF
    strength = 0.0 if kind == "mixed" else (value - least) / (1 - least)
    favourite = names[one.favourite] if kind in ("one", "first") else ""
    return kind, numbers.plain(value), round(strength, 2), favourite


def _names(chosen: Chosen, words: Words) -> tuple[str, ...]:
    """What each token is called where one of them stands out."""
    said, given = in_language(CHECKPOINT).board, chosen.given
    if isinstance(given, str):
        return tuple(
            said.key.format(name=shortened(name), place=place)
            for place, name in enumerate(chosen.model.encode(given).tokens, start=1)
        )
    config = chosen.model.config
    if chosen.model.listens:
        return frames_of(config.positions, STRIDE).names() or ()
    patches = range(1, config.positions - len(config.specials) + 1)
    named = (words.image.patch_label.format(number=number) for number in patches)
    return (*config.specials, *named)
