"""Runs of pretrained models that were recorded once: each opens without the model."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from core.models import pretrained
from core.models.processor import Colours
from core.models.recorded import FOLDER, PREDICTION, Recorded, runs
from core.sources.picture import resized
from views import link, parse
from views.export.file import PARTS, WITHOUT_CHIPS
from views.figures.photo import Photos
from views.preferences import in_language, words
from views.scene.steps import first_step, steps_of
from views.selection import Selection, reset_cell
from views.text import Words, words_beside
from views.text.numbers import per_cent
from views.text.spans import isolated, plain
from views.widgets.choice import option_input
from views.widgets.image_input import sample
from views.widgets.photos import photos_of_part
from views.widgets.prose import prose, visually_hidden_title
from views.widgets.viewer import step_viewer

WORDS = words_beside(__file__)
SOUND = FOLDER / "speech.flac"
HEAD = "self"  # beside PREDICTION, which part of the run is shown
SIDE, PATCH = 224, 14  # of DINOv2's pictures
COLOURS = Colours(
    *(np.array(pretrained.DINOV2_PROCESSOR[key]) for key in ("image_mean", "image_std"))
)


def which_head(run: Recorded, language: Words) -> str:
    """The model, the layer and the head of a run, in words."""
    return WORDS[language.code].which_head.format(
        model=pretrained.ALL[run.model].title, layer=run.layer, layers=run.layers, head=run.head,
        heads=run.heads,
    )  # fmt: skip


def origin(run: Recorded, language: Words) -> str:
    """Where the numbers come from, in words."""
    texts = WORDS[language.code]
    if st.session_state.get("part") == PREDICTION:
        _, number = run.others or (0.0, 0)
        return texts.origin_next.format(
            model=pretrained.ALL[run.model].title, listed=len(run.likeliest), others=number
        )
    measure = texts.runs[run.name].measure
    return texts.origin.format(which_head=which_head(run, language), measure=measure)


def moments(run: Recorded) -> list[str]:
    """Of a sound: each token that was written, and the moment at which the head looks for it."""
    weights = run.trace["weights"]
    tokens, key = weights.axis("query"), weights.axis("key")
    written = range(
        len(tokens.positions("special", size=weights.size("query"))), weights.size("query")
    )
    looks = weights.tensor[0, 0].argmax(axis=1)  # (query,): a row looks for the next token
    return [f"“{isolated(tokens.label(i))}” {key.label(int(looks[i - 1]))}" for i in written]


def lead(run: Recorded, selection: Selection) -> None:
    """Draw what was given, what the head does with it, and how to give the model another input."""
    texts = in_language(WORDS)
    here = texts.runs[run.name]
    with st.container(border=True, key="recorded_card"):
        if run.text:
            prose([[(isolated(run.text), "")]], key="given", style="lead")
        if run.memory:
            st.audio(SOUND.read_bytes(), format="audio/flac")
        lines = [here.claim.format(share=per_cent(run.share))]
        if run.predicted:
            listed = (
                f"“{isolated(token)}” {per_cent(share)}" for token, share in run.predicted[:3]
            )
            lines.append(texts.next.format(listed=words().list_mark.join(listed)))
        if run.memory:
            lines.append(texts.moments.format(listed=words().list_mark.join(moments(run))))
        prose([[(line, "")] for line in lines], key="claim")
        lines = [which_head(run, words()), texts.models[run.model].licence]
        prose([[(line, "")] for line in lines], key="which_head", style="quiet")
        own_input(run)


def own_input(run: Recorded) -> None:
    """Draw how to install the model, or where it can be used if it is there."""
    texts, model = in_language(WORDS), pretrained.ALL[run.model]
    of_model = texts.models[run.model]
    if pretrained.is_there(model):
        st.caption(plain(of_model.installed))
        return
    with st.expander(plain(of_model.own)):
        st.code(f"{model.command}\n{model.download}", language=None, wrap_lines=True)
        st.caption(plain(texts.commands))


def part_input(run: Recorded) -> str:
    """Draw the choice between the head and the next token of a text, and return it."""
    texts = in_language(WORDS)
    if run.prediction is None:
        link.preserve_param("part", HEAD, parse.one_of([HEAD, PREDICTION]))
        return HEAD
    chosen: str = option_input(
        texts.part, "part", [HEAD, PREDICTION],
        lambda part: texts.parts[part].format(head=run.head),
        label_visibility="collapsed", on_change=reset_cell,
    )  # fmt: skip
    return chosen


def start(run: Recorded) -> Mapping[str, int]:
    """The cell to begin with: of what was measured, the largest weight."""
    row = run.trace["weights"].tensor[0, 0, run.query]
    return {"query": run.query, "key": max(run.keys, key=lambda key: float(row[key]))}


def photos() -> Photos:
    """The picture that DINOv2 was given."""
    photo = resized(sample("tabby"), SIDE, SIDE, "bicubic")
    return Photos(np.asarray(photo)[None], PATCH, colours=COLOURS)


texts = in_language(WORDS)
visually_hidden_title(texts.page.title)
prose([[(texts.purpose, "")]], key="purpose", style="lead")
chosen = runs()[
    option_input(
        texts.which, "recorded", runs(), lambda name: texts.runs[name].title, pills=True,
        label_visibility="collapsed", on_change=reset_cell,
    )
]  # fmt: skip
part = part_input(chosen)
trace = chosen.prediction if part == PREDICTION and chosen.prediction else chosen.trace
is_picture = trace.token == "patch"
pictures = photos() if is_picture else None
shown = step_viewer(
    trace, words(),
    parts=PARTS if trace.token == "piece" and not chosen.memory else WITHOUT_CHIPS,
    follow=is_picture, origin=partial(origin, chosen),
    steps=tuple(key for key in steps_of(trace) if key in trace), first=first_step(trace),
    start=start(chosen), lead=partial(lead, chosen),
    photos=None if pictures is None else pictures.pixels,
)  # fmt: skip
if pictures is not None:
    photos_of_part(trace, pictures, shown, words())
