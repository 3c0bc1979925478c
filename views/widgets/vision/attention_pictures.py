"""The picture with its patches, its attention overlay, and thumbnails of all overlays."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from core.models.families.vit import CLS
from views.figures.photo import bytes_text, photo_url
from views.preferences import in_language
from views.text import VISION, Words
from views.widgets.component import component
from views.widgets.picture import LIGHT, AttendingToken, picture
from views.widgets.prose import heading
from views.widgets.vision.attention import (
    HEAD,
    MEAN,
    ROLLOUT,
    AttentionSource,
    PictureAttention,
    attend_from_patch,
    attention_path,
    common_scale_toggle,
    heads_of_layer,
    on_common_scale,
)

BRIGHTEST = 255  # of a byte


def original(attention: PictureAttention, words: Words) -> None:
    """Draw the input picture."""
    texts = in_language(VISION)
    heading(texts.photo)
    photo = photo_url(attention.large)  # encoded already; pixels would be, in every run
    st.image(photo, caption=texts.photo_hint, width="stretch", alt=words.image.original)


def patch_grid(attention: PictureAttention, words: Words) -> None:
    """Draw the resized picture with its patches; a click selects a query."""
    texts = in_language(VISION)
    heading(texts.sees.format(n=attention.patches.size, side=attention.pixels.shape[0]))
    picture(
        attention.pixels, attention.grid, key="whole", label=words.image.original,
        chosen=attention.patch, specials=attention.specials, caption=texts.sees_hint, asks=_asks(),
        on_choose=attend_from_patch,
    )  # fmt: skip


def large_photo(attention: PictureAttention, words: Words) -> None:
    """Draw the picture at its largest size with its patches; a click selects a query."""
    rows, columns = attention.grid
    heading(words.image.photo.format(rows=rows, columns=columns, n=rows * columns))
    picture(
        attention.pixels, attention.grid, large=attention.large, key="whole",
        label=words.image.original, chosen=attention.patch, specials=attention.specials,
        caption=in_language(VISION).sees_hint, on_choose=attend_from_patch,
    )  # fmt: skip


def attention_overlay(attention: PictureAttention, words: Words) -> None:
    """Draw the attention overlay of the query, a button for [CLS], and the choice of scale."""
    texts = in_language(VISION)
    look = AttendingToken(
        attention.look.head - 1,
        attention.names(words),
        rows=attention.heads if attention.follows else None,
        from_cls=texts.from_cls,
    )
    picture(
        attention.pixels, attention.grid, large=attention.large, key="lit",
        label=_overlay_label(attention.look),
        chosen=attention.patch, specials=attention.specials, weights=attention.patches,
        live=attention.look.by == HEAD,
        scale=attention.scale if on_common_scale() else None, look=look, asks=_asks(),
        caption=texts.what_cls if CLS in attention.specials else "", on_choose=attend_from_patch,
    )  # fmt: skip
    common_scale_toggle()


def _asks() -> bool:
    """Whether a chosen patch needs a run: the prediction, which reads only [CLS], is open."""
    return bool(st.session_state["part"] == "prediction")


def _overlay_label(look: AttentionSource) -> str:
    """The label of the overlay; the browser fills in the token and the head."""
    text = in_language(VISION).looks
    by = {HEAD: text.head, MEAN: text.mean, ROLLOUT: text.rollout}[look.by]
    return by.replace("{layer}", str(look.layer))


def attention_thumbnails(
    attention: PictureAttention,
    title: str,
    groups: Mapping[str, Sequence[AttentionSource]],
    choose: Callable[[AttentionSource], None],
    words: Words,
    most: int | None = None,
) -> None:
    """Draw thumbnails of all overlays; a click chooses one.

    title: with ``{query}``. groups: overlays by the name of their group. choose: callback. most:
    thumbnails per line. A head of the open layer is chosen without a run.
    """
    known = {look.name: look for looks in groups.values() for look in looks}
    row = None if attention.follows else attention.query

    def chosen() -> None:
        name = st.session_state["looks"].choose
        if name in known:
            choose(known[name])

    data = attention.followed(words) | {
        "photo": photo_url(attention.large),
        "size": [attention.pixels.shape[1], attention.pixels.shape[0]],
        "grid": attention.grid,
        "stops": LIGHT,
        "title": title,
        "chosen": attention.look.name,
        "by_name": _heads_of(attention),
        "open": st.session_state["part"] == attention_path(attention.look.layer),
        "columns": min(most or len(known), len(known)),
        "groups": attention.trace.derived(
            ("thumbnails", attention.sample, row, on_common_scale(), words.code, *known.values()),
            lambda: [
                {"called": called, "looks": [_small(attention.by(look)) for look in looks]}
                for called, looks in groups.items()
            ],
        ),
        "language": words.code,
    }
    component("looks")(key="looks", data=data, on_choose_change=chosen)


def _heads_of(attention: PictureAttention) -> list[str]:
    """The names of all heads of the current layer; none if the overlay is not of one head."""
    if attention.look.by != HEAD:
        return []
    return [look.name for look in heads_of_layer(len(attention.heads), attention.look.layer)]


def _small(attention: PictureAttention) -> dict[str, object]:
    text, look = in_language(VISION).looks, attention.look
    called = {HEAD: text.one_head, MEAN: text.the_mean, ROLLOUT: text.the_rollout}[look.by]
    rows = attention.rows if attention.follows else attention.rows[[attention.query]]
    return {
        "name": look.name,
        "called": called.format(head=look.head),
        "light": bytes_text(_lights(rows[:, len(attention.specials) :], attention)),
    }


def _lights(weights: np.ndarray, attention: PictureAttention) -> np.ndarray:
    """The brightness of each weight, 0 … 255."""
    if not on_common_scale():
        return np.rint(BRIGHTEST * weights / weights.max(axis=-1, keepdims=True))
    scale = attention.scale
    share = np.minimum(1, weights / scale.high)
    return np.rint(BRIGHTEST * (np.sqrt(share) if scale.root else share))
