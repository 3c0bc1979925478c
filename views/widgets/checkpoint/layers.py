"""The layer and the part of an opened model: in the link, and the row in which one is chosen."""

import re
from collections.abc import Sequence

import streamlit as st

from core.models.opened_model import Checkpoint
from core.models.text_to_text import TextToText
from views import link, parse
from views.figures.model_map import READ
from views.preferences import in_language
from views.text import CHECKPOINT
from views.widgets.component import component

KEY = "layer_row_of_model"
ENDS = ("prediction", "final_norm", *READ)  # parts behind a layer
_IN_A_LAYER = re.compile(r"(encoder|decoder)/([1-9]\d{0,2})/(self|cross|feed_forward)")


def chosen_layer(model: Checkpoint | TextToText, first: int = 1) -> int:
    """The layer of the link, or of its part if it has no layer; at most the last layer.

    first: the initial layer. A layer that the model does not have is reported as invalid.
    """
    layer: int = link.bind_param("layer", first, parse.number(1, 999))
    query, source = link.session().adopted, "layer"
    if query is not None and "layer" not in query:
        named = _IN_A_LAYER.fullmatch(query.get("part", ""))
        layer, source = (int(named[2]), "part") if named else (layer, source)
    if query is not None and layer > model.layers:
        link.session().nonsense[source] = query[source]
    st.session_state["layer"] = min(layer, model.layers)
    return min(layer, model.layers)


def chosen_part_of(paths: Sequence[str], first: str) -> str:
    """The part of the link, in the layers of the trace, whichever layer it names.

    paths: the parts of the trace. first: the part to open in place of one that this model does not
    have.
    """

    def read(text: str) -> str:
        return part_in(text, paths, first)

    part: str = link.bind_param("part", first, read)
    try:
        part = read(part)
    except ValueError:
        part = first
    st.session_state["part"] = part
    return part


def part_in(part: str, paths: Sequence[str], first: str) -> str:
    """The part of the same kind, whichever layer the trace has. Raises ValueError if unknown.

    paths: the parts of the trace. first: in place of a part behind the layers that it lacks.
    """
    if part in paths:
        return part
    if part in ENDS:
        return first
    named = _IN_A_LAYER.fullmatch(part)
    kinds = {_IN_A_LAYER.sub(r"\1/\3", path): path for path in paths}
    found = kinds.get(f"{named[1]}/{named[3]}") if named else None
    if not found:
        raise ValueError(part)
    return found


def layers(model: Checkpoint | TextToText, layer: int) -> None:
    """Draw the layers in a row to choose one; the open part becomes that of the new layer."""
    texts = in_language(CHECKPOINT)

    def go() -> None:
        asked = st.session_state[KEY].choose
        if isinstance(asked, int) and 1 <= asked <= model.layers:
            link.set_value("layer", asked)

    data = {
        "label": texts.layer,
        "one": texts.one_layer,
        "previous": texts.previous_layer,
        "next": texts.next_layer,
        "chosen": layer,
        "layers": model.layers,
    }
    with st.container(key="layer", width="content"):
        component("layers")(key=KEY, data=data, on_choose_change=go, width="content")
