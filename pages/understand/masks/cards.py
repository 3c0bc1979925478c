"""The figures of the page of masks: mask ∧ mask = allowed, and what follows for the weights."""

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import masks
from pages.understand.masks import controls
from pages.understand.masks.controls import SIDE, Inputs
from pages.understand.masks.drawn import toggled
from pages.understand.masks.seen import Seen
from pages.understand.masks.words import MasksWords
from views import link, numbers, parse
from views.figures.scale import Scale, round_up
from views.widgets.grids import Grid, grids
from views.widgets.picture import picture
from views.widgets.prose import heading

YES_OR_NO = Scale("flag", 0, 1)


def composition(inputs: Inputs, trace: Trace, texts: MasksWords) -> None:
    """Each mask that is on, and what all of them leave."""
    seen = Seen.of(trace)
    heading(texts.composed)
    if inputs.kind == "sentence":
        _composed(inputs, seen, texts)
        return
    left, right = st.columns([3.7, 1])
    with left:
        _composed(inputs, seen, texts)
    with right:
        share = Scale("share", 0, 1)
        _lit(inputs, seen.allowed, share, "may", texts.may_caption.format(patch=inputs.patch))


def _composed(inputs: Inputs, seen: Seen, texts: MasksWords) -> None:
    n = len(seen.names)
    parts = controls.parts(inputs, n)
    drawn = [
        _mask(
            texts.mask_names[name], mask, seen,
            note=texts.about[name].format(near=inputs.near, reach=inputs.reach),
            sign="∧" if i + 1 < len(parts) else "=", fixed=name != "drawn",
        )
        for i, (name, mask) in enumerate(parts.items())
    ]  # fmt: skip
    left = texts.allowed_note.format(count=int(seen.allowed.sum()), all=n * n)
    drawn.append(_mask(texts.allowed.format(n=n), seen.allowed, seen, note=left, fixed=True))

    def clicked(_: int, row: int, column: int) -> None:
        link.set_value("drawn", toggled(inputs.struck, row, column))

    grids(drawn, key="composition", on_click=clicked if "drawn" in parts else None)
    with st.container(horizontal=True, key="samples"):
        st.button(texts.strike_row, key="strike_row", on_click=_strike, args=(inputs, n))
        if "drawn" in parts and inputs.struck:
            st.button(texts.clear, key="clear", on_click=link.set_value, args=("drawn", ()))


def _strike(inputs: Inputs, n: int) -> None:
    """Draw a mask that leaves one query nothing: the chosen patch, or the second token."""
    name = "on" if inputs.kind == "sentence" else "on_picture"
    link.set_value(name, [*(one for one in inputs.on if one != "drawn"), "drawn"])
    row = min(1, n - 1) if inputs.kind == "sentence" else inputs.patch - 1
    kept = [*inputs.struck, *[0] * (row + 1 - len(inputs.struck))]
    kept[row] = (1 << n) - 1
    link.set_value("drawn", tuple(kept))


def _mask(
    title: str, mask: np.ndarray, seen: Seen, *, note: str, fixed: bool, sign: str = ""
) -> Grid:
    return Grid(
        title, mask.astype(int), YES_OR_NO, seen.names, seen.names,
        struck=~mask, note=note, sign=sign, digits=0, small=True, fixed=fixed,
    )  # fmt: skip


def _lit(inputs: Inputs, shares: np.ndarray, scale: Scale, key: str, caption: str) -> None:
    """The photo lit patch by patch; a click on a patch chooses it."""
    picture(
        controls.photo(), (SIDE, SIDE), key=key, label=caption, caption=caption,
        chosen=inputs.patch - 1, weights=shares[inputs.patch - 1].astype(np.float32), scale=scale,
        live=False, on_choose=lambda place: link.set_value("patch", place + 1),
    )  # fmt: skip


def chosen_way(texts: MasksWords) -> str:
    """The control of what keeps a forbidden cell out."""
    link.bind_param("way", masks.WAYS[0], parse.one_of(masks.WAYS))
    way = st.segmented_control(
        texts.way, list(texts.ways), format_func=lambda one: texts.ways[one], key="way",
        required=True,
    )  # fmt: skip
    return str(way)


def chain(inputs: Inputs, trace: Trace, texts: MasksWords, way: str) -> None:
    """Scaled → masked → weights, or softmax first where the mask comes after it."""
    seen = Seen.of(trace)
    if inputs.kind == "sentence":
        _chain(seen, texts, way)
        return
    left, right = st.columns([3.7, 1])
    with left:
        _chain(seen, texts, way)
    with right:
        weights = masks.weights_by(way, seen.scaled, seen.allowed)
        scale = Scale("share", 0, round_up(float(weights.max())))
        _lit(inputs, weights, scale, "relit", texts.relit_caption.format(patch=inputs.patch))


def _chain(seen: Seen, texts: MasksWords, way: str) -> None:
    weights = masks.weights_by(way, seen.scaled, seen.allowed)
    plainly = ops.softmax(seen.scaled)
    shares = Scale("share", 0, round_up(float(max(weights.max(), plainly.max()))))
    if way in masks.BEFORE:
        filled = masks.filled(seen.scaled, seen.allowed, masks.BEFORE[way])
        middle = _step("masked", filled, seen.signed, seen, sign="→")
    else:
        middle = _step(texts.softmax, plainly, shares, seen, sign="→", texts=texts)
    last = "weights" if way != "after" else texts.struck_after
    grids(
        [
            _step("scaled", seen.scaled, seen.signed, seen, sign="→", struck=False),
            middle,
            _step(last, weights, shares, seen, texts=texts),
        ],
        key="chain",
    )


def _step(
    title: str,
    values: np.ndarray,
    scale: Scale,
    seen: Seen,
    *,
    sign: str = "",
    struck: bool = True,
    texts: MasksWords | None = None,
) -> Grid:
    sums = [texts.sum.format(sum=numbers.short(row.sum())) for row in values] if texts else ()
    return Grid(
        title, values, scale, seen.names, seen.names,
        struck=~seen.allowed if struck else None, after=sums, sign=sign, small=True,
    )  # fmt: skip
