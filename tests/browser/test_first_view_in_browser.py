"""Sentence opens on its words: touched by hand, without a word to the server; the machine opens."""

import re

from microscope import (
    address_of,
    chosen_in_link,
    go_to,
    quiet,
    state,
    step,
    title,
    until,
    visit,
)
from playwright.sync_api import Locator, Page, WebSocket, expect

KITTEN = "小猫在沙发上睡觉"
FIRST_VIEW = ".st-key-microscope .first-view"
LANDS = 600  # milliseconds, as in the host; of two timers of one length the page's ends first
LANDED = """(shown) => {
  const [steps, chips] = shown.map((one) => one.getBoundingClientRect().y);
  return 0 <= steps && steps < 20 && chips < 300;
}"""


def part(page: Page, selector: str) -> Locator:
    return page.locator(f"{FIRST_VIEW} {selector}")


def word(page: Page, number: int) -> Locator:
    return part(page, ".row button").nth(number)


def open_words(page: Page, server: str, query: str = "") -> None:
    address = address_of(server, "sentence")
    visit(page, f"{address}&model=translator&text={KITTEN}{query}")
    expect(part(page, ".takes")).to_contain_text("takes most from")


def arcs(page: Page) -> list[str]:
    paths: list[str] = part(page, ".sentence path").evaluate_all(
        "paths => paths.map((path) => path.getAttribute('d'))"
    )
    return paths


def test_words_arcs_and_numbers_follow_the_touched_word_without_a_message(
    server: str, new_tab: Page
) -> None:
    sent: list[object] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame))

    page = new_tab
    page.on("websocket", listen)
    open_words(page, server)
    expect(step(page, "weights")).to_be_hidden()
    expect(part(page, ".three .card h2")).to_have_text(["Score", "Share", "Mix"])
    expect(part(page, ".whole")).to_have_text("together 100\u00a0%")
    one_number_goes_through_three_cards_at_one_height(page)
    quiet(page)
    sent.clear()

    looks = word(page, 0)
    before, drawn = part(page, ".takes").inner_text(), arcs(page)
    looks.hover()
    expect(part(page, ".takes")).to_contain_text("“小猫”")
    expect(part(page, ".row .looks > span")).to_have_text("小猫")
    assert arcs(page) != drawn != []
    page.mouse.move(2, 2)
    expect(part(page, ".takes")).to_have_text(before)
    looks.click()
    page.mouse.move(2, 2)
    expect(part(page, ".takes")).to_contain_text("“小猫”")
    chosen_in_link(page, row=1, stage=None)
    page.keyboard.press("h")
    for told in (".takes", ".three", "svg >> nth=0", ".row small >> nth=0"):
        expect(part(page, told)).to_have_css("filter", re.compile("blur"))
    page.keyboard.press("h")
    expect(part(page, ".takes")).to_have_css("filter", "none")

    share = part(page, ".card.share .line .link").first
    printed = share.inner_text()
    share.click()
    opened = part(page, ".opened-number .sum h3")
    expect(opened).to_contain_text("weights[head")
    assert round(100 * float(opened.inner_text().split("= ")[1])) == int(printed.split("\u00a0")[0])
    part(page, ".opened-number .sum .link").first.click()
    expect(opened).to_contain_text("masked[" if "masked" in opened.inner_text() else "scaled[")
    part(page, ".ways .link").first.click()
    expect(opened).to_contain_text("weights[head")
    part(page, ".ways .link").last.click()
    expect(part(page, ".opened-number")).to_have_count(0)
    expect(share).to_be_focused()
    part(page, ".made .link").first.click()
    expect(opened).to_contain_text("head_output[head")
    assert sent == []


def one_number_goes_through_three_cards_at_one_height(page: Page) -> None:
    lines = part(page, ".three").evaluate(
        """(three) => {
          const shown = ({ children }) => [...children].map((one) => one.innerText),
            of = (line) => [line.getBoundingClientRect().top, ...shown(line)];
          return [...three.children].map((card) => [...card.querySelectorAll('.line')].map(of));
        }"""
    )
    for score, share, mix in zip(*lines, strict=True):
        assert score[:2] == share[:2] == mix[:2]
        assert share[2].split(" ÷ ")[0] == score[-1]
        assert mix[2] == f"{share[-1]} ×"


def test_the_machine_opens_in_place_stays_open_and_closes(server: str, page: Page) -> None:
    open_words(page, server)
    quiet(page)
    word(page, 1).click()
    looks = word(page, 1).locator("span").inner_text()
    quiet(page)
    part(page, ".open").hover()
    page.mouse.down()
    state(page, "s.notify('selection')")  # as at the message of a run
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)))")
    page.mouse.up()
    expect(title(page)).to_be_visible()
    page.evaluate("(lands) => new Promise((landed) => setTimeout(landed, lands))", LANDS)
    shown = [page.locator(f".microscope {one}").element_handle() for one in (".stepper", ".chips")]
    page.wait_for_function(LANDED, arg=shown)
    quiet(page)  # the pointer rests on what has come there
    expect(page.locator(".chips .looks")).to_have_text(looks)
    expect(page.locator(".st-key-model_map")).to_be_visible()
    go_to(page, "scores")
    chosen_in_link(page, stage="scores")
    visit_again = page.url.split("?")[0]
    page.goto(f"{visit_again}?lang=en&model=translator&text={KITTEN}")
    expect(step(page, "weights")).to_be_visible()
    quiet(page)  # a run that begins with what a page sends as it loads would open it again
    part(page, ".open").click()
    expect(step(page, "weights")).to_be_hidden()
    part(page, ".made .link").nth(1).click()  # it opens at the number that is open
    part(page, ".open").click()
    until(page, "s.stage === 'head_output' && s.locked && s.positions.d_v === 1")
    quiet(page)
    part(page, ".open").click()
    expect(page.locator(".st-key-model_map")).to_be_hidden()
    chosen_in_link(page, stage=None)


def test_a_word_is_hidden_beside_the_words_and_shown_again(server: str, page: Page) -> None:
    visit(page, f"{address_of(server, 'sentence')}&model=decoder&text=The cat sat")
    expect(part(page, ".hiding a")).to_have_count(1)
    quiet(page)
    word(page, 2).click()
    chosen_in_link(page, row=3)
    quiet(page)  # a link that is pressed while an action is being answered would be taken for it
    part(page, ".hiding").get_by_text("Hide “cat”: what comes next?").click()
    chosen_in_link(page, change=r"hide%3D(\*|%2A)%403")
    expect(word(page, 2)).to_have_class(re.compile("unseen"))
    expect(part(page, ".following")).to_contain_text("→ now")
    part(page, ".hiding").get_by_text("Show “cat” again").click()
    chosen_in_link(page, change=None)
    expect(part(page, ".unseen")).to_have_count(0)


def test_a_gradient_that_the_page_opens_opens_the_machine_and_is_in_sight(
    server: str, new_tab: Page
) -> None:
    address = address_of(server, "sentence")
    new_tab.goto(f"{address}&model=decoder&text=The cat sat&layer=2&mattered=1")
    new_tab.locator(".st-key-mattered_grid tr").nth(2).locator("button").last.click()
    until(new_tab, "s.stage === 'grad/weights'")
    expect(new_tab.locator(".stepper [data-key='grad/weights']")).to_be_in_viewport()
    expect(new_tab.locator(".st-key-model_map")).to_be_visible()


def test_on_a_phone_the_words_come_first_and_a_sum_stands_below_its_number(
    server: str, phone: Page
) -> None:
    open_words(phone, server)
    expect(part(phone, ".card.score")).to_be_in_viewport(ratio=1)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    number = part(phone, ".card.score .line .link").first
    number.tap()
    at, opened = number.bounding_box(), part(phone, ".opened-number").bounding_box()
    assert at and opened and 0 <= opened["y"] - at["y"] - at["height"] < 40
