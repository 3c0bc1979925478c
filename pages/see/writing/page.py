from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.models import families
from core.models.opened_model import Checkpoint
from core.nested import extended, parts
from pages.see.writing.controls import INSIDE, PART, marks, next_tokens, text_input
from pages.see.writing.heads import OPEN, head_pictures
from pages.see.writing.lens import lens
from pages.see.writing.models import DECODER, REAL, WORDS, Writer, model_input, writers
from pages.see.writing.shares import share_bars
from views import link, parse
from views.figures.model_map import SHARES
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.selection import Selection
from views.text import CHECKPOINT, Words
from views.text.spans import plain
from views.widgets.checkpoint.cached_layers import (
    all_layers,
    computed_layer,
    passed_text,
    read_behind_layers,
)
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.layers import chosen_layer, chosen_part_of, layers
from views.widgets.checkpoint.notes import with_stored
from views.widgets.checkpoint.what_if_card import (
    next_token_changes,
    next_token_effects,
    next_token_relevance,
)
from views.widgets.errors import show_error
from views.widgets.interventions import Intervened, intervened, tokens_of, with_changes
from views.widgets.known_heads import words_of
from views.widgets.model_card import model_card
from views.widgets.model_map import Whole, chosen_part
from views.widgets.prose import prose, title_on_phone
from views.widgets.relevance import OUTCOME, relevance_card
from views.widgets.viewer import part_viewer

# Of a link to what stands inside.
IN_LINK = link.SELECTION | {"part", "layer", "heads", OPEN, OUTCOME}


def origin(chosen: Chosen, language: Words) -> str:
    """Where the weights come from, in words."""
    where = WORDS[language.code].origin.format(
        name=chosen.model.name, layer=chosen.layer, layers=chosen.model.layers
    )
    changed = with_changes(where, chosen.model.interventions, language)
    return with_stored(chosen.model, changed, language)


def start(weights: np.ndarray, words: np.ndarray) -> dict[str, int]:
    """The initial cell: where the last token looks most among the words before it.

    weights: (head, query, key). words: which tokens count, (token,). The head is the one that looks
    there most. The first token counts only where no other does: heads leave on it what they have no
    use for.
    """
    n = weights.shape[1]
    others = np.arange(n) < n - 1
    counts = [words & others & (np.arange(n) > 0), others]
    keys = next((mask for mask in counts if mask.any()), np.ones(n, bool))
    head, key = np.unravel_index(np.where(keys, weights[:, -1], -1).argmax(), (len(weights), n))
    return {"head": int(head), "query": n - 1, "key": int(key)}


def view(writer: Writer, of: Intervened[Checkpoint], chosen: Chosen, trace: Trace) -> None:
    """Draw the next tokens, and inside what is read behind every layer, all heads, every step."""
    model, texts = chosen.model, in_language(WORDS)
    readings = read_behind_layers(chosen, of.plain)
    last = list(trace.values())[-1]
    reading = model.reading_trace(last, readings[chosen.layer - 1])
    whole = extended(trace, PART, reading, {f"{PART}/stream": last.key}, model.parameter)
    passed = passed_text(chosen, of.plain)
    shares = model.shares(passed, readings[-1].numbers)
    if shares:
        whole = extended(whole, SHARES, shares[1], {}, model.parameter)
    with st.container(key="mattering"):  # always drawn: else what follows is created again
        asked = next_token_relevance(chosen, of.plain)
    path = chosen_part_of((*parts(whole), *asked.parts), chosen.attention)

    def lead(selection: Selection) -> None:
        is_open = link.bind_param(OPEN, False, parse.flag)
        left, right = st.columns([5, 6]) if is_open else (st.container(), st.container())
        with left, st.container(border=True, key="lens_card"):
            lens(chosen, readings)
        with right, st.container(border=True, key="head_pictures_card"):
            head_pictures(chosen, selection.at["head"], readings[-1])
        if shares:
            with st.container(border=True, key="shares_card"):
                share_bars(*shares, selection, path == SHARES)
        layers(model, chosen.layer)
        name = in_language(CHECKPOINT).called[model.config.model_type]
        chosen_part(whole, chosen.attention, words(), (), Whole(name, (model.layers,)), asked.parts)

    next_tokens(chosen, readings[-1], of, asked)
    is_led = bool(IN_LINK & (link.session().adopted or {}).keys())
    # Set in every run: in another language it is another widget to Streamlit.
    st.session_state[INSIDE] = link.bind_param(INSIDE, is_led, parse.flag)
    with st.expander(texts.inside, key=INSIDE, on_change="rerun"):
        marks(chosen)
        shown = part_viewer(
            whole, path, words(), origin=partial(origin, chosen), lead=lead,
            start=start(trace[f"{chosen.attention}/weights"].tensor[0], words_of(chosen)),
            layers=all_layers(chosen, trace, path, origin),
            gradients=asked.gradients(trace, chosen.attention),
        )  # fmt: skip
        head, target = shown.selection.at["head"], readings[-1].numbers[0]
        room = next_token_changes(of, chosen, trace, head, predicts=True)
        with st.container(border=True, key="mattered_card"):
            relevance_card(asked, chosen.attention, head + 1, "token")
        if room is not None:
            next_token_effects(room, of, chosen, head, target)
    if writer.name == DECODER:
        model_card(DECODER, words())
    elif writer.name not in REAL:
        prose([[(texts.own, "")]], key="own", style="quiet")


def page() -> None:
    title_on_phone(in_language(PAGE_INFO)["writing"].title)
    writer = model_input(writers())
    opening = in_language(CHECKPOINT).opening.format(name=writer.name)
    try:
        with st.spinner(plain(opening)):
            model = writer.open()
        if not model.decodes:
            raise InputError("missing_tensor", name=families.tensor_names(model.config).head)
    except InputError as error:
        link.preserve_param("text", "")
        link.session().pending.clear()  # of layers and heads that are not there
        show_error(error, "", words())
        return
    layer = chosen_layer(model, min(writer.first_layer, model.layers))
    written = link.bind_param("text", writer.first_text)
    of = intervened(model, partial(tokens_of, model, written), causal=True)
    read = partial(text_input, writer, of)
    found = computed_layer(of.model, layer, read, words(), writer.first_text)
    link.leave_out("model", lambda query: "")
    if found:
        view(writer, of, *found)


page()
