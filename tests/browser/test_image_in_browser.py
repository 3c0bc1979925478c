import numpy as np
from microscope import address_has, open_step, state, title_of_sum, until
from PIL import Image
from playwright.sync_api import Page, expect

from views.export.bundle import ASSETS

SMALL = "&model=seeded&size=64&patch=16&d_model=16&heads=2"


def open_image(page: Page, server: str, query: str = SMALL) -> None:
    open_step(page, server, query, "image", "zh")


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
