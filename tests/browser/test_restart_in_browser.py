"""A replica is killed, all are restarted, or an upload is discarded, while pages are open."""

import asyncio
import os
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from microscope import address_has
from PIL import Image
from playwright.sync_api import Page, expect
from replicas import HAPROXY, hosted

from tests.benchmarks.bench_load import Reader

AT = "lang=en&model=seeded&size=64&patch=16&d_model=16&heads=2&stage=scaled&head=2&row=3&column=4"
READERS, BACK = 30, 5  # seconds until everybody is back
SELECTION = {
    "text": "我爱北京",
    "model": "seeded",
    "stage": "scaled",
    "head": 2,
    "row": 1,
    "column": 0,
}


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


async def goes_on(reader: Reader) -> float:
    """Wait until a reader's connection is cut; the seconds until the same link shows the same."""
    before, was_at = sorted(reader.shown), reader.cookie
    await reader.socket.wait_closed()
    cut = time.perf_counter()
    again = Reader(reader.address, reader.page, cookie=reader.cookie)
    await again.open()
    await again.run(SELECTION)
    assert sorted(again.shown) == before
    assert again.cookie != was_at
    took = time.perf_counter() - cut
    await again.socket.close()
    return took


async def all_go_on(address: str, looking: threading.Event) -> list[float]:
    """Readers who look until their replica ends; the seconds until each is with the other."""
    readers = [Reader(address, "sentence") for _ in range(READERS)]
    for reader in readers:
        await reader.open()
        await reader.run(SELECTION)
        assert reader.shown
    assert len({reader.cookie for reader in readers}) == 2
    looking.set()
    async with asyncio.timeout(60):
        return await asyncio.gather(*map(goes_on, readers))


def drawn(folder: Path) -> Path:
    """A small picture of one colour."""
    file = folder / "mine.png"
    Image.new("RGB", (64, 64), "green").save(file)
    return file


def choose(page: Page, *files: Path) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(files)


@pytest.mark.skipif(not HAPROXY, reason="haproxy is not installed")
def test_readers_of_a_killed_and_of_a_renewed_replica_go_on_with_the_other(
    page: Page, tmp_path: Path
) -> None:
    cell = page.get_by_text(re.compile(r"scaled\s*\[\s*head 2")).first
    gone = page.get_by_text("The server was restarted, and the picture that you uploaded is gone")
    looking = threading.Event()
    with hosted(tmp_path / "log") as service, ThreadPoolExecutor(1) as pool:
        page.goto(f"{service.address}/image?{AT}")  # the very first request of all
        expect(cell).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(gone).to_have_count(0)
        choose(page, drawn(tmp_path))
        address_has(page, "picture=upload")
        expect(page.get_by_text("My image")).to_be_visible()
        victim = service.pids()[0 if service.has_readers("app1") else 1]
        back = pool.submit(asyncio.run, all_go_on(service.address, looking))
        assert looking.wait(60)

        os.kill(victim, signal.SIGKILL)
        expect(gone).to_be_visible(timeout=1000 * BACK)
        expect(cell).to_be_visible()
        assert "stage=scaled" in page.url
        # The first thing that the reader does is done; another picture begins with its own cell.
        page.get_by_text("Harbour").first.click()
        address_has(page, "picture=harbour.*stage=scaled&head=2$")
        expect(gone).to_have_count(0)

        service.wait_for("ended with code -9")
        service.wait_for(": process ", times=3)  # the two at first, and another one
        for path in ("metrics", "%6detrics", "script-health-check"):
            assert status(f"{service.address}/_stcore/{path}") == 404, path
        assert status(f"{service.private}/replicas/app3") == 404
        assert status(f"{service.private}/proxy") == 200
        service.process.send_signal(signal.SIGHUP)
        assert max(back.result()) < BACK
        service.wait_for("all replicas are new")
        expect(cell).to_be_visible()


def test_uploads_beyond_the_limit_of_a_session_are_reported(
    server: str, page: Page, tmp_path: Path
) -> None:
    files, picture = [], drawn(tmp_path).read_bytes()
    for number in range(4):  # the last one is too much
        file = tmp_path / f"{number}.png"  # what follows the end of a picture is not read
        file.write_bytes(picture + bytes(18_000_000))
        files.append(file)
    page.goto(f"{server}/image?{AT}")
    expect(page.get_by_text("Upload an image")).to_be_visible()
    choose(page, *files)
    expect(page.get_by_text("it holds 60.0 MB for one reader and 300.0 MB for all")).to_be_visible()
