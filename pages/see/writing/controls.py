"""The text so far, and what may be appended to it."""

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from core.errors import InputError
from core.limits import WRITTEN
from core.models import pretrained
from core.models.opened_model import Checkpoint
from core.models.prediction import Listed
from core.sources.visible import as_word
from pages.see.writing.compared import compared, hide_words
from pages.see.writing.models import REAL, WORDS, Writer
from pages.see.writing.tokens import is_finished, without_last_word
from views import link
from views.preferences import in_language, words
from views.selection import go_to, reset_cell
from views.text import CHECKPOINT, numbers
from views.text.spans import Span, spans
from views.widgets import relevance
from views.widgets.checkpoint.cached_layers import next_probabilities, pass_text
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.notes import special_notes, token_notes
from views.widgets.choice import sample_buttons
from views.widgets.interventions import Intervened, attention_switch
from views.widgets.prose import Style, prose

PART = "lens"
INSIDE = "inside"  # parameter: whether all but the text and its next tokens is shown
FROM = 3  # words of the largest shares of a guess


@dataclass
class Appended:
    """The texts before and after each token that was appended, or word that was left out, in order.

    left_out: the text that the last word was taken from, what is left of it, and the word.
    """

    steps: list[tuple[str, str]] = field(default_factory=list)
    left_out: tuple[str, str, str] = "", "", ""


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
    prose([spans(texts.count, tokens=str(tokens), most=str(positions))], key="cut", style="quiet")
    pass_text(model, written, of.plain)
    return written


def marks(chosen: Chosen) -> None:
    """Draw what the marks of the tokens mean, which only the steps inside show."""
    encoding = chosen.model.encode(str(chosen.given), WRITTEN)
    _, *notes = token_notes(encoding, chosen.model.config.positions, words())
    notes += special_notes(encoding, words())
    if notes:
        prose(notes, key="marks", style="quiet")


def _begin_with(sample: str) -> None:
    """Callback: another text."""
    link.set_value("text", sample)
    reset_cell()


def next_tokens(
    chosen: Chosen, reading: Listed, of: Intervened[Checkpoint], asked: relevance.Asked
) -> None:
    """Draw the likeliest next tokens, one press to append each, and what is found out about them.

    reading: behind the last layer. of: the model with the changes of the link, and without. asked:
    which tokens mattered for the guess.
    """
    texts, model, steps = in_language(WORDS), chosen.model, link.remembered(Appended).steps
    names, written = in_language(CHECKPOINT).following, str(chosen.given)
    full = len(model.encode(written).ids) >= WRITTEN.tokens
    with st.container(border=True, key="next_card"):
        likeliest = reading.numbers[0]
        finished = is_finished(model, likeliest)
        with st.container(
            horizontal=True, gap="small", key="next_actions", vertical_alignment="center"
        ):
            st.button(
                texts.likeliest, key="likeliest", type="secondary" if finished else "primary",
                on_click=_append, disabled=full or model.is_end_of_text(likeliest),
                args=(chosen, likeliest),
            )  # fmt: skip
            attention_switch()
            if steps and steps[-1][1] == chosen.given:
                st.button(texts.undo, key="undo", on_click=_undo, icon=":material/undo:")
        findings = [spans(texts.finished)] if finished else []
        findings += _findings(chosen, of, asked)
        style: Style = "" if findings else "quiet"
        prose(findings or [[(names.says, "")]], key="next_says", style=style)
        hide_words(chosen, of)
        compared(chosen, of, None if full else _append)
        with (
            st.expander(texts.more, expanded=finished or bool(asked.found), key="more"),
            st.container(horizontal=True, gap="xsmall", key="more_actions"),
        ):
            st.button(
                texts.drop, key="drop", type="primary" if finished else "secondary",
                on_click=_drop, args=(written,), disabled=without_last_word(written) is None,
            )  # fmt: skip
            st.button(
                texts.made_from, key="made_from", on_click=_ask_what_mattered,
                icon=":material/close:" if asked.found else None,
            )  # fmt: skip
            st.button(texts.opens, key="opens", on_click=_open_sums, args=(model.layers,))


def _findings(
    chosen: Chosen, of: Intervened[Checkpoint], asked: relevance.Asked
) -> list[list[Span]]:
    """What had stood there, and from which words the guess is."""
    found = list[list[Span]]()
    stood = _what_stood(chosen, of)
    if stood:
        found.append(stood)
    if asked.found:
        found.append(_made_from(asked, asked.found.by_gradient[: len(asked.tokens)]))
    return found


def _made_from(asked: relevance.Asked, shares: np.ndarray) -> list[Span]:
    """The words that the guess comes from most, the largest first, and what others give."""
    texts, name = in_language(WORDS), asked.outcomes[asked.number]
    order = [i for i in (-shares).argsort() if i and shares[i] > 0][:FROM]
    if not order:
        return spans(texts.made_from_last, name=name, last=as_word(asked.query))
    others = float(shares[1:].sum() - shares[order].sum())
    listed = words().list_mark.join(
        texts.made_of.format(
            name=as_word(asked.tokens[i]) if i else texts.made_from_first,
            share=numbers.per_cent(float(shares[i]), 0),
        )
        for i in sorted((0, *order), key=lambda i: -shares[i])
    )
    return spans(texts.made_from_says, name=name, tokens=listed, others=numbers.per_cent(others, 0))


def _what_stood(chosen: Chosen, of: Intervened[Checkpoint]) -> list[Span]:
    """How likely the word was that the reader has left out, by its first token."""
    texts, model = in_language(WORDS), chosen.model
    whole, rest, word = link.remembered(Appended).left_out
    ids, before = model.encode(whole).ids if whole else (), model.encode(str(chosen.given)).ids
    if rest != chosen.given or ids[: len(before)] != before or len(ids) == len(before):
        return []
    chances = next_probabilities(chosen, of.model, of.plain)
    chance = chances[ids[len(before)]]
    rank = 1 + int((chances > chance).sum())
    says = texts.stood if rank > 1 else texts.stood_first
    return spans(says, word=word, share=numbers.per_cent(float(chance)), rank=str(rank))


def _drop(written: str) -> None:
    """Callback: the text without its last word."""
    left = without_last_word(written)
    assert left
    done = link.remembered(Appended)
    done.steps.append((written, left[0]))
    done.left_out = written, *left
    _begin_with(left[0])


def _ask_what_mattered() -> None:
    """Callback: ask which words the guess is made from, or no longer."""
    link.set_value(relevance.NAME, not st.session_state[relevance.NAME])
    link.set_value(relevance.OUTCOME, 1)


@dataclass
class Asked:
    """How often the sums were asked for by the button, after which they are brought into view."""

    times: int = 0


def _open_sums(layers: int) -> None:
    """Callback: look into how the likeliest next token comes about."""
    link.remembered(Asked).times += 1
    link.set_value(INSIDE, True)
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
