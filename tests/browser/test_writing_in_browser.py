"""Writing in a real browser: a token by one press, and what a cell or a picture opens."""

import re

import pytest
from microscope import chosen_in_link, open_step, quiet, server_rests, until
from playwright.sync_api import Page, expect

QUERY = "&model=decoder&maps=1&text=the cat sat on"


def test_a_token_by_one_press_and_cells_and_pictures_that_open(server: str, page: Page) -> None:
    open_step(page, server, QUERY, "writing")
    text = page.locator(".st-key-text textarea")
    bars = page.locator(".st-key-compared_0 button")
    first = bars.all_inner_texts()
    for pressed in ("Append the likeliest", "Undo"):
        before = text.input_value()
        page.get_by_role("button", name=pressed).click()
        expect(text).not_to_have_value(before)
    expect(text).to_have_value("the cat sat on")
    expect(bars).to_have_text(first, use_inner_text=True)  # of this text again
    token = bars.nth(1).locator(".name").inner_text()
    bars.nth(1).click()
    expect(text).to_have_value(re.compile(f"^the cat sat on ?{re.escape(token)}$"))
    page.get_by_role("button", name="Undo").click()
    expect(text).to_have_value("the cat sat on")

    rows = page.locator(".st-key-lens tbody tr:visible")
    folded = rows.count()
    page.get_by_role("button", name="All 6 layers").click()
    expect(rows).to_have_count(6)
    assert folded < 6
    page.locator(".st-key-lens button[data-at='3/1/1']").click()
    chosen_in_link(page, layer=3, part="lens")
    until(page, "s.stage === 'probabilities'")
    expect(page.locator(".st-key-model_map .about")).to_contain_text("logit lens")
    expect(page.locator(".st-key-viewer")).to_be_in_viewport()

    pictures = page.locator(".st-key-head_pictures")
    pictures.locator("summary").first.click()
    pictures.locator("button[data-at='6/2']").click()
    chosen_in_link(page, layer=6, head=2)
    until(page, "s.stage === 'weights' && s.head === 1")
    expect(pictures.locator("[aria-current]")).to_have_attribute("data-at", "6/2")
    expect(pictures.locator(".now")).to_contain_text("Layer 6, head 2")

    bars = page.locator(".st-key-share_bars")
    bars.locator("button").nth(1).click()
    at = bars.locator("button").nth(1).get_attribute("data-at")
    chosen_in_link(page, part="shares")
    until(page, f"s.stage === 'shares' && s.positions.part === {at}")
    expect(bars.locator("[aria-current]")).to_have_attribute("data-at", at)

    page.locator(".st-key-mattered label").first.click()
    page.locator(".st-key-mattered_grid tr").nth(3).locator("button").last.click()
    chosen_in_link(page, part="gradients", mattered=1)
    until(page, "s.stage === 'grad/weights' && s.positions.query === 5 && s.positions.key === 2")
    expect(page.locator(".st-key-viewer")).to_be_in_viewport()

    page.locator(".st-key-mutes label").first.click()
    expect(pictures.locator(".mutes")).to_be_visible()
    for head in ("2/3", "5/1"):
        pictures.locator(f"button[data-at='{head}']").click()
        expect(pictures.locator(f"button[data-at='{head}']")).to_have_class("changed")
    chosen_in_link(page, change="mute%3D2.3%3Bmute%3D5.1")
    page.locator(".st-key-what_if_card summary").click()
    page.get_by_role("button", name="Tokens and another text").click()
    quiet(page)  # Streamlit closes no list that it has not drawn as open
    row = page.locator(".st-key-row_weights")
    sliders = row.locator("input")
    for share in ("50", "80"):
        sliders.nth(2).fill(share)
        parts = row.locator("b").all_inner_texts()
        assert sum(map(float, parts)) == pytest.approx(1, abs=0.03) and parts[2] == f"0.{share}"
    sliders.nth(1).dispatch_event("pointerdown")  # of a finger that then scrolls
    sliders.nth(1).fill("90")
    sliders.nth(1).dispatch_event("pointercancel")
    assert row.locator("b").all_inner_texts() == parts
    row.locator("button").click()
    written = re.compile(r"%3Brow%3D6\.2%406%3A[\d.]+%2C[\d.]+%2C0\.8%2C")
    expect(page).to_have_url(written)
    expect(page.locator(".st-key-changes")).to_contain_text("row 6 by hand")
    expect(row).to_be_hidden()  # else it would stand over the outcome
    page.set_viewport_size({"width": 390, "height": 844})
    server_rests(page)
    page.get_by_role("button", name="Mute all 24 heads").click()
    expect(page.locator(".st-key-effects button")).to_have_count(24)
