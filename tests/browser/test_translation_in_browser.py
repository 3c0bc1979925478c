import re

from claims import for_all
from microscope import back, chosen_in_link, quiet, until, visit
from playwright.sync_api import Locator, Page, expect

from core.experiments.alignment import cross_weights
from core.models import translator

MODEL = translator.load()
FOUND = MODEL.translate("我爱北京")  # I love Be -i -j -ing .
BEST = MODEL.stored.training["own_alignment"]
LOOKED_AT = cross_weights(FOUND.trace)[BEST["layer"] - 1, BEST["head"] - 1].argmax(axis=-1)
LAST = len(FOUND.pieces) - 1
CARD = ".st-key-decoding_card"
LONG = "汤姆和玛丽每天在图书馆学习英语"


def open_translation(page: Page, server: str, query: str = "", lang: str = "en") -> None:
    """Open the page for who wants no motion: with the whole sentence at once."""
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{server}/translation?lang={lang}{query}")
    expect(headline(page)).to_contain_text("→")
    until(page, "s.layout !== null", 30_000)


def headline(page: Page) -> Locator:
    return page.locator(f"{CARD} h2")


def button(page: Page, name: str) -> Locator:
    return page.locator(f"{CARD} .player .{name}")


def word(page: Page, place: int) -> Locator:
    """An English word, counted from 0."""
    return page.locator(f"{CARD} .target button").nth(place)


def pictures(page: Page) -> Locator:
    """Every head of layer 1, their mean, and those of layer 2."""
    return page.locator(f"{CARD} .grid button")


def thickest(page: Page) -> int:
    """The Chinese word, from 0, that the thickest line of the word looked at leads to."""
    drawn: list[float] = page.locator(f"{CARD} svg path.now").evaluate_all(
        "paths => paths.map((path) => Number(path.getAttribute('stroke-width')))"
    )
    return drawn.index(max(drawn))


def test_a_reader_steps_from_word_to_word_and_the_server_hears_of_the_last_one(
    server: str, new_tab: Page
) -> None:
    sent: list[str] = []
    new_tab.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("")))
    open_translation(new_tab, server)
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")
    assert thickest(new_tab) == LOOKED_AT[LAST]
    quiet(new_tab)
    before = len(sent)
    button(new_tab, "back").click()
    new_tab.keyboard.press("Home")
    expect(headline(new_tab)).to_have_text("我爱北京→I")
    assert thickest(new_tab) == LOOKED_AT[0]
    chosen_in_link(new_tab, word=1)
    quiet(new_tab)
    assert len(sent) == before + 1
    until(new_tab, f"s.places.query === 0 && s.places.key === {LOOKED_AT[0]}")
    new_tab.keyboard.press("End")
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")
    chosen_in_link(new_tab, word=LAST + 2)
    new_tab.reload()
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")


def test_words_that_have_not_come_yet_are_hidden_and_the_next_is_a_question(
    server: str, page: Page
) -> None:
    open_translation(page, server, "&word=1")
    expect(word(page, 0)).to_be_visible()
    expect(word(page, 1)).to_have_class(re.compile("next"))
    expect(word(page, 1).locator("b")).to_be_hidden()
    expect(word(page, 2)).to_be_hidden()
    word(page, 1).click()
    expect(headline(page)).to_have_text("我爱北京→I love")
    expect(word(page, 1).locator("b")).to_be_visible()


def test_a_small_picture_changes_the_lines_and_the_head_of_the_viewer(
    server: str, page: Page
) -> None:
    open_translation(page, server)
    pictures(page).nth(1).click()
    expect(page.locator(f"{CARD} .told")).to_contain_text("layer 1 · head 2")
    chosen_in_link(page, layer=1, head=2, part="decoder%2F1%2Fcross")
    until(page, "s.head === 1")
    pictures(page).nth(6).click()
    expect(page.locator(f"{CARD} .told")).to_contain_text("layer 1 · mean")
    chosen_in_link(page, by="mean", head=2)
    back(page)
    expect(pictures(page).nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_pointing_at_an_earlier_word_shows_its_lines_and_leaving_it_those_of_the_step(
    server: str, page: Page
) -> None:
    open_translation(page, server)
    word(page, 0).hover()
    assert thickest(page) == LOOKED_AT[0]
    expect(page.locator(f"{CARD} .told")).to_contain_text("“I”")
    page.mouse.move(2, 2)
    expect(page.locator(f"{CARD} .told")).to_contain_text("“.”")
    assert thickest(page) == LOOKED_AT[LAST]


def test_play_begins_anew_and_ends_with_the_whole_sentence(server: str, page: Page) -> None:
    open_translation(page, server, f"&word={LAST + 2}")
    button(page, "play").click()
    expect(headline(page)).to_have_text("我爱北京→I")
    expect(headline(page)).to_have_text("我爱北京→I love")
    expect(headline(page)).to_have_text("我爱北京→I love Beijing.")
    expect(button(page, "play")).to_contain_text("▶")
    chosen_in_link(page, word=LAST + 2)


def test_on_arrival_the_translation_plays_itself_once_and_nobody_is_told(
    server: str, new_tab: Page
) -> None:
    sent: list[str] = []
    new_tab.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("")))
    visit(new_tab, f"{server}/translation?lang=en")
    expect(button(new_tab, "play")).to_contain_text("Pause")
    expect(headline(new_tab)).to_have_text(re.compile("→I( love)?$"))
    until(new_tab, "s.layout !== null")
    before, address = len(sent), new_tab.url
    expect(headline(new_tab)).to_have_text("我爱北京→I love Be")
    assert new_tab.url == address
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")
    expect(button(new_tab, "play")).to_contain_text("Play")
    quiet(new_tab)
    assert (len(sent), new_tab.url) == (before, address)
    for leave_and_return in ("home", "translation"):
        new_tab.locator(f".st-key-door_{leave_and_return} a").click()
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")
    expect(button(new_tab, "play")).to_contain_text("Play")
    new_tab.get_by_role("button", name="你想吃什么？", exact=True).click()
    expect(headline(new_tab)).to_have_text("你想吃什么？→What")
    expect(button(new_tab, "play")).to_contain_text("Pause")


@for_all("how", ["the button", "a key", "a word"])
def test_who_stops_it_stays_at_the_word_that_she_stopped_at(
    server: str, page: Page, how: str
) -> None:
    visit(page, f"{server}/translation?lang=en")
    expect(headline(page)).to_have_text("我爱北京→I love")
    if how == "the button":
        button(page, "play").click()
    elif how == "a key":
        page.locator(f"{CARD} section").press("Shift")
    else:
        word(page, 1).click()
    expect(button(page, "play")).to_contain_text("Play")
    chosen_in_link(page, word=2)
    expect(headline(page)).to_have_text("我爱北京→I love")


def test_a_key_elsewhere_ends_it_with_the_whole_sentence(server: str, page: Page) -> None:
    visit(page, f"{server}/translation?lang=en")
    expect(button(page, "play")).to_contain_text("Pause")
    page.locator(".st-key-text input").press("End")
    expect(headline(page)).to_have_text("我爱北京→I love Beijing.")
    expect(button(page, "play")).to_contain_text("Play")


@for_all("query", ["&word=2", "&layer=1", "&part=prediction", "&forced=1&target=I love cats."])
def test_a_link_to_a_place_opens_there_and_nothing_plays(
    server: str, page: Page, query: str
) -> None:
    visit(page, f"{server}/translation?lang=en{query}")
    expect(headline(page)).to_contain_text("I love")
    expect(button(page, "play")).to_contain_text("Play")


def test_who_wants_no_motion_meets_the_whole_sentence(server: str, page: Page) -> None:
    open_translation(page, server)
    expect(headline(page)).to_have_text("我爱北京→I love Beijing.")
    expect(button(page, "play")).to_contain_text("Play")


def test_another_sentence_begins_at_its_own_last_word(server: str, page: Page) -> None:
    open_translation(page, server, "&word=1", "zh")
    page.get_by_role("button", name="你想吃什么？", exact=True).click()
    expect(headline(page)).to_have_text("你想吃什么？→What would you like to eat?")
    chosen_in_link(page, word=None)
    button(page, "forward").click()
    expect(button(page, "forward")).to_be_disabled()


def test_under_teacher_forcing_all_words_are_there_and_the_unlikely_one_says_its_rival(
    server: str, page: Page
) -> None:
    open_translation(page, server, "&forced=1&target=We love cats.&word=1")
    expect(headline(page)).to_have_text("我爱北京→We love cats.")
    for place in range(4):
        expect(word(page, place)).to_be_visible()
    expect(word(page, 0)).to_contain_text("it would say I")
    expect(word(page, 1).locator("em")).to_have_count(0)
    expect(page.locator(f"{CARD} li.chosen")).to_contain_text("We")


def test_two_tabs_do_not_disturb_each_other(server: str, page: Page) -> None:
    open_translation(page, server)
    other = page.context.new_page()
    open_translation(other, server, "&text=你想吃什么？&word=1")
    button(page, "back").click()
    chosen_in_link(page, word=LAST)
    expect(headline(other)).to_have_text("你想吃什么？→What")
    button(other, "forward").click()
    chosen_in_link(other, word=2)
    expect(headline(page)).to_have_text("我爱北京→I love Beijing")


def test_the_presenter_view_shows_the_step_alone(server: str, page: Page) -> None:
    open_translation(page, server, "&present=1")
    expect(page.locator(CARD)).to_be_hidden()
    expect(page.locator(".st-key-model_map")).to_be_hidden()
    expect(page.locator(".st-key-microscope .figure > canvas")).to_be_in_viewport(ratio=1)


@for_all(("text", "tall"), [("谢谢&forced=1&target=Thanks.", False), (LONG, True)])
def test_a_phone_shows_every_word_and_a_long_sentence_from_top_to_bottom(
    server: str, phone: Page, text: str, tall: bool
) -> None:
    phone.emulate_media(reduced_motion="reduce")
    visit(phone, f"{server}/translation?lang=zh&text={text}")
    expect(headline(phone)).to_contain_text(text.split("&")[0])
    scene = phone.locator(f"{CARD} .scene")
    expect(scene).to_have_class(re.compile("tall" if tall else "^scene (large|small)?$"))
    words = scene.locator(".word:visible")
    for place in range(words.count()):
        box = words.nth(place).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    word(phone, 0).tap()
    chosen_in_link(phone, word=1)


def test_lines_end_at_their_words_after_every_change(server: str, page: Page) -> None:
    open_translation(page, server)
    button(page, "back").click()
    chosen_in_link(page, word=LAST)
    page.wait_for_function(
        """(scene) => {
          const frame = scene.getBoundingClientRect(), source = scene.querySelector('.source .word').getBoundingClientRect();
          const [, x, y] = scene.querySelector('path').getAttribute('d').match(/M([\\d.]+) ([\\d.]+)/).map(Number);
          return Math.max(Math.abs(source.bottom - frame.top - y), Math.abs(source.left + source.width / 2 - frame.left - x)) < 1;
        }""",  # noqa: E501
        arg=page.locator(f"{CARD} .scene").element_handle(),
    )


def test_an_empty_sentence_is_told_and_nothing_fails_in_the_console(
    server: str, page: Page, errors: list[str]
) -> None:
    open_translation(page, server)
    box = page.locator(".st-key-text textarea, .st-key-text input")
    written = box.input_value()
    for text, errors in (("", 1), (written, 0), ("   ", 1), (written, 0)):
        box.fill(text)
        box.press("Control+Enter")
        expect(page.locator("article.error")).to_have_count(errors)
        expect(headline(page)).to_contain_text("→")
    assert not errors
