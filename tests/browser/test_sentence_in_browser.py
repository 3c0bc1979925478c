import re
from xml.etree import ElementTree

import pytest
from claims import for_all
from microscope import (
    button,
    chosen_in_link,
    click_cell,
    open_step,
    state,
    step,
    title,
    title_of_sum,
    visit,
)
from playwright.sync_api import Page, expect

STEPS = (
    ("tokens", "每个词先有一个编号"),
    ("embedding", "按编号取出词向量"),
    ("position", "位置编码"),
    ("X", "进入注意力的输入"),
    ("Q", "每个词想找什么"),
    ("K", "每个词凭什么被找到"),
    ("V", "每个词能给出什么"),
    ("scores", "每个词问每个词"),
    ("scaled", "把分数收小"),
    ("masked", "不许看的变成"),
    ("weights", "每行权重之和为 1"),
    ("head_output", "按权重取回内容"),
    ("concat", "各头并排"),
    ("output", "把各头混合起来"),
)


def open_sentence(page: Page, server: str, query: str = "") -> None:
    open_step(page, server, query, lang="zh")


def type_text(page: Page, text: str) -> None:
    area = page.locator("textarea").first
    area.fill(text)
    area.press("Control+Enter")


def names_along(page: Page, role: str) -> list[str]:
    """The names along an axis of the current step."""
    return state(
        page,
        f"""(() => {{
          const {{ roles, names }} = s.trace.stage(s.stage);
          return s.trace.names[names[roles.indexOf("{role}")]];
        }})()""",
    )


def test_a_reader_walks_from_a_typed_sentence_to_the_last_stage(server: str, page: Page) -> None:
    open_sentence(page, server, "&stage=tokens&mask=causal")
    type_text(page, "她爱上海的海")
    expect(page.locator(".st-key-microscope .chips button").filter(has_text="上海")).to_be_visible()
    for key, words in STEPS:
        expect(title(page)).to_contain_text(words)
        expect(step(page, key)).to_have_attribute("aria-current", "step")
        if key != "output":
            button(page, "forward").click()
    expect(page).to_have_url(re.compile("stage=output"))
    expect(button(page, "forward")).to_be_disabled()


def test_rail_head_and_a_click_choose_the_cell_that_is_opened(server: str, page: Page) -> None:
    open_sentence(page, server)
    step(page, "weights").click()
    expect(title(page)).to_contain_text("softmax")
    page.locator(".st-key-microscope .heads .one > button:first-child").nth(1).click()
    chosen_in_link(page, head=2)
    click_cell(page, 2, 0)
    expect(title_of_sum(page)).to_contain_text(re.compile(r"weights\[头 2, 北京, 我\] = 0\.\d{4}"))
    chosen_in_link(page, row=3, column=1, lock=1)


def test_another_sentence_and_yet_another_can_be_looked_into(server: str, page: Page) -> None:
    open_sentence(page, server, "&stage=scores")
    for text, chosen in (
        ("a quick brown fox", "quick"),
        ("她 爱 上海 的 海", "的"),  # the fourth was chosen in the sentence before
    ):
        words = text.split()
        type_text(page, text)
        expect(page.locator(".st-key-microscope .chips button")).to_have_text(words)
        expect(title_of_sum(page)).to_contain_text(f"scores[头 1, {chosen}, ")
        click_cell(page, len(words) - 1, 0)
        expect(title_of_sum(page)).to_contain_text(f"[头 1, {words[-1]}, {words[0]}]")
        chosen_in_link(page, row=len(words))
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_link_to_a_step_that_is_not_there_says_why_and_opens_the_one_before(
    server: str, page: Page
) -> None:
    open_sentence(page, server, "&stage=dropped")
    expect(page.locator("article.notice")).to_contain_text("dropout 为 0")
    expect(title(page)).to_contain_text("每行权重之和为 1")


def test_language_switch_loses_nothing(server: str, page: Page) -> None:
    open_sentence(page, server, "&stage=scores&text=猫 / 狗 / 鸟&mode=custom&seed=11&head=2&row=3")
    before = title_of_sum(page).inner_text().split("=")[1]
    page.get_by_text("English", exact=True).click()
    expect(title(page)).to_contain_text("every token asks every token")
    expect(title_of_sum(page)).to_contain_text("scores[head 2, 鸟")
    assert title_of_sum(page).inner_text().split("=")[1] == before
    assert page.locator("textarea").first.input_value() == "猫 / 狗 / 鸟"
    expect(page).to_have_url(re.compile("lang=en"))


def test_back_forward_and_reload_reopen_what_was_seen(server: str, page: Page) -> None:
    open_sentence(page, server)
    button(page, "forward").click()
    expect(title(page)).to_contain_text("把分数收小")
    chosen_in_link(page, stage="scaled")
    button(page, "forward").click()
    expect(title(page)).to_contain_text("每行权重之和为 1")
    chosen_in_link(page, stage="weights")
    page.go_back()
    expect(title(page)).to_contain_text("把分数收小")
    page.go_forward()
    expect(title(page)).to_contain_text("每行权重之和为 1")
    page.reload()
    expect(title(page)).to_contain_text("每行权重之和为 1")


def test_another_page_and_back_keeps_the_sentence(server: str, page: Page) -> None:
    open_sentence(page, server)
    type_text(page, "我们在看海")
    expect(page).to_have_url(re.compile("text="))
    page.get_by_test_id("stSidebar").get_by_text("首页", exact=True).click()
    expect(page.locator("h1")).to_contain_text("注意力显微镜")
    page.get_by_test_id("stSidebar").get_by_text("句子", exact=True).click()
    expect(title(page)).to_be_visible()
    assert page.locator("textarea").first.input_value() == "我们在看海"


def test_two_tabs_of_one_server_do_not_disturb_each_other(server: str, page: Page) -> None:
    other = page.context.new_page()
    open_sentence(page, server, "&stage=Q")
    open_sentence(other, server, "&stage=concat")
    button(other, "back").click()
    expect(title(other)).to_contain_text("按权重取回内容")
    expect(title(page)).to_contain_text("每个词想找什么")


@for_all(
    ("text", "sentence"),
    [
        ("   ", "还没有文字"),
        ("字" * 3000, "上限是"),
        ("你好\u202e吗", "U+202E"),
        ("\n".join("abcdefghijkl"), "行"),
        (" ".join("a" for _ in range(80)), "词元"),
    ],
)
def test_bad_text_gets_one_sentence_and_stays_in_its_box(
    server: str, page: Page, text: str, sentence: str
) -> None:
    open_sentence(page, server)
    type_text(page, text)
    expect(page.locator("article.error")).to_contain_text(sentence)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.locator("textarea").first.input_value() == text
    assert names_along(page, "query") == ["我", "爱", "北京"]


def test_tokens_that_look_like_markup_numbers_or_one_another_are_drawn_as_they_are(
    server: str, page: Page
) -> None:
    drawn = ["<b>x<b>", "1", "2024", "我", "我", "$a$", "&lt;", "*s*"]
    open_sentence(page, server, "&mode=custom&stage=weights&below=figure")
    type_text(page, " ".join(drawn))
    expect(page.locator(".st-key-microscope .chips button")).to_have_text(drawn)
    assert names_along(page, "query") == names_along(page, "key") == drawn
    with page.expect_download() as kept:
        page.locator(".save").get_by_role("button", name="SVG").click()
    assert kept.value.suggested_filename == "weights.svg"
    written = ElementTree.parse(kept.value.path())
    texts = [element.text for element in written.iter("{http://www.w3.org/2000/svg}text")]
    assert all(texts.count(name) >= 4 * drawn.count(name) for name in drawn)  # two planes


def test_sizes_that_do_not_divide_are_explained(server: str, page: Page) -> None:
    visit(page, f"{server}/sentence?lang=zh&d_model=9&heads=2")
    expect(page.locator("article.error")).to_contain_text("d_model = 9 不能平均分给 2 个头")


def test_invalid_parameters_are_reported_and_replaced_by_defaults(server: str, page: Page) -> None:
    open_sentence(page, server, "&stage=nowhere&row=99&seed=abc&foo=bar")
    notice = page.locator("article.notice")
    for part in ("stage=nowhere", "row=99", "seed=abc", "foo=bar"):
        expect(notice).to_contain_text(part)
    expect(title(page)).to_contain_text("每个词问每个词")


def test_a_greyed_step_says_how_to_add_it_and_moves_nothing(server: str, page: Page) -> None:
    open_sentence(page, server)
    part = page.locator(".st-key-microscope")
    looked_at = "[s.stage, s.head, s.places, s.moves, s.locked, scrollY]"
    before, place = state(page, looked_at), part.bounding_box()
    step(page, "masked").click()
    expect(page.locator(".st-key-microscope .rail .why")).to_contain_text("在“掩码”里选一种")
    assert (state(page, looked_at), part.bounding_box()) == (before, place)


def test_a_line_to_itself_is_as_thick_as_its_weight(server: str, page: Page) -> None:
    """Nine pixels at the end of the scale; of one query, all lines are drawn in the keys' order."""
    open_sentence(page, server, "&stage=weights")
    weights = state(
        page, "[0, 1, 2].map((key) => s.trace.value('weights', [0, s.head, s.places.query, key]))"
    )
    high = state(page, "s.trace.stage('weights').scale.high")
    drawn = page.locator(".st-key-microscope .chips svg path").evaluate_all(
        "paths => paths.map((path) => Number(path.getAttribute('stroke-width')))"
    )
    assert drawn == pytest.approx([9 * weight / high for weight in weights])
