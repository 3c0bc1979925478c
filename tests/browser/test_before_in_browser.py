import re

from playwright.sync_api import Page, expect


def test_the_first_word_fades_in_the_net_comes_back_with_the_radius_and_stays_in_the_link(
    server: str, page: Page
) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{server}/before?lang=zh")
    reads = page.locator(".st-key-reads")
    expect(reads).to_contain_text("“钥匙”")
    expect(page.locator(".st-key-net_triangle .js-plotly-plot")).to_be_visible()
    expect(page.locator(".st-key-attention_triangle .js-plotly-plot")).to_be_visible()
    expect(page.locator(".st-key-curve .js-plotly-plot")).to_be_visible()
    page.locator(".st-key-tanh").get_by_text("tanh", exact=True).click()
    slider = page.locator(".st-key-radius").get_by_role("slider")
    slider.focus()
    for _ in range(6):
        slider.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"(?=.*radius=1\.5)(?=.*tanh=0)"))
    expect(reads).to_contain_text("爆炸")
    page.reload()
    expect(reads).to_contain_text("爆炸")
    area = page.locator(".st-key-text input")
    area.fill("她爱海")
    area.press("Enter")
    expect(reads).to_contain_text("“她”")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors
