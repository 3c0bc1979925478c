from microscope import visit
from playwright.sync_api import Page, expect


def test_the_alarms_that_a_reader_predicts_are_shown_whole_and_then_ring(
    server: str, page: Page
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    visit(page, f"{server}/break_it?lang=en&text=我爱北京&predict=1")
    alarm = page.get_by_text("Scaled scores of random Q and K").first
    expect(alarm).to_be_visible()
    cut = "(one) => one.scrollWidth > one.clientWidth + 1"
    assert not alarm.locator("xpath=..").evaluate(cut)
    expect(page.locator(".st-key-alarms_card")).to_have_count(0)
    page.locator(".st-key-ring_axis label").click()
    expect(page.locator(".st-key-alarms_card tr", has_text="✗")).to_have_count(3)
    expect(page.locator(".st-key-broken figure .after").first).to_have_text("Σ 0.28")
    expect(page.get_by_test_id("stException")).to_have_count(0)
