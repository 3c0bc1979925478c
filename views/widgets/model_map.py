"""The map of a model, each of its parts a door into the stage viewer."""

from dataclasses import asdict, dataclass

import streamlit as st

from core import Trace
from core.nested import parts, subtrace
from views import link, numbers, parse
from views.figures.model_map import Box, ModelMap, Others, map_of, thumbnails
from views.figures.palette import PALETTES
from views.naming import fill_token_noun
from views.reader import in_language
from views.scene.blob import packed
from views.steps import first_step
from views.text import Words
from views.text.model_map import WORDS, PartWords
from views.widgets.component import component

KEY = "model_map"
NAME = "part"
TOKENS = "{words}"


@dataclass(frozen=True)
class Whole:
    """The model that a trace has one layer of: what it is called, and its number of layers."""

    name: str
    layers: int


def chosen_part(
    trace: Trace,
    first: str,
    words: Words,
    hidden: tuple[int, ...] = (),
    whole: Whole | None = None,
) -> str:
    """Draw the parts of a model's trace as a map; return the path of the chosen one.

    first: the one to begin with. hidden: the places of tokens, queries and keys alike, that the
    small pictures leave out. whole: the model, where the trace has but one layer of it. The choice
    is kept in the link as ``part``. To be called before the viewer. A part of another kind begins
    at its first step, one of the same kind stays at this.
    """
    paths = parts(trace)
    path: str = link.bind_param(NAME, first, parse.one_of(paths))
    if path not in paths:
        path = st.session_state[NAME] = first

    def choose() -> None:
        asked = st.session_state[KEY].choose
        if asked in paths:
            step = first_step(subtrace(trace, asked))
            if step != first_step(subtrace(trace, path)):
                link.set_value("stage", step)
            link.set_value(NAME, asked)

    component("model_map")(
        key=KEY, data=drawing(trace, path, words, hidden, whole), on_choose_change=choose
    )
    return path


def drawing(
    trace: Trace,
    chosen: str,
    words: Words,
    hidden: tuple[int, ...] = (),
    whole: Whole | None = None,
) -> bytes:
    """The map as the browser takes it: places, words, and the small pictures."""
    found, said = map_of(trace, whole.layers if whole else 0), in_language(WORDS)
    sides = dict.fromkeys(said.sides, whole.name) if whole else said.sides
    small, scale = thumbnails(trace, hidden)
    header = {
        "label": said.label,
        "chosen": chosen,
        "hidden": hidden,
        "size": [found.width, found.height],
        "room": found.room,
        "mean": said.mean,
        "ticks": [numbers.bare(value) for value in scale.ticks],
        "palettes": {theme: asdict(palette) for theme, palette in PALETTES.items()},
        "boxes": [_box(box, found, trace, words, whole) for box in found.boxes],
        "others": [_others(others) for others in found.others],
        "lines": [asdict(line) for line in found.lines],
        "frames": [
            {
                "name": "" if frame.layer else sides[frame.side],
                "place": [frame.x, frame.y, frame.width, frame.height],
            }
            for frame in found.frames
        ],
    }
    return packed(header, small)


def _box(
    box: Box, found: ModelMap, trace: Trace, words: Words, whole: Whole | None
) -> dict[str, object]:
    said = _said(box, found, trace)
    maps = in_language(WORDS)
    place = ""
    if box.layer and whole:
        place = maps.place_of.format(number=box.layer, layers=whole.layers)
    elif box.layer:
        place = maps.place.format(side=maps.sides[box.side], number=box.layer)
    return {
        "path": box.path,
        "place": [box.x, box.y, box.width, box.height],
        "name": said.name,
        "layer": str(box.layer or ""),
        "where": place,
        "does": fill_token_noun(said.does, trace, words).replace(TOKENS, _tokens(trace, box.path)),
        "about": fill_token_noun(said.about, trace, words),
    }


def _others(others: Others) -> dict[str, object]:
    maps = in_language(WORDS)
    said = maps.behind if others.behind else maps.before
    number = f"{others.first} … {others.last}" if others.last > others.first else others.first
    return {
        "place": [others.x, others.y, others.width, others.height],
        "name": (maps.layers if others.last > others.first else maps.layer).format(number=number),
        "does": said.does,
        "about": said.about,
    }


def _said(box: Box, found: ModelMap, trace: Trace) -> PartWords:
    """What is said of a part, which depends on what else the model has."""
    key = box.kind
    if box.kind == "input" and "input/tokens" in trace:
        placed = "text_without_segment" if "input/position" in trace else "text_without_place"
        key = "text" if "input/segment" in trace else placed
    elif key == "self" and len(found.sides) > 1:
        key = f"{box.side}/self"
    elif key == "self" and f"{box.path}/masked" in trace:
        key = "self/masked"
    elif key == "source" and len(found.sides) == 1:
        key = "sentence"
    elif key == "feed_forward" and f"{box.path}/gate" in trace:
        key = "feed_forward/gated"
    elif key == "prediction" and "prediction/last_vector" in trace:
        key = "next"
    elif key == "prediction" and trace.token == "patch":
        key = "class"
    return in_language(WORDS).parts[key]


def _tokens(trace: Trace, path: str) -> str:
    """The words that a part begins with, as one line; none where it begins with vectors."""
    key = f"{path}/tokens"
    return " ".join(trace[key].axis("token").names(0) or ()) if key in trace else ""
