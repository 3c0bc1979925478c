"""The controls of the page Order: the sequence and its order."""

import re
from dataclasses import dataclass

import streamlit as st
from PIL import Image

from core.experiments.order import as_given, shuffled
from core.experiments.order import check as check_order
from core.limits import SEQUENCE
from core.sources import picture, text
from pages.understand.order.inputs import FIRST_SEED, PIXELS, Inputs
from pages.understand.order.pieces import pieces
from views import link, parse
from views.export.bundle import ASSETS
from views.text import Words
from views.text.spans import isolated
from views.widgets.cut_notes import cut_notes
from views.widgets.image_input import SAMPLES
from views.widgets.mask_input import causal_input
from views.widgets.sentence_input import FIRST_TEXT
from views.widgets.whole_number import seed_input

TEXTS = (FIRST_TEXT, "Dog bites man", "The cat chased the dog")
FIRST_PICTURE = "cat"
SIDES = (3, 4)
_ORDER = re.compile(r"\d{1,2}(,\d{1,2})*", re.ASCII)


@dataclass
class Shuffles:
    """count: the number of shuffles, from which the next seed follows."""

    count: int = 0


def sequence_input(texts: Words, words: Words) -> Inputs:
    """Draw the controls of the sequence and return it. Raises core.errors.InputError."""
    link.bind_param("kind", "sentence", parse.one_of(list(texts.kinds)))
    link.bind_param("text", FIRST_TEXT)
    link.bind_param("picture", FIRST_PICTURE, parse.one_of(SAMPLES))
    link.bind_param("columns", SIDES[0], parse.one_of(SIDES))
    left, middle, right = st.columns([1.1, 2.6, 1], vertical_alignment="top")
    kind = left.segmented_control(
        texts.kind, list(texts.kinds), format_func=lambda option: texts.kinds[option],
        key="kind", required=True,
    )  # fmt: skip
    seed = seed_input(texts.seed, FIRST_SEED, where=right, help=texts.seed_help)
    with middle:
        (_sentence if kind == "sentence" else _picture)(texts, words)
    causal = causal_input(texts.causal, where=right, help=texts.causal_help)
    state = st.session_state
    if kind == "sentence":
        (tokens,) = text.read(state["text"], "word", SEQUENCE)
        return Inputs(tokens, seed, causal)
    columns = state["columns"]
    numbers = tuple(str(number + 1) for number in range(columns * columns))
    with Image.open(ASSETS / "samples" / f"{state['picture']}.webp") as sample:
        pixels = picture.square(sample.convert("RGB"), PIXELS)
    return Inputs(numbers, seed, causal, pixels, columns)


def order_input(inputs: Inputs, texts: Words, words: Words) -> tuple[tuple[int, ...], str]:
    """Draw the pieces, preset orders and the choice of a stage; return order and stage."""
    n = len(inputs.names)
    order = _order_of_link(n)
    pieces(
        [*map(isolated, inputs.labels(words))], order, texts.pieces, on_move=_move,
        pixels=inputs.pixels, columns=inputs.columns,
    )  # fmt: skip
    seed = link.remembered(Shuffles).count + 1
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for key, label, other in (
            ("reversed", texts.reversed, as_given(n)[::-1]),
            ("shuffled", texts.shuffled.format(seed=seed), shuffled(n, seed)),
            ("given", texts.given, as_given(n)),
        ):
            st.button(label, key=key, on_click=_apply_preset, args=(key, other))
        link.bind_param("compared", "output", parse.one_of(list(texts.stages)))
        st.segmented_control(
            texts.compared, list(texts.stages), format_func=lambda option: texts.stages[option],
            key="compared", required=True, label_visibility="collapsed",
        )  # fmt: skip
    return order, st.session_state["compared"]


def parsed(written: str) -> tuple[int, ...]:
    """Parse an order in a link, such as ``2,0,1``. Raises ValueError if it is no permutation."""
    if not _ORDER.fullmatch(written):
        raise ValueError(written)
    order = tuple(int(piece) for piece in written.split(","))
    check_order(order, len(order))
    return order


def _sentence(texts: Words, words: Words) -> None:
    st.text_input(texts.text, key="text", help=texts.text_help.format(tokens=SEQUENCE.tokens))
    cut_notes(st.session_state["text"], "word")
    with st.container(horizontal=True, gap="xsmall", key="samples_of_text"):
        for number, sample in enumerate(TEXTS):
            st.button(sample, key=f"text_{number}", on_click=link.set_value, args=("text", sample))


def _picture(texts: Words, words: Words) -> None:
    st.pills(
        texts.picture, SAMPLES, format_func=lambda option: words.image.sample_names[option],
        key="picture", required=True,
    )  # fmt: skip
    st.segmented_control(
        texts.columns, SIDES, format_func=lambda side: f"{side} × {side}",
        key="columns", required=True, label_visibility="collapsed",
    )  # fmt: skip


def _order_of_link(n: int) -> tuple[int, ...]:
    """The order in the link; the reversed one if its length is not n."""
    order: tuple[int, ...] = link.bind_param("order", (), parsed)
    if len(order) == n:
        return order
    if order and link.session().adopted is not None:
        link.session().nonsense["order"] = ",".join(map(str, order))
    st.session_state["order"] = ()
    return as_given(n)[::-1]


def _move(order: tuple[int, ...]) -> None:
    link.set_value("order", order)


def _apply_preset(name: str, order: tuple[int, ...]) -> None:
    link.remembered(Shuffles).count += name == "shuffled"
    _move(order)
