"""Layers that the map of one's own model only names: why they have no parts here."""

from pathlib import Path

from microscope import open_step
from playwright.sync_api import Browser, Locator, Page, expect

VIT = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints" / "vit"
MAP = ".st-key-model_map"
BEFORE = "Computed on the way. Choose one of them above to see its steps."
BEHIND = "They come after this layer, which needs none of them."


def told(page: Page) -> Locator:
    return page.locator(f"{MAP} .about")


def test_the_boxes_of_a_map_are_reached_by_arrow_in_the_order_in_which_they_are_drawn(
    models: str, page: Page
) -> None:
    open_step(page, models, "&model=vit&layer=2&part=encoder/2/self", "checkpoint")
    page.locator(f"{MAP} button[data-path='input']").focus()
    reached = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        reached.append(page.locator(f"{MAP} article :focus").bounding_box())
    places = [box["x"] for box in reached if box]
    assert len(places) == 4
    assert places == sorted(places)


def test_a_key_reader_is_told_why_layers_have_no_parts_and_then_of_the_chosen_part_again(
    models: str, page: Page
) -> None:
    open_step(page, models, "&model=vit&layer=2&part=encoder/2/self", "checkpoint")
    chosen = told(page).text_content()
    page.locator(f"{MAP} button[data-path='input']").focus()
    page.keyboard.press("ArrowRight")
    note = page.get_by_role("button", name="layer 1 run through", exact=True)
    expect(note).to_be_focused()
    expect(note).to_have_accessible_description(BEFORE)
    expect(told(page)).to_have_text(f"layer 1 · run through\u2003{BEFORE}")
    page.keyboard.press("ArrowRight")
    expect(note).not_to_be_focused()
    expect(told(page)).to_have_text(chosen or "")


def test_a_touch_shows_the_readout_too(models: str, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    open_step(page, models, "&model=vit&layer=2&part=encoder/2/self", "checkpoint")
    page.get_by_role("button", name="layer 3 come after", exact=True).tap()
    expect(told(page)).to_contain_text(BEHIND)
    page.locator(f"{MAP} button[data-path='encoder/2/feed_forward']").tap()
    expect(told(page)).to_contain_text("feed-forward")
    context.close()
