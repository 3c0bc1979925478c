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
    seen = page.locator(f"{STORY} .seen")
    slider = page.locator(f"{STORY} input[type=range]")
    total = page.locator(f"{STORY} .sum")

    def next_scene(number: int, title: str) -> None:
        heading.focus()
        page.keyboard.press("ArrowRight")
        expect(heading).to_have_text(title)
        chosen_in_link(page, scene=number)
        server_rests(page)  # what it still says of this scene would lead back to it

    expect(seen).to_have_text("Slide through the layers, then switch attention off.")
    expect(answer).to_be_hidden()
    stripes = page.locator(f"{STORY} .stripe")
    assert stripes.nth(0).inner_html() == stripes.nth(1).inner_html()
    slider.fill("12")
    expect(seen).to_contain_text("34° between the two")
    expect(seen.locator(".hint")).to_contain_text("switch attention off")
    expect(answer).to_be_hidden()
    assert stripes.nth(0).inner_html() != stripes.nth(1).inner_html()
    expect(page.locator(f"{STORY} .answers")).to_contain_text("“Paris” 77 %")
    page.get_by_role("switch").press("Enter")
    expect(seen).to_contain_text("What is crossed out cannot be seen")  # and no hint any more
    expect(seen.locator(".hint")).to_have_count(0)
    expect(answer).to_contain_text("Only the neighbours tell them apart")
    expect(page.locator(f"{STORY} .answers .unseen").first).to_have_text("The capital of France")
    assert stripes.nth(0).inner_html() == stripes.nth(1).inner_html()
    assert page.locator(f"{STORY} .broken .likeliest").all_inner_texts() == ["“_” 21 %"] * 2

    next_scene(2, "Why not simply take the average?")
    slider.fill("5")  # one of ten words
    expect(seen).to_contain_text("bank takes 10 % from fish.")
    page.get_by_role("button", name="the word before").press("Enter")
    expect(seen).to_contain_text("bank takes 0 % from fish.")
    names = page.locator(f"{STORY} .lines .name")  # of what was tried
    expect(names).to_have_text(["the word before", "average of all"])
    page.get_by_role("button", name="attention").press("Enter")
    expect(names).to_have_count(3)

    next_scene(3, "Whom should bank ask?")
    page.locator(f"{STORY} td.score button").nth(3).click()
    expect(total).to_contain_text("−1·(−2) + 1·1.5 = 3.5")
    page.locator(f"{STORY} .plane").focus()
    page.keyboard.press("ArrowLeft")
    expect(seen).to_contain_text("Best: old")
    expect(answer).to_be_hidden()  # for it says where training left the question
    for _ in range(10):
        page.keyboard.press("ArrowRight")  # by ¼ each: the question is (1.25, 1) then, as trained
    expect(seen).to_have_text("Best: fish, with a score of 2.06.")
    assert numbers(page, "score") == ["2.06", "−0.75", "−0.75", "−1.00", "−1.88"]

    next_scene(4, "A score is a sum of products")
    expect(total).to_contain_text("1.25·1.25 + 1·0.5 ≈ 2.06")
    page.locator(f"{STORY} td.score button").nth(3).press("Enter")
    expect(total).to_contain_text("1.25·(−2) + 1·1.5 = −1")
    expect(seen).to_have_text("bank and old: −1.")

    next_scene(5, "One unit to give away")
    assert [text.strip() for text in numbers(page, "largest")] == ["1", "0", "0", "0", "0"]
    expect(total).to_contain_text("7.87 / (7.87 + 0.47 + 0.47 + 0.37 + 0.15) ≈ 0.84")
    slider.fill("-0.8")  # below two others: the winner jumps, and the sum follows
    assert [text.strip() for text in numbers(page, "largest")] == ["0", "1", "1", "0", "0"]
    expect(total).to_contain_text("e^−0.8 = 0.449")
    # e^−0.7 and e^−0.8, each over the sum of all five: 0.253 and 0.235
    expect(seen).to_have_text("0.1 more: the weight of fish grows by 0.018, the best alone by 1.")

    next_scene(6, "What is taken over")
    assert numbers(page, "product") == ["?"] * 5
    page.get_by_role("button", name="towards water").press("Enter")
    page.locator(f"{STORY} tfoot button").first.click()
    expect(total).to_contain_text("= 3.8976. From −0.5 it goes to 3.40.")

    next_scene(7, "Who wrote the questions?")
    page.get_by_role("button", name="400 steps").press("Enter")
    expect(seen).to_contain_text("100 % of the test sentences")
    page.locator(f"{STORY} tfoot .Q button").first.click()
    expect(total).to_contain_text("−0.5·(−0.5) + 0·0 + −1·(−1) + 0·0 = 1.25")

    next_scene(8, "Why several heads?")
    slider.fill("0.5")  # of both words the values of both heads: ½ (4.5 + 0.5) + ½ (0.5 + 0.25)
    expect(seen).to_contain_text("bank moves 2.88 towards water and 2.38 towards old.")
    page.get_by_role("button", name="Two heads").press("Enter")
    expect(seen).to_have_text("bank moves 4.12 towards water and 3.60 towards old.")
    expect(page.locator(f"{STORY} .arcs")).to_have_attribute(
        "aria-label", re.compile("old 4 · 86 %")
    )

    next_scene(9, "Your own words")
    expect(page.locator(f"{STORY} .takes")).to_contain_text("takes most from")
    expect(page.locator(".st-key-terms").get_by_role("paragraph")).to_have_count(3)
    assert errors == []


def test_the_short_way_a_swipe_and_no_scene_that_is_wider_than_a_phone(
    server: str, phone: Page
) -> None:
    visit(phone, f"{server}/story?lang=zh")
    heading = phone.locator(f"{STORY} .telling h2")
    phone.get_by_role("button", name="赶时间").click()
    address_has(phone, "scene=2")  # all ways at once, with the answer
    expect(phone.locator(f"{STORY} .lines path.line")).to_have_count(4)
    expect(phone.locator(f"{STORY} .answer")).to_be_visible()
    phone.get_by_role("button", name="下一幕").click()
    expect(heading).to_have_text("“苹果”该问谁？")
    address_has(phone, "scene=3")
    swipe = """(story, places) => ["pointerdown", "pointerup"].forEach((type, i) => {
      const at = { pointerType: "touch", clientX: places[i], clientY: 300 };
      story.dispatchEvent(new PointerEvent(type, at));
    })"""
    wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
    heading.locator("xpath=ancestor::section").evaluate(swipe, [300, 100])
    expect(heading).to_have_text("拿走的是什么")  # the short way leaves two out
    address_has(phone, "scene=6")
    phone.reload()  # and the link has the short way
    expect(heading).to_have_text("拿走的是什么")
    heading.locator("xpath=ancestor::section").evaluate(swipe, [100, 300])
    expect(heading).to_have_text("“苹果”该问谁？")
    for scene in range(2, 10):
        phone.get_by_role("button", name=f"{scene}: ").first.click()
        address_has(phone, f"scene={scene}")
        assert phone.evaluate(wide) <= 390, scene
