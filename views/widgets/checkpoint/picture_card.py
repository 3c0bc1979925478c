"""A picture in an opened ViT: its preprocessing, and the attention of all heads of a layer."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from core import Trace
from core.models.processor import Processor, read_photo
from core.nested import subtrace
from core.sources import apart
from views import link
from views.figures.photo import HALF, Photos
from views.preferences import in_language
from views.selection import Selection
from views.text import CHECKPOINT, VISION, Words
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.photos import photos_of_part
from views.widgets.viewer import Shown
from views.widgets.vision.attention import (
    HEAD,
    AttentionSource,
    PictureAttention,
    heads_of_layer,
    open_head,
)
from views.widgets.vision.attention_pictures import (
    attention_overlay,
    attention_thumbnails,
    patch_grid,
)
from views.widgets.vision.summary import bright_share, live_prose

ACROSS = 4  # heads beside one another


@dataclass
class LastProcessed:
    """The last photo, which is not processed again while it is shown: file, processor, result."""

    file: bytes = b""
    processor: Processor | None = None
    pixels: np.ndarray = field(default_factory=lambda: np.empty((0, 0, 3), np.uint8))


def processed(processor: Processor, file: bytes) -> np.ndarray:
    """The model's input from a picture file, (side, side, 3) uint8.

    Raises what ``read_photo`` raises, and takes_too_much.
    """
    last = link.remembered(LastProcessed)
    if last.processor is not processor or last.file != file:
        _, last.pixels = apart.read(read_photo, file, **processor.geometry())
        last.file, last.processor = file, processor
    return last.pixels


def prepared(processor: Processor) -> str:
    """The steps of a processor before pixels become numbers, in words."""
    texts, steps = in_language(CHECKPOINT).steps, []
    match processor.size:
        case int(edge):
            steps.append(texts.edge.format(edge=edge, resample=processor.resample))
        case (height, width):
            size = {"height": height, "width": width, "resample": processor.resample}
            steps.append(texts.resized.format(**size))
    if processor.crop:
        height, width = processor.crop
        steps.append(texts.cropped.format(height=height, width=width))
    return texts.then.join(steps) or texts.as_it_is.format(side=processor.shape[0])


def picture_start(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The initial cell: [CLS] and its largest weight; None if the input is no picture."""
    if isinstance(chosen.given, str) or not chosen.model.processor:
        return None
    attention = PictureAttention(
        trace, _photos(chosen.given, chosen), 0, 0, AttentionSource(HEAD, chosen.layer, 1)
    )
    return {"query": 0, "key": int(attention.patches.argmax()) + len(attention.specials)}


def attention_card(chosen: Chosen, trace: Trace, selection: Selection, words: Words) -> None:
    """Draw the picture, its attention overlay, and those of all heads; nothing for other inputs."""
    attention = _attention(chosen, trace, selection)
    if attention is None:
        return
    with st.container(border=True, key="vision_card"):
        sees, looks, heads = st.columns([1, 1, 1.15], gap="medium")
        with sees:
            patch_grid(attention, words)
        with looks:
            attention_overlay(attention, words)
        with heads:
            layer = in_language(VISION).looks.layer.format(layer=chosen.layer)
            by_head = heads_of_layer(chosen.model.heads, chosen.layer)
            every_head = in_language(CHECKPOINT).every_head
            attention_thumbnails(
                attention, every_head, {layer: by_head}, open_head, words, most=ACROSS
            )
            live_prose(attention, [bright_share(attention)], words, key="gives")


def photos_beside(chosen: Chosen, trace: Trace, path: str, shown: Shown, words: Words) -> None:
    """Draw the picture beside a part of the model; nothing for other inputs."""
    attention = _attention(chosen, trace, shown.selection)
    processor = chosen.model.processor
    if attention is not None and processor is not None:
        texts = in_language(CHECKPOINT)
        done = texts.prepared.replace("{steps}", prepared(processor))
        photos_of_part(subtrace(trace, path), attention.photos, shown, words, texts.looks, done)


def _attention(chosen: Chosen, trace: Trace, selection: Selection) -> PictureAttention | None:
    if isinstance(chosen.given, str) or not chosen.model.processor:
        return None
    photos, at = _photos(chosen.given, chosen), selection.at
    look = AttentionSource(HEAD, chosen.layer, at["head"] + 1)
    return PictureAttention(
        trace, photos, 0, min(at["query"], chosen.model.config.positions - 1), look
    )


def _photos(pixels: np.ndarray, chosen: Chosen) -> Photos:
    model = chosen.model
    colours = model.processor.colours if model.processor else HALF
    return Photos(pixels[None], model.config.patch, colours=colours)
