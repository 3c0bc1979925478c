import re

from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_the_first_word_fades_in_the_net_comes_back_with_the_radius_and_stays_in_the_link(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/before?lang=zh")
    reads = page.locator(".st-key-reads")
    expect(reads).to_contain_text("“钥匙”")
    expect(page.locator(".st-key-net_triangle .js-plotly-plot")).to_be_visible()
    expect(page.locator(".st-key-attention_triangle .js-plotly-plot")).to_be_visible()
    expect(page.locator(".st-key-curve .js-plotly-plot")).to_be_visible()
    page.locator(".st-key-tanh").get_by_text("tanh", exact=True).click()
    slider = page.locator(".st-key-radius").get_by_role("slider")
    slider.focus()
    slider.press("End")
    address_has(page, r"(?=.*radius=2\.5)(?=.*tanh=0)")
    expect(reads).to_contain_text("爆炸")
    area = page.locator(".st-key-text input")
    area.fill("她爱海")
    area.press("Enter")
    expect(reads).to_contain_text("“她”")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors


def test_a_matrix_is_a_tab_stop_with_a_name_where_it_is_wider_than_its_frame(
    server: str, phone: Page
) -> None:
    visit(phone, f"{server}/before?lang=en")
    expander = phone.locator("details:has(.st-key-last_row)")
    expander.locator("summary").tap()
    frame = expander.locator(".frame")
    expect(frame).to_have_role("group")
    expect(frame).to_have_accessible_name("‖∂ last / ∂ word‖")
    expander.locator("summary").focus()
    phone.keyboard.press("Tab")
    expect(frame).to_be_focused()
    phone.keyboard.press("ArrowRight")
    phone.wait_for_function("(frame) => frame.scrollLeft > 0", arg=frame.element_handle())
    phone.set_viewport_size({"width": 1440, "height": 900})
    for attribute in ("tabindex", "role", "aria-label"):
        expect(frame).not_to_have_attribute(attribute, re.compile(""))
