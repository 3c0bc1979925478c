"""A change of theme redraws all canvases."""

from microscope import FIGURE, open_step
from playwright.sync_api import Page, expect

# Whether the letters left of the first matrix are brighter than this, 0 … 255.
BRIGHTER = """([canvas, limit]) => {
  const [{ x, y, height }] = globalThis.attentionMicroscope.layout.boxes;
  const { data } = canvas.getContext("2d").getImageData(0, y, x, height), greys = [];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 250) greys.push((data[i] + data[i + 1] + data[i + 2]) / 3);
  }
  return greys.reduce((sum, value) => sum + value, 0) / greys.length > limit;
}"""


def test_a_theme_switch_redraws_the_microscope_and_the_picture_to_save(
    server: str, page: Page
) -> None:
    page.emulate_media(color_scheme="light")
    open_step(page, server, "&below=figure")
    figure = page.locator(FIGURE).element_handle()
    assert not page.evaluate(BRIGHTER, [figure, 165])
    corner = """canvas => [...canvas.getContext("2d").getImageData(4, 4, 1, 1).data]"""
    canvas = page.locator(".save canvas")
    expect(canvas).to_be_visible()
    assert canvas.evaluate(corner) == [255, 255, 255, 255]
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(BRIGHTER, arg=[figure, 165])
    page.wait_for_function(
        f"([canvas, dark]) => String(({corner})(canvas)) === dark",
        arg=[canvas.element_handle(), "28,31,39,255"],
    )
