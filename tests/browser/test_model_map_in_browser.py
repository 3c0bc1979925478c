"""Layers that the map of one's own model shows without parts, with the reason."""

from pathlib import Path

from microscope import open_step
from playwright.sync_api import Locator, Page, expect

VIT = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints" / "vit"
MAP = ".st-key-model_map"
BEFORE = "Computed on the way. Choose one of them above to see its steps."
BEHIND = "Computed later: this layer does not depend on it."


def readout(page: Page) -> Locator:
    return page.locator(f"{MAP} .about")


def test_the_arrow_keys_reach_all_boxes_in_order_and_layers_without_parts_give_the_reason(
    server: str, page: Page
) -> None:
    open_step(page, server, "&model=vit&layer=2&part=encoder/2/self", "checkpoint")
    chosen = readout(page).text_content()
    page.locator(f"{MAP} button[data-path='input']").focus()
    page.keyboard.press("ArrowRight")
    note = page.get_by_role("button", name="layer 1 computed before", exact=True)
    expect(note).to_be_focused()
    expect(note).to_have_accessible_description(BEFORE)
    expect(readout(page)).to_have_text(f"layer 1 · computed before\u2003{BEFORE}")
    reached = [note.bounding_box()]
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        reached.append(page.locator(f"{MAP} article :focus").bounding_box())
        expect(note).not_to_be_focused()
        if len(reached) == 2:
            expect(readout(page)).to_have_text(chosen or "")
    lefts = [box["x"] for box in reached if box]
    assert len(lefts) == 4
    assert lefts == sorted(lefts)


def test_a_touch_shows_the_readout_too(server: str, phone: Page) -> None:
    open_step(phone, server, "&model=vit&layer=2&part=encoder/2/self", "checkpoint")
    phone.get_by_role("button", name="layer 3 computed after", exact=True).tap()
    expect(readout(phone)).to_contain_text(BEHIND)
    phone.locator(f"{MAP} button[data-path='encoder/2/feed_forward']").tap()
    expect(readout(phone)).to_contain_text("feed-forward")
