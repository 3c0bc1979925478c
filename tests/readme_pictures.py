"""Makes the pictures of the README.

``PYTHONPATH=.:tests:tests/browser python tests/readme_pictures.py``

For each language a screenshot of the microscope, and an animation of the story and the microscope.
"""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

from microscope import INIT_SCRIPT
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from serving import CHROMIUM, CHROMIUM_FLAGS, serving

FOLDER = Path(__file__).parents[1] / "assets" / "readme"
SIZE = {"width": 1366, "height": 768}
SUFFIXES = {"en": "", "zh": ".zh"}
WIDTH = 820  # of the animation, in pixels
TYPED = {
    "en": ("I love", "I love my", "I love my dog"),
    "zh": ("我爱", "我爱上", "我爱上海"),
}
GLANCE, LOOK, READ = 260, 900, 1900  # how long a frame stays, in milliseconds
LARGEST = 2_000_000  # bytes
Frame = tuple[Image.Image, int]


def opened(page: Page, address: str) -> None:
    page.goto(address)
    rests(page)
    page.evaluate("document.fonts.ready")


def rests(page: Page) -> None:
    """Wait until what was asked for is there and stands still."""
    page.wait_for_timeout(1500)
    page.wait_for_selector(
        "[data-testid=stApp][data-test-script-state=notRunning]", state="attached"
    )
    page.wait_for_timeout(1500)


def photo(page: Page) -> Image.Image:
    """The page without its sidebar."""
    edge = page.locator("[data-testid=stSidebar]").bounding_box()
    left = edge["width"] if edge else 0
    clip = {"x": left, "y": 0, "width": SIZE["width"] - left, "height": SIZE["height"]}
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


def story(page: Page, server: str, language: str) -> Iterator[Frame]:
    """Attention switched off and on again, a word that parts in two, a turned question."""
    page.emulate_media(reduced_motion="reduce")  # or the layers would play by themselves
    opened(page, f"{server}/story?lang={language}")
    yield photo(page), READ
    switch = page.locator(".st-key-story .switch")
    for _ in range(2):
        switch.click()
        page.wait_for_timeout(300)
        yield photo(page), READ
    slider = page.locator(".st-key-story input[type=range]")
    for layer in range(0, 17, 2):
        slider.fill(str(layer))
        page.wait_for_timeout(300)
        yield photo(page), GLANCE
    yield photo(page), LOOK
    opened(page, f"{server}/story?lang={language}&scene=3")
    yield photo(page), LOOK
    page.locator(".st-key-story .plane").focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        yield photo(page), GLANCE
    yield photo(page), LOOK
    page.emulate_media(reduced_motion="no-preference")


def microscope(page: Page, server: str, language: str) -> Iterator[Frame]:
    """A sentence as it is typed, its words touched, and in the machine back to the scores."""
    opened(page, f"{server}/sentence?lang={language}")
    yield photo(page), LOOK
    box = page.locator(".st-key-text_row input")
    for text in TYPED[language]:
        box.fill(text)
        rests(page)
        yield photo(page), LOOK
    for word in page.locator(".first-view .row button").all():
        word.click()
        page.wait_for_timeout(500)
        yield photo(page), LOOK
    page.locator(".first-view .open").click()
    for stage in ("scaled", "scores"):
        page.locator(f".st-key-microscope .stepper [data-key={stage}]").click()
        page.wait_for_timeout(1500)
        yield photo(page), READ


def animation(frames: Iterator[Frame], path: Path) -> None:
    """Writes an animated WebP. Raises ValueError if it is larger than a README should load."""
    images, durations = zip(*frames, strict=True)
    height = round(WIDTH * images[0].height / images[0].width)
    small = [image.resize((WIDTH, height), Image.Resampling.LANCZOS) for image in images]
    first, *others = small
    first.save(
        path, save_all=True, append_images=others, duration=durations, loop=0, quality=80, method=6
    )
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes, more than {LARGEST}")


def main() -> None:
    scenes: tuple[Callable[[Page, str, str], Iterator[Frame]], ...] = (story, microscope)
    with serving() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        for language, suffix in SUFFIXES.items():
            context = browser.new_context(viewport=SIZE, locale=language)
            context.add_init_script(INIT_SCRIPT)
            page = context.new_page()
            frames = (frame for scene in scenes for frame in scene(page, served.address, language))
            animation(frames, FOLDER / f"tour{suffix}.webp")
            # The machine stays open for who has opened it.
            opened(page, f"{served.address}/sentence?lang={language}")
            page.screenshot(path=FOLDER / f"stage{suffix}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
