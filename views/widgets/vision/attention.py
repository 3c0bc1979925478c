"""The attention of one token to the patches of a picture, and which head or mean it comes from.

Attention rollout: "Quantifying Attention Flow in Transformers", Abnar & Zuidema, 2020, section 3.
"""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core import Trace
from core.experiments.rollout import rollout
from core.models.vision import Vision
from core.nested import parts, subtrace
from views import link, parse
from views.figures.photo import Photos
from views.figures.scale import FAINT, Scale, round_up, scale_of
from views.preferences import in_language
from views.scene.naming import prefix_names
from views.selection import Selection, choose_patch
from views.text import VISION, Words
from views.widgets.picture import token_names

HEAD, MEAN, ROLLOUT = "head", "mean", "rollout"
LIGHTS = (HEAD, MEAN, ROLLOUT)


@dataclass(frozen=True)
class AttentionSource:
    """by: ``head``, ``mean`` of the layer's heads, or ``rollout`` through all layers.

    layer, head: from 1; ``mean`` ignores the head, ``rollout`` ignores both.
    """

    by: str
    layer: int = 1
    head: int = 1

    @property
    def name(self) -> str:
        """A unique name, such as ``2.1``, ``2.mean`` or ``rollout``."""
        return {HEAD: f"{self.layer}.{self.head}", MEAN: f"{self.layer}.mean"}.get(self.by, self.by)


def heads_of_layer(heads: int, layer: int) -> list[AttentionSource]:
    """Every head of a layer (from 1)."""
    return [AttentionSource(HEAD, layer, head + 1) for head in range(heads)]


def attention_path(layer: int) -> str:
    """The path of a layer's self-attention; the layer from 1."""
    return f"encoder/{layer}/self"


def best_head(model: Vision) -> AttentionSource:
    """The head that was best at localising the object in held-out pictures."""
    best = model.stored.training["looks"]["best_head"]
    return AttentionSource(HEAD, best["layer"], best["head"])


def bind_attention_source(model: Vision) -> None:
    """Bind the layer and the kind of overlay to the link."""
    link.bind_param("layer", best_head(model).layer, parse.number(1, model.layers))
    link.bind_param("light", HEAD, parse.one_of(LIGHTS))


def on_common_scale() -> bool:
    """Whether all heads share one brightness scale; bound to the link."""
    common: bool = link.bind_param("common_scale", False, parse.flag)
    return common


def common_scale_toggle() -> None:
    """Draw the switch to a common brightness scale."""
    texts = in_language(VISION)
    on_common_scale()
    st.toggle(texts.common_scale, key="common_scale", help=texts.common_scale_help)


def attention_source(path: str, selection: Selection) -> AttentionSource:
    """The overlay for an open part: its layer if it is an attention, and the selected head.

    Another part keeps the last layer.
    """
    if path.endswith("/self"):
        st.session_state["layer"] = int(path.split("/")[1])
    by, layer = st.session_state["light"], st.session_state["layer"]
    return AttentionSource(by, layer, selection.at["head"] + 1)


def choose_attention_source(look: AttentionSource) -> None:
    """Callback: choose an overlay, and open the attention that it comes from."""
    link.set_value("light", look.by)
    if look.by == HEAD:
        open_head(look)
    elif look.by == MEAN:
        st.session_state["part"] = attention_path(look.layer)


def open_head(look: AttentionSource) -> None:
    """Callback: choose a head, and open its attention."""
    link.set_value("head", look.head)
    st.session_state["part"] = attention_path(look.layer)


def attend_from_patch(patch: int) -> None:
    """Callback: select a patch, from 0, as the query.

    The prediction reads only [CLS]; from there an attention is opened.
    """
    choose_patch(patch)
    if st.session_state["part"] == "prediction":
        st.session_state["part"] = attention_path(st.session_state["layer"])


@dataclass(frozen=True, eq=False)
class Bright:
    """The patches with a weight above 1 / tokens, for each row.

    count: of patches, (head, query). share: the sum of their weights, (head, query). tokens: n.
    """

    count: np.ndarray
    share: np.ndarray
    tokens: int


@dataclass(frozen=True, eq=False)
class PictureAttention:
    """The attention of one query to a picture.

    trace: of a whole model, or of one of its layers. photos: its input. sample, query: from 0.
    look: the source of the attention. follows: whether the browser changes head and query without a
    run, so that all rows are sent. rolled: rollout, (query, key), if the trace has not all layers.
    """

    trace: Trace
    photos: Photos
    sample: int
    query: int
    look: AttentionSource
    follows: bool = False
    rolled: np.ndarray | None = None

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        return self.photos.grid

    @property
    def pixels(self) -> np.ndarray:
        """The picture: (height, width, 3) uint8."""
        pixels: np.ndarray = self.photos.pixels[self.sample]
        return pixels

    @property
    def large(self) -> np.ndarray:
        """The picture at its largest size: (height, width, 3) uint8."""
        return self.photos.large(self.sample)

    @property
    def specials(self) -> tuple[str, ...]:
        """The names of the tokens in front of the patches: [CLS], and others such as registers."""
        return prefix_names(self.trace)

    @property
    def patch(self) -> int:
        """The patch of the query, from 0; of a token in front of the patches −1 and below."""
        return self.query - len(self.specials)

    @property
    def heads(self) -> np.ndarray:
        """The weights (head, query, key), whose rows sum to 1; one head for mean and rollout."""
        if self.look.by == ROLLOUT:
            if self.rolled is not None:
                return self.rolled[None]
            layers = (path for path in parts(self.trace) if path.endswith("/self"))
            return rollout(self.trace[f"{path}/weights"].tensor for path in layers)[self.sample][
                None
            ]
        weights = self.trace[f"{attention_path(self.look.layer)}/weights"]
        by_head: np.ndarray = weights.tensor[self.sample]
        return by_head.mean(axis=0, keepdims=True) if self.look.by == MEAN else by_head

    @property
    def rows(self) -> np.ndarray:
        """The weights of this source: (query, key)."""
        weights: np.ndarray = self.heads[self.look.head - 1 if self.look.by == HEAD else 0]
        return weights

    @property
    def begins(self) -> tuple[int, int]:
        """The head and the query, from 0, of the first row of ``sent``."""
        if self.follows:
            return 0, 0
        return self.look.head - 1, self.query

    @property
    def sent(self) -> np.ndarray:
        """The rows that are sent, (head, query, key): all of them, or the current one."""
        return self.heads if self.follows else self.rows[None, [self.query]]

    @property
    def patches(self) -> np.ndarray:
        """The weight of each patch in the query's row: (patch,)."""
        weights: np.ndarray = self.rows[self.query, len(self.specials) :]
        return weights

    @property
    def bright(self) -> Bright:
        """The patches with weights above average, in each row that is sent."""
        rows = self.sent
        patches = rows[..., len(self.specials) :]
        above = patches > 1 / rows.shape[-1]
        share = patches.sum(axis=-1, dtype=float, where=above)
        return Bright(above.sum(axis=-1), share, rows.shape[-1])

    @property
    def scale(self) -> Scale:
        """The colour scale of the layer, as in the stage viewer; rollout has its own.

        For rollout the diagonal does not count: it is at least 2⁻ᴸ for L layers.
        """
        if self.look.by != ROLLOUT:
            return scale_of(subtrace(self.trace, attention_path(self.look.layer)), "weights")
        rows = self.rows
        high = round_up(float((rows - np.diag(rows.diagonal())).max()))
        return Scale("share", 0, high, root=high * len(rows) >= FAINT)

    def by(self, look: AttentionSource) -> "PictureAttention":
        """The same query with another source of attention."""
        return replace(self, look=look)

    def name(self, words: Words) -> str:
        """The name of the query token."""
        if self.patch < 0:
            return self.specials[self.patch]
        return words.image.patch_label.format(number=self.patch + 1)

    def names(self, words: Words) -> dict[str, object]:
        """The names of tokens for the browser."""
        return token_names(self.specials, words.image.patch_label)

    def followed(self, words: Words) -> dict[str, object]:
        """The data with which the browser follows the microscope among the rows that are sent."""
        return {
            "begins": self.begins,
            "shape": self.sent.shape[:2],
            "by_head": self.look.by == HEAD,
            "names": self.names(words),
        }
