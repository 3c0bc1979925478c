"""The picture that a reader's own ViT was given: clicks, hovering, and the matrix beside it."""

from microscope import FIGURE, address_has, back, hover_cell, open_step, state, title_of_sum, until
from playwright.sync_api import Locator, Page, expect

SIDE = 3  # patches


def small(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-looks button[value='{name}']")


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, exact=True)


def click_patch(page: Page, where: str, number: int) -> None:
    """Click a patch of one of the pictures, counted from 1."""
    canvas = page.locator(f".st-key-{where} canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    row, column = divmod(number - 1, SIDE)
    x, y = ((part + 0.5) / SIDE for part in (column, row))
    canvas.click(position={"x": x * box["width"], "y": y * box["height"]})


def test_a_small_picture_chooses_its_head_and_back_returns(server: str, page: Page) -> None:
    open_step(page, server, "&model=vit&layer=2&part=encoder/2/self", "checkpoint")
    expect(small(page, "2.1")).to_have_attribute("aria-pressed", "true")
    small(page, "2.2").click()
    expect(small(page, "2.2")).to_have_attribute("aria-pressed", "true")
    expect(heading(page, "Where [CLS] looks · layer 2, head 2")).to_be_visible()
    expect(title_of_sum(page)).to_contain_text("weights[head 2, [CLS], ")
    address_has(page, "head=2")
    back(page)
    expect(title_of_sum(page)).to_contain_text("weights[head 1, [CLS], ")


def test_in_the_input_a_clicked_patch_is_enlarged_and_a_small_picture_opens_the_attention(
    server: str, page: Page
) -> None:
    open_step(page, server, "&model=vit&layer=3&part=input&stage=patches", "checkpoint")
    click_patch(page, "photo", 2)
    expect(heading(page, "How patch 2 becomes a vector")).to_be_visible()
    until(page, "s.positions.patch === 1")
    assert state(page, "s.stage") == "patches"
    small(page, "3.2").click()
    until(page, "s.stage === 'weights'")
    expect(page.locator(".st-key-photos_card canvas")).to_have_count(2)


def test_a_pointed_row_lights_the_large_pictures_and_a_clicked_patch_looks_until_cls_is_asked_again(
    server: str, page: Page
) -> None:
    open_step(page, server, "&model=vit", "checkpoint")
    page.locator(FIGURE).scroll_into_view_if_needed()
    for where in ("lit", "relit"):
        expect(page.locator(f".st-key-{where} .spot")).to_contain_text("[CLS]")
    hover_cell(page, 4, 8)
    for where in ("lit", "relit"):
        expect(page.locator(f".st-key-{where} .spot b").first).to_have_text("4")
        expect(page.locator(f".st-key-{where} .spot .key")).to_have_text("→ 8")

    for where, patch in (("whole", 6), ("lit", 5), ("photo", 2), ("relit", 6)):
        click_patch(page, where, patch)
        expect(title_of_sum(page)).to_contain_text(f"weights[head 1, {patch}, ")
        expect(heading(page, f"Where patch {patch} looks · layer 1, head 1")).to_be_visible()
        address_has(page, f"row={patch + 1}")  # [CLS] is row 1
    page.get_by_role("button", name="Look from [CLS]").click()
    expect(heading(page, "Where [CLS] looks · layer 1, head 1")).to_be_visible()
    expect(title_of_sum(page)).to_contain_text("weights[head 1, [CLS], ")
