import io
import re
from collections.abc import Callable

import numpy as np
from claims import for_all
from microscope import button, open_step, state, step, title, title_of_sum, until
from PIL import Image
from playwright.sync_api import Page, expect

from views.bundle import ASSETS

STEPS = (
    "patches", "flattened", "embedding", "sequence", "position", "X", "Q", "K", "V", "scores",
    "scaled", "weights", "head_output", "concat", "output",
)  # fmt: skip
SMALL = "&model=seeded&size=64&patch=16&d_model=16&heads=2"


def picture(kind: str, size: tuple[int, int] = (90, 60), **options: object) -> bytes:
    height, width = size[1], size[0]
    y, x = np.indices((height, width))
    pixels = np.stack([x * 255 // width, y * 255 // height, (x + y) % 256], axis=-1)
    buffer = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(buffer, kind, **options)
    return buffer.getvalue()


def open_image(page: Page, server: str, query: str = SMALL) -> None:
    open_step(page, server, query, "image", "zh")


def upload(page: Page, name: str, *files: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for data in files]
    )


def test_a_reader_walks_from_an_uploaded_photo_to_the_last_stage(
    server: str, new_tab: Page
) -> None:
    open_image(new_tab, server, SMALL + "&stage=patches")
    upload(new_tab, "photo.png", picture("PNG"))
    expect(new_tab).to_have_url(re.compile("picture=upload"))
    for key in STEPS:
        expect(step(new_tab, key)).to_have_attribute("aria-current", "step")
        if key != "output":
            button(new_tab, "forward").click()
    expect(new_tab.get_by_test_id("stException")).to_have_count(0)


def test_a_click_on_the_photo_chooses_the_patch_and_the_query(server: str, page: Page) -> None:
    open_image(page, server, SMALL + "&stage=weights")
    canvas = page.locator(".st-key-photo canvas").first
    box = canvas.bounding_box()
    assert box is not None
    canvas.click(position={"x": box["width"] * 0.9, "y": box["height"] * 0.1})  # patch 4 of 4 × 4
    expect(title_of_sum(page)).to_contain_text("weights[头 1, 4, ")
    expect(page).to_have_url(re.compile("row=5"))  # [CLS] is row 1


MEAN_COLOUR = """() => {
  const { image } = globalThis.attentionMicroscope.trace.photo;
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0, 64, 64);
  const { data } = pen.getImageData(0, 0, 64, 64);
  const mean = (c) => data.reduce((sum, byte, i) => sum + (i % 4 === c ? byte : 0), 0) / 4096;
  return [0, 1, 2].map(mean);
}"""


def test_the_small_pictures_beside_rows_are_those_of_the_picture_that_was_chosen_last(
    server: str, page: Page
) -> None:
    open_image(page, server)
    sidebar = page.get_by_test_id("stSidebar")
    wrong = {}
    for name, file in (
        ("花猫", "tabby.webp"),
        ("画的猫", "cat.webp"),
        ("湖", "lake.webp"),
    ):
        before = state(page, "s.trace.id")
        sidebar.get_by_text(name, exact=True).click()
        until(page, f"s.trace.id !== {before} && s.trace.photo")
        found = page.evaluate(MEAN_COLOUR)
        expected = np.asarray(Image.open(ASSETS / "samples" / file).convert("RGB")).mean((0, 1))
        if not np.allclose(found, expected, atol=8):
            wrong[name] = (found, expected)
    assert wrong == {}


def gif() -> bytes:
    frames = [Image.new("P", (40, 30), colour) for colour in (1, 2)]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    return buffer.getvalue()


def cmyk() -> bytes:
    buffer = io.BytesIO()
    Image.new("CMYK", (40, 30), (10, 200, 30, 0)).save(buffer, "JPEG")
    return buffer.getvalue()


def deep() -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.arange(1200, dtype=np.uint16).reshape(30, 40) * 50).save(buffer, "PNG")
    return buffer.getvalue()


def turned() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return picture("JPEG", exif=exif.tobytes())


@for_all(
    ("name", "make"),
    [
        ("animated.gif", gif),
        ("cmyk.jpg", cmyk),
        ("deep.png", deep),
        ("turned.jpg", turned),
        ("tiny.png", lambda: picture("PNG", (1, 1))),
        ("palette.bmp", lambda: picture("BMP")),
        ("small.webp", lambda: picture("WEBP")),
        ("small.tiff", lambda: picture("TIFF")),
        ("jpeg_by_the_name_of_a.png", lambda: picture("JPEG")),
    ],
)
def test_unusual_images_work(
    server: str, new_tab: Page, name: str, make: Callable[[], bytes]
) -> None:
    open_image(new_tab, server)
    upload(new_tab, name, make())
    expect(new_tab).to_have_url(re.compile("picture=upload"))
    expect(new_tab.locator("article.error")).to_have_count(0)
    expect(title_of_sum(new_tab)).to_contain_text("= ")


def bomb() -> bytes:
    """A PNG whose header promises 20,000 × 20,000 pixels."""
    data = bytearray(picture("PNG"))
    data[16:24] = (20_000).to_bytes(4, "big") * 2
    import zlib

    data[29:33] = zlib.crc32(bytes(data[12:29])).to_bytes(4, "big")
    return bytes(data)


@for_all(
    ("name", "make", "sentence"),
    [
        ("cut.png", lambda: [picture("PNG")[:200]], "损坏或不完整"),
        ("letter.png", lambda: [b"Dear reader, this is no picture."], "不是能读的图像"),
        ("bomb.png", lambda: [bomb()], "20000 × 20000"),
        ("empty.png", lambda: [b""], "不是能读的图像"),
        ("note.txt", lambda: [b"Dear reader"], "不是能读的图像"),
        ("one_of_nine.png", lambda: [picture("PNG")] * 9, "一次给了 9 张图，上限是 8 张"),
    ],
)
def test_a_bad_upload_gets_one_sentence_and_loses_nothing(
    server: str, new_tab: Page, name: str, make: Callable[[], list[bytes]], sentence: str
) -> None:
    open_image(new_tab, server, SMALL + "&stage=scores&seed=11")
    upload(new_tab, name, *make())
    expect(new_tab.locator("article.error")).to_contain_text(sentence)
    expect(new_tab.get_by_test_id("stException")).to_have_count(0)
    new_tab.get_by_test_id("stSidebar").get_by_text("湖", exact=True).click()
    expect(title(new_tab)).to_contain_text("每个块问每个块")
    expect(new_tab).to_have_url(re.compile("seed=11"))


def test_a_link_to_an_uploaded_picture_says_that_it_does_not_carry_it(
    server: str, page: Page
) -> None:
    open_image(page, server, SMALL + "&picture=upload")
    expect(page.get_by_text("链接不带上传的图像")).to_be_visible()
