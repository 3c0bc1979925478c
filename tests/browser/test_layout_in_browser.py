"""The layout of pages on a desktop and on a phone."""

from microscope import arrive, open_step, visit
from playwright.sync_api import Page, expect

# What is written in the outermost pixels of a canvas was cut there.
_CUT = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, 1, canvas.height);
    return data.some((value, i) => i % 4 === 3 && value > 0);
}"""
ROWS = 250  # pixels of a figure of three tokens; below its rows the canvas is empty


def test_input_figure_meaning_and_sum_are_on_one_screen(server: str, page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_step(page, server, "&model=translator&stage=weights", lang="zh")
    viewer = page.locator(".st-key-microscope")
    names = (".figure > canvas", "aside .does", "aside .reads", "aside .sum")
    shown = [viewer.locator(name).first for name in names]
    for part in (*shown, page.locator(".st-key-text_row input")):
        box = part.bounding_box()
        assert box, part
        expect(part).to_be_in_viewport(ratio=min(0.9, ROWS / box["height"]))


def test_the_drawer_closes_where_it_covers_the_page_and_a_page_leads_home(
    server: str, phone: Page
) -> None:
    visit(phone, f"{server}/by_hand?lang=en")
    on_touch_no_tools_lie_over_a_table(phone)
    a_short_sum_leaves_no_hole_above_its_formula(phone)
    phone.get_by_test_id("stExpandSidebarButton").tap()
    phone.get_by_test_id("stSidebar").get_by_text("Softmax", exact=True).tap()
    expect(phone.locator("h1")).to_contain_text("Softmax: one unit")
    menu = phone.get_by_role("navigation", name="All pages", include_hidden=True)
    expect(menu.locator("[aria-current=page]")).to_have_text("Softmax")
    expect(phone.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    softmax_shows_its_weights_on_the_first_screen(phone)
    phone.locator(".st-key-way_back").get_by_text("Home").tap()
    expect(phone.locator("h1")).to_contain_text("Attention Microscope")


def test_the_sidebar_of_a_desk_stays_open_and_nothing_of_a_page_is_framed_or_enlarged(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/before?lang=zh")
    a_symbol_is_as_large_as_the_words_around_it(page)
    a_key_after_a_click_on_the_ground_frames_nothing(page)
    story = page.get_by_test_id("stSidebar").get_by_text("故事", exact=True)
    story.click()
    arrive(page, "story", "zh")
    expect(story).to_be_visible()
    expect(page.locator(".st-key-way_back")).to_be_hidden()
    in_the_menu_one_chapter_of_lessons_is_open_and_every_page_has_one_line(page)


def test_the_labels_of_a_row_of_controls_stand_on_one_line(server: str, page: Page) -> None:
    for name, labels in (
        ("by_hand", ("Example", "Scores divided by", "Mask")),
        ("cross", ("K and V come from", "X: who asks", "Seed")),
    ):
        visit(page, f"{server}/{name}?lang=en")
        shown = page.get_by_test_id("stMain").get_by_test_id("stWidgetLabel")
        boxes = [shown.filter(has_text=label).first.bounding_box() for label in labels]
        assert len({box and round(box["y"]) for box in boxes}) == 1, (name, boxes)


def in_the_menu_one_chapter_of_lessons_is_open_and_every_page_has_one_line(page: Page) -> None:
    menu = page.get_by_role("navigation")
    is_open = menu.locator("details[open] summary")
    expect(is_open).to_have_text(["从这里开始", "看它怎样算"])
    menu.locator("summary").last.click()
    menu.get_by_role("link", name="FlashAttention").click()
    arrive(page, "tiles", "zh")
    expect(is_open).to_have_text(["从这里开始", "看它怎样算", "今天"])
    expect(menu.locator("[aria-current=page]")).to_have_text("分块（FlashAttention）")
    heights = menu.locator("a:visible").evaluate_all("(all) => all.map((one) => one.clientHeight)")
    assert {*heights} == {24}


def a_short_sum_leaves_no_hole_above_its_formula(phone: Page) -> None:
    total = phone.locator(".st-key-microscope .sum")
    expect(total).to_contain_text("15.00")
    assert total.evaluate("(sum) => sum.clientHeight < 90"), total.bounding_box()


def on_touch_no_tools_lie_over_a_table(phone: Page) -> None:
    expect(phone.get_by_test_id("stDataFrame").first).to_be_visible()
    expect(phone.get_by_test_id("stElementToolbar").first).to_be_hidden()


def a_symbol_is_as_large_as_the_words_around_it(page: Page) -> None:
    symbols = page.locator(".quiet .symbol")
    expect(symbols.first).to_be_visible()
    sizes = """(all) => all.map((one) => [one, one.parentElement]
        .map((part) => parseFloat(getComputedStyle(part).fontSize)))"""
    assert all(own / around < 1.1 for own, around in symbols.evaluate_all(sizes))


def a_key_after_a_click_on_the_ground_frames_nothing(page: Page) -> None:
    page.locator("h1").click()
    page.keyboard.press("Shift")
    main = page.get_by_test_id("stMain")
    main.focus()
    assert main.evaluate("(one) => getComputedStyle(one).outlineStyle") == "none"
    assert main.evaluate("(one) => getComputedStyle(one, '::before').boxShadow") == "none"


def softmax_shows_its_weights_on_the_first_screen(phone: Page) -> None:
    bars = phone.locator(".st-key-bars .xaxislayer-above")
    expect(bars).to_contain_text("cat")
    box = bars.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844


def test_no_name_is_cut_where_two_heads_stand_side_by_side(server: str, page: Page) -> None:
    query = "&text=我爱北京 天安门广场&mode=own&stage=weights"
    open_step(page, server, query, "sentence", "zh")
    page.locator(".st-key-microscope .heads .one").nth(1).hover()
    page.locator(".st-key-microscope .heads .one").nth(1).locator("button.pin").click()
    pair = page.locator(".st-key-microscope .pair canvas")
    expect(pair).to_be_visible()
    assert not pair.evaluate(_CUT)
