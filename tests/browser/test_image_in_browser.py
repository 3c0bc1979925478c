import io
import re

import numpy as np
from microscope import address_has, open_step, state, title, title_of_sum, until
from PIL import Image
from playwright.sync_api import Page, expect

from views.export.bundle import ASSETS

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


MEAN_COLOUR = """() => {
  const { image } = globalThis.attentionMicroscope.trace.photo;
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0, 64, 64);
  const { data } = pen.getImageData(0, 0, 64, 64);
  const mean = (c) => data.reduce((sum, byte, i) => sum + (i % 4 === c ? byte : 0), 0) / 4096;
  return [0, 1, 2].map(mean);
}"""


def test_a_click_on_a_photo_chooses_the_query_and_its_patches_stand_beside_the_rows(
    server: str, page: Page
) -> None:
    open_image(page, server, SMALL + "&stage=weights")
    samples = page.locator(".st-key-picture")
    wrong = {}
    for name, file in (
        ("花猫", "tabby.webp"),
        ("湖", "lake.webp"),
    ):
        before = state(page, "s.trace.id")
        samples.get_by_text(name, exact=True).click()
        until(page, f"s.trace.id !== {before} && s.trace.photo")
        found = page.evaluate(MEAN_COLOUR)
        expected = np.asarray(Image.open(ASSETS / "samples" / file).convert("RGB")).mean((0, 1))
        if not np.allclose(found, expected, atol=8):
            wrong[name] = (found, expected)
    assert wrong == {}
    canvas = page.locator(".st-key-photo canvas").first
    box = canvas.bounding_box()
    assert box is not None
    canvas.click(position={"x": box["width"] * 0.9, "y": box["height"] * 0.1})  # patch 4 of 4 × 4
    expect(title_of_sum(page)).to_contain_text("weights[头 1, 4, ")
    address_has(page, "row=5")  # [CLS] is row 1


def test_uploads_are_shown_and_too_many_pictures_give_a_message_and_lose_nothing(
    server: str, page: Page
) -> None:
    open_image(page, server, SMALL + "&stage=scores&seed=11")
    upload(page, "photo.png", picture("PNG"))
    address_has(page, "picture=upload")
    frames = [Image.new("P", (40, 30), colour) for colour in (1, 2)]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    before = state(page, "s.trace.photo_checksum")
    upload(page, "animated.gif", file.getvalue())
    until(page, f"s.trace.photo_checksum !== {before}")  # the newer picture is shown
    address_has(page, "sample=2")
    expect(page.locator("article.error")).to_have_count(0)
    expect(title_of_sum(page)).to_contain_text(re.compile("[=≈] "))
    upload(page, "one_of_nine.png", *([picture("PNG")] * 9))
    expect(page.locator("article.error")).to_contain_text("上限是 8 张")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.locator(".st-key-picture").get_by_text("湖", exact=True).click()
    expect(page.locator("article.error")).to_have_count(0)
    expect(title(page)).to_contain_text("每个块问每个块")
    address_has(page, "seed=11")
