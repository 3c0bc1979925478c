"""What comes next: the likeliest tokens behind a text, each one press from standing in it."""

import streamlit as st

from core import Trace
from core.errors import InputError
from core.models.prediction import Prediction
from core.nested import extended
from views import link, parse
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import isolated, plain
from views.widgets.checkpoint.cached_layers import LONG, predicted
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.errors import error_sentence
from views.widgets.prose import prose

NAME, PART = "next", "prediction"
SHOWN = 6  # tokens that can be appended
SHORT = 100  # tokens of a text for which a model that is not large is asked at once


def can_follow(chosen: Chosen) -> bool:
    """Whether the model says what comes next."""
    return chosen.model.predicts and isinstance(chosen.given, str)


def foretold(chosen: Chosen) -> Prediction | InputError | None:
    """The next token, or why there is none; None where it is not asked for.

    Whether it is asked for is kept in the link as ``next``; by default only a small model is.
    """
    room = st.container(key="predicting")  # always there, or what stands below would be made anew
    if not can_follow(chosen):
        if link.preserve_param(NAME, None, parse.flag) is None:
            link.forget(NAME)  # else a model that has it would take None for its choice
        return None
    quick = SHORT * chosen.per_token * chosen.model.layers < LONG
    if not link.bind_param(NAME, quick, parse.flag):
        return None
    try:
        with room:
            return predicted(chosen)
    except InputError as error:
        return error


def with_prediction(chosen: Chosen, trace: Trace, made: Prediction | InputError | None) -> Trace:
    """The trace of the last layer with the part that predicts; any other one as it is."""
    if not isinstance(made, Prediction) or chosen.layer < chosen.model.layers:
        return trace
    last = next(reversed([*trace]))
    return extended(trace, PART, made.trace, {f"{PART}/stream": last}, chosen.model.parameter)


def following(chosen: Chosen, made: Prediction | InputError | None, words: Words) -> None:
    """The switch, and the likeliest tokens with their probabilities. After ``foretold``."""
    if not can_follow(chosen):
        return
    said = in_language(CHECKPOINT).following
    with st.container(key="next_token", gap="xsmall"):
        st.checkbox(said.show, key=NAME, help=plain(said.help))
        if isinstance(made, InputError):
            prose([[(error_sentence(made, words), "")]], key="next_error", style="error")
        elif made is not None:
            _tokens(chosen, made)


def _tokens(chosen: Chosen, made: Prediction) -> None:
    said = in_language(CHECKPOINT).following
    names = made.trace["probabilities"].axis("vocabulary").names() or ()
    with st.container(horizontal=True, gap="xsmall", key="next_tokens"):
        for place, number in enumerate(made.likeliest[:SHOWN]):
            ends = chosen.model.is_end_of_text(number)
            chance = numbers.per_cent(float(made.probabilities[number]))
            st.button(
                f"{plain(said.ends if ends else isolated(names[place]))} · {chance}",
                key=f"next_{place}", disabled=ends, on_click=_append, args=(chosen, number),
            )  # fmt: skip
    prose([[(said.says, "")]], key="next_says", style="quiet")


def _append(chosen: Chosen, number: int) -> None:
    """Callback: the text with this token behind it."""
    assert isinstance(chosen.given, str)
    longer = chosen.model.append_token(chosen.given, number)
    if longer is not None:
        link.set_value("text", longer)
