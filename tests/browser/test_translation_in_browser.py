import re
from collections.abc import Callable, Iterator

import pytest
from claims import for_all
from microscope import arrive, back, chosen_in_link, quiet, until, visit
from playwright.sync_api import Locator, Page, expect

from core.experiments.alignment import cross_weights
from core.models import translator
from views.navigation import PAGES
from views.text import words_beside

MODEL = translator.load()
FOUND = MODEL.translate("我爱北京")  # I love Be -i -j -ing .
BEST = MODEL.stored.training["own_alignment"]
LOOKED_AT = cross_weights(FOUND.trace)[BEST["layer"] - 1, BEST["head"] - 1].argmax(axis=-1)
LAST = len(FOUND.pieces) - 1
SAMPLES = words_beside(PAGES["translation"])["en"].asked.samples
CARD = ".st-key-decoding_card"
WORDS = ".st-key-microscope .first-view .takes"  # in words, which word it looks at
# Replaces timers: what comes every second or two comes whenever the test calls ``beat``.
METRONOME = """(() => {
  const { setInterval, clearInterval } = globalThis, beats = new Set();
  Object.assign(globalThis, {
    setInterval: (beat, pace) => pace > 500 && pace < 2000 && beats.add(beat) && beat,
    clearInterval: (beat) => beats.delete(beat),
    metronome: {
      beat: (times) => { while (times--) for (const beat of beats) beat(); },
      end: () => Object.assign(globalThis, { setInterval, clearInterval }),
    },
  });
})()"""
LONG = "汤姆和玛丽每天在图书馆学习英语"


def headline(page: Page) -> Locator:
    return page.locator(f"{CARD} h2")


def button(page: Page, name: str) -> Locator:
    return page.locator(f"{CARD} .player .{name}")


def word(page: Page, index: int) -> Locator:
    """An English word, counted from 0."""
    return page.locator(f"{CARD} .target button").nth(index)


def pictures(page: Page) -> Locator:
    """Every head of layer 1, their mean, and those of layer 2."""
    return page.locator(f"{CARD} .grid button")


def thickest(page: Page) -> int:
    """The Chinese word, from 0, that the thickest line of the word looked at leads to."""
    drawn: list[float] = page.locator(f"{CARD} svg path.now").evaluate_all(
        "paths => paths.map((path) => Number(path.getAttribute('stroke-width')))"
    )
    return drawn.index(max(drawn))


@pytest.fixture
def paced(server: str, page: Page) -> Iterator[Page]:
    """A link to a position opens there, and nothing plays; from here on it goes by ``beat``."""
    visit(page, f"{server}/translation?lang=en&word=1")
    expect(page.locator(WORDS)).not_to_be_empty()
    page.evaluate(METRONOME)
    yield page
    page.evaluate("metronome.end()")


def beat(page: Page, times: int = 1) -> None:
    page.evaluate("(times) => metronome.beat(times)", times)


def test_on_arrival_it_plays_once_unheard_and_the_server_hears_of_the_last_of_many_steps(
    server: str, new_tab: Page
) -> None:
    sent: list[str] = []
    new_tab.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("")))
    new_tab.add_init_script(METRONOME)
    visit(new_tab, f"{server}/translation?lang=en")
    expect(button(new_tab, "play")).to_contain_text("Pause")
    expect(headline(new_tab)).to_have_text("我爱北京→I")
    expect(new_tab.locator(WORDS)).not_to_be_empty()
    before, address = len(sent), new_tab.url
    beat(new_tab)
    expect(headline(new_tab)).to_have_text("我爱北京→I love")
    beat(new_tab, LAST)
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")
    expect(button(new_tab, "play")).to_contain_text("Play")
    quiet(new_tab)
    assert (len(sent), new_tab.url) == (before, address)

    for leave_and_return in ("home", "translation"):
        new_tab.locator(f".st-key-pages [data-page={leave_and_return}]").click()
        arrive(new_tab, leave_and_return, "en")
    expect(headline(new_tab)).to_have_text("我爱北京→I love Beijing.")
    expect(button(new_tab, "play")).to_contain_text("Play")
    quiet(new_tab)
    before = len(sent)
    button(new_tab, "back").click()
    new_tab.keyboard.press("Home")
    expect(headline(new_tab)).to_have_text("我爱北京→I")
    chosen_in_link(new_tab, word=1)
    quiet(new_tab)
    assert len(sent) == before + 1
    until(new_tab, f"s.positions.query === 0 && s.positions.key === {LOOKED_AT[0]}")


def test_words_come_one_by_one_with_their_lines_and_play_begins_anew(
    paced: Page, errors: list[str]
) -> None:
    page = paced
    expect(button(page, "play")).to_contain_text("Play")
    words_that_have_not_come_yet_are_hidden_and_the_next_is_a_question(page)
    button(page, "back").click()
    lines_end_at_their_words(page)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")  # from END
    expect(headline(page)).to_have_text("我爱北京→I love Beijing.")
    assert thickest(page) == LOOKED_AT[LAST]
    pointing_at_an_earlier_word_shows_its_lines_and_leaving_it_those_of_the_step(page)
    a_small_picture_changes_the_lines_and_the_head_of_the_viewer(page)
    button(page, "forward").click()
    button(page, "play").click()
    expect(headline(page)).to_have_text("我爱北京→I")
    beat(page)
    button(page, "play").click()
    expect(button(page, "play")).to_contain_text("Play")
    beat(page)
    expect(headline(page)).to_have_text("我爱北京→I love")
    button(page, "play").click()
    page.get_by_role("radio", name="中文").click()
    expect(button(page, "play")).to_contain_text("暂停")  # it goes on through a run of the server
    beat(page, LAST)
    expect(headline(page)).to_have_text("我爱北京→I love Beijing.")
    expect(button(page, "play")).to_contain_text("▶")
    chosen_in_link(page, word=LAST + 2)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not errors


def words_that_have_not_come_yet_are_hidden_and_the_next_is_a_question(page: Page) -> None:
    expect(word(page, 0)).to_be_visible()
    expect(word(page, 1)).to_have_class(re.compile("next"))
    expect(word(page, 1).locator("b")).to_be_hidden()
    expect(word(page, 2)).to_be_hidden()
    word(page, 1).click()
    expect(headline(page)).to_have_text("我爱北京→I love")
    expect(word(page, 1).locator("b")).to_be_visible()


def lines_end_at_their_words(page: Page) -> None:
    page.wait_for_function(
        """(scene) => {
          const frame = scene.getBoundingClientRect(), source = scene.querySelector('.source .word').getBoundingClientRect();
          const [, x, y] = scene.querySelector('path').getAttribute('d').match(/M([\\d.]+) ([\\d.]+)/).map(Number);
          return Math.max(Math.abs(source.bottom - frame.top - y), Math.abs(source.left + source.width / 2 - frame.left - x)) < 1;
        }""",  # noqa: E501
        arg=page.locator(f"{CARD} .scene").element_handle(),
    )


def pointing_at_an_earlier_word_shows_its_lines_and_leaving_it_those_of_the_step(
    page: Page,
) -> None:
    word(page, 0).hover()
    assert thickest(page) == LOOKED_AT[0]
    expect(page.locator(f"{CARD} .message")).to_contain_text("“I”")
    page.mouse.move(2, 2)
    expect(page.locator(f"{CARD} .message")).to_contain_text("“.”")
    assert thickest(page) == LOOKED_AT[LAST]


def a_small_picture_changes_the_lines_and_the_head_of_the_viewer(page: Page) -> None:
    page.locator(f"{CARD} summary").click()
    pictures(page).nth(1).click()
    expect(page.locator(f"{CARD} .message")).to_contain_text("layer 1 · head 2")
    chosen_in_link(page, layer=1, head=2, part="decoder%2F1%2Fcross")
    until(page, "s.head === 1")
    pictures(page).nth(8).click()
    expect(page.locator(f"{CARD} .message")).to_contain_text("layer 1 · mean")
    chosen_in_link(page, by="mean", head=2)
    back(page)
    expect(pictures(page).nth(1)).to_have_attribute("aria-pressed", "true")


def test_who_stops_it_stays_there_and_a_key_elsewhere_ends_it_with_the_whole_sentence(
    paced: Page,
) -> None:
    page = paced
    stops: tuple[tuple[str, str, Callable[[], None]], ...] = (
        (
            "我的朋友不喜欢喝咖啡→My",
            " friend",
            lambda: page.locator(f"{CARD} section").press("Shift"),
        ),
        (f"{LONG}→Tom", " and", lambda: word(page, 1).click()),
    )
    for first, second, stop in stops:
        put_in(page, first.split("→")[0])
        expect(headline(page)).to_have_text(first)
        beat(page)
        expect(headline(page)).to_have_text(first + second)
        stop()
        expect(button(page, "play")).to_contain_text("Play")
        beat(page)
        chosen_in_link(page, word=2)
        expect(headline(page)).to_have_text(first + second)

    put_in(page, "小猫在沙发上睡觉")
    expect(headline(page)).to_have_text("小猫在沙发上睡觉→The")
    page.locator(".st-key-text input").press("End")
    expect(headline(page)).to_have_text("小猫在沙发上睡觉→The kitten is sleeping on the sofa.")
    expect(button(page, "play")).to_contain_text("Play")


def put_in(page: Page, sentence: str) -> None:
    page.get_by_role("button", name=SAMPLES[sentence], exact=True).click()


def test_who_wants_no_motion_meets_whole_sentences(
    server: str, page: Page, errors: list[str]
) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{server}/translation?lang=en")
    expect(headline(page)).to_have_text("我爱北京→I love Beijing.")
    expect(button(page, "play")).to_contain_text("Play")
    put_in(page, "你想吃什么？")
    expect(headline(page)).to_have_text("你想吃什么？→What do you want to eat?")
    chosen_in_link(page, word=None)
    button(page, "forward").click()
    expect(button(page, "forward")).to_be_disabled()
    assert not errors


def test_under_teacher_forcing_all_words_are_there_and_the_unlikely_one_says_its_rival(
    server: str, page: Page
) -> None:
    visit(page, f"{server}/translation?lang=en&forced=1&target=We love cats.&word=1")
    expect(headline(page)).to_have_text("我爱北京→We love cats.")
    for index in range(4):
        expect(word(page, index)).to_be_visible()
    expect(word(page, 0)).to_contain_text("it would say I")
    expect(word(page, 1).locator("em")).to_have_count(0)
    expect(page.locator(f"{CARD} li.chosen")).to_contain_text("We")


@for_all(("text", "tall"), [("谢谢&forced=1&target=Thanks.", False), (LONG, True)])
def test_a_phone_shows_every_word_and_a_long_sentence_from_top_to_bottom(
    server: str, phone: Page, text: str, tall: bool
) -> None:
    phone.emulate_media(reduced_motion="reduce")
    visit(phone, f"{server}/translation?lang=zh&text={text}")
    expect(headline(phone)).to_contain_text(text.split("&")[0])
    scene = phone.locator(f"{CARD} .scene")
    expect(scene).to_have_class(re.compile("tall" if tall else "^scene (large|small)?$"))
    edges = """(words) => words.map((word) => word.getBoundingClientRect())
      .flatMap(({ left, right }) => [left, right])"""
    edges_of_words = scene.locator(".word").evaluate_all(edges)
    assert 0 <= min(edges_of_words) < max(edges_of_words) <= 390
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    word(phone, 0).tap()
    chosen_in_link(phone, word=1)
