"""The likeliest next tokens of a text, each a button that appends it."""

from typing import Literal

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.interventions import Change
from core.models.effects import Effect
from core.models.opened_model import Checkpoint
from core.models.prediction import Prediction
from core.nested import extended
from core.sources.visible import as_word
from views import link, parse
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import isolated, plain
from views.widgets.checkpoint.cached_layers import LONG, muted, next_probabilities, predicted
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.errors import error_sentence
from views.widgets.interventions import Intervened
from views.widgets.prose import prose

NAME, PART = "next", "prediction"
SHOWN = 6  # tokens that can be appended
FEW = 128  # tokens of a text whose heads are muted unasked: eight pass a layer together
CLEARLY = 0.03  # of a probability, up to which a change is hardly one; of a small one, a third
SHORT = 100  # tokens of a text that a small model continues by default


def mutes_unasked(chosen: Chosen) -> bool:
    """Whether heads are muted to say what comes next without them: of a decoder's short text."""
    if not can_follow(chosen) or not chosen.model.decodes:
        return False
    return len(chosen.model.encode(str(chosen.given)).ids) <= FEW


def can_follow(chosen: Chosen) -> bool:
    """Whether the model predicts the next token of a text."""
    return chosen.model.predicts and isinstance(chosen.given, str)


def predict_next(chosen: Chosen, always: bool = False) -> Prediction | InputError | None:
    """The prediction of the next token, or the error; None if it is switched off.

    The switch is bound to the link as ``next``; by default it is on for small models only,
    or always.
    """
    room = st.container(key="predicting")  # always drawn: else what follows is created again
    if not can_follow(chosen):
        if link.preserve_param(NAME, None, parse.flag) is None:
            link.forget(NAME)  # else None would be the choice for the next model that predicts
        return None
    quick = always or SHORT * chosen.per_token * chosen.model.layers < LONG
    if not link.bind_param(NAME, quick, parse.flag):
        return None
    try:
        with room:
            return predicted(chosen)
    except InputError as error:
        return error


def following(chosen: Chosen, of: Intervened[Checkpoint]) -> str:
    """The likeliest next token in words, without the changes and with them; "" if none is."""
    if not can_follow(chosen):
        return ""
    texts = in_language(CHECKPOINT).following
    if not of.is_changed:
        try:
            return str(texts.next.format(token=_likeliest(chosen, predicted(chosen).probabilities)))
        except InputError:
            return ""
    before, after = (
        _likeliest(chosen, next_probabilities(chosen, one, of.plain))
        for one in (of.plain, of.model)
    )
    return str(texts.changed.format(before=before, after=after))


def without_head(chosen: Chosen, of: Intervened[Checkpoint], head: int) -> dict[int, str]:
    """What would come next without a head of the layer, from 0, in words, by that head.

    Empty for a long text and one that is not continued, or while the model is changed.
    """
    if of.is_changed or not mutes_unasked(chosen):
        return {}
    at, texts = (chosen.layer - 1, head), in_language(CHECKPOINT).following
    try:
        before, effect = predicted(chosen), muted(chosen, [at])[at]
    except InputError:
        return {}
    target = before.likeliest[0]
    share, after = _shares(before, effect)
    other = effect.likeliest if effect.likeliest != target else None
    named = "" if other is None else _bare(chosen, other)
    return {head: without_says(texts.without, _bare(chosen, target), share, after, named)}


def hiding(chosen: Chosen) -> dict[int, Change]:
    """By token, from 0, the change with which no other one may look at it, of a decoder's text.

    Not of special tokens, nor of the last one, which predicts and looks at itself.
    """
    if not can_follow(chosen) or not chosen.model.decodes:
        return {}
    encoding = chosen.model.encode(str(chosen.given))
    return {
        token: Change("hide", None, token=token + 1)
        for token in range(len(encoding.ids) - 1)
        if token not in encoding.special
    }


def without_says(texts: Words, name: str, before: float, after: float, other: str = "") -> str:
    """What happens to the likeliest token without a head, with both of its probabilities.

    other: the token that is the likeliest then, "" if it stays this one.
    """
    shares = (numbers.per_cent(share, 0) for share in (before, after))
    fields = dict(zip(("before", "after"), shares, strict=True), name=name)
    then = texts.other.format(other=other) if other else ""
    return str(texts[moved(before, after)].format(**fields, then=then))


def moved(before: float, after: float) -> Literal["falls", "hardly", "rises"]:
    """Whether a probability changes by so much that a reader would say so."""
    if abs(after - before) <= min(CLEARLY, before / 3):
        return "hardly"
    return "falls" if after < before else "rises"


def moved_by(before: Prediction, effect: Effect) -> Literal["falls", "hardly", "rises"]:
    """What a missing head does to the probability of the likeliest token."""
    return moved(*_shares(before, effect))


def _shares(before: Prediction, effect: Effect) -> tuple[float, float]:
    """The probability of the likeliest token, and what it is without a head."""
    share = float(before.probabilities[before.likeliest[0]])
    return share, share * float(np.exp(effect.change))


def _likeliest(chosen: Chosen, probabilities: np.ndarray) -> str:
    """The likeliest token without its mark of a space, and its probability."""
    number = int(probabilities.argmax())
    share = numbers.per_cent(float(probabilities[number]), 0)
    named = _bare(chosen, number)
    return str(in_language(CHECKPOINT).following.likeliest.format(name=named, share=share))


def _bare(chosen: Chosen, number: int) -> str:
    """A token by its id, without its mark of a space."""
    return isolated(as_word(chosen.model.name_of(number)))


def with_prediction(chosen: Chosen, trace: Trace, made: Prediction | InputError | None) -> Trace:
    """The trace of the last layer with the prediction as a further part; other layers unchanged."""
    if not isinstance(made, Prediction) or chosen.layer < chosen.model.layers:
        return trace
    last = next(reversed([*trace]))
    return extended(trace, PART, made.trace, {f"{PART}/stream": last}, chosen.model.parameter)


def next_token_buttons(chosen: Chosen, made: Prediction | InputError | None, words: Words) -> None:
    """The switch, and the likeliest tokens with their probabilities. After ``predict_next``."""
    if not can_follow(chosen):
        return
    texts = in_language(CHECKPOINT).following
    with st.container(key="next_token", gap="xsmall"):
        st.checkbox(texts.show, key=NAME, help=plain(texts.help))
        if isinstance(made, InputError):
            prose([[(error_sentence(made, words), "")]], key="next_error", style="error")
        elif made is not None:
            _tokens(chosen, made)


def _tokens(chosen: Chosen, made: Prediction) -> None:
    texts = in_language(CHECKPOINT).following
    names = made.trace["probabilities"].axis("vocabulary").names() or ()
    with st.container(horizontal=True, gap="xsmall", key="next_tokens"):
        for i, number in enumerate(made.likeliest[:SHOWN]):
            ends = chosen.model.is_end_of_text(number)
            chance = numbers.per_cent(float(made.probabilities[number]))
            st.button(
                f"{plain(texts.ends if ends else isolated(names[i]))} · {chance}",
                key=f"next_{i}", disabled=ends, on_click=_append, args=(chosen, number),
            )  # fmt: skip
    prose([[(texts.says, "")]], key="next_says", style="quiet")


def _append(chosen: Chosen, number: int) -> None:
    """Callback: append a token to the text."""
    assert isinstance(chosen.given, str)
    longer = chosen.model.append_token(chosen.given, number)
    if longer is not None:
        link.set_value("text", longer)
