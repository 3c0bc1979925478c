"""The controls of the Image page: which picture, how large, how it is cut."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import streamlit as st
from PIL import Image
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core import Trace
from core.errors import FileTooLarge, TooManyImages
from core.limits import LIMITS
from core.sources import image as source
from core.sources import picture
from views import link, numbers, parse
from views.text import Words
from views.widgets.choice import choice
from views.widgets.component import ASSETS
from views.widgets.model_input import Model, model_input
from views.widgets.prose import prose

SAMPLES = ("cat", "ring", "lake", "tiles", "boat")
SIZES = (64, 112, 224)
FIRST_SIZE, FIRST_PATCH = 224, 16  # every size can be cut by this patch
FEWEST, MOST = 2, 28  # patches along a side
KEPT = 448
FIRST_MODEL = Model(d_model=64, heads=4, seed=7)


@dataclass(frozen=True, eq=False)
class Pictures:
    """What the reader chose. pixels: (batch, size, size, 3) uint8."""

    pixels: np.ndarray
    patch: int
    cls: bool
    model: Model

    @property
    def side(self) -> int:
        """Patches along one side."""
        return int(self.pixels.shape[1]) // self.patch


def image_input(words: Words) -> Pictures:
    """The controls and the picture, ready to be cut. Raises core.errors.InputError."""
    text = words.image
    files = st.file_uploader(
        text.upload,
        accept_multiple_files=True,
        key="upload",
        help=text.upload_help.format(size=numbers.size(LIMITS.file_bytes), images=LIMITS.images),
        on_change=_uploaded,
    )
    link.keep("picture", SAMPLES[0], parse.one_of([*SAMPLES, "upload"]))
    uploads = link.session().things.setdefault("uploads", {})
    options = [*SAMPLES, *(["upload"] if files or uploads else [])]
    if st.session_state["picture"] not in options:
        prose([[(text.lost, "")]], key="lost", style="notice")
        st.session_state["picture"] = SAMPLES[0]
    name = st.pills(
        text.samples,
        options,
        format_func=lambda option: text.sample_names[option],
        key="picture",
        on_change=link.touch,
        required=True,
    )
    left, right = st.columns(2)
    link.keep("size", FIRST_SIZE, parse.one_of(SIZES))
    choice(text.size, "size", SIZES, where=left)
    size = st.session_state["size"]
    patches = patch_sizes(size)
    link.keep("patch", FIRST_PATCH, parse.one_of(patches))
    if st.session_state["patch"] not in patches:
        st.session_state["patch"] = FIRST_PATCH
    choice(text.patch, "patch", patches, where=right)
    patch = st.session_state["patch"]
    link.keep("cls", True, parse.flag, parse.written_flag)
    cls = st.checkbox(text.cls, key="cls", on_change=link.touch)
    model = model_input(words, FIRST_MODEL)
    if name == "upload":
        if files:
            _open_uploads(files, uploads)
        chosen = list(uploads.values())
    else:
        chosen = [_sample(name)]
    pixels = np.stack([picture.square(one, size) for one in chosen])
    return Pictures(pixels, patch, cls, model)


@cache
def first_pictures() -> Pictures:
    """What the page shows before anything was chosen."""
    pixels = picture.square(_sample(SAMPLES[0]), FIRST_SIZE)[None]
    return Pictures(pixels, FIRST_PATCH, True, FIRST_MODEL)


def patch_sizes(size: int) -> tuple[int, ...]:
    """The patch sides that cut an image of this size into 2 × 2 to 28 × 28 whole squares."""
    return tuple(p for p in range(4, size) if size % p == 0 and FEWEST <= size // p <= MOST)


def image_trace(chosen: Pictures) -> Trace:
    """Every stage from the pixels to the output, in float32. Raises core.errors.InputError."""
    model = chosen.model
    embedded = source.embed(
        picture.values(chosen.pixels),
        chosen.patch,
        model.d_model,
        model.seed,
        cls=chosen.cls,
        position=model.position,
    )
    return model.attend(embedded)


def _sample(name: str | None) -> Image.Image:
    return Image.open(ASSETS / "samples" / f"{name}.webp").convert("RGB")


def _uploaded() -> None:
    link.session().things["uploads"] = {}
    link.set_value("picture", "upload" if st.session_state["upload"] else SAMPLES[0])


def _open_uploads(files: list[UploadedFile], uploads: dict[str, Image.Image]) -> None:
    """Add what is new, all of it or nothing."""
    if len(files) > LIMITS.images:
        raise TooManyImages(len(files), LIMITS.images)
    opened = {}
    for file in files:
        if file.file_id in uploads:
            continue
        if file.size > LIMITS.file_bytes:
            raise FileTooLarge(file.size, LIMITS.file_bytes)
        whole = picture.open_picture(file.getvalue())
        side = min(KEPT, *whole.size)
        opened[file.file_id] = Image.fromarray(picture.square(whole, side))
    uploads.update(opened)
