"""Which attention lights the picture: of a head, of a layer's heads together, of all layers."""

from dataclasses import dataclass

import streamlit as st

from core.models.vision import Vision
from views import link, parse
from views.reader import in_language
from views.selection import Selection, choose_patch
from views.text.vision import WORDS

HEAD, MEAN, ROLLOUT = "head", "mean", "rollout"
LIGHTS = (HEAD, MEAN, ROLLOUT)


@dataclass(frozen=True)
class Look:
    """One way to look. by: ``head``, ``mean`` of the layer's heads, or ``rollout`` through all
    layers. layer, head: from 1; they count where they are meant.
    """

    by: str
    layer: int = 1
    head: int = 1

    @property
    def name(self) -> str:
        """What tells this way from every other one."""
        return {HEAD: f"{self.layer}.{self.head}", MEAN: f"{self.layer}.mean"}.get(self.by, self.by)


def looks_of_layer(heads: int, layer: int) -> list[Look]:
    """By every head of a layer alone."""
    return [Look(HEAD, layer, head + 1) for head in range(heads)]


def attention(layer: int) -> str:
    """The path of a layer's attention."""
    return f"encoder/{layer}/self"


def best_look(model: Vision) -> Look:
    """The head that was best at finding the thing in pictures that it did not learn from."""
    best = model.stored.training["looks"]["best_head"]
    return Look(HEAD, best["layer"], best["head"])


def keep_look(model: Vision) -> None:
    """Keep in the link by which layer the picture is lit, and whether by one head alone."""
    link.bind_param("layer", best_look(model).layer, parse.number(1, model.layers))
    link.bind_param("light", HEAD, parse.one_of(LIGHTS))


def on_common_scale() -> bool:
    """Whether all heads are lit on one scale, and not each row on its own; kept in the link."""
    common: bool = link.bind_param("common_scale", False, parse.flag, parse.written_flag)
    return common


def common_scale_toggle() -> None:
    """The one press that compares heads."""
    texts = in_language(WORDS)
    on_common_scale()
    st.toggle(texts.common_scale, key="common_scale", help=texts.common_scale_help)


def look_at(path: str, selection: Selection) -> Look:
    """The way to look while a part is open: in the layer of an attention, and by the chosen head.

    Another part leaves the layer that was looked at last.
    """
    if path.endswith("/self"):
        st.session_state["layer"] = int(path.split("/")[1])
    by, layer = st.session_state["light"], st.session_state["layer"]
    return Look(by, layer, selection.at["head"] + 1)


def choose_look(look: Look) -> None:
    """Callback: look in another way, and open the attention that it is made of."""
    link.set_value("light", look.by)
    if look.by == HEAD:
        open_head(look)
    elif look.by == MEAN:
        st.session_state["part"] = attention(look.layer)


def open_head(look: Look) -> None:
    """Callback: look by another head, and open its attention."""
    link.set_value("head", look.head)
    st.session_state["part"] = attention(look.layer)


def look_from_patch(patch: int) -> None:
    """Callback: look from another patch, counted from 0.

    The prediction reads [CLS] alone, so there a patch opens an attention.
    """
    choose_patch(patch)
    if st.session_state["part"] == "prediction":
        st.session_state["part"] = attention(st.session_state["layer"])
