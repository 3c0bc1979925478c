"""The controls of the page Order: the sequence and its order."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from PIL import Image

from core import Trace, Weights, multi_head_attention
from core.experiments.order import as_given, reordered, shuffled
from core.experiments.order import check as check_order
from core.limits import SEQUENCE
from core.options import AttentionOptions
from core.sources import image, picture, text
from views import link, parse
from views.export.bundle import ASSETS
from views.figures.photo import photo_url
from views.text import Words
from views.text.spans import isolated
from views.widgets.choice import option_input
from views.widgets.component import component
from views.widgets.image_input import SAMPLES
from views.widgets.mask_input import causal_input
from views.widgets.sentence_input import FIRST_TEXT
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input

D_MODEL, FIRST_SEED = 4, 7
PIXELS = 192  # of a picture's side, which 3 and 4 patches cut into whole ones


@dataclass(frozen=True, eq=False)
class Inputs:
    """The words of a sentence, or the patches of a picture.

    names: in the original order. pixels: (side, side, 3) uint8, ``columns`` patches per row.
    """

    names: tuple[str, ...]
    seed: int
    causal: bool
    pixels: np.ndarray | None = None
    columns: int = 0

    def trace(self, order: Sequence[int], position: bool) -> Trace:
        """The trace for this order. position: whether positions are added."""
        if self.pixels is None:
            names = [self.names[piece] for piece in order]
            source = text.embed([names], D_MODEL, self.seed, position=position)
        else:
            patch = PIXELS // self.columns
            # In float64, so that only the last digits differ.
            values = picture.values(self.pixels[None]).astype(np.float64)
            reordered_patches = reordered(image.patchify(values, patch), order, axes=(1,))
            source = image.embed(
                image.unpatchify(reordered_patches, self.columns), patch, D_MODEL, self.seed,
                cls=False, position=position,
            )  # fmt: skip
        weights = Weights.seeded(D_MODEL, 1, self.seed)
        return multi_head_attention(source, weights, AttentionOptions(causal=self.causal))

    def as_given(self) -> Trace:
        """The trace for the original order."""
        return self.trace(as_given(len(self.names)), position=True)

    def labels(self, words: Words) -> tuple[str, ...]:
        """The names of the pieces on screen."""
        if self.pixels is None:
            return self.names
        return tuple(words.image.patch_label.format(number=name) for name in self.names)


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
    link.bind_param("text", link.first_text(FIRST_TEXT))
    link.bind_param("picture", FIRST_PICTURE, parse.one_of(SAMPLES))
    link.bind_param("columns", SIDES[0], parse.one_of(SIDES))
    left, middle, right = st.columns([1.1, 2.6, 1], vertical_alignment="top")
    kind = option_input(texts.kind, "kind", texts.kinds, texts.kinds.__getitem__, where=left)
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
    link.offer("order", [as_given(n), as_given(n)[::-1], shuffled(n, seed)])
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for key, label, other in (
            ("reversed", texts.reversed, as_given(n)[::-1]),
            ("shuffled", texts.shuffled.format(seed=seed), shuffled(n, seed)),
            ("given", texts.given, as_given(n)),
        ):
            st.button(label, key=key, on_click=_apply_preset, args=(key, other))
        stage: str = option_input(
            texts.compared, "compared", texts.stages, texts.stages.__getitem__,
            label_visibility="collapsed",
        )  # fmt: skip
    return order, stage


def parsed(written: str) -> tuple[int, ...]:
    """Parse an order in a link, such as ``2,0,1``. Raises ValueError if it is no permutation."""
    if not _ORDER.fullmatch(written):
        raise ValueError(written)
    order = tuple(int(piece) for piece in written.split(","))
    check_order(order, len(order))
    return order


def _sentence(texts: Words, words: Words) -> None:
    st.text_input(texts.text, key="text", help=texts.text_help.format(tokens=SEQUENCE.tokens))
    tokenization_notes(st.session_state["text"], "word")
    with st.container(horizontal=True, gap="xsmall", key="samples_of_text"):
        for number, sample in enumerate(TEXTS):
            st.button(sample, key=f"text_{number}", on_click=link.set_value, args=("text", sample))


def _picture(texts: Words, words: Words) -> None:
    option_input(
        texts.picture, "picture", SAMPLES, words.image.sample_names.__getitem__,
        first=FIRST_PICTURE, pills=True,
    )  # fmt: skip
    option_input(
        texts.columns, "columns", SIDES, lambda side: f"{side} × {side}",
        label_visibility="collapsed",
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


@dataclass
class Moves:
    """received: the last move in the browser that the server knows of."""

    received: int = 0


def pieces(
    names: Sequence[str],
    order: Sequence[int],
    texts: Words,
    on_move: Callable[[tuple[int, ...]], None],
    *,
    pixels: np.ndarray | None = None,
    columns: int = 0,
) -> None:
    """Draw the sequence in its original order, and in its current one, whose pieces are movable.

    names: of the pieces in the original order. texts: with ``given``, ``order`` and
    ``piece``, the last with ``{name}``, ``{number}`` and ``{n}``. pixels: (side, side, 3) uint8,
    the photo whose patches the pieces are, ``columns`` of them beside one another.
    on_move: called with the reader's order before the run that follows.
    """
    moves = link.remembered(Moves)

    def on_moved() -> None:
        message = st.session_state["pieces"].moved
        if not message:
            return
        moves.received = int(message["sent"])
        order = tuple(int(piece) for piece in message["order"])
        if sorted(order) == list(as_given(len(names))):
            on_move(order)

    data: dict[str, Any] = {
        "names": list(names),
        "order": list(order),
        "photo": None if pixels is None else photo_url(pixels),
        "columns": columns,
        "words": texts.as_dict(),
        "received": moves.received,
    }
    component("order")(key="pieces", data=data, on_moved_change=on_moved)
