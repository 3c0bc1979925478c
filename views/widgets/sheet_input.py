"""The sheet of numbers that By hand edits and Predict covers; its texts are in the link."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core import options
from core.limits import SHEET
from core.models.by_hand import ROLES, Sheet
from core.models.worked import PRESETS
from core.sources import matrix, text
from views import link, parse
from views.figures.axis import shortened
from views.text import Words
from views.text.spans import plain
from views.widgets.mask_input import Mask

FIRST = "wo_ai_beijing"
# The scale by the name of the divisor, and what is on its button.
SCALES: dict[str, float | str] = {"8": 1 / 8, "1": 1.0} | {name: name for name in options.SCALES}
DIVISORS = {"8": "8 = √64", "1": "1"} | {name: one.label for name, one in options.SCALES.items()}
OWN = "own"  # among the names of the examples: a sheet that is none of them
TOKENS = "tokens"
LONGEST = 40  # characters of a sentence in the headline
HAN = "\u2e80", "\ua000"  # from here to there no spaces stand between words
WRITTEN = ("preset", TOKENS, *ROLES)

State = dict[str, str]


def bind_sheet() -> None:
    """Bind all parameters of the sheet."""
    link.bind_param("preset", FIRST, parse.one_of(PRESETS))
    preset = st.session_state["preset"]
    link.bind_param(TOKENS, _preset_tokens(preset), _tokens_of_link)
    for name in ROLES:
        link.bind_param(name, "", partial(_matrix_of_link, name))
    link.bind_param("divisor", _preset_divisor(preset), parse.one_of(SCALES))


def example_input(texts: Words) -> None:
    """Draw the choice of an example, after ``bind_sheet``; an edited one is another of them."""
    edited = not is_unedited()
    link.show("example", OWN if edited else st.session_state["preset"])
    st.segmented_control(
        texts.preset, [*PRESETS, OWN] if edited else PRESETS, key="example", required=True,
        format_func=lambda name: plain(texts.presets[name]), on_change=_choose_example,
    )  # fmt: skip


def state() -> State:
    """The current texts of the sheet."""
    return {name: st.session_state[name] for name in WRITTEN}


def is_unedited() -> bool:
    """Whether tokens and matrices are those of the preset."""
    return state() == _unedited(st.session_state["preset"])


def sheet_of(written: Mapping[str, str], mask: Mask) -> Sheet:
    """The sheet of these texts, with the chosen divisor.

    Raises core.errors.InputError.
    """
    (tokens,) = text.read(written[TOKENS], "custom", SHEET)
    sheet = PRESETS[written["preset"]]
    for name in ROLES:
        if written[name]:
            sheet = sheet.with_matrix(name, matrix.from_link(name, written[name]))
    sheet = sheet.with_tokens(tokens, _filling(tokens))
    scale = SCALES[st.session_state["divisor"]]
    return sheet.with_options(scale=scale, **mask.options(len(tokens)))


def sentence_of(tokens: Sequence[str]) -> str:
    """The tokens of a sheet without its padding, as they are written in a sentence."""
    real = tokens[: len(tokens) - _filling(tokens)] or tokens
    together = all(HAN[0] <= token[0] < HAN[1] for token in real)
    return shortened(("" if together else " ").join(real), LONGEST)


def restore(written: State) -> None:
    """Callback: restore a state of the sheet."""
    if written["preset"] != st.session_state["preset"]:
        link.set_value("divisor", _preset_divisor(written["preset"]))
    for name, value in written.items():
        link.set_value(name, value)


def reset() -> None:
    """Callback: restore the preset without edits."""
    preset = st.session_state["preset"]
    restore(_unedited(preset))
    link.set_value("divisor", _preset_divisor(preset))


def _choose_example() -> None:
    if st.session_state["example"] != OWN:
        link.set_value("preset", st.session_state["example"])
        reset()


def _unedited(preset: str) -> State:
    return {"preset": preset, TOKENS: _preset_tokens(preset), **dict.fromkeys(ROLES, "")}


def _preset_tokens(preset: str) -> str:
    return joined(PRESETS[preset].tokens)


def _preset_divisor(preset: str) -> str:
    """The name of a preset's divisor."""
    scale = PRESETS[preset].options.scale
    return next(name for name, known in SCALES.items() if known == scale)


def joined(tokens: tuple[str, ...]) -> str:
    """Tokens as text."""
    return " ".join("_".join(token.replace("/", " ").split()) or "_" for token in tokens)


def _filling(tokens: Sequence[str]) -> int:
    """The number of [PAD] tokens at the end."""
    real = [i for i, token in enumerate(tokens, start=1) if token != text.PAD]
    return len(tokens) - max(real, default=0)


def _tokens_of_link(written: str) -> Any:
    text.read(written, "custom", SHEET)
    return written


def _matrix_of_link(name: str, written: str) -> str:
    return matrix.to_link(matrix.from_link(name, written))
