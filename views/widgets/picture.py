"""A photo with its patch grid, optionally overlaid with one attention weight per patch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from views.figures.palette import BLACK, PALETTES
from views.figures.photo import float32_text, photo_checksum, photo_url
from views.figures.scale import Scale
from views.text import numbers
from views.widgets.component import component

# The colours of an overlay in both themes: the scale of weights on which more is brighter.
LIGHT = (BLACK, *PALETTES["dark"].share[1:])


@dataclass(frozen=True, eq=False)
class AttendingToken:
    """The query token of an attention overlay, for the label above it.

    head: from 0; the label's ``{head}``. names: of ``{query}``, as ``token_names`` gives them.
    rows: the weights (head, query, key), with one head if they are not those of a head; without
    them the browser has only the rows of the microscope. from_cls: the label of a button that
    selects [CLS]; "" for no button.
    """

    head: int
    names: Mapping[str, object]
    rows: np.ndarray | None = None
    from_cls: str = ""


def token_names(specials: Sequence[str], patch: str) -> dict[str, object]:
    """The names of tokens for the browser.

    specials: of those in front of the patches. patch: with ``{number}``.
    """
    return {"specials": specials, "patch": patch}


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
    look: AttendingToken | None = None,
    specials: Sequence[str] = (),
    near: bool = False,
    asks: bool = False,
    opens: bool = False,
    on_choose: Callable[[int], None] | None = None,
) -> None:
    """Draw a photo with its patch grid; with weights, a patch's brightness shows its weight.

    pixels: (height, width, 3) uint8. grid: (rows, columns). large: the same photo with more pixels,
    drawn instead. label: the text above, or for screen readers. weights: (patch,), row by row; a
    patch's mean luminance follows from its weight alone, and is full at the largest. scale: a
    colour scale for all heads, used for the brightness instead.
    live: whether the overlay follows the row and head that the microscope points at, if the browser
    has them. look: the query token; then the label is drawn above the photo, and follows it.
    chosen: the outlined patch, from 0; a token in front of the patches is negative, the last of
    them −1. specials: the names of those tokens. near: whether that is the patch of the close-up,
    and not the query. on_choose: callback with a patch that is clicked, tapped or chosen by
    keyboard. If the microscope shows the patches of this photo, the browser selects the patch there
    without calling it, unless ``asks`` is set. opens: whether the patch opens something in the
    microscope below; it needs ``asks``.
    """

    def choose() -> None:
        patch = st.session_state[key].choose
        if on_choose and patch is not None:  # None if the tab has left the page meanwhile
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
        "stops": LIGHT,
        "printed": numbers.bare(scale.high) if scale else "",
        "live": live,
        "choosable": on_choose is not None,
        "near": near,
        "asks": asks,
        "opens": opens,
        "from_cls": "",
        "specials": specials,
    }
    if look:
        data |= _attending(look)
    component("picture")(key=key, data=data, on_choose_change=choose)


def _attending(look: AttendingToken) -> dict[str, Any]:
    rows = look.rows
    return {
        "titled": True,
        "head": look.head,
        "names": look.names,
        "rows": None if rows is None else float32_text(rows),
        "tokens": None if rows is None else rows.shape[-1],
        "from_cls": look.from_cls,
    }
