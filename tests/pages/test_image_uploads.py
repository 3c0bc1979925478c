"""Uploads to the page Image: unusual pictures, and those that cannot be read."""

import io
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from claims import for_all
from page_reader import SMALL, Open, microscope, texts
from PIL import Image


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def picture(kind: str, size: tuple[int, int] = (90, 60), **options: Any) -> bytes:
    width, height = size
    y, x = np.indices((height, width))
    pixels = np.stack([x * 255 // width, y * 255 // height, (x + y) % 256], axis=-1)
    return saved(Image.fromarray(pixels.astype(np.uint8)), kind, **options)


def frames(kind: str, *colours: Any) -> bytes:
    """A picture of several frames or pages."""
    first, *others = (Image.new("RGB", (40, 30), colour) for colour in colours)
    return saved(first, kind, save_all=True, append_images=others)


def bomb() -> bytes:
    """A PNG whose header promises 20,000 × 20,000 pixels."""
    data = bytearray(picture("PNG"))
    data[16:24] = (20_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(bytes(data[12:29])).to_bytes(4, "big")
    return bytes(data)


def test_a_notice_names_the_first_frame_or_page_while_it_is_shown(open_page: Open) -> None:
    at = open_page("image", lang="en", **SMALL["image"])
    frame, page = "its first frame is shown", "several pages: the first one is shown"
    files = [
        ("a.gif", frames("GIF", 1, 2), "image/gif"),
        ("b.tiff", frames("TIFF", 1, 2), "image/tiff"),
    ]
    at.file_uploader(key="upload").set_value(files).run()
    assert frame in texts(at)
    assert page in texts(at)
    at.run()
    assert frame in texts(at)
    at.file_uploader(key="upload").set_value([("c.png", picture("PNG"), "image/png")]).run()
    assert frame not in texts(at)
    assert page not in texts(at)


@for_all(
    ("name", "make", "sentence"),
    [
        ("cut.png", lambda: [picture("PNG")[:200]], "损坏或不完整"),
        ("letter.png", lambda: [b"Dear reader, this is no picture."], "不是能读的图像"),
        ("bomb.png", lambda: [bomb()], "20000 × 20000"),
        ("empty.png", lambda: [b""], "“empty.png”：这个文件是空的"),
        ("one_of_nine.png", lambda: [picture("PNG")] * 9, "一次给了 9 张图，上限是 8 张"),
    ],
)
def test_a_refused_upload_gives_one_error_and_keeps_the_last_picture(
    open_page: Open, name: str, make: Callable[[], list[bytes]], sentence: str
) -> None:
    at = open_page("image", lang="zh", stage="scores", seed="11", **SMALL["image"])
    before = microscope(at).packed
    files = [(name, data, "application/octet-stream") for data in make()]
    at.file_uploader(key="upload").set_value(files).run()
    assert not at.exception
    assert sentence in texts(at)
    assert microscope(at).packed == before
    assert at.query_params["seed"] == "11"


def test_errors_name_the_refused_files_and_the_others_are_shown(open_page: Open) -> None:
    at = open_page("image", lang="en", **SMALL["image"])
    files = [
        ("sea.png", picture("PNG"), "image/png"),
        ("letter.png", b"Dear reader, this is no picture.", "image/png"),
        ("wood.png", picture("PNG", (60, 60)), "image/png"),
    ]
    at.file_uploader(key="upload").set_value(files).run()
    assert not at.exception
    assert "“letter.png”: " in texts(at)
    assert "sea.png" not in texts(at)
    assert "The other files are below." in texts(at)
    (sample,) = (box for box in at.selectbox if box.label == "Sample")
    assert sample.options == ["1", "2"]
    at.file_uploader(key="upload").set_value([files[1], ("page.html", b"<p>", "image/png")]).run()
    assert not at.exception
    assert "“letter.png”: " in texts(at)
    assert "“page.html”: " in texts(at)
    known = [("page.jpg", b"<!DOCTYPE html><html>", "image/png"), ("none.png", b"", "image/png")]
    at.file_uploader(key="upload").set_value(known).run()
    assert "“page.jpg”: This file is a web page" in texts(at)
    assert "“none.png”: This file is empty" in texts(at)
    at.file_uploader(key="upload").set_value(files[1]).run()
    assert "Still showing your previous input." in texts(at)


def test_a_newer_photo_begins_with_its_own_cell_and_the_address_is_not_said_to_show_it(
    open_page: Open,
) -> None:
    at = open_page("image", lang="en", stage="weights", **SMALL["image"])
    first = microscope(at).chosen["positions"]
    files = [("sea.png", picture("PNG"), "image/png"), ("sky.png", picture("BMP"), "image/png")]
    for number in (1, 2):
        at.query_params["row"], at.query_params["column"] = "4", "5"
        assert microscope(at.run()).chosen["positions"] != first
        at.file_uploader(key="upload").set_value(files[:number]).run()
        assert microscope(at).chosen["positions"] == first
    (shared,) = (one.value for one in at.sidebar.caption if "opens" in one.value)
    assert "a sample in its place" in shared
    at.button_group(key="picture").set_value("moose").run()
    (shared,) = (one.value for one in at.sidebar.caption if "opens" in one.value)
    assert "sees this page, this step and this cell" in shared
