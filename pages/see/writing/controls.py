"""The text so far, and what may be appended to it."""

from dataclasses import dataclass, field

import streamlit as st

from core.errors import InputError
from core.limits import WRITTEN
from core.models import pretrained
from core.models.opened_model import Checkpoint
from core.models.prediction import Listed
from pages.see.writing.models import REAL, WORDS, Writer
from views import link
from views.preferences import in_language, words
from views.selection import go_to, reset_cell
from views.text import CHECKPOINT, numbers
from views.text.spans import isolated, plain, spans
from views.widgets.checkpoint.cached_layers import pass_text
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.notes import special_notes, token_notes
from views.widgets.choice import sample_buttons
from views.widgets.interventions import Intervened
from views.widgets.prose import prose

SHOWN = 8  # tokens that can be appended
PART = "lens"


@dataclass
class Appended:
    """The texts before and after each token that was appended, the last one at the end."""

    steps: list[tuple[str, str]] = field(default_factory=list)


def text_input(writer: Writer, of: Intervened[Checkpoint]) -> str:
    """Draw the text so far, and pass it through the model. Raises core.errors.InputError."""
    model = of.model
    texts = in_language(WORDS)
    if not any(pretrained.is_there(model) for model in REAL.values()):
        prose([[(texts.instead, "")]], key="instead", style="quiet")
    written: str = link.bind_param("text", writer.first_text)
    positions = min(model.config.positions, WRITTEN.tokens)
    help_text = in_language(CHECKPOINT).text_help
    st.text_area(
        texts.text, key="text", height=84, on_change=reset_cell,
        help=help_text.format(tokens=positions, characters=WRITTEN.text),
    )  # fmt: skip
    sample_buttons(writer.samples, _begin_with)
    encoding = model.encode(written, WRITTEN)
    tokens = len(encoding.ids)
    if tokens > WRITTEN.tokens:
        raise InputError("too_many_tokens", line=1, tokens=tokens, limit=WRITTEN.tokens)
    _, *marks = token_notes(encoding, positions, words())
    count = spans(texts.count, tokens=str(tokens), most=str(positions))
    notes = special_notes(encoding, words())
    prose([count, *marks, *notes], key="cut", style="quiet")
    pass_text(model, written, of.plain)
    return written


def _begin_with(sample: str) -> None:
    """Callback: another text."""
    link.set_value("text", sample)
    reset_cell()


def next_tokens(chosen: Chosen, reading: Listed) -> None:
    """Draw the likeliest next tokens, one press to append each, undo, and the way to their sums.

    reading: behind the last layer.
    """
    texts, model, steps = in_language(WORDS), chosen.model, link.remembered(Appended).steps
    following = in_language(CHECKPOINT).following
    full = len(model.encode(str(chosen.given)).ids) >= WRITTEN.tokens
    with st.container(border=True, key="next_card"):
        with st.container(horizontal=True, gap="xsmall", key="next_tokens"):
            for i, number in enumerate(reading.numbers[:SHOWN]):
                ends = model.is_end_of_text(number)
                name = following.ends if ends else isolated(model.name_of(number))
                st.button(
                    f"{plain(name)} · {numbers.per_cent(reading.probabilities[i])}",
                    key=f"next_{i}", disabled=ends or full, on_click=_append,
                    args=(chosen, number),
                )  # fmt: skip
        likeliest = reading.numbers[0]
        with st.container(horizontal=True, gap="xsmall", key="next_actions"):
            st.button(
                texts.likeliest, key="likeliest", type="primary", on_click=_append,
                disabled=full or model.is_end_of_text(likeliest), args=(chosen, likeliest),
            )  # fmt: skip
            st.button(
                texts.undo, key="undo", on_click=_undo, icon=":material/undo:",
                disabled=not steps or steps[-1][1] != chosen.given,
            )  # fmt: skip
            st.button(texts.opens, key="opens", on_click=_open_sums, args=(model.layers,))
        prose([[(following.says, "")]], key="next_says", style="quiet")


@dataclass
class Asked:
    """How often the sums were asked for by the button, after which they are brought into view."""

    times: int = 0


def _open_sums(layers: int) -> None:
    """Callback: look into how the likeliest next token comes about."""
    link.remembered(Asked).times += 1
    open_reading(layers, 0)


def open_reading(layer: int, listed: int) -> None:
    """Callback: look into what is read behind a layer. layer: from 1; listed: which token."""
    link.set_value("layer", layer)
    link.set_value("part", PART)
    go_to("probabilities", st.session_state["head"] - 1, {"vocabulary": listed})


def _append(chosen: Chosen, number: int) -> None:
    """Callback: append a token to the text."""
    before = str(chosen.given)
    longer = chosen.model.append_token(before, number)
    if longer is not None:
        steps = link.remembered(Appended).steps
        steps.append((before, longer))
        del steps[: -WRITTEN.tokens]
        _begin_with(longer)


def _undo() -> None:
    """Callback: the text before the last token was appended."""
    before, _ = link.remembered(Appended).steps.pop()
    _begin_with(before)
