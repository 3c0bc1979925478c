"""A teacher steps through the layers of one's own model."""

from pathlib import Path

from microscope import FIGURE, chosen_in_link, open_step, until
from playwright.sync_api import Locator, Page, expect

VIT = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints" / "vit"
GPT2 = VIT.with_name("gpt2")
LAYERS = 3


def chosen(page: Page) -> Locator:
    return page.locator(".st-key-layer [aria-checked='true']")


def test_layers_are_stepped_through_by_l_by_arrows_along_the_row_and_by_buttons(
    server: str, page: Page
) -> None:
    open_step(page, server, "&model=vit&stage=scores", "checkpoint")
    for key, layer in (("l", 2), ("l", 3), ("Shift+L", 2), ("Shift+L", 1)):
        page.keyboard.press(key)
        expect(chosen(page)).to_have_text(str(layer))
        marked = page.locator(".st-key-model_map [aria-current='true']")
        expect(marked).to_have_attribute("data-path", f"encoder/{layer}/self")
    page.keyboard.press("Shift+L")
    expect(chosen(page)).to_have_text("1")
    expect(page.get_by_label("Previous layer (Shift+L)")).to_be_disabled()

    following = page.get_by_label("Next layer (L)")
    following.focus()
    for layer in (2, LAYERS):
        page.keyboard.press("Enter")
        chosen_in_link(page, layer=layer)
    expect(following).to_be_focused()

    chosen(page).focus()
    page.keyboard.press("ArrowLeft")
    chosen_in_link(page, layer=2, stage="scores")
    expect(chosen(page)).to_be_focused()
    l_leads_on_in_the_presenter_view_too_and_belongs_to_this_page_alone(page)


def l_leads_on_in_the_presenter_view_too_and_belongs_to_this_page_alone(page: Page) -> None:
    page.locator(FIGURE).focus()
    page.keyboard.press("p")
    until(page, "s.presenting")
    page.keyboard.press("l")
    chosen_in_link(page, layer=3, stage="scores", present=1)
    expect(page.locator(".st-key-model_map")).to_be_hidden()
    page.keyboard.press("p")
    expect(chosen(page)).to_have_text("3")
    expect(page.locator(".st-key-model_map")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    expect(page.locator(".st-key-layer")).to_have_count(0)
    passed_on = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'l', cancelable: true}))"
    assert page.evaluate(passed_on), "nobody else wanted this key"


def test_whoever_writes_an_l_stays_at_the_layer(server: str, page: Page) -> None:
    open_step(page, server, "&model=gpt2&text=love", "checkpoint")
    page.locator(".st-key-text textarea").press("l")
    expect(page.locator(".st-key-text textarea")).to_have_value("lovel")
    expect(chosen(page)).to_have_text("1")
