from microscope import address_has, visit
from playwright.sync_api import Page, expect


def test_a_reader_breaks_attention_and_finds_the_alarm_that_gives_it_away(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/break_it?lang=zh")
    wrong = page.get_by_test_id("stCode").first
    expect(wrong).to_contain_text("down the columns")
    cells = page.locator(".st-key-broken figure").first
    expect(cells.locator(".after").first).to_have_text("Σ 0.28")

    page.get_by_role("radio", name="K 没有转置").click()
    expect(page.get_by_text("size 3 is different from 4")).to_be_visible()
    page.get_by_role("button", name="令 d_k = 3").click()
    address_has(page, r"d_k=3")
    crosses = page.locator(".st-key-alarms_card tr", has_text="✗")
    expect(crosses).to_have_count(2)
    expect(crosses.nth(1)).to_contain_text("只取决于第 j 个键")

    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator(".st-key-predict label").click()
    expect(page.locator(".st-key-alarms_card")).to_have_count(0)
    page.locator(".st-key-guess_upright_rows_sum_to_one label").click()
    page.locator(".st-key-ring_upright label").click()
    expect(page.get_by_text("有 1 个没有响")).to_be_visible()
    expect(crosses).to_have_count(2)
    page.get_by_text("English", exact=True).click()
    alarm = page.get_by_text("Scaled scores of random Q and K").first
    expect(alarm).to_be_visible()
    cut = "(one) => one.scrollWidth > one.clientWidth + 1"
    assert not alarm.locator("xpath=..").evaluate(cut)
    expect(page.get_by_test_id("stException")).to_have_count(0)
