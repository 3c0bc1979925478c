"""What a session and the process hold of the files that were uploaded is bounded."""

import tempfile
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.limits import LIMITS
from tests.event_loop import run
from views.uploads import UploadLimit, keep_in_memory, remove_from_largest, remove_oldest


def uploaded(manager, session, name, size):
    manager.add_file(session, UploadedFileRec(name, "photo.png", "image/png", bytes(size)))


def put(path, size=1):
    """The request of an upload, for ASGI."""
    headers = [(b"content-length", str(size).encode())]
    return {"type": "http", "method": "PUT", "path": path, "headers": headers}


def test_the_oldest_files_of_a_session_go_and_those_of_others_stay():
    manager = MemoryUploadedFileManager("")
    for name, size in (("a", 7), ("b", 5), ("c", 3)):
        uploaded(manager, "one", name, size)
    uploaded(manager, "other", "d", 99)
    remove_oldest(manager, "one", most=15)
    assert [*manager.file_storage["one"]] == ["a", "b", "c"]
    remove_oldest(manager, "one", most=14)
    assert [*manager.file_storage["one"]] == ["b", "c"]
    remove_oldest(manager, "one", most=2)
    assert not manager.file_storage["one"]
    remove_oldest(manager, "nobody", most=0)
    assert [*manager.file_storage["other"]] == ["d"]


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


def test_beyond_the_limit_of_the_process_whoever_holds_most_loses_the_oldest():
    manager = MemoryUploadedFileManager("")
    for session, name, size in (("one", "a", 7), ("two", "b", 9), ("one", "c", 5), ("two", "d", 1)):
        uploaded(manager, session, name, size)
    for most, left in ((22, "abcd"), (21, "bcd"), (10, "cd"), (0, "")):
        remove_from_largest(manager, most)
        held = "".join(sorted(name for files in manager.file_storage.values() for name in files))
        assert held == left, most


def test_all_uploads_that_are_on_their_way_are_bounded_together(monkeypatch: pytest.MonkeyPatch):
    manager = MemoryUploadedFileManager("")
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    scope = put("/_stcore/upload_file/one/1")

    async def chunk():
        return {"type": "http.request", "body": bytes(LIMITS.receiving_bytes // 2)}

    async def two_chunks(_, receive, send):
        await receive()
        await send()
        await receive()

    async def upload():
        limit = UploadLimit(two_chunks)

        async def meanwhile():
            await limit(scope, chunk, nothing)

        async def nothing():
            pass

        await limit(scope, chunk, nothing)
        with pytest.raises(HTTPException) as refused:
            await limit(scope, chunk, meanwhile)
        assert (refused.value.status_code, refused.value.headers) == (503, {"Retry-After": "5"})
        await limit(scope, chunk, nothing)

    run(upload())


def test_a_session_sends_no_more_than_its_limit_in_any_minute(monkeypatch: pytest.MonkeyPatch):
    manager = SimpleNamespace(uploaded_file_mgr=None)
    monkeypatch.setattr(runtime, "get_instance", lambda: manager)
    quarter, now, answers, left = LIMITS.minute_bytes // 4, [0.0], [], []

    async def accepted(scope, receive, send):
        await send({"status": 204})

    async def chunk():
        left.pop()
        return {"type": "http.request", "body": bytes(9), "more_body": bool(left)}

    async def said(message):
        answers.append(message.get("status") or message["body"].decode())

    limit = UploadLimit(accepted, clock=lambda: now[0])

    async def upload_at(seconds, session="one", size=quarter):
        now[0], left[:] = seconds, [1, 2, 3]
        await limit(put(f"/_stcore/upload_file/{session}/1", size), chunk, said)
        return answers.pop(0)

    async def upload():
        assert [await upload_at(at) for at in (0, 10, 20, 30)] == [204] * 4
        assert await upload_at(30, "other") == 204
        assert await upload_at(59.9, size=1) == 429
        assert not left  # a browser that still sends would not see the answer
        answers.clear()
        assert [await upload_at(60), await upload_at(60, size=1)] == [204, 429]
        answers.clear()
        assert await upload_at(70) == 204

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
