import re

from microscope import address_has, go_to, visit
from playwright.sync_api import Page, expect


def test_both_tokens_are_dragged_as_one_and_the_score_stays(server: str, page: Page) -> None:
    visit(page, f"{server}/rotary?lang=en")
    check = page.locator("p.check")
    expect(check).to_contain_text("positions 8 and 2")
    score = re.compile(r": (\S+)\. At")
    before = score.findall(check.inner_text())
    page.locator(".thumb.both").scroll_into_view_if_needed()
    expect(page.locator(".st-key-learnt_card")).to_be_visible()
    bar, line = page.locator(".thumb.both").bounding_box(), page.locator(".line").bounding_box()
    assert bar and line
    x, y, step = bar["x"] + bar["width"] / 2, bar["y"] + 8, line["width"] / 64
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20 * step, y, steps=3)
    page.mouse.up()
    expect(check).to_contain_text("positions 28 and 22")
    assert score.findall(check.inner_text()) == before
    page.locator(".thumb.key").press("ArrowLeft")
    expect(check).to_contain_text("positions 28 and 21")
    assert score.findall(check.inner_text()) != before
    page.locator(".clock").nth(4).click()
    address_has(page, "at=28%2C21")
    address_has(page, "pair=5")
    go_to(page, "Q_rotated")
    signature = page.locator(".st-key-microscope .signature")
    expect(signature).to_contain_text("), partner of each number, ")
