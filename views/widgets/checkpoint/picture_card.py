"""A picture in an opened ViT: its preprocessing, and the attention of all heads of a layer."""

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Processed:
    """The last photo: the file it came from, who made it, and what was made of it."""

    file: bytes
    processor: Processor
    pixels: np.ndarray


@dataclass
class LastProcessed:
    """photo: the last one, which is not processed again while it is looked at."""

    photo: Processed | None = None


def processed(processor: Processor, file: bytes) -> np.ndarray:
    """What the model is given of a picture file, (side, side, 3) uint8.

    Raises what ``read_photo`` raises, and takes_too_much.
    """
    now = link.remembered(LastProcessed)
    known = now.photo
    if known is None or known.processor is not processor or known.file != file:
        _, pixels = apart.read(read_photo, file, **processor.geometry())
        known = now.photo = Processed(file, processor, pixels)
    return known.pixels


def prepared(processor: Processor) -> str:
    """What a processor does to a photo before its pixels become numbers, in words."""
    said, steps = in_language(CHECKPOINT).steps, []
    match processor.size:
        case int(edge):
            steps.append(said.edge.format(edge=edge, resample=processor.resample))
        case (height, width):
            size = {"height": height, "width": width, "resample": processor.resample}
            steps.append(said.resized.format(**size))
    if processor.crop:
        height, width = processor.crop
        steps.append(said.cropped.format(height=height, width=width))
    return said.then.join(steps) or said.as_it_is.format(side=processor.side)


def begins(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The cell to begin with: [CLS] and what it looks at most; None where no picture is read."""
    if isinstance(chosen.given, str) or not chosen.model.processor:
        return None
    seen = PictureAttention(
        trace, _photos(chosen.given, chosen), 0, 0, AttentionSource(HEAD, chosen.layer, 1)
    )
    return {"query": 0, "key": int(seen.patches.argmax()) + len(seen.specials)}


def seen_card(chosen: Chosen, trace: Trace, selection: Selection, words: Words) -> None:
    """The picture, the same picture lit, and small by every head of the layer; nothing for text."""
    seen = _seen(chosen, trace, selection)
    if seen is None:
        return
    with st.container(border=True, key="vision_card"):
        sees, looks, heads = st.columns([1, 1, 1.15], gap="medium")
        with sees:
            patch_grid(seen, words)
        with looks:
            attention_overlay(seen, words)
        with heads:
            layer = in_language(VISION).looks.layer.format(layer=chosen.layer)
            by_head = heads_of_layer(chosen.model.heads, chosen.layer)
            every_head = in_language(CHECKPOINT).every_head
            attention_thumbnails(seen, every_head, {layer: by_head}, open_head, words, most=ACROSS)
            live_prose(seen, [bright_share(seen)], words, key="gives")


def photos_beside(chosen: Chosen, trace: Trace, path: str, shown: Shown, words: Words) -> None:
    """The picture beside a part of the model; nothing for text."""
    seen = _seen(chosen, trace, shown.selection)
    processor = chosen.model.processor
    if seen is not None and processor is not None:
        said = in_language(CHECKPOINT)
        done = said.prepared.replace("{steps}", prepared(processor))
        photos_of_part(subtrace(trace, path), seen.photos, shown, words, said.looks, done)


def _seen(chosen: Chosen, trace: Trace, selection: Selection) -> PictureAttention | None:
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
