"""The story, from the first scene to the last, with the keyboard alone."""

import re

from microscope import address_has, chosen_in_link, server_rests, visit
from playwright.sync_api import Page, expect

STORY = ".st-key-story"
# Whether a menu is as wide as the longest of its options.
WHOLE = """(menu) => {
  const whole = menu.parentElement.appendChild(menu.cloneNode(true));
  Object.assign(whole.style, { position: "absolute", maxWidth: "none" });
  const { offsetWidth } = whole;
  whole.remove();
  return menu.offsetWidth >= offsetWidth;
}"""


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

    verdict = page.locator(f"{STORY} .verdict")
    expect(verdict).to_contain_text("After looking")  # it goes through the layers by itself
    expect(answer).to_be_hidden()
    expect(slider).to_be_hidden()
    stripes = page.locator(f"{STORY} .stripe")
    answers = page.locator(f"{STORY} .answers td")
    assert stripes.nth(0).inner_html() != stripes.nth(1).inner_html()
    expect(answers).to_have_text(["“Paris” 77 %", "?", "“cold” 68 %", "?"], use_inner_text=True)
    switch = page.get_by_role("switch")
    switch.press("Enter")
    expect(verdict).to_contain_text("the same numbers, whatever stands beside it")
    expect(answer).to_contain_text("every word is read alone")
    expect(page.locator(f"{STORY} .answers .unseen").first).to_have_text("The capital of France")
    assert stripes.nth(0).inner_html() == stripes.nth(1).inner_html()
    switched = ["“Paris” 77 %", "“_” 21 %", "“cold” 68 %", "“_” 21 %"]
    expect(answers).to_have_text(switched, use_inner_text=True)
    switch.press("Enter")
    slider.fill("12")
    expect(seen).to_contain_text("34° from one to the other")
    slider.fill("0")
    assert stripes.nth(0).inner_html() == stripes.nth(1).inner_html()

    next_scene(2, "Why not simply take the average?")
    slider.fill("5")  # one of ten words
    expect(seen).to_contain_text("bank takes 10 % from fish.")
    expect(answer).to_be_hidden()
    page.get_by_role("button", name="the word before").press("Enter")
    expect(seen).to_contain_text("bank takes 0 % from fish.")
    names = page.locator(f"{STORY} .lines .name")  # of what was tried
    expect(names).to_have_text(["the word before", "average of all"])
    page.get_by_role("button", name="handed on").press("Enter")
    expect(seen).to_contain_text("loses half of what it was handed: <1 % of fish is left")
    page.get_by_role("button", name="attention").press("Enter")
    expect(names).to_have_count(4)
    expect(seen).to_contain_text(
        "16.7 times as much as from each “the”. Every extra word takes a little."
    )
    expect(answer).to_be_visible()

    next_scene(3, "Whom should bank ask?")
    page.locator(f"{STORY} td.score button").nth(3).click()
    expect(total).to_contain_text("−1·(−2) + 1·1.5 = 3.5")
    page.locator(f"{STORY} td.label button").first.click()
    expect(total).to_contain_text("its vector times a column of a table (scene 7).")
    page.locator(f"{STORY} .plane").focus()
    page.keyboard.press("ArrowLeft")
    expect(seen).to_contain_text("Best: old")
    for _ in range(10):
        page.keyboard.press("ArrowRight")  # by ¼ each: the question is (1.25, 1) then, as trained
    expect(seen).to_have_text("Best: fish, with a score of 2.06. Training left it about here.")
    assert numbers(page, "score") == ["2.06", "−0.75", "−0.75", "−1.00", "−1.88"]

    next_scene(4, "A score is a sum of products")
    expect(total).to_contain_text("1.25·1.25 + 1·0.5 = 2.0625")
    page.locator(f"{STORY} td.score button").nth(3).press("Enter")
    expect(total).to_contain_text("1.25·(−2) + 1·1.5 = −1")
    expect(seen).to_have_text("bank and old: −1.")

    next_scene(5, "100 % to give away")
    assert [text.strip() for text in numbers(page, "largest")] == ["100 %", *["0 %"] * 4]
    expect(total).to_contain_text(
        "e2.0625 ≈ 7.87;  7.87 / (7.87 + 0.47 + 0.47 + 0.37 + 0.15) ≈ 84.3 %"
    )
    slider.fill("-0.8")  # below two others: the winner jumps, and the sum follows
    assert [text.strip() for text in numbers(page, "largest")] == [
        "0 %",
        "50 %",
        "50 %",
        "0 %",
        "0 %",
    ]
    expect(total).to_contain_text("e−0.8 ≈ 0.449")
    # e^−0.7 and e^−0.8, each over the sum of all five: 0.253 and 0.235
    expect(seen).to_have_text(
        "0.1 more: the weight of fish grows by 1.8 percentage points, the best alone by 100."
    )

    next_scene(6, "What is taken over")
    assert numbers(page, "product") == ["?"] * 5
    page.get_by_role("button", name="towards money").press("Enter")
    expect(answer).to_contain_text("No, towards water.")
    page.locator(f"{STORY} tfoot button").first.click()
    expect(total).to_contain_text("= 3.8976. From −0.5 it goes to 3.40.")
    page.locator(f"{STORY} td.product button").first.click()
    expect(total).to_contain_text("84.3 % · 4.5 ≈ 3.79")
    assert numbers(page, "weight")[0].strip() == "84.3 %"  # with which 3.79 comes out too
    slider.fill("0")  # all of a value of nothing: what the others give is left
    expect(seen).to_have_text("bank moves 0.10 towards water.")
    page.get_by_role("button", name="money in the new bank").press("Enter")
    expect(slider).to_have_value("1")  # another sentence begins anew
    expect(page.locator(f"{STORY} .choices")).to_be_hidden()  # that was asked of the first

    next_scene(7, "Who wrote the questions?")
    page.get_by_role("button", name="400 corrections").press("Enter")
    expect(seen).to_contain_text("100 % of the test sentences")
    page.locator(f"{STORY} tfoot .Q button").first.click()
    expect(total).to_contain_text("−0.5·(−0.5) + 0·0 + −1·(−1) + 0·0 = 1.25")

    next_scene(8, "Why several heads?")
    expect(page.locator(f"{STORY} .arcs")).to_have_attribute("aria-label", re.compile("fish 84 %"))
    slider.fill("0.5")
    expect(seen).to_contain_text("bank moves 2.29 towards water and 2.04 towards old.")
    page.locator(f"{STORY} td.value button").nth(7).click()  # of "old", by another head's matrix
    expect(total).to_contain_text("= 4.25")
    page.get_by_role("button", name="Two heads").press("Enter")
    expect(seen).to_have_text(
        "bank moves 3.90 + 0.22 = 4.12 towards water and 0.00 + 3.60 = 3.60 towards old."
    )
    expect(page.locator(f"{STORY} .arcs")).to_have_attribute(
        "aria-label", re.compile("old 4 % \\+ 86 %")
    )
    expect(answer).to_contain_text("fish 84 % and 2 %, old 4 % and 86 %.")

    next_scene(9, "Your own words")
    expect(page.locator(f"{STORY} .takes")).to_contain_text("takes most from")
    hint = page.locator(f"{STORY} .figure > .hint")
    following = page.locator(f"{STORY} .following")
    place = following.bounding_box()
    expect(hint).to_contain_text("Choose “")
    expect(following).to_contain_text("if no word may look at")
    page.locator(f"{STORY} .word.choice").nth(3).click()
    expect(hint).to_be_hidden()
    assert [following.bounding_box()[one] for one in ("y", "height")] == [
        place["y"],
        place["height"],
    ]
    name = page.locator(f"{STORY} .takes").inner_text().split("”")[0]
    compared = following.locator("div").nth(1)
    assert f"{name}”" in compared.inner_text() or not compared.is_visible()
    page.locator(f"{STORY} .formula button", has_text="softmax").click()
    expect(heading).to_have_text("100 % to give away")
    assert errors == []


def test_a_clicker_leads_from_the_home_page_through_the_story_in_presenter_view(
    server: str, new_tab: Page
) -> None:
    page = new_tab  # of somebody who has not been in a later scene
    visit(page, f"{server}/?lang=en")
    heading = page.locator(f"{STORY} .telling h2")
    menu = page.get_by_label("Choose a scene")
    server_rests(page)
    page.keyboard.press("p")
    chosen_in_link(page, present=1)
    page.keyboard.press("PageDown")  # what a scene is about, before it leads on
    expect(page.get_by_role("switch")).not_to_be_checked()
    page.keyboard.press("PageDown")
    expect(heading).to_have_text("Why not simply take the average?")
    chosen_in_link(page, scene=2, present=1)
    page.keyboard.press("PageDown")
    expect(page.get_by_role("button", name="attention")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("PageDown")
    expect(heading).to_have_text("Whom should bank ask?")
    size = "() => getComputedStyle(document.documentElement).getPropertyValue('--wall-zoom')"
    zoom = page.evaluate(size)
    menu.select_option("8 · Why several heads?")
    expect(heading).to_have_text("Why several heads?")
    chosen_in_link(page, scene=8, present=1)
    assert page.evaluate(size) == zoom  # all scenes have one size of type
    page.keyboard.press("p")
    expect(menu).to_be_hidden()


def test_on_a_phone_the_short_way_and_no_finger_in_a_drawing_that_turns_the_page(
    server: str, phone: Page
) -> None:
    visit(phone, f"{server}/story?lang=zh")
    heading = phone.locator(f"{STORY} .telling h2")
    phone.get_by_role("button", name="赶时间").click()
    address_has(phone, "scene=2")
    turn = phone.locator(f"{STORY} .ways .next")
    place = turn.bounding_box()
    phone.get_by_role("button", name="下一幕").click()
    expect(heading).to_have_text("“苹果”该问谁？")
    address_has(phone, "scene=3")
    assert turn.bounding_box() == place  # Back and Next stay where they are
    expect(phone.locator(f"{STORY} th.weight")).to_be_visible()  # of a scene that is left out
    touch = phone.context.new_cdp_session(phone)

    def drag(x: float, y: float, by: float) -> None:
        def send(kind: str, *points: dict[str, float]) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        send("touchStart", {"x": x, "y": y})
        for part in range(1, 9):
            send("touchMove", {"x": x + by * part / 8, "y": y})
        send("touchEnd")

    asked = phone.locator(f"{STORY} caption")
    below = asked.bounding_box()
    for by, question in ((90, "1"), (-150, "−2.5")):
        box = phone.locator(f"{STORY} .tip").bounding_box()
        assert box
        drag(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, by)
        expect(asked).to_contain_text(f"({question}")
        expect(heading).to_have_text("“苹果”该问谁？")
        now = asked.bounding_box()
        assert below and now and now["y"] == below["y"]  # whatever is said above it
    phone.locator(f"{STORY} td.score button").last.click()
    total = phone.locator(f"{STORY} .sum").bounding_box()
    assert total and place
    assert total["y"] + total["height"] <= place["y"]  # in view, wherever the number is
    turn.click()
    expect(heading).to_have_text("拿走的是什么")  # the short way leaves two out
    address_has(phone, "scene=6")
    phone.get_by_role("button", name="水果那边").click()
    table = phone.locator(f"{STORY} tfoot").bounding_box()
    assert table and table["y"] + table["height"] <= place["y"]  # its last row, too
    phone.reload()  # and the link has the short way
    expect(heading).to_have_text("拿走的是什么")
    phone.get_by_role("button", name="上一幕").click()
    expect(heading).to_have_text("“苹果”该问谁？")
    wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
    for scene in range(2, 10):
        phone.get_by_role("button", name=f"{scene}: ").first.click()
        address_has(phone, f"scene={scene}")
        assert phone.evaluate(wide) <= 390, scene
    phone.keyboard.press("p")
    menu = phone.get_by_label("选择一幕")
    expect(menu).to_be_visible()
    assert menu.evaluate(WHOLE)
