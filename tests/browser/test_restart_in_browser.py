"""The server goes away and comes again, or lets an upload go, while a reader looks."""

import os
import re
import signal
from pathlib import Path
from urllib.parse import urlsplit

from microscope import address_has
from PIL import Image
from playwright.sync_api import Page, expect
from serving import serving

AT = "lang=en&model=seeded&size=64&patch=16&d_model=16&heads=2&stage=scaled&head=2&row=3&column=4"


def drawn(folder: Path) -> Path:
    """A small picture of one colour."""
    file = folder / "mine.png"
    Image.new("RGB", (64, 64), "green").save(file)
    return file


def choose(page: Page, *files: Path) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(files)


def test_a_deep_link_is_the_very_first_request_and_after_a_restart_the_page_says_what_is_gone(
    page: Page, tmp_path: Path
) -> None:
    cell = page.get_by_text(re.compile(r"scaled\s*\[\s*head 2")).first
    gone = page.get_by_text("The server was restarted, and the picture that you uploaded is gone")
    with serving() as first:
        page.goto(f"{first.address}/image?{AT}")
        expect(cell).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(gone).to_have_count(0)
        choose(page, drawn(tmp_path))
        address_has(page, "picture=upload")
        expect(page.get_by_text("My image")).to_be_visible()
        os.kill(first.pid, signal.SIGKILL)
        with serving(port=urlsplit(first.address).port or 0):
            expect(gone).to_be_visible()
            expect(cell).to_be_visible()
            assert "stage=scaled" in page.url
            # The first thing that the reader does is done, and nothing else changes.
            page.get_by_text("Harbour").first.click()
            address_has(page, "picture=harbour.*stage=scaled&head=2&row=3")
            expect(gone).to_have_count(0)


def test_of_more_than_a_session_holds_the_first_are_dropped_and_that_is_said(
    server: str, page: Page, tmp_path: Path
) -> None:
    files, picture = [], drawn(tmp_path).read_bytes()
    for number in range(4):
        file = tmp_path / f"{number}.png"  # what follows the end of a picture is not read
        file.write_bytes(picture + bytes(18_000_000))
        files.append(file)
    page.goto(f"{server}/image?{AT}")
    expect(page.get_by_text("Upload an image")).to_be_visible()
    choose(page, *files)
    expect(page.get_by_text("it holds 60.0 MB for one reader and 300.0 MB for all")).to_be_visible()
