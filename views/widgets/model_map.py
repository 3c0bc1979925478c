"""The map of a model, whose parts open in the stage viewer."""

from dataclasses import dataclass

import streamlit as st

from core import Trace
from core.nested import parts, subtrace
from views import link, parse
from views.figures.model_map import (
    READ,
    SHARES,
    Box,
    ModelMap,
    OtherLayers,
    map_of,
    thumbnails,
)
from views.figures.palette import AS_DATA
from views.preferences import in_language
from views.scene.blob import pack
from views.scene.naming import fill_token_noun
from views.scene.steps import first_step
from views.text import MODEL_MAP, Words, numbers
from views.text.spans import isolated
from views.widgets.component import component

KEY = "model_map"
NAME = "part"
TOKENS = "{words}"


@dataclass(frozen=True)
class Whole:
    """A model of whose layers the trace has only one of each side.

    layers: their number, of the sides that the trace has: encoder, decoder, or both.
    """

    name: str
    layers: tuple[int, ...]


def chosen_part(
    trace: Trace,
    first: str,
    words: Words,
    hidden: tuple[int, ...] = (),
    whole: Whole | None = None,
    more: tuple[str, ...] = (),
) -> str:
    """Draw the parts of a model's trace as a map; return the path of the chosen part.

    first: the initial part. hidden: positions of tokens that the thumbnails leave out, as queries
    and as keys. whole: the model, if the trace has only one layer of it. more: as in
    ``bound_part``. The link has the choice as ``part``. Call it before the viewer: a part of
    another kind opens at its first step, a part of the same kind at the current step.
    """
    paths = parts(trace)
    path = bound_part(trace, first, more)

    def on_choose() -> None:
        chosen = st.session_state[KEY].choose
        if chosen in paths:
            step = first_step(subtrace(trace, chosen))
            if path in more or step != first_step(subtrace(trace, path)):
                link.set_value("stage", step)
            link.set_value(NAME, chosen)

    data = trace.derived(
        ("map", path, words.code, hidden, whole),
        lambda: drawing(trace, path, words, hidden, whole),
    )
    component("model_map")(key=KEY, data=data, on_choose_change=on_choose)
    return path


def bound_part(trace: Trace, first: str, more: tuple[str, ...] = ()) -> str:
    """The path of the part in the link; the first one if the trace has no such part.

    more: what can be opened beside the parts of the trace.
    """
    paths = (*parts(trace), *more)
    path: str = link.bind_param(NAME, first, parse.one_of(paths))
    if path not in paths:
        path = st.session_state[NAME] = first
    return path


def drawing(
    trace: Trace,
    chosen: str,
    words: Words,
    hidden: tuple[int, ...] = (),
    whole: Whole | None = None,
) -> bytes:
    """The map as bytes for the component: a JSON header with boxes and words, and thumbnails."""
    layout, texts = map_of(trace, whole.layers if whole else ()), in_language(MODEL_MAP)
    alone = whole and len(layout.sides) == 1
    sides = dict.fromkeys(texts.sides, whole.name) if whole and alone else texts.sides
    small, scale = thumbnails(trace, hidden)
    header = {
        "label": texts.label,
        "chosen": chosen,
        "beside": _beside(layout, trace, words, whole, chosen) if chosen in READ else None,
        "hidden": hidden,
        "size": [layout.width, layout.height],
        "room": layout.room,
        "mean": texts.mean,
        "ticks": [numbers.bare(value) for value in scale.ticks],
        "palettes": AS_DATA,
        "boxes": [_box(box, layout, trace, words, whole) for box in layout.boxes],
        "others": [_other_layers(others) for others in layout.others],
        "lines": [vars(line) for line in layout.lines],
        "frames": [
            {
                "name": "" if frame.layer else sides[frame.side],
                "box": [frame.x, frame.y, frame.width, frame.height],
            }
            for frame in layout.frames
        ],
    }
    return pack(header, small)


def _box(
    box: Box, layout: ModelMap, trace: Trace, words: Words, whole: Whole | None
) -> dict[str, object]:
    texts = _part_words(box, layout, trace)
    return {
        "path": box.path,
        "box": [box.x, box.y, box.width, box.height],
        "name": texts.name,
        "layer": str(box.layer or ""),
        "where": _location(box, whole),
        "does": fill_token_noun(texts.does, trace, words.nouns).replace(
            TOKENS, _tokens(trace, box.path)
        ),
        "about": fill_token_noun(texts.about, trace, words.nouns),
    }


def _location(box: Box, whole: Whole | None) -> str:
    maps = in_language(MODEL_MAP)
    if box.layer and whole and len(whole.layers) == 1:
        return str(maps.layer_of.format(number=box.layer, layers=whole.layers[0]))
    if box.layer:
        return str(maps.side_layer.format(side=maps.sides[box.side], number=box.layer))
    return ""


def _beside(
    layout: ModelMap, trace: Trace, words: Words, whole: Whole | None, path: str
) -> dict[str, object]:
    """What the map says while something is open that is read from the stream and has no box."""
    texts = in_language(MODEL_MAP).parts[path]
    box = next(box for box in layout.boxes if box.layer)
    about = fill_token_noun(texts.about, trace, words.nouns)
    where = _location(box, whole) if whole and path != SHARES else ""
    return {"name": texts.name, "where": where, "about": about}


def _other_layers(others: OtherLayers) -> dict[str, object]:
    maps = in_language(MODEL_MAP)
    texts = maps.behind if others.behind else maps.before
    number = f"{others.first} … {others.last}" if others.last > others.first else others.first
    return {
        "box": [others.x, others.y, others.width, others.height],
        "name": (maps.layers if others.last > others.first else maps.layer).format(number=number),
        "does": texts.does,
        "about": texts.about,
    }


def _part_words(box: Box, layout: ModelMap, trace: Trace) -> Words:
    """The words of a part, which depend on the other parts of the model."""
    key = box.kind
    if box.kind == "input" and "input/tokens" in trace:
        placed = "text_without_segment" if "input/position" in trace else "text_without_place"
        placed = "text_by_distance" if _by_distance(trace) else placed
        placed = "source" if len(layout.sides) > 1 and "input/position" in trace else placed
        key = "text" if "input/segment" in trace else placed
    elif box.kind == "input" and "input/waveform" in trace:
        key = "sound"
    elif key == "self" and len(layout.sides) > 1:
        key = f"{box.side}/self"
    elif key == "self" and f"{box.path}/causal" in trace:
        key = "self/masked"
    elif key == "self" and f"{box.path}/sliding_window" in trace:
        key = "self/local"
    elif key == "target" and _by_distance(trace):
        key = "target/by_distance"
    elif key in ("target", "cross") and len(layout.sides) == 1:  # the encoder has read a sound
        key = f"{key}/speech"
    elif key == "source" and len(layout.sides) == 1:
        key = "sentence"
    elif key == "feed_forward" and f"{box.path}/gate" in trace:
        key = "feed_forward/gated"
    elif key == "prediction" and "prediction/last_vector" in trace:
        key = "next"
    elif key == "prediction" and trace.token == "patch":
        key = "class"
    return in_language(MODEL_MAP).parts[key]


def _by_distance(trace: Trace) -> bool:
    """Whether positions are biases of the scores."""
    return any(key.endswith("/bias_table") for key in trace)


def _tokens(trace: Trace, path: str) -> str:
    """The tokens that are a part's input, as one line; "" if its input is vectors."""
    key = f"{path}/tokens"
    return isolated(" ".join(trace[key].axis("token").names(0) or ())) if key in trace else ""
