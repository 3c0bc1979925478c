"""The story, from the first scene to the last, with the keyboard alone."""

import re

from microscope import address_has, chosen_in_link, server_rests, visit
from playwright.sync_api import Page, expect

STORY = ".st-key-story"


def numbers(page: Page, column: str) -> list[str]:
    return page.locator(f"{STORY} tbody td.{column}").all_inner_texts()


def test_a_reader_goes_through_the_story_with_the_keyboard_and_opens_numbers(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/story?lang=en")
    heading = page.locator(f"{STORY} .telling h2")
    answer = page.locator(f"{STORY} .answer")
    slider = page.locator(f"{STORY} input[type=range]")
    total = page.locator(f"{STORY} .sum")

    def next_scene(number: int, title: str) -> None:
        heading.focus()
        page.keyboard.press("ArrowRight")
        expect(heading).to_have_text(title)
        chosen_in_link(page, scene=number)
        server_rests(page)  # what it still says of this scene would lead back to it

    expect(answer).to_have_text(
        "Before the first layer: the same numbers in both sentences, one point in all six."
    )
    stripes = page.locator(f"{STORY} .stripe")
    assert stripes.nth(0).inner_html() == stripes.nth(1).inner_html()
    slider.fill("12")
    expect(answer).to_contain_text("across meanings 0.83")
    assert stripes.nth(0).inner_html() != stripes.nth(1).inner_html()
    expect(page.locator(f"{STORY} .answers")).to_contain_text("“Paris” 77 %")
    page.get_by_role("switch").press("Enter")
    expect(answer).to_contain_text("Attention is off")
    assert stripes.nth(0).inner_html() == stripes.nth(1).inner_html()
    assert page.locator(f"{STORY} .broken .first").all_inner_texts() == ["“_” 21 %"] * 2
    assert page.locator(f"{STORY} .hint").is_hidden()

    next_scene(2, "Why not simply take the average?")
    slider.fill("5")  # one of ten words
    expect(answer).to_contain_text("bank gives 10 % of its attention to fish.")
    page.get_by_role("button", name="the word before").press("Enter")
    expect(answer).to_contain_text("bank gives 0 % of its attention to fish.")

    next_scene(3, "Whom should bank ask?")
    assert numbers(page, "score") == ["2.06", "−0.75", "−0.75", "−1.00", "−1.88"]
    page.locator(f"{STORY} .plane").focus()
    for _ in range(9):
        page.keyboard.press("ArrowLeft")  # by ¼ each: the question is (−1, 1) then
    expect(answer).to_contain_text("Best: old, with a score of 3.5.")
    page.locator(f"{STORY} td.score button").nth(3).click()
    expect(total).to_contain_text("−1·(−2) + 1·1.5 = 3.5")

    next_scene(4, "A score is a sum of products")
    expect(total).to_contain_text("1.25·1.25 + 1·0.5 ≈ 2.06")

    next_scene(5, "One unit to give away")
    assert numbers(page, "largest") == ["?"] * 5
    page.get_by_role("button", name="everyone gets a share").press("Enter")
    assert [text.strip() for text in numbers(page, "largest")] == ["1", "0", "0", "0", "0"]
    expect(total).to_contain_text("7.87 / (7.87 + 0.47 + 0.47 + 0.37 + 0.15) ≈ 0.84")
    slider.fill("-0.8")  # below two others: the winner jumps, and the sum follows
    assert [text.strip() for text in numbers(page, "largest")] == ["0", "1", "1", "0", "0"]
    expect(total).to_contain_text("e^−0.8 = 0.449")

    next_scene(6, "What is taken over")
    page.get_by_role("button", name="towards water").press("Enter")
    page.locator(f"{STORY} tfoot button").first.click()
    expect(total).to_contain_text("= 3.8976. From −0.5 it goes to 3.40.")

    next_scene(7, "Where questions, labels and values come from")
    page.get_by_role("button", name="after 400 steps: 100 %").press("Enter")
    page.locator(f"{STORY} tfoot .Q button").first.click()
    expect(total).to_contain_text("−0.5·(−0.5) + 0·0 + −1·(−1) + 0·0 = 1.25")

    next_scene(8, "Why several heads?")
    assert page.locator(f"{STORY} .head").count() == 1  # the second would be the answer
    page.get_by_role("button", name="no", exact=True).press("Enter")
    expect(page.locator(f"{STORY} .arcs")).to_have_attribute("aria-label", re.compile("old 86 %"))

    next_scene(9, "Your own words")
    expect(page.locator(f"{STORY} .takes")).to_contain_text("takes most from")
    expect(answer).to_contain_text("A score says how well")
    assert errors == []


def test_a_swipe_leads_on_and_back_and_no_scene_is_wider_than_a_phone(
    server: str, phone: Page
) -> None:
    visit(phone, f"{server}/story?lang=zh&scene=5")
    heading = phone.locator(f"{STORY} .telling h2")
    expect(heading).to_have_text("只有一份，怎么分？")
    swipe = """(story, places) => ["pointerdown", "pointerup"].forEach((type, i) => {
      const at = { pointerType: "touch", clientX: places[i], clientY: 300 };
      story.dispatchEvent(new PointerEvent(type, at));
    })"""
    wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
    heading.locator("xpath=ancestor::section").evaluate(swipe, [300, 100])
    expect(heading).to_have_text("拿走的是什么")
    address_has(phone, "scene=6")
    heading.locator("xpath=ancestor::section").evaluate(swipe, [100, 300])
    expect(heading).to_have_text("只有一份，怎么分？")
    for scene in range(2, 10):
        phone.get_by_role("button", name=f"{scene}: ").first.click()
        address_has(phone, f"scene={scene}")
        assert phone.evaluate(wide) <= 390, scene
