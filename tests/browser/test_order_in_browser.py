from microscope import address_has, visit
from playwright.sync_api import Locator, Page, expect

# What stands above the pieces may still arrive and push them down.
AT_REST = """() => {
  const top = document.querySelector(".st-key-pieces").getBoundingClientRect().top;
  const now = performance.now();
  if (window.restingTop !== top) Object.assign(window, { restingTop: top, since: now });
  return now - window.since > 600;
}"""


def open_order(page: Page, server: str, query: str = "") -> None:
    visit(page, f"{server}/order?lang=zh{query}")
    expect(movable(page).first).to_be_visible()
    expect(page.locator(".st-key-learnt_card")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    page.wait_for_function(AT_REST)


def movable(page: Page) -> Locator:
    return page.locator("button.piece")


def middle_of_piece(page: Page, number: int) -> tuple[float, float]:
    """The middle of the piece at this position, from 1."""
    box = movable(page).nth(number - 1).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def names(page: Page) -> list[str]:
    return page.locator("button.piece").evaluate_all("all => all.map((one) => one.title)")


def test_a_word_is_dragged_or_let_go_by_escape_and_the_numbers_and_the_link_follow(
    server: str, page: Page
) -> None:
    open_order(page, server)
    assert names(page) == ["北京", "爱", "我"]
    page.mouse.move(*middle_of_piece(page, 1))
    page.mouse.down()
    page.mouse.move(*middle_of_piece(page, 3), steps=5)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert names(page) == ["北京", "爱", "我"]
    assert "order=" not in page.url

    page.mouse.move(*middle_of_piece(page, 1))
    page.mouse.down()
    x, y = middle_of_piece(page, 3)
    page.mouse.move(x - 30, y, steps=4)
    page.mouse.move(x + 30, y + 9, steps=4)
    page.mouse.up()
    address_has(page, "order=1%2C0%2C2")
    assert names(page) == ["爱", "我", "北京"]
    expect(page.locator(".st-key-position_card")).to_contain_text("就连没有换位置的北京")


def test_arrow_keys_move_a_patch_announce_its_position_and_a_button_works_after_them(
    server: str, page: Page
) -> None:
    open_order(page, server, "&kind=picture&order=0,1,2,3,4,5,6,7,8")
    given = names(page)
    movable(page).first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "End"):
        page.keyboard.press(key)
    assert names(page) == [*given[1:], given[0]]
    expect(page.locator("p.message")).to_contain_text("第 9 位，共 9 位")
    address_has(page, "order=1%2C2%2C3%2C4%2C5%2C6%2C7%2C8%2C0")
    expect(movable(page).nth(8)).to_be_focused()
    for key in ("Home", "ArrowDown"):
        page.keyboard.press(key)
    address_has(page, "order=1%2C2%2C3%2C0%2C4")
    page.get_by_role("button", name="恢复原样").click()
    address_has(page, "order=0%2C1%2C2%2C3")
    expect(movable(page).first).to_have_attribute("title", given[0])
    page.mouse.move(*middle_of_piece(page, 9))
    page.mouse.down()
    page.mouse.move(*middle_of_piece(page, 1), steps=6)
    page.mouse.up()
    address_has(page, "order=8%2C0%2C1%2C2")


def test_a_finger_drags_a_word_on_a_phone(server: str, phone: Page) -> None:
    open_order(phone, server)
    movable(phone).first.scroll_into_view_if_needed()
    touch = phone.context.new_cdp_session(phone)
    (x, y), (end, _) = middle_of_piece(phone, 1), middle_of_piece(phone, 3)

    def send(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    send("touchStart", (x, y))
    for part in range(1, 9):
        send("touchMove", (x + (end + 25 - x) * part / 8, y))
    send("touchEnd")
    address_has(phone, "order=1%2C0%2C2")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
