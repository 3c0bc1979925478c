"""A photo in DINOv2: the whole photo as the model takes it, and one layer of the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.models import pretrained
from core.models.opened_model import Checkpoint
from core.models.pretrained import DINOV2
from core.models.processor import Processor, read_whole_photo
from core.nested import parts, subtrace
from core.sources import apart
from views import link, parse
from views.figures.photo import Photos
from views.preferences import in_language
from views.selection import Selection
from views.text import CHECKPOINT, VISION, Words, words_beside
from views.text.spans import plain, spans
from views.widgets.checkpoint.cached_layers import all_layers, rolled, take_inputs, traced
from views.widgets.checkpoint.chosen_input import Chosen, opened_pretrained, pictured
from views.widgets.checkpoint.head_overview import NAME as OVERVIEW
from views.widgets.checkpoint.head_overview import head_overview, overview_asked
from views.widgets.checkpoint.layers import chosen_layer, chosen_part_of, layers
from views.widgets.checkpoint.picture_card import prepared
from views.widgets.checkpoint.what_if_card import next_token_changes
from views.widgets.image_input import SAMPLES, UPLOAD, chosen_file, chosen_images, sample_file
from views.widgets.interventions import Intervened, intervened, with_changes
from views.widgets.microscope import FirstView
from views.widgets.model_map import Whole, chosen_part
from views.widgets.photos import photos_of_part
from views.widgets.viewer import part_viewer
from views.widgets.vision.attention import (
    HEAD,
    LIGHTS,
    MEAN,
    ROLLOUT,
    AttentionSource,
    PictureAttention,
    choose_attention_source,
    heads_of_layer,
)
from views.widgets.vision.attention_pictures import (
    attention_overlay,
    attention_thumbnails,
    large_photo,
)
from views.widgets.vision.summary import (
    Sentence,
    bright_share,
    live_prose,
    percent,
    rollout_formula,
)

WORDS = words_beside(__file__)

FIRST_PICTURE = "tabby"
FIRST_LAYER = 11
LARGER = 2  # times as many pixels along a side are shown


@dataclass(frozen=True, eq=False)
class WholePhoto:
    """A photo for one layer of the model.

    pixels: as the model takes it, (height, width, 3) uint8. large: the same with more pixels. name:
    of the sample, or ``UPLOAD``. layer: from 1. of: the model with the changes of the link and
    without.
    """

    pixels: np.ndarray
    large: np.ndarray
    name: str
    layer: int
    of: Intervened[Checkpoint]

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width) as the model takes it."""
        height, width, _ = self.pixels.shape
        return height, width

    def photos(self, model: Checkpoint) -> Photos:
        """The photo as a batch of one."""
        return Photos(
            self.pixels[None], model.config.patch, colours=processor_of(model).colours,
            originals=self.large[None],
        )  # fmt: skip


@dataclass
class LastRead:
    """The last upload, which is not read again while it is shown: file and pixels."""

    file: bytes = b""
    pixels: tuple[np.ndarray, np.ndarray] = field(default_factory=lambda: (np.empty(0),) * 2)


def processor_of(model: Checkpoint) -> Processor:
    """The image processor of the model."""
    assert model.processor
    return model.processor


def keep_overview() -> None:
    """Keep the choice of the overview of all heads in the link while none is shown."""
    link.preserve_param(OVERVIEW, False, parse.flag)


def photo_input(words: Words) -> WholePhoto:
    """Draw the controls and return the photo. Raises core.errors.InputError."""
    texts, model = in_language(WORDS).dinov2, opened_pretrained(DINOV2)
    layer = chosen_layer(model, first_layer(model))
    link.bind_param("light", HEAD, parse.one_of(LIGHTS))
    images = chosen_images(words, FIRST_PICTURE)
    name = st.session_state["picture"]
    pixels, large = _read_upload(model) if name == UPLOAD else _read_sample(model, name)
    of = intervened(model, lambda: pictured(model, pixels.shape[:2]).config.positions)
    photo = WholePhoto(pixels, large, name, layer, of)
    rows, columns = photo.photos(model).grid
    sizes = {"rows": rows, "columns": columns, "n": rows * columns, "patch": model.config.patch}
    st.sidebar.caption(plain(texts.fitted.format(**sizes)))
    if name == UPLOAD and len(images) > 1:
        st.caption(plain(texts.last))
    return photo


def first_photo() -> WholePhoto:
    """The photo that the page shows at first."""
    model = opened_pretrained(DINOV2)
    read = _read_sample(model, FIRST_PICTURE)
    return WholePhoto(*read, FIRST_PICTURE, first_layer(model), Intervened(model, model))


def first_layer(model: Checkpoint) -> int:
    """The layer that is shown at first."""
    return min(FIRST_LAYER, model.layers)


def photo_layer(photo: WholePhoto) -> tuple[Chosen, Trace]:
    """The layer with all its stages. Raises core.errors.InputError."""
    model, is_shared = photo.of.model, photo.name != UPLOAD and not photo.of.is_changed
    if is_shared and (photo.name, photo.layer) == (FIRST_PICTURE, first_layer(model)):
        return _first_layer(model)
    chosen = Chosen(pictured(model, photo.shape), photo.pixels, photo.layer)
    if is_shared:
        take_inputs(chosen, _sample_run(model, photo.name)[1])
    return traced(chosen)


def photo_rollout(photo: WholePhoto, chosen: Chosen) -> np.ndarray:
    """Attention rollout through all layers: (query, key). Raises core.errors.InputError."""
    if photo.name == UPLOAD or photo.of.is_changed:
        return rolled(chosen)
    return _sample_run(opened_pretrained(DINOV2), photo.name)[0]


@lru_cache(maxsize=1)  # all sessions share the first look
def _first_layer(model: Checkpoint) -> tuple[Chosen, Trace]:
    photo = first_photo()
    chosen = Chosen(pictured(model, photo.shape), photo.pixels, photo.layer)
    return chosen, chosen.model.run(photo.pixels, photo.layer)


@lru_cache(maxsize=len(SAMPLES))  # only samples, likewise
def _sample_run(model: Checkpoint, name: str) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Attention rollout, and the inputs of all layers."""
    pixels, _ = _read_sample(model, name)
    height, width, _ = pixels.shape
    inputs: dict[int, np.ndarray] = {}
    return pictured(model, (height, width)).rollout(pixels, streams=inputs), inputs


@lru_cache(maxsize=len(SAMPLES))
def _read_sample(model: Checkpoint, name: str) -> tuple[np.ndarray, np.ndarray]:
    return _split(*read_whole_photo(sample_file(name), **_fitting(model)))


def _read_upload(model: Checkpoint) -> tuple[np.ndarray, np.ndarray]:
    last, file = link.remembered(LastRead), chosen_file()
    if last.file != file:
        last.pixels = _split(*apart.read(read_whole_photo, file, **_fitting(model)))
        last.file = file
    return last.pixels


def _fitting(model: Checkpoint) -> dict[str, Any]:
    """How ``read_whole_photo`` fits a photo to the model."""
    config, processor = model.config, processor_of(model)
    patches = prod(config.patch_grid)
    resample = processor.resample or "bicubic"
    return {"patch": config.patch, "patches": patches, "resample": resample, "larger": LARGER}


def _split(facts: dict[str, Any], pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The photo as the model takes it and larger, from what ``read_whole_photo`` returns."""
    height, width = facts["height"], facts["width"]
    small, large = np.split(pixels, [height * width * 3])
    return small.reshape(height, width, 3), large.reshape(LARGER * height, LARGER * width, 3)


# Where the eyes and the nose of the cat are in ``FIRST_PICTURE``: the first row and column of
# three by three patches, of 16 × 16.
GRID = (16, 16)
PATCH_WEIGHTS = {"left": (5, 4), "right": (6, 11), "nose": (12, 8)}
FIRST_QUERY = 6 * 16 + 5  # a patch of the eye on the left, in its middle


def backbone_view(photo: WholePhoto, chosen: Chosen, trace: Trace, words: Words) -> None:
    """Draw the photo and what one token attends to, then the map of the layer and one part."""
    model, photos = chosen.model, photo.photos(chosen.model)
    path = chosen_part_of(parts(trace), chosen.attention)
    whole = Whole(in_language(CHECKPOINT).called[model.config.model_type], (model.layers,))
    specials = model.config.specials

    def changes(selection: Selection) -> None:
        next_token_changes(photo.of, chosen, trace, selection.at["head"], predicts=False)

    def card(selection: Selection) -> None:
        by, at = st.session_state["light"], selection.at
        attention = PictureAttention(
            trace, photos, 0, min(at["query"], model.config.positions - 1),
            AttentionSource(by, chosen.layer, at["head"] + 1), rolled=photo_rollout(photo, chosen),
        )  # fmt: skip
        compare = attention_card(photo, attention, chosen, words)
        if compare:
            head_overview(chosen, at["head"], specials, words)
        if photo.of.is_changed:  # then the first view says so
            changes(selection)

    def lead(selection: Selection) -> None:
        if not photo.of.is_changed:
            changes(selection)
        chosen_part(trace, chosen.attention, words, whole=whole)

    shown = part_viewer(
        trace, path, words, origin=partial(origin, chosen), card=card, lead=lead,
        first_view=FirstView(), photos=photo.pixels[None],
        start=_start(photo, trace[f"{chosen.attention}/weights"].tensor[0], len(specials)),
        layers=all_layers(chosen, trace, path, origin),
    )  # fmt: skip
    texts = in_language(CHECKPOINT)
    steps = texts.prepared.replace("{steps}", prepared(processor_of(model)))
    photos_of_part(subtrace(trace, path), photos, shown, words, texts.looks, steps)


def attention_card(
    photo: WholePhoto, attention: PictureAttention, chosen: Chosen, words: Words
) -> bool:
    """Draw the overlay, the thumbnails and what they say; whether all heads are to be compared."""
    texts = in_language(VISION).looks
    layer, model = chosen.layer, chosen.model
    with st.container(border=True, key="vision_card"):
        whole, looks, says = st.columns([1, 1, 0.7], gap="medium")
        with whole:
            large_photo(attention, words)
        with looks:
            attention_overlay(attention, words)
        with says:
            gives = _patch_weights(photo, attention, words) or bright_share(attention)
            live_prose(attention, [gives], words, key="gives")
            proves = [[Sentence(spans(texts.proves))]]
            if attention.look.by == ROLLOUT:
                proves.append([rollout_formula(model.layers)])
            live_prose(attention, proves, words, key="proves", style="quiet")
        with st.container(horizontal=True, gap="medium", key="layer_row"):
            layers(model, layer)
            compare = overview_asked(chosen)
        groups = {
            texts.layer.format(layer=layer): [
                *heads_of_layer(model.heads, layer),
                AttentionSource(MEAN, layer),
            ],
            texts.through: [AttentionSource(ROLLOUT)],
        }
        every_head = in_language(CHECKPOINT).every_head
        attention_thumbnails(attention, every_head, groups, choose_attention_source, words)
    return compare


def _patch_weights(photo: WholePhoto, attention: PictureAttention, words: Words) -> list[Sentence]:
    """How much the eyes and the nose of the first picture get; nothing for another one."""
    if photo.name != FIRST_PICTURE or attention.grid != GRID or attention.look.by == ROLLOUT:
        return []
    rows = attention.patches.reshape(GRID)
    shares = {
        name: (percent(float(rows[row : row + 3, column : column + 3].sum())), "key")
        for name, (row, column) in PATCH_WEIGHTS.items()
    }
    tokens = attention.rows.shape[-1]
    query = (attention.name(words), "query")
    return [
        Sentence(
            spans(
                in_language(WORDS).dinov2.patch_weights,
                query=query,
                tokens=str(tokens),
                even=percent(9 / tokens),
                **shares,
            )
        )
    ]


def _start(photo: WholePhoto, weights: np.ndarray, specials: int) -> Mapping[str, int]:
    """The initial cell: an eye of the cat, or what [CLS] looks at most, and its largest weight.

    weights: (head, query, key).
    """
    is_cat = photo.name == FIRST_PICTURE and weights.shape[-1] == specials + GRID[0] * GRID[1]
    query = specials + (FIRST_QUERY if is_cat else int(weights[0, 0, specials:].argmax()))
    return {"head": 0, "query": query, "key": int(weights[0, query, specials:].argmax()) + specials}


def origin(chosen: Chosen, words: Words) -> str:
    """Where the trained weights come from, in words."""
    texts = WORDS[words.code].dinov2
    source = texts.published if pretrained.hub_folder(pretrained.DINOV2) else texts.packaged
    where = texts.origin.format(source=source, layer=chosen.layer, layers=chosen.model.layers)
    return with_changes(where, chosen.model.interventions, words)
