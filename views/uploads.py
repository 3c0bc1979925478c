"""The files that a reader's session holds: how many bytes, and which are no longer there."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

from core.limits import LIMITS
from views import link

UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")


class BoundedUploads:
    """Middleware that lets a session's oldest files go once it holds more bytes than the limit.

    Streamlit keeps every upload until the session ends: those that others took the place of, those
    of pages that were left, and those that no page ever asked for.
    """

    def __init__(self, app: ASGIApp) -> None:
        """app: what answers the requests."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and look at what its session holds after an upload."""
        await self.app(scope, receive, send)
        if scope["type"] == "http" and scope["method"] == "PUT":
            found = UPLOAD.search(scope["path"])
            manager = runtime.get_instance().uploaded_file_mgr
            if found and isinstance(manager, MemoryUploadedFileManager):
                let_go(manager, found["session"])


def let_go(manager: MemoryUploadedFileManager, session: str, most: int | None = None) -> None:
    """Remove a session's oldest files until it holds no more bytes than the limit."""
    held = {name: len(file.data) for name, file in manager.file_storage.get(session, {}).items()}
    total = sum(held.values())
    for name, size in held.items():
        if total <= (LIMITS.session_bytes if most is None else most):
            return
        manager.remove_file(session, name)
        total -= size


def shown(key: str) -> list[UploadedFile | DeletedFile]:
    """All files that an uploader shows in the browser, those too that the server no longer has."""
    value = st.session_state.get(key)
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


@dataclass
class Lost:
    """By uploader, the files that were missing when it was drawn for the first time."""

    files: dict[str, set[str]] = field(default_factory=dict)


def lost_with_the_server(key: str, read: Iterable[str] = ()) -> bool:
    """Whether a file that an uploader shows was sent to a server that has been restarted since.

    No upload of this session can be missing when it draws the uploader for the first time.
    read: the files that are no longer asked for.
    """
    missing = {one.file_id for one in shown(key) if isinstance(one, DeletedFile)} - {*read}
    before = link.remembered(Lost).files.setdefault(key, missing)
    return bool(missing & before)


def missing(key: str, read: Iterable[str]) -> bool:
    """Whether a file that an uploader shows was let go before it was read."""
    return any(isinstance(one, DeletedFile) and one.file_id not in read for one in shown(key))
