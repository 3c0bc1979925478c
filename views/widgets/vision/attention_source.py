"""The source of an attention overlay: one head, the mean of a layer's heads, or rollout.

Attention rollout: "Quantifying Attention Flow in Transformers", Abnar & Zuidema, 2020, section 3.
"""

from dataclasses import dataclass

import streamlit as st

from core.models.vision import Vision
from views import link, parse
from views.preferences import in_language
from views.selection import Selection, choose_patch
from views.text import VISION

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


def attention(layer: int) -> str:
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
        st.session_state["part"] = attention(look.layer)


def open_head(look: AttentionSource) -> None:
    """Callback: choose a head, and open its attention."""
    link.set_value("head", look.head)
    st.session_state["part"] = attention(look.layer)


def attend_from_patch(patch: int) -> None:
    """Callback: select a patch, from 0, as the query.

    The prediction reads only [CLS]; from there an attention is opened.
    """
    choose_patch(patch)
    if st.session_state["part"] == "prediction":
        st.session_state["part"] = attention(st.session_state["layer"])
