"""A component to reorder a sequence by dragging or by keyboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.order import as_given
from views import link
from views.figures.photo import photo_url
from views.text import Words
from views.widgets.component import component


@dataclass
class Moves:
    """seen: the last move in the browser that the server knows of."""

    seen: int = 0


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
    ``piece``, the last with ``{name}``, ``{place}`` and ``{n}``. pixels: (side, side, 3) uint8,
    the photo whose patches the pieces are, ``columns`` of them beside one another.
    on_move: called with the reader's order before the run that follows.
    """
    moves = link.remembered(Moves)

    def on_moved() -> None:
        message = st.session_state["pieces"].moved
        if not message:
            return
        moves.seen = int(message["sent"])
        order = tuple(int(piece) for piece in message["order"])
        if sorted(order) == list(as_given(len(names))):
            on_move(order)

    data: dict[str, Any] = {
        "names": list(names),
        "order": list(order),
        "photo": None if pixels is None else photo_url(pixels),
        "columns": columns,
        "said": texts.as_dict(),
        "seen": moves.seen,
    }
    component("order")(key="pieces", data=data, on_moved_change=on_moved)
