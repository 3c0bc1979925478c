"""The memory that uploaded files take is bounded, of a session and of the process."""

import tempfile
from types import SimpleNamespace

import pytest
from claims import for_all
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.limits import LIMITS
from tests.event_loop import run
from views.server.uploads import UploadLimit, keep_in_memory, remove_files


def uploaded(manager, session, name, size):
    manager.add_file(session, UploadedFileRec(name, "photo.png", "image/png", bytes(size)))


def put(path):
    """The request of an upload, for ASGI."""
    return {"type": "http", "method": "PUT", "path": path}


ONE, BOTH = ["one"], ["one", "two"]


@for_all(
    ("sessions", "limit", "left"),
    [
        (ONE, 12, "abcd"), (ONE, 11, "bcd"), (ONE, 4, "bd"), (["nobody"], 0, "abcd"),
        (BOTH, 25, "abcd"), (BOTH, 24, "acd"), (BOTH, 15, "cd"), (BOTH, 0, ""),
    ],
)  # fmt: skip
def test_beyond_a_limit_the_largest_session_loses_its_oldest_file(sessions, limit, left):
    manager = MemoryUploadedFileManager("")
    for session, name, size in (("one", "a", 7), ("two", "b", 9), ("one", "c", 5), ("two", "d", 4)):
        uploaded(manager, session, name, size)
    remove_files(manager, sessions, limit)
    assert sorted(name for files in manager.file_storage.values() for name in files) == [*left]


def test_30_uploads_of_20_mb_are_reduced_to_the_limit_of_a_session(monkeypatch: pytest.MonkeyPatch):
    manager = MemoryUploadedFileManager("")
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))

    async def answered(scope, receive, send):
        uploaded(manager, "one", scope["path"].rpartition("/")[2], LIMITS.file_bytes)

    async def upload_all():
        for number in range(30):
            path = f"/under/a/path/_stcore/upload_file/one/{number}"
            await UploadLimit(answered)(put(path), 0, 0)

    run(upload_all())
    sizes = manager.file_storage["one"]
    assert sum(len(file.data) for file in sizes.values()) <= LIMITS.session_bytes
    assert "29" in sizes


def test_all_uploads_that_are_on_their_way_are_bounded_together(monkeypatch: pytest.MonkeyPatch):
    manager = MemoryUploadedFileManager("")
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    scope = put("/_stcore/upload_file/one/1")

    unread = []

    async def chunk():
        body = bytes(LIMITS.receiving_bytes // 2)
        more = bool(unread and unread.pop())
        return {"type": "http.request", "body": body, "more_body": more}

    async def two_chunks(_, receive, send):
        await receive()
        await send()
        await receive()

    async def upload():
        limit = UploadLimit(two_chunks)

        async def meanwhile():
            unread[:] = [False, True, True]
            await limit(scope, chunk, nothing)

        async def nothing():
            pass

        await limit(scope, chunk, nothing)
        with pytest.raises(HTTPException) as refused:
            await limit(scope, chunk, meanwhile)
        assert refused.value.status_code == 503
        assert not unread  # a browser that still sends would not see the answer
        await limit(scope, chunk, nothing)

    run(upload())


def test_an_upload_of_the_largest_size_is_never_written_to_disk(monkeypatch: pytest.MonkeyPatch):
    """Beyond ``spool_max_size`` Starlette would make a file of it while it arrives."""
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)

    def rolled_over(_):
        pytest.fail("a file was made")

    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", rolled_over)
    keep_in_memory()
    head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n'
    parts = [head, *[bytes(1024 * 1024)] * 20, b"\r\n--x--\r\n"]  # server.maxUploadSize
    headers = [(b"content-type", b"multipart/form-data; boundary=x")]

    async def receive():
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def size() -> int:
        request = Request({"type": "http", "method": "PUT", "headers": headers}, receive)
        async with request.form() as form:
            return len(await form["f"].read())

    assert run(size()) == 20 * 1024 * 1024
