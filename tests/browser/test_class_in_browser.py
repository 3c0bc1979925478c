"""A lesson: a teacher on a laptop, a student on a phone and one on a laptop, in two languages."""

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from conftest import DESK, PHONE
from microscope import FIGURE, INIT_SCRIPT, PATIENCE
from playwright.sync_api import Browser, Page, expect
from serving import serving

PLACE = "sentence?lang=en&text=我爱北京&model=seeded&stage=weights&row=2&column=3&lock=1"
CELL = """() => {
  const { stage, rest, resultHidden } = globalThis.attentionMicroscope ?? {};
  return [stage, rest?.row, rest?.column, resultHidden];
}"""
AT = (
    f"([stage, row, column, hidden]) => String(({CELL})()) === String([stage, row, column, hidden])"
)


@pytest.fixture
def tabs(browser: Browser) -> Iterator[tuple[Page, Page, Page]]:
    """Three browsers: each has its own storage."""
    kinds = (("en-US", DESK), ("zh-CN", PHONE), ("en-US", DESK))
    with ExitStack() as stack:
        opened = []
        for locale, viewport in kinds:
            context = stack.enter_context(browser.new_context(viewport=viewport, locale=locale))
            context.set_default_timeout(PATIENCE)
            context.add_init_script(INIT_SCRIPT)
            opened.append(context.new_page())
        yield opened[0], opened[1], opened[2]


def test_a_lesson_from_the_code_to_the_end(
    tabs: tuple[Page, Page, Page],
) -> None:
    teacher, phone, laptop = tabs
    with serving() as served:
        teacher.goto(f"{served.address}/class")
        teacher.get_by_role("button", name="Start a class").click()
        teacher.locator("b.code").first.wait_for()
        member = json.loads(teacher.evaluate("localStorage['attention-microscope-teacher']"))
        phone.goto(member["link"])
        phone.get_by_placeholder("昵称").fill("<i>小安</i>")
        phone.get_by_role("button", name="加入").click()
        laptop.goto(f"{served.address}/class")
        laptop.get_by_label("The code, six signs").fill(member["code"][:6].lower())
        laptop.get_by_role("button", name="Join").click()
        expect(teacher.locator(".wall li")).to_have_count(2)
        assert "小安" not in teacher.locator(".wall").inner_text()
        teacher.get_by_role("button", name="Show names").click()
        expect(teacher.locator(".wall li b").first).to_have_text("<i>小安</i>")

        teacher.goto(f"{served.address}/{PLACE}")
        for tab in (phone, laptop):
            tab.locator(FIGURE).wait_for()
            tab.wait_for_function(AT, arg=["weights", 1, 2, False])
        assert "lang=en" not in phone.url
        expect(phone.locator("html")).to_have_attribute("lang", "zh-CN")
        expect(phone.locator(FIGURE)).to_be_in_viewport()
        teacher.keyboard.press("ArrowLeft")
        for tab in (phone, laptop):
            tab.wait_for_function(AT, arg=["weights", 1, 1, False])

        laptop.get_by_role("button", name="On my own").click()
        teacher.keyboard.press("ArrowRight")
        phone.wait_for_function(AT, arg=["weights", 1, 2, False])
        assert laptop.evaluate(CELL)[2] == 1
        laptop.get_by_role("button", name="Back to the teacher").click()
        laptop.wait_for_function(AT, arg=["weights", 1, 2, False])

        teacher.keyboard.press("h")
        phone.wait_for_function(AT, arg=["weights", 1, 2, True])
        teacher.get_by_role("button", name="This cell").click()
        expect(phone.locator(".dock h2")).to_have_text("weights [爱, 北京] 是多少？")
        phone.locator(".number input").fill("0.14")
        phone.get_by_role("button", name="发送").click()
        laptop.locator(".number input").fill("5/7")
        laptop.keyboard.press("Enter")
        expect(teacher.locator(".count")).to_have_text("2 of 2 answered")
        assert "right" not in teacher.locator(".chart").inner_text()
        teacher.get_by_role("button", name="Reveal").click()
        expect(teacher.locator(".chart li.right .label")).to_have_text("0.14")
        expect(phone.locator(".status")).to_contain_text("✓")
        phone.wait_for_function(AT, arg=["weights", 1, 2, False])

        teacher.get_by_role("button", name="Ask", exact=True).click()
        teacher.get_by_role("button", name="look most").click()
        phone.locator(".options button").nth(0).click()
        laptop.locator(".options button").first.wait_for()
        laptop.keyboard.press("2")
        expect(teacher.locator(".over .cell")).to_have_text(["1", "1", "0"])
        teacher.get_by_role("button", name="Ask again").click()
        phone.locator(".options button").nth(1).click()
        expect(teacher.locator(".count")).to_have_text("1 of 2 answered")
        expect(teacher.locator(".chart .round1")).to_have_count(4)  # with the legend

        phone.get_by_role("button", name="我跟不上").click()
        expect(teacher.locator(".bar .lost")).to_have_text("1 lost")
        for tab in tabs:  # asleep and awake again: the tab is loaded anew
            tab.reload()
            tab.locator(".dock .bar").wait_for()
        expect(teacher.locator(".count")).to_have_text("1 of 2 answered")
        teacher.get_by_role("link", name="Class", exact=False).last.click()
        teacher.get_by_role("button", name="End the class").click()
        teacher.get_by_role("button", name="Yes, end it").click()
        expect(phone.locator(".dock .bar")).to_be_hidden()
        assert phone.evaluate("sessionStorage['attention-microscope-student'] ?? null") is None
