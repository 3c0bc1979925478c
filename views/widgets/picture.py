"""The photo cut into its patch grid, and the same photo lit by the weights of its patches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from views import numbers
from views.figures.photo import float32_text, photo_checksum, photo_url
from views.figures.scale import Scale
from views.widgets.component import component


@dataclass(frozen=True, eq=False)
class Looking:
    """Who looks at the patches in a lit photo, of which the label over it tells.

    head: from 0, what ``{head}`` in the label counts. names: what ``{query}`` is called, ``cls`` or
    ``patch`` with a ``{number}``. rows: what every token gives to every one, (head, query, key),
    one head in place of all where the look is not by one; without them the browser knows the rows
    of the microscope alone. from_cls: the words on the way back to [CLS], where there is one.
    """

    head: int
    names: Mapping[str, str]
    rows: np.ndarray | None = None
    from_cls: str = ""


def picture(
    pixels: np.ndarray,
    grid: tuple[int, int],
    *,
    large: np.ndarray | None = None,
    key: str,
    label: str,
    chosen: int | None = None,
    weights: np.ndarray | None = None,
    scale: Scale | None = None,
    live: bool = True,
    caption: str = "",
    look: Looking | None = None,
    near: bool = False,
    asks: bool = False,
    on_choose: Callable[[int], None] | None = None,
) -> None:
    """Draw a photo in patches; with weights, each patch is as bright as its weight is large.

    pixels: (height, width, 3) uint8. grid: (rows, columns). large: the same photo with more pixels,
    to be drawn in its place. weights: one for each patch, row by row: from a trace of the photo at
    0 to all of its light at the largest of the row, in proportion to the weight. scale: that of all
    heads, to be used instead; its light may go by the root.
    live: light it by whatever row the microscope is pointed at, in the chosen head, once that row
    is in the browser; else by ``weights`` alone.
    look: who looks; then the label stands over the photo, and it follows the microscope.
    chosen: the outlined patch, from 0. near: it is the one that is shown from near, and not the
    one that looks. on_choose: called with a patch that is clicked or tapped, or reached with the
    arrow keys and chosen with Enter, where the microscope does not show the patches of this very
    photo; else it goes there by itself, but where the server ``asks`` for it.
    """

    def choose() -> None:
        patch = st.session_state[key].choose
        if on_choose and patch is not None:  # None where the tab went to another page meanwhile
            on_choose(patch)

    data: dict[str, Any] = {
        "photo": photo_url(pixels if large is None else large),
        "checksum": photo_checksum(pixels),
        "size": [pixels.shape[1], pixels.shape[0]],
        "lends": large is None,
        "grid": grid,
        "label": label,
        "caption": caption,
        "chosen": chosen,
        "weights": None if weights is None else float32_text(weights),
        "largest": scale.high if scale else None,
        "root": scale is not None and scale.root,
        "printed": numbers.bare(scale.high) if scale else "",
        "live": live,
        "choosable": on_choose is not None,
        "near": near,
        "asks": asks,
        "from_cls": "",
    }
    if look:
        data |= _looking(look)
    component("picture")(key=key, data=data, on_choose_change=choose)


def _looking(look: Looking) -> dict[str, Any]:
    rows = look.rows
    return {
        "titled": True,
        "head": look.head,
        "names": look.names,
        "rows": None if rows is None else float32_text(rows),
        "tokens": None if rows is None else rows.shape[-1],
        "from_cls": look.from_cls,
    }
