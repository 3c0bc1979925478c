"""The choice of a picture: a sample or an upload."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import streamlit as st
from PIL import Image
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError
from core.limits import LIMITS
from core.sources import apart, picture
from core.sources.picture import Further
from views import link, parse
from views.export.bundle import ASSETS
from views.selection import reset_cell
from views.text import Words, numbers
from views.widgets.errors import RefusedFiles
from views.widgets.prose import notice
from views.widgets.uploaded_files import lost_on_server_restart, was_removed, widget_files

SAMPLES = (
    "boat", "harbour", "plane", "car", "moose", "tabby", "biplane", "coffee", "cat", "ring", "lake",
    "tiles",
)  # fmt: skip
UPLOAD = "upload"
STORED_SIDE = 448


@dataclass
class Uploads:
    """pictures: by file id. further: what the file has besides it, see ``picture.further``.

    files: the bytes of each, for a model's own processor.
    """

    pictures: dict[str, Image.Image] = field(default_factory=dict)
    further: dict[str, Further] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)


def chosen_images(
    words: Words, first: str = SAMPLES[0], most: int = LIMITS.images
) -> list[Image.Image]:
    """Draw the controls and return the chosen pictures: one sample, or all uploads.

    first: the initial sample. most: the number of files that may be uploaded. Files that cannot be
    read are left for ``computed`` to name, and the first new picture becomes the selected sample.
    Raises too_many_images, uploads_too_large and, if no file can be read, file_too_large or what
    opening a picture raises, all core.errors.InputError.
    """
    text = words.image
    with st.container(horizontal=True, gap="small", key="input_row"):
        choose, upload = st.container(), st.container()
    uploaded = upload.file_uploader(
        text.upload,
        accept_multiple_files=most > 1,
        key="upload",
        help=text.upload_help.format(
            size=numbers.size(LIMITS.file_bytes),
            images=most,
            session=numbers.size(LIMITS.session_bytes),
        ),
        on_change=_uploaded,
        args=(first,),
    )
    files = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    link.bind_param("picture", first, parse.one_of([*SAMPLES, UPLOAD]))
    uploads = link.remembered(Uploads).pictures
    restarted = lost_on_server_restart("upload", uploads)
    removed = was_removed("upload", uploads) and not restarted
    samples = sorted(SAMPLES, key=lambda one: one != first)  # it stands first, in sight
    options = [*samples, *([UPLOAD] if files or uploads or removed else [])]
    if st.session_state["picture"] not in options:
        lost = text.lost_on_server_restart if restarted else text.lost
        notice(lost, key="lost")
        st.session_state["picture"] = first
    name = choose.pills(
        text.samples,
        options,
        format_func=lambda option: text.sample_names[option],
        key="picture",
        required=True,
        on_change=reset_cell,
    )
    if name != UPLOAD:
        return [sample(name or first)]
    link.mark_uploaded()
    if removed:
        raise InputError("uploads_too_large", limit=LIMITS.session_bytes, all=LIMITS.process_bytes)
    if files:
        _open_uploads(files, link.remembered(Uploads), most)
    _announce_first([*uploads][-most:], words)
    return list(uploads.values())[-most:]


def preserve_images(first: str) -> None:
    """Keep the choice in the link while its control is not drawn."""
    link.preserve_param("picture", first, parse.one_of([*SAMPLES, UPLOAD]))


@cache  # of all sessions: a few, of 0.6 MB each
def sample(name: str) -> Image.Image:
    """A sample picture in RGB, by its name in ``SAMPLES``, not to be written to."""
    with Image.open(_path(name)) as file:
        return file.convert("RGB")


def chosen_file() -> bytes:
    """The bytes of the chosen picture, of several the last. Call it after ``chosen_images``."""
    name: str = st.session_state["picture"]
    if name == UPLOAD:
        return list(link.remembered(Uploads).files.values())[-1]
    return sample_file(name)


def sample_file(name: str) -> bytes:
    """The bytes of a sample picture's file."""
    return _path(name).read_bytes()


def _path(name: str) -> Path:
    return ASSETS / "samples" / f"{name}.webp"


def _announce_first(shown: list[str], words: Words) -> None:
    """Say that of an animation or of several pages the first one is shown. shown: file ids."""
    further = link.remembered(Uploads).further
    kinds = {further[name] for name in shown if further[name]}
    for kind in sorted(kinds):
        notice(words.image.first_shown[kind], key=f"first_of_{kind}")


def _uploaded(first: str) -> None:
    ids, uploads = {file.file_id for file in widget_files("upload")}, link.remembered(Uploads)
    uploads.pictures = {name: image for name, image in uploads.pictures.items() if name in ids}
    uploads.files = {name: file for name, file in uploads.files.items() if name in ids}
    link.set_value("picture", UPLOAD if ids else first)
    reset_cell()  # the chosen cell is of another picture


def _open_uploads(files: list[UploadedFile], uploads: Uploads, most: int) -> None:
    """Open the new files, and select the first picture among them.

    Raises the error of the first file if none can be read.
    """
    if len(files) > most:
        raise InputError("too_many_images", images=len(files), limit=most)
    opened: dict[str, Image.Image] = {}
    refused: list[InputError] = []
    for file in files:
        if file.file_id in uploads.pictures:
            continue
        try:
            further, opened[file.file_id] = _square(file)
        except InputError as error:
            error.file_name = file.name
            refused.append(error.with_traceback(None))
        else:
            uploads.files[file.file_id] = file.getvalue()
            uploads.further[file.file_id] = further
    if opened:
        link.set_value("sample", len(uploads.pictures) + 1)
        uploads.pictures.update(opened)
    link.remembered(RefusedFiles).errors += refused if uploads.pictures else refused[1:]
    if not uploads.pictures:
        raise refused[0]


def _square(file: UploadedFile) -> tuple[Further, Image.Image]:
    """Whether a file has more frames or pages, and the first one's central square.

    The square has at most ``KEPT`` pixels a side. Raises file_too_large, and as ``apart.read``.
    """
    if file.size > LIMITS.file_bytes:
        raise InputError("file_too_large", size=file.size, limit=LIMITS.file_bytes)
    facts, pixels = apart.read(picture.read_square, file.getvalue(), most=STORED_SIDE)
    return facts["further"], Image.fromarray(pixels)
