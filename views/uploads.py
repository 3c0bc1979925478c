"""Uploaded files: limits on their bytes, and which of them are gone."""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import streamlit as st
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

from core.limits import LIMITS
from views import link

TRY_AGAIN = {"Retry-After": "5"}
MINUTE = 60  # seconds
UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")


class UploadLimit:
    """ASGI middleware that keeps uploads within the limits of a session and of the process.

    Streamlit keeps every upload until the session ends: files that were replaced, files of pages
    that the user has left, and files that no page ever reads.
    """

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        """app: the ASGI application that answers the requests. clock: the time in seconds."""
        self.app, self._clock = app, clock
        self.receiving = 0  # bytes of all uploads that are on their way
        self._sent: dict[str, list[tuple[float, int]]] = {}  # when and how many, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; after an upload, remove files beyond the limits.

        An upload that comes while ``LIMITS.receiving_bytes`` are on their way is answered with 503,
        one with which its session sends more than ``LIMITS.minute_bytes`` within a minute with 429.
        """
        match = (
            scope["type"] == "http" and scope["method"] == "PUT" and UPLOAD.search(scope["path"])
        )
        if not match:
            await self.app(scope, receive, send)
            return
        size = int(Headers(scope=scope).get("content-length", LIMITS.file_bytes))
        if not self._counted(match["session"], size):
            await discard(receive)
            refused = PlainTextResponse("too much in a minute", 429, {"Retry-After": str(MINUTE)})
            await refused(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            size = len(message.get("body", b""))
            received += size
            self.receiving += size
            if self.receiving > LIMITS.receiving_bytes:
                await discard(receive)
                raise HTTPException(503, "too many uploads at once", TRY_AGAIN)
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self.receiving -= received
        manager = runtime.get_instance().uploaded_file_mgr
        if isinstance(manager, MemoryUploadedFileManager):
            remove_oldest(manager, match["session"])
            remove_from_largest(manager)

    def _counted(self, session: str, size: int) -> bool:
        """Count an upload against its session's minute; False where it does not fit into it."""
        begun = self._clock() - MINUTE
        recent = {
            one: [upload for upload in uploads if upload[0] > begun]
            for one, uploads in self._sent.items()
        }
        self._sent = {one: uploads for one, uploads in recent.items() if uploads}
        uploads = self._sent.setdefault(session, [])
        if sum(sent for _, sent in uploads) + size > LIMITS.minute_bytes:
            return False
        uploads.append((self._clock(), size))
        return True


async def discard(receive: Receive) -> None:
    """Read the rest of a request: a browser that still sends does not see the answer."""
    while (await receive()).get("more_body"):
        pass


def remove_oldest(
    manager: MemoryUploadedFileManager, session: str, most: int | None = None
) -> None:
    """Remove a session's oldest files until their bytes are within the limit.

    most: the limit in bytes, by default ``LIMITS.session_bytes``.
    """
    sizes = {name: len(file.data) for name, file in manager.file_storage.get(session, {}).items()}
    total = sum(sizes.values())
    for name, size in sizes.items():
        if total <= (LIMITS.session_bytes if most is None else most):
            return
        manager.remove_file(session, name)
        total -= size


def remove_from_largest(manager: MemoryUploadedFileManager, most: int | None = None) -> None:
    """Remove files until those of all sessions are within the limit.

    Each time the oldest of the session that holds the most, which has probably read it already.
    most: the limit in bytes, by default ``LIMITS.process_bytes``.
    """
    held = {
        session: {name: len(file.data) for name, file in [*files.items()]}
        for session, files in [*manager.file_storage.items()]
    }
    while sum(sum(sizes.values()) for sizes in held.values()) > (
        LIMITS.process_bytes if most is None else most
    ):
        session, sizes = max(held.items(), key=lambda one: sum(one[1].values()))
        name = next(iter(sizes))
        manager.remove_file(session, name)
        del sizes[name]


def keep_in_memory() -> None:
    """Let no upload touch the disk, to which Starlette would move one of more than 1 MB."""
    MultiPartParser.spool_max_size = 2 * LIMITS.file_bytes


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
