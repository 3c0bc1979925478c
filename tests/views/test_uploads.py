"""What a session holds of the files that were uploaded is bounded."""

from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.limits import LIMITS
from tests.event_loop import run
from views.uploads import UploadLimit, remove_oldest


def uploaded(manager, session, name, size):
    manager.add_file(session, UploadedFileRec(name, "photo.png", "image/png", bytes(size)))


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
            await UploadLimit(answered)({"type": "http", "method": "PUT", "path": path}, 0, 0)

    run(upload_all())
    sizes = manager.file_storage["one"]
    assert sum(len(file.data) for file in sizes.values()) <= LIMITS.session_bytes
    assert "29" in sizes
