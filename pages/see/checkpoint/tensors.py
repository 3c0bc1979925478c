"""A file with attention that another program computed, in place of a model."""

from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

from core import Trace
from core.errors import InputError
from core.limits import LIMITS
from core.nested import parts
from core.sources import apart
from core.sources.tensor_file import read_tensors, trace_in
from views import link, parse
from views.figures.axis import shortened
from views.preferences import in_language
from views.selection import reset_cell
from views.text import Words, numbers, words_beside
from views.text.spans import plain
from views.widgets.choice import choice
from views.widgets.errors import LONGEST, show_error
from views.widgets.uploaded_files import widget_files
from views.widgets.viewer import part_viewer

WORDS = words_beside(__file__)
KEY = "tensors"


@dataclass
class TensorFile:
    """The last file that could be read: its id, its name and its trace."""

    file_id: str = ""
    name: str = ""
    trace: Trace | None = None


def dropped_tensors(words: Words) -> TensorFile | None:
    """The file of the uploader, with its trace; None if there is none, or after its error."""
    last = link.remembered(TensorFile)
    for file in widget_files(KEY)[-1:]:
        link.mark_uploaded()
        if last.file_id == file.file_id:
            return last
        try:
            last.trace = _read(file)
        except InputError as error:
            error.file_name = getattr(file, "name", "")
            show_error(error, "", words)
            return None
        last.file_id, last.name = file.file_id, getattr(file, "name", "")
        return last
    return None


def _read(file: UploadedFile | DeletedFile) -> Trace:
    if isinstance(file, DeletedFile):
        raise InputError("uploads_too_large", limit=LIMITS.session_bytes, all=LIMITS.process_bytes)
    if file.size > LIMITS.file_bytes:
        raise InputError("file_too_large", size=file.size, limit=LIMITS.file_bytes)
    return trace_in(*apart.read(read_tensors, file.getvalue()))


def tensors_view(file: TensorFile, words: Words) -> None:
    """Show one layer of a file."""
    texts, trace = in_language(WORDS).tensors, file.trace
    assert trace is not None
    paths = parts(trace)
    link.bind_param("layer", 1, parse.number(1, 999))
    layer = st.session_state["layer"] = min(st.session_state["layer"], len(paths))
    if len(paths) > 1:
        with st.sidebar:
            choice(texts.layer, "layer", range(1, len(paths) + 1))
    name = shortened(file.name, LONGEST)

    def origin(words: Words) -> str:
        return WORDS[words.code].tensors.origin.format(name=name)

    part_viewer(trace, paths[layer - 1], words, origin=origin)


def tensors_input() -> None:
    """Draw the uploader, below whatever else the sidebar has."""
    texts = in_language(WORDS).tensors
    with st.sidebar:
        st.file_uploader(
            texts.upload, key=KEY, on_change=reset_cell,
            help=plain(texts.help.format(size=numbers.size(LIMITS.file_bytes))),
        )  # fmt: skip
