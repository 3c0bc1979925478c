from xml.etree import ElementTree

import pytest
from microscope import (
    back,
    button,
    chosen_in_link,
    click_cell,
    open_step,
    quiet,
    state,
    step,
    title,
    title_of_sum,
)
from playwright.sync_api import Locator, Page, expect


def open_sentence(page: Page, server: str, query: str = "") -> None:
    open_step(page, server, query, lang="zh")


def type_text(page: Page, text: str) -> None:
    box(page).fill(text)  # who stops typing has no key to press


def box(page: Page) -> Locator:
    return page.locator(".st-key-text :is(input, textarea)")


def names_along(page: Page, role: str) -> list[str]:
    """The names along an axis of the current step."""
    return state(
        page,
        f"""(() => {{
          const {{ roles, names }} = s.trace.stage(s.stage);
          return s.trace.names[names[roles.indexOf("{role}")]];
        }})()""",
    )


def test_stepper_head_and_a_click_choose_the_cell_and_language_back_and_reload_lose_nothing(
    server: str, page: Page
) -> None:
    open_sentence(page, server, "&text=我爱 北京")
    a_greyed_step_says_how_to_add_it_and_moves_nothing(page)
    step(page, "weights").click()
    expect(title(page)).to_contain_text("softmax")
    a_line_to_itself_is_as_thick_as_its_weight(page)
    page.locator(".st-key-microscope .heads .one > button:first-child").nth(1).click()
    chosen_in_link(page, head=2)
    click_cell(page, 2, 0)
    expect(title_of_sum(page)).to_contain_text("weights[头 2, 北京, 我] = 0.26")
    chosen_in_link(page, row=3, column=1, lock=1)

    before = title_of_sum(page).inner_text().split("=")[1]
    page.get_by_text("English", exact=True).click()
    expect(title(page)).to_contain_text("each row sums to 1")
    expect(title_of_sum(page)).to_contain_text("weights[head 2, 北京, 我]")
    assert title_of_sum(page).inner_text().split("=")[1] == before
    assert box(page).input_value() == "我爱 北京"
    chosen_in_link(page, lang="en")
    quiet(page)

    button(page, "back").click()
    chosen_in_link(page, stage="scaled")
    expect(title(page)).to_contain_text("scale the scores")
    back(page)
    expect(title(page)).to_contain_text("each row sums to 1")
    page.go_forward()
    expect(title(page)).to_contain_text("scale the scores")
    page.reload()
    expect(title(page)).to_contain_text("scale the scores")


def a_greyed_step_says_how_to_add_it_and_moves_nothing(page: Page) -> None:
    part = page.locator(".st-key-microscope")
    looked_at = "[s.stage, s.head, s.positions, s.moves, s.locked, scrollY]"
    unused = part.get_by_role("button", name="没用到: 掩码")
    expect(step(page, "masked")).to_be_hidden()
    unused.focus()
    page.keyboard.press("Enter")
    expect(step(page, "masked")).to_be_focused()
    expect(unused).to_be_hidden()
    before, box = state(page, looked_at), part.bounding_box()
    step(page, "masked").click()
    expect(page.locator(".st-key-microscope .stepper .why")).to_contain_text("在“掩码”里选一种")
    assert (state(page, looked_at), part.bounding_box()) == (before, box)


def a_line_to_itself_is_as_thick_as_its_weight(page: Page) -> None:
    """Nine pixels at the end of the scale; of one query, all lines are drawn in the keys' order."""
    weights = state(
        page,
        "[0, 1, 2].map((key) => s.trace.value('weights', [0, s.head, s.positions.query, key]))",
    )
    high = state(page, "s.trace.stage('weights').scale.high")
    drawn = page.locator(".st-key-microscope .chips svg path").evaluate_all(
        "paths => paths.map((path) => Number(path.getAttribute('stroke-width')))"
    )
    assert drawn == pytest.approx([9 * weight / high for weight in weights])


def test_other_sentences_are_looked_into_a_bad_one_stays_in_its_box_and_all_is_there_on_return(
    server: str, page: Page
) -> None:
    open_sentence(page, server, "&stage=scores")
    click_cell(page, 2, 0)
    chosen_in_link(page, row=3)
    text = "她 爱 上海 的 海"  # another sentence begins at its own cell
    words = text.split()
    type_text(page, text)
    expect(page.locator(".st-key-microscope .chips button")).to_have_text(words)
    expect(title_of_sum(page)).to_contain_text("scores[头 1, 爱, ")
    click_cell(page, 4, 0)
    expect(title_of_sum(page)).to_contain_text("[头 1, 海, 她]")
    chosen_in_link(page, row=5)
    type_text(page, "   ")
    expect(page.locator("article.error")).to_contain_text("还没有文字")
    assert box(page).input_value() == "   "
    assert names_along(page, "query") == words
    type_text(page, text)
    expect(page.locator("article.error")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)

    page.get_by_test_id("stSidebar").get_by_text("首页", exact=True).click()
    expect(page.locator("h1")).to_contain_text("注意力显微镜")
    page.get_by_test_id("stSidebar").get_by_text("句子", exact=True).click()
    expect(title(page)).to_be_visible()
    assert box(page).input_value() == text


def test_tokens_that_look_like_markup_numbers_or_one_another_are_drawn_as_they_are(
    server: str, page: Page
) -> None:
    drawn = ["<b>x<b>", "1", "2024", "我", "我", "$a$", "&lt;", "*s*"]
    open_sentence(page, server, "&mode=custom&stage=weights&below=figure")
    type_text(page, " ".join(drawn))
    expect(page.locator(".st-key-microscope .chips button")).to_have_text(drawn)
    assert names_along(page, "query") == names_along(page, "key") == drawn
    with page.expect_download() as download:
        page.locator(".save [data-use=picture]").get_by_role("button", name="SVG").click()
    assert download.value.suggested_filename == "sentence-weights-head-1.svg"
    written = ElementTree.parse(download.value.path())
    texts = [element.text for element in written.iter("{http://www.w3.org/2000/svg}text")]
    assert all(texts.count(name) >= 4 * drawn.count(name) for name in drawn)  # two planes


def test_a_text_too_long_for_the_address_outlasts_a_reload_and_is_reported_missing_elsewhere(
    server: str, new_tab: Page
) -> None:
    long = " ".join(["abcdefghi"] * 40)
    open_sentence(new_tab, server)
    type_text(new_tab, long)
    new_tab.wait_for_function(
        "sessionStorage['attention-microscope-long sentence']?.includes('abc')"
        " && location.search.includes('omitted=text')"
    )
    link = new_tab.evaluate("location.href")
    new_tab.reload()
    expect(box(new_tab)).to_have_value(long)
    expect(new_tab.locator(".st-key-lost_text")).to_have_count(0)
    stranger = new_tab.context.new_page()
    stranger.goto(link)
    expect(stranger.locator(".st-key-lost_text")).to_contain_text("重新输入")
    expect(box(stranger)).to_have_value("我爱北京")
