"""The photo cut into patches, lit by what a patch looks at, and one patch on its way to numbers."""

import streamlit as st

from core import Trace
from views.figures.scale import scale_of
from views.selection import Selection, choose_patch, choose_token
from views.text import Words
from views.widgets.closeup import closeup
from views.widgets.image_input import Pictures
from views.widgets.picture import picture
from views.widgets.prose import heading, plain


def photos(trace: Trace, chosen: Pictures, selection: Selection, words: Words) -> None:
    """The three pictures of the Image page for the chosen sample, patch and head."""
    text, at = words.image, selection.at
    pixels, side, patch = chosen.pixels[at["batch"]], chosen.side, at["patch"]
    before = trace["X"].size("token") - side * side
    query = at.get("query", patch + before)
    query = min(query, trace["weights"].size("query") - 1)
    weights = trace["weights"].tensor[at["batch"], at["head"], query]
    from_name = trace["weights"].axis("query").label(query)
    original, relit, near = st.columns([1, 1, 1.25], gap="medium")
    with original:
        heading(text.photo.format(rows=side, columns=side, n=side * side))
        picture(
            pixels, (side, side), key="photo", label=text.original, chosen=patch,
            caption=text.photo_caption, on_choose=choose_patch,
        )  # fmt: skip
    with relit:
        name = from_name if from_name == "[CLS]" else text.patch_label.format(number=from_name)
        label = text.relit.format(row=name, head=at["head"] + 1)
        heading(label)
        picture(
            pixels, (side, side), key="relit", label=label,
            chosen=query - before if query >= before else None, weights=weights[before:],
            largest=scale_of(trace, "weights").high, numbers=False,
            caption=text.relit_caption, on_choose=choose_patch,
        )  # fmt: skip
        if before:
            st.button("[CLS]", key="from_cls", on_click=choose_token, args=(0,), disabled=not query)
    with near:
        heading(text.closeup.format(patch=patch + 1))
        st.caption(
            plain(
                text.closeup_caption.format(
                    pixels=trace["flattened"].size("pixel"), d_model=trace["X"].size("d_model")
                )
            )
        )
        row, column = divmod(patch, side)
        size = chosen.patch
        box = pixels[row * size : (row + 1) * size, column * size : (column + 1) * size]
        closeup(
            box,
            trace["flattened"].tensor[at["batch"], patch],
            trace["embedding"].tensor[at["batch"], patch],
            scale_flat=scale_of(trace, "flattened"),
            scale_embedding=scale_of(trace, "embedding"),
            labels=text.closeup_labels,
            key="closeup",
        )
    st.caption(plain(text.prepared.format(size=pixels.shape[0])))
