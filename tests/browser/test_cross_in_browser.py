from microscope import address_has, open_step, until, visit
from playwright.sync_api import Page, expect


def test_a_reader_switches_to_self_attention_and_swaps_the_two_sentences(
    server: str, page: Page
) -> None:
    open_step(page, server, "", "cross", "zh")
    flow = page.locator(".st-key-flow_card svg")
    expect(flow.locator("g.matrix")).to_have_count(3)
    expect(flow).to_contain_text("我 爱 北京 天安门")
    expect(flow).to_contain_text("(query 3, key 4)")
    page.get_by_role("button", name="⇄").click()
    expect(flow).to_contain_text("(query 4, key 3)")
    address_has(page, "memory=I\\+love\\+Beijing")
    until(page, "s.trace.names[s.trace.stage('scores').names[3]].join() === 'I,love,Beijing'")
    page.get_by_role("radio", name="X（自注意力）").click()
    expect(flow).to_contain_text("(query 4, key 4)")
    expect(flow).not_to_contain_text("memory")
    address_has(page, "source=self")
    page.get_by_text("为什么还要乘 W").click()
    expect(page.get_by_text("沿对角线对称")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_flow_fits_a_phone_with_letters_that_can_be_read(server: str, phone: Page) -> None:
    visit(phone, f"{server}/cross?lang=zh")
    flow = phone.locator(".st-key-flow_card svg")
    expect(flow).to_contain_text("(query 3, key 4)")
    box, scale = flow.bounding_box(), flow.evaluate("svg => svg.getScreenCTM().a")
    assert box is not None
    assert box["width"] <= 390
    assert scale * 14.5 >= 12
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
