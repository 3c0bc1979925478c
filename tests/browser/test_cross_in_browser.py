from microscope import address_has, open_step, until
from playwright.sync_api import Page, expect


def test_a_reader_swaps_the_two_sentences_and_the_flow_can_be_read_on_a_phone(
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
    page.set_viewport_size({"width": 390, "height": 844})
    box, scale = flow.bounding_box(), flow.evaluate("svg => svg.getScreenCTM().a")
    assert box is not None
    assert box["width"] <= 390
    assert scale * 14.5 >= 12
    page.get_by_role("radio", name="X（自注意力）").click()
    expect(flow).to_contain_text("(query 4, key 4)")
    expect(flow).not_to_contain_text("memory")
