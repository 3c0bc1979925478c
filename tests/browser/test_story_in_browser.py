"""The story, from the first scene to the last, with the keyboard alone."""

from microscope import address_has, chosen_in_link, server_rests, visit
from playwright.sync_api import Page, expect

STORY = ".st-key-story"


def numbers(page: Page, column: str) -> list[str]:
    return page.locator(f"{STORY} tbody td.{column}").all_inner_texts()


def test_a_reader_goes_through_the_story_with_the_keyboard_and_opens_a_number(
    server: str, page: Page, errors: list[str]
) -> None:
    visit(page, f"{server}/story?lang=en")
    heading = page.locator(f"{STORY} .telling h2")
    expect(heading).to_have_text("A word alone does not know its sentence")
    assert numbers(page, "share") == ["?"] * 3  # hidden before the guess
    page.get_by_role("button", name="all the same").press("Enter")
    assert {text.strip() for text in numbers(page, "share")} == {"0.33"}
    expect(page.locator(f"{STORY} .answer")).to_contain_text("(10 + 20 + 30) / 3 = 20")

    page.keyboard.press("ArrowRight")
    chosen_in_link(page, scene=2)
    expect(heading).to_have_text("A question meets a label")
    assert numbers(page, "score") == ["2", "3", "4"]
    page.locator(f"{STORY} .plane").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)  # by ½ each: the question is (2, 1) then
    assert numbers(page, "score") == ["4", "3", "2"]
    expect(page.locator(f"{STORY} .answer")).to_contain_text("Best: 我, score 4.")

    page.get_by_role("button", name="4: One unit to give away").click()
    slider = page.locator(f"{STORY} input[type=range]")
    assert numbers(page, "largest") == ["?"] * 3
    page.get_by_role("button", name="everyone gets a share").click()
    assert [text.strip() for text in numbers(page, "largest")] == ["0", "0", "1"]
    slider.fill("4")  # as much as 北京: the largest alone is one all the same
    assert [text.strip() for text in numbers(page, "largest")] == ["1", "0", "0"]
    slider.fill("5")
    assert [text.strip() for text in numbers(page, "largest")] == ["1", "0", "0"]
    slider.fill("2")
    page.locator(f"{STORY} td.share button").last.click()
    expect(page.locator(f"{STORY} .sum h3")).to_contain_text("= 0.665")

    page.locator(f"{STORY} td.label button").last.click()
    expect(page.locator(f"{STORY} .sum h3")).to_contain_text("K[head 1, 北京, 2] = 2")

    heading.focus()
    for scene in (5, 6, 7):
        page.keyboard.press("ArrowRight")
        chosen_in_link(page, scene=scene)
        server_rests(page)  # what it still says of this scene would lead back to it
    expect(page.locator(".st-key-glance")).to_contain_text("北京")
    expect(page.locator(f"{STORY} .answer")).to_contain_text("A score says how well")
    assert errors == []


def test_a_swipe_leads_on_and_back_and_no_scene_is_wider_than_a_phone(
    server: str, phone: Page
) -> None:
    visit(phone, f"{server}/story?lang=zh&scene=5")
    heading = phone.locator(f"{STORY} .telling h2")
    expect(heading).to_have_text("新的“爱”")
    swipe = """(story, xs) => ["pointerdown", "pointerup"].forEach((type, i) => {
      const at = { pointerType: "touch", clientX: xs[i], clientY: 300 };
      story.dispatchEvent(new PointerEvent(type, at));
    })"""
    heading.locator("xpath=ancestor::section").evaluate(swipe, [300, 100])
    expect(heading).to_have_text("几个头")
    address_has(phone, "scene=6")
    heading.locator("xpath=ancestor::section").evaluate(swipe, [100, 300])
    expect(heading).to_have_text("新的“爱”")
    wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
    assert phone.evaluate(wide) <= 390
