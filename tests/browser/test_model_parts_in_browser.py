"""Every part of a model opens in the microscope, also when parts are changed quickly."""

import re

from microscope import (
    address_has,
    chosen_in_link,
    click_cell,
    open_step,
    quiet,
    state,
    step,
    title,
    title_of_sum,
    until,
)
from playwright.sync_api import Page, expect

from core.models import translator
from core.nested import parts

EVERY = parts(translator.load().translate("我爱北京").trace)


def test_each_part_shows_its_own_stages_and_of_many_in_quick_succession_the_last_one_stays(
    server: str, page: Page, errors: list[str]
) -> None:
    """Tokens are shown where they look at one another."""
    open_step(page, server, "&part=encoder/1/feed_forward", "translation")
    chips = page.locator(".st-key-microscope .chips")
    parts_of_a_model = {"source": ("embedding", False), "decoder/1/cross": ("memory", False),
              "decoder/1/self": ("masked", True)}  # fmt: skip
    expect(chips).to_be_hidden()
    for path, (key, is_there) in parts_of_a_model.items():
        choose(page, path)
        chosen_in_link(page, part=path.replace("/", "%2F"))
        until(page, f"s.trace.stage('{key}')")
        assert (state(page, "s.trace.stage('memory')") is None) == (key != "memory")
        expect(chips).to_be_visible(visible=is_there)
        if is_there:
            step(page, "scores").click()
            expect(chips.locator("svg path")).to_have_count(0)
            step(page, "weights").click()
            expect(chips.locator("svg path").first).to_be_visible()

    for path in (*EVERY[:2], EVERY[-1]):
        choose(page, path)
    address_has(page, rf"part={EVERY[-1].replace('/', '%2F')}")
    until(page, "s.trace.stage('probabilities') && s.stage === 'probabilities'")
    expect(page.get_by_text("Error:")).to_have_count(0)
    assert not errors


def choose(page: Page, path: str) -> None:
    page.locator(f".st-key-model_map button[data-path='{path}']").click()


def test_words_follow_from_part_to_part_and_a_page_without_a_model_names_none(
    server: str, page: Page, errors: list[str]
) -> None:
    open_step(page, server, "&model=translator&text=她在图书馆看书&stage=weights")
    for path in ("encoder/2/self", "encoder/2/feed_forward", "source"):
        before = state(page, "s.trace.id")
        choose(page, path)
        until(page, f"s.trace.id !== {before} && s.trace.stage(s.stage)")
        if path == "encoder/2/self":
            part = page.locator(".st-key-microscope .signature .part")
            expect(part).to_have_text(re.compile("layer 2"))
            quiet(page)
            click_cell(page, 1, 2)
            expect(title_of_sum(page)).to_contain_text(
                re.compile(r"weights\[head \d, 在, 图书馆\]")
            )
            chosen_in_link(page, row=2, column=3, part="encoder%2F2%2Fself")
        elif path == "encoder/2/feed_forward":
            expect(title(page)).to_contain_text("wider, with activation")
            expect(page.locator("article.notice")).to_have_count(0)
    until(page, "s.trace.stage('embedding') && s.trace.stage(s.stage)")
    expect(page.get_by_text("Error:")).to_have_count(0)
    assert not errors
    open_step(page, server, "&stage=scores")
    expect(page.locator(".st-key-microscope .signature")).to_contain_text("query 3")
    expect(page.locator(".st-key-microscope .signature .part")).to_have_count(0)


def test_a_view_that_fails_is_reported_and_keeps_no_other_from_being_drawn(
    server: str, page: Page, errors: list[str]
) -> None:
    open_step(page, server, "&model=translator&stage=scores")
    page.evaluate(
        """() => {
          const fail = () => { throw new Error("this view fails"); }, first = { capture: true };
          globalThis.attentionMicroscope.addEventListener("changed", fail, first);
        }"""
    )
    page.locator(".st-key-microscope .figure > canvas").focus()
    page.keyboard.press("ArrowRight")
    until(page, "s.stage === 'scaled'")
    expect(title_of_sum(page)).to_contain_text("scaled[")
    assert errors
    assert set(errors) == {"this view fails"}
