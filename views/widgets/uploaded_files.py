"""The files that an uploader shows in the browser, and which of them the server does not have."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

from views import link


def widget_files(key: str) -> list[UploadedFile | DeletedFile]:
    """All files that an uploader shows in the browser, including those the server has removed."""
    value = st.session_state.get(key)
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


@dataclass
class MissingAtFirst:
    """files: by uploader, the ids of files that were missing when it was first drawn."""

    files: dict[str, set[str]] = field(default_factory=dict)


def lost_on_server_restart(key: str, read: Iterable[str] = ()) -> bool:
    """Whether an uploader shows a file that was sent to the server before its last restart.

    When a session draws an uploader for the first time, none of its own uploads can be missing.
    read: the ids of files that have been read already and are not needed any more.
    """
    missing = {file.file_id for file in widget_files(key) if isinstance(file, DeletedFile)}
    missing -= {*read}
    at_first = link.remembered(MissingAtFirst).files.setdefault(key, missing)
    return bool(missing & at_first)


def was_removed(key: str, read: Iterable[str]) -> bool:
    """Whether an uploader shows a file that was removed before it was read (``read``: by id)."""
    files = widget_files(key)
    return any(isinstance(file, DeletedFile) and file.file_id not in read for file in files)
