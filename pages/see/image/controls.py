"""The controls of the Image page: the weights, the picture, and its patch size."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
import streamlit as st
from PIL import Image

from core import Trace
from core.limits import PATCHES
from core.models import pretrained, vision
from core.models.pretrained import DINOV2
from core.models.vision import Vision
from core.sources import image as source
from core.sources import picture
from pages.see.image.backbone import WholePhoto, keep_overview, photo_input
from views import link, parse
from views.figures.photo import Photos
from views.preferences import in_language
from views.selection import reset_cell
from views.text import VISION, Words, words_beside
from views.text.spans import plain
from views.widgets.checkpoint.not_installed import commands, how_to_install, missing
from views.widgets.choice import choice
from views.widgets.image_input import SAMPLES, STORED_SIDE, chosen_images, sample
from views.widgets.interventions import NAME as CHANGE
from views.widgets.interventions import Intervened, intervened
from views.widgets.model_input import Model, model_input, preserve_model, source_choice
from views.widgets.vision.attention import attention_path, best_head, bind_attention_source

WORDS = words_beside(__file__)

SOURCES = (DINOV2.name, "vision", "seeded")
# What a link has that was made for the project's own models, when there were no others.
OF_OTHERS = {"part", "layer", "light", "size", "patch", "cls", "d_model", "heads", "seed"}
SIZES = (64, 112, 224)
FIRST_SIZE, FIRST_PATCH = 224, 16  # this patch divides every size
FEWEST = 2  # patches along a side
FIRST_MODEL = Model(d_model=64, heads=4, seed=7)


@dataclass(frozen=True, eq=False)
class Pictures(Photos):
    """The chosen pictures and model. cls: whether a [CLS] token is prepended.

    of: the trained model with the changes of the link and without, if this is it.
    """

    cls: bool
    model: Model | Vision
    of: Intervened[Vision] | None = None


def source_input() -> str:
    """Draw the choice of weights: ``dinov2`` if it is there, ``vision``, or ``seeded`` (random).

    A link to DINOv2 where it is not installed opens the own model, with a notice how to install it.
    """
    texts, query = in_language(VISION), link.session().adopted or {}
    there = pretrained.is_there(DINOV2)
    link.imply("model", implied_source(query))
    if query.get("model") == DINOV2.name and not there:
        missing("DINOv2", commands(DINOV2), in_language(WORDS).dinov2.until)
    return source_choice(texts.source, SOURCES[0 if there else 1 :], texts.sources, _switched)


def implied_source(query: Mapping[str, str]) -> str:
    """The weights that a link without the parameter ``model`` opens."""
    there = pretrained.is_there(DINOV2)
    return DINOV2.name if there and not query.keys() & OF_OTHERS else "vision"


def about_choice() -> None:
    """Draw how to install DINOv2, if it is not there."""
    if not pretrained.is_there(DINOV2):
        how_to_install(in_language(WORDS).dinov2.install, DINOV2)


def _switched() -> None:
    """Callback: the layers and parts of DINOv2 are not those of the other models."""
    models = (link.session().values.get("model"), st.session_state["model"])
    if DINOV2.name in models:
        for name in ("layer", "part", "head", CHANGE):
            link.forget(name)
        reset_cell()


def backbone_input(words: Words) -> WholePhoto:
    """Draw the controls of DINOv2 and return the photo. Raises core.errors.InputError.

    Parameters of the other weights are kept in the link.
    """
    link.preserve_param("size", FIRST_SIZE, parse.one_of(SIZES))
    link.preserve_param("patch", FIRST_PATCH, parse.number(1, FIRST_SIZE))
    link.preserve_param("cls", True, parse.flag)
    preserve_model(words, FIRST_MODEL)
    return photo_input(words)


def image_input(weights: str, words: Words) -> Pictures:
    """Draw the controls and return the pictures. Raises core.errors.InputError.

    Parameters of the other weights are kept in the link.
    """
    texts, trained = in_language(VISION), vision.load()
    bind_attention_source(trained)
    keep_overview()
    patches = _bind_patch_size()
    if weights == "vision":
        preserve_model(words, FIRST_MODEL)
        link.preserve_param("cls", True, parse.flag)
        images = chosen_images(words)
        known = words.list_mark.join(texts.classes[name] for name in trained.classes)
        caption = texts.fitted.format(side=trained.side, patch=trained.patch, classes=known)
        st.sidebar.caption(plain(caption))
        of = intervened(trained, partial(_tokens, trained))
        return _model_pictures(partial(_chosen, images), of)
    link.preserve_param(CHANGE, "")
    link.bind_param("part", attention_path(best_head(trained).layer), parse.one_of(trained.parts))
    images = chosen_images(words)
    link.bind_param("cls", True, parse.flag)
    with st.sidebar:
        left, right = st.columns(2)
        choice(words.image.size, "size", SIZES, where=left)
        choice(words.image.patch, "patch", patches, where=right)
        cls = st.checkbox(words.image.cls, key="cls")
        model = model_input(words, FIRST_MODEL)
    size, patch = st.session_state["size"], st.session_state["patch"]
    return Pictures(_chosen(images, size), patch, cls, model)


def _tokens(model: Vision) -> int:
    """The number of its tokens: [CLS] and the patches."""
    return 1 + (model.side // model.patch) ** 2


@cache
def first_pictures(weights: str) -> Pictures:
    """The picture that the page shows at first, by the choice of weights."""
    first, model = partial(_sample, SAMPLES[0]), vision.load()
    if weights == "vision":
        return _model_pictures(first, Intervened(model, model))
    return Pictures(first(FIRST_SIZE), FIRST_PATCH, True, FIRST_MODEL)


def patch_sizes(size: int) -> tuple[int, ...]:
    """The patch sizes that divide an image of this side into 2 × 2 to 28 × 28 patches."""
    return tuple(p for p in range(4, size) if size % p == 0 and FEWEST <= size // p <= PATCHES)


def image_trace(chosen: Pictures) -> Trace:
    """The trace from the pixels to the last stage, in float32. Raises core.errors.InputError."""
    model = chosen.model
    if isinstance(model, Vision):
        texts, pixels = in_language(VISION), chosen.pixels
        class_names = tuple(texts.classes[name] for name in model.classes)
        if pixels.tobytes() in _samples(model.side):
            return _classified_sample(model, pixels.tobytes(), class_names)
        return model.trace(picture.values(pixels), class_names)
    embedded = source.embed(
        picture.values(chosen.pixels),
        chosen.patch,
        model.d_model,
        model.seed,
        cls=chosen.cls,
        position=model.position,
    )
    return model.attend(embedded)


@cache
def _samples(side: int) -> frozenset[bytes]:
    return frozenset(_sample(name, side).tobytes() for name in SAMPLES)


@lru_cache(maxsize=16)  # only samples, which all sessions share
def _classified_sample(model: Vision, pixels: bytes, class_names: tuple[str, ...]) -> Trace:
    image = np.frombuffer(pixels, np.uint8).reshape(1, model.side, model.side, 3)
    return model.trace(picture.values(image), class_names)


def _bind_patch_size() -> tuple[int, ...]:
    """Bind the picture and patch sizes; return the patch sizes that divide the picture."""
    link.bind_param("size", FIRST_SIZE, parse.one_of(SIZES))
    patches = patch_sizes(st.session_state["size"])
    link.bind_param("patch", FIRST_PATCH, parse.one_of(patches))
    if st.session_state["patch"] not in patches:
        st.session_state["patch"] = FIRST_PATCH
    return patches


def _model_pictures(square: Callable[[int], np.ndarray], of: Intervened[Vision]) -> Pictures:
    """The pictures in the size of the trained model, with the larger originals.

    square: of a side, the pictures with that.
    """
    model = of.model
    return Pictures(square(model.side), model.patch, True, model, of, originals=square(STORED_SIDE))


def _chosen(images: list[Image.Image], side: int) -> np.ndarray:
    """The chosen pictures as squares: (picture, side, side, 3) uint8."""
    if st.session_state["picture"] in SAMPLES:
        return _sample(st.session_state["picture"], side)
    return np.stack([picture.square(one, side) for one in images])


@cache  # of all sessions: a few, of 0.6 MB each
def _sample(name: str, side: int) -> np.ndarray:
    return picture.square(sample(name), side)[None]
