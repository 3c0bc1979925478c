"""Bounds on the memory that uploaded files take."""

import re

from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from core.limits import LIMITS

UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")


class UploadLimit:
    """ASGI middleware that keeps uploads within the limits of a session and of the process.

    Streamlit keeps every upload until the session ends: files that were replaced, files of pages
    that the user has left, and files that no page ever reads.
    """

    def __init__(self, app: ASGIApp) -> None:
        """app: the ASGI application that answers the requests."""
        self.app = app
        self.receiving = 0  # bytes of all uploads that are being received

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; after an upload, remove files beyond the limits.

        An upload while ``LIMITS.receiving_bytes`` are being received is answered with 503.
        """
        match = (
            scope["type"] == "http" and scope["method"] == "PUT" and UPLOAD.search(scope["path"])
        )
        if not match:
            await self.app(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            size = len(message.get("body", b""))
            received += size
            self.receiving += size
            if self.receiving > LIMITS.receiving_bytes:
                while message.get("more_body"):  # a browser that still sends sees no answer
                    message = await receive()
                raise HTTPException(503, "too many uploads at once")
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self.receiving -= received
        manager = runtime.get_instance().uploaded_file_mgr
        if isinstance(manager, MemoryUploadedFileManager):
            remove_files(manager, [match["session"]], LIMITS.session_bytes)
            remove_files(manager, [*manager.file_storage], LIMITS.process_bytes)


MIDDLEWARE = (Middleware(UploadLimit),)


def remove_files(manager: MemoryUploadedFileManager, sessions: list[str], limit: int) -> None:
    """Remove files of these sessions until all of them together have at most ``limit`` bytes.

    Each time the oldest of the session that has the most, which has probably read it already.
    """
    sizes = {
        session: {name: len(file.data) for name, file in [*manager.file_storage[session].items()]}
        for session in sessions
        if session in manager.file_storage
    }
    while sum(sum(files.values()) for files in sizes.values()) > limit:
        session, files = max(sizes.items(), key=lambda one: sum(one[1].values()))
        name = next(iter(files))
        manager.remove_file(session, name)
        del files[name]


def keep_in_memory() -> None:
    """Let no upload touch the disk, to which Starlette would move one of more than 1 MB."""
    MultiPartParser.spool_max_size = 2 * LIMITS.file_bytes
