"""Which picture: one of the samples, or the reader's own."""

import streamlit as st
from PIL import Image
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import FileTooLarge, TooManyImages
from core.limits import LIMITS
from core.sources import picture
from views import link, numbers, parse
from views.reader import in_language
from views.text import Words
from views.text.vision import WORDS
from views.widgets.component import ASSETS
from views.widgets.prose import prose

SHAPES = (
    "red_ring", "blue_star", "yellow_triangle", "green_cross", "violet_disc", "red_square",
    "blue_ring", "yellow_star",
)  # fmt: skip
PHOTOS = ("cat", "ring", "lake", "tiles", "boat")
SAMPLES = (*SHAPES, *PHOTOS)
UPLOAD = "upload"
KEPT = 448


def chosen_images(
    words: Words, first: str = SAMPLES[0], most: int = LIMITS.images
) -> list[Image.Image]:
    """The controls and the pictures, several only where they are uploaded.

    first: the sample to begin with. most: how many may be uploaded.
    Raises core.errors.InputError.
    """
    text = words.image
    brought = st.file_uploader(
        text.upload,
        accept_multiple_files=most > 1,
        key="upload",
        help=text.upload_help.format(size=numbers.size(LIMITS.file_bytes), images=most),
        on_change=_uploaded,
        args=(first,),
    )
    files = brought if isinstance(brought, list) else [brought] if brought else []
    link.keep("picture", first, parse.one_of([*SAMPLES, UPLOAD]))
    uploads = link.session().things.setdefault("uploads", {})
    options = [*SAMPLES, *([UPLOAD] if files or uploads else [])]
    if st.session_state["picture"] not in options:
        prose([[(text.lost, "")]], key="lost", style="notice")
        st.session_state["picture"] = first
    name = st.pills(
        text.samples,
        options,
        format_func=lambda option: _called(option, words),
        key="picture",
        on_change=link.touch,
        required=True,
    )
    if name != UPLOAD:
        return [sample(name or first)]
    if files:
        _open_uploads(files, uploads, most)
    return list(uploads.values())[-most:]


def hold_images(first: str) -> None:
    """Keep in the link which picture it is while that is not shown."""
    link.hold("picture", first, parse.one_of([*SAMPLES, UPLOAD]))


def sample(name: str) -> Image.Image:
    """One of the pictures that come with the app."""
    file = f"shapes/{name}.png" if name in SHAPES else f"{name}.webp"
    return Image.open(ASSETS / "samples" / file).convert("RGB")


def _called(name: str, words: Words) -> str:
    if name not in SHAPES:
        return words.image.sample_names[name]
    return in_language(WORDS).called(*name.split("_")).capitalize()


def _uploaded(first: str) -> None:
    link.session().things["uploads"] = {}
    link.set_value("picture", UPLOAD if st.session_state["upload"] else first)


def _open_uploads(files: list[UploadedFile], uploads: dict[str, Image.Image], most: int) -> None:
    """Add what is new, all of it or nothing."""
    if len(files) > most:
        raise TooManyImages(len(files), most)
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
