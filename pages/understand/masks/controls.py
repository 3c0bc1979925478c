"""The controls of the page on masks: a padded sentence or a photo, and the masks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from PIL import Image

from core import Trace, Weights, masks, multi_head_attention
from core.limits import MASKED
from core.options import AttentionOptions
from core.sources import image, picture, text
from views import link, parse
from views.export.bundle import ASSETS
from views.figures.scale import Scale, largest
from views.preferences import words
from views.text import Words
from views.widgets.choice import option_input
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input, whole_number

KINDS = ("sentence", "picture")
CAUSAL, *OTHERS = masks.MASKS
OF_SENTENCE = (CAUSAL, "padding", *OTHERS, "drawn")
OF_PICTURE = (*masks.MASKS, "neighbourhood", "drawn")
FIRST_TEXT, FIRST_LENGTH, SEED = "我爱北京", 5, 7
D_MODEL = 8
SIDE, PIXELS = 3, 192  # patches along a side of the photo, and pixels
WIDEST = 9


@dataclass(frozen=True)
class Inputs:
    """The chosen example and its masks.

    kind: ``sentence`` or ``picture``. length: the number of tokens including padding.
    on: the active masks. near: of the window. reach: of the neighbourhood.
    masked_rows: the cells of the drawn mask, an integer for each row, bit j for key j.
    patch: the selected patch of the photo, from 1.
    """

    kind: str = "sentence"
    written: str = FIRST_TEXT
    length: int = FIRST_LENGTH
    seed: int = SEED
    on: tuple[str, ...] = ("causal", "padding")
    near: int = 1
    reach: int = 1
    masked_rows: tuple[int, ...] = ()
    patch: int = 1


def masks_input(texts: Words) -> Inputs:
    """Draw the controls and return their values."""
    left, middle, right = st.columns([1.1, 2, 2], vertical_alignment="bottom")
    kind: str = option_input(texts.input, "input", KINDS, texts.inputs.__getitem__, where=left)
    link.bind_param("text", link.first_text(FIRST_TEXT))
    link.bind_param("length", FIRST_LENGTH, parse.number(1, MASKED.tokens))
    with middle:
        if kind == "sentence":
            st.text_input(texts.text, key="text")
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        if kind == "sentence":
            whole_number(texts.length, 1, MASKED.tokens, key="length")
        seed_input(texts.seed, SEED)
    if kind == "sentence":
        tokenization_notes(st.session_state["text"], "word")
    return _masks(texts, kind)


def _masks(texts: Words, kind: str) -> Inputs:
    """Draw the choice of masks and their sizes."""
    first = Inputs()
    for name, options, on in (
        ("on", OF_SENTENCE, list(first.on)),
        ("on_picture", OF_PICTURE, ["neighbourhood"]),
    ):
        link.bind_param(name, on, parse.some_of(options))
    link.bind_param("near", first.near, parse.number(0, WIDEST))
    link.bind_param("reach", first.reach, parse.number(0, SIDE - 1))
    link.bind_param("drawn", first.masked_rows, rows_of_cells, written_rows)
    link.bind_param("patch", first.patch, parse.number(1, SIDE * SIDE))
    name, options = ("on", OF_SENTENCE) if kind == "sentence" else ("on_picture", OF_PICTURE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.pills(
            texts.masks, options, selection_mode="multi", key=name,
            format_func=partial(mask_name, texts=texts), label_visibility="collapsed",
        )  # fmt: skip
        if {*masks.WINDOWED} & {*chosen}:
            st.slider(texts.near, 0, WIDEST, key="near", width=180)
        if "neighbourhood" in chosen:
            st.slider(texts.reach, 0, SIDE - 1, key="reach", width=180)
    state = st.session_state
    return Inputs(
        kind, state["text"], state["length"], state["seed"],
        tuple(option for option in options if option in chosen),
        state["near"], state["reach"], state["drawn"], state["patch"],
    )  # fmt: skip


def mask_name(name: str, texts: Words) -> str:
    """A mask's name, as on all pages."""
    return {**words().mask.options, **texts.mask_names}[name]


def masked_trace(inputs: Inputs) -> Trace:
    """The trace of one head with all chosen masks. Raises core.errors.InputError."""
    source = _source(inputs)
    n = source["X"].size("token")
    allowed = masks.composed(n, n, parts(inputs, n).values())
    weights = Weights.seeded(D_MODEL, 1, inputs.seed)
    return multi_head_attention(source, weights, AttentionOptions(allowed=allowed))


def parts(inputs: Inputs, n: int) -> dict[str, np.ndarray]:
    """The active masks by name, each (query, key) bool, True where attention is allowed."""
    make: dict[str, Callable[[], np.ndarray]] = {
        **{name: partial(mask, n, inputs.near) for name, mask in masks.MASKS.items()},
        "padding": lambda: np.repeat(masks.key_mask([len(_tokens(inputs))], n), n, axis=0),
        "neighbourhood": lambda: masks.neighbourhood(SIDE, SIDE, inputs.reach),
        "drawn": lambda: masks.without(n, n, cells(inputs.masked_rows)),
    }
    return {name: make[name]() for name in inputs.on}


def _source(inputs: Inputs) -> Trace:
    if inputs.kind == "sentence":
        tokens = _tokens(inputs)
        filled = (*tokens, *[text.PAD] * (inputs.length - len(tokens)))
        return text.embed([filled], D_MODEL, inputs.seed)
    values = picture.values(photo()[None]).astype(float)
    return image.embed(values, PIXELS // SIDE, D_MODEL, inputs.seed, cls=False)


def _tokens(inputs: Inputs) -> tuple[str, ...]:
    (line,) = text.read(inputs.written, "word", MASKED)
    return line


def photo() -> np.ndarray:
    """The photo of the page, (height, width, 3) uint8."""
    with Image.open(ASSETS / "samples" / "cat.webp") as opened:
        return picture.square(opened.convert("RGB"), PIXELS)


@dataclass(frozen=True, eq=False)
class MaskedScores:
    """scaled, allowed: (query, key). names: of the tokens. signed: the colour scale of scores."""

    scaled: np.ndarray
    allowed: np.ndarray
    names: tuple[str, ...]
    signed: Scale

    @classmethod
    def of(cls, trace: Trace) -> "MaskedScores":
        """The scaled scores of a trace's only head, and its mask."""
        limit = largest(trace, ("scaled",)) or 1.0
        return cls(
            trace["scaled"].tensor[0, 0],
            trace["masked"].tensor[0, 0] > -np.inf,
            trace["scaled"].axis("key").names() or (),
            Scale("signed", -limit, limit),
        )


# A drawn mask is an integer for each row, with bit j set if key j is masked.


def toggled(masked_rows: tuple[int, ...], row: int, column: int) -> tuple[int, ...]:
    """The mask with one cell flipped."""
    rows = [*masked_rows, *[0] * (row + 1 - len(masked_rows))]
    rows[row] ^= 1 << column
    while rows and not rows[-1]:
        rows.pop()
    return tuple(rows)


def rows_of_cells(written: str) -> tuple[int, ...]:
    """Parse a mask in a link: hexadecimal rows, ``0.3.1f``. Raises ValueError."""
    parts = written.split(".")
    if len(parts) > MASKED.tokens or not all(0 < len(part) <= 3 for part in parts):
        raise ValueError(written)
    if set(written) - set("0123456789abcdef."):
        raise ValueError(written)
    rows = tuple(int(part, 16) for part in parts)
    if max(rows) >= 1 << MASKED.tokens:
        raise ValueError(written)
    return rows


def written_rows(masked_rows: tuple[int, ...]) -> str:
    """The text of a mask; the inverse of ``rows_of_cells``."""
    return ".".join(f"{row:x}" for row in masked_rows)


def cells(rows: tuple[int, ...]) -> list[tuple[int, int]]:
    """The masked cells as (row, column)."""
    return [(i, j) for i, row in enumerate(rows) for j in range(MASKED.tokens) if row >> j & 1]
