"""A photo in DINOv2: the whole photo as the model takes it, and one layer of the model."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.models.opened_model import Checkpoint
from core.models.pretrained import DINOV2
from core.models.processor import Processor, read_whole_photo
from core.sources import apart
from views import link, parse
from views.figures.photo import Photos
from views.preferences import in_language
from views.text import Words, words_beside
from views.text.spans import plain
from views.widgets.checkpoint import head_overview
from views.widgets.checkpoint.cached_layers import rolled, take_inputs, traced
from views.widgets.checkpoint.chosen_input import Chosen, opened_pretrained, pictured
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.image_input import SAMPLES, UPLOAD, chosen_file, chosen_images, sample_file
from views.widgets.interventions import Intervened, intervened
from views.widgets.vision.attention import HEAD, LIGHTS

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
    link.preserve_param(head_overview.NAME, False, parse.flag)


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
