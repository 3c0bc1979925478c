"""Every part of a model in the microscope, however quickly a reader goes from one to the next."""

import re

from microscope import address_has, chosen_in_link, open_step, state, step, title_of_sum, until
from playwright.sync_api import Page, expect

from core.models import translator
from core.nested import parts

EVERY = parts(translator.load().translate("我爱北京").trace)


def test_parts_chosen_in_quick_succession_leave_the_last_one_in_the_microscope(
    server: str, page: Page, errors: list[str]
) -> None:
    open_step(page, server, "", door="translation")
    for path in (*EVERY[:4], EVERY[-1]):
        page.locator(f".st-key-model_map button[data-path='{path}']").click()
    last = EVERY[-1].replace("/", "%2F")
    address_has(page, rf"part={last}")
    until(page, "s.trace.stage('probabilities') && s.stage === 'probabilities'")
    expect(page.get_by_text("Error:")).to_have_count(0)
    assert not errors


def test_on_the_sentence_page_the_words_above_follow_from_part_to_part(
    server: str, page: Page, errors: list[str]
) -> None:
    open_step(page, server, "&model=translator")
    encoder = [path for path in EVERY if path == "source" or path.startswith("encoder/")]
    for path in (*encoder, encoder[0]):
        before = state(page, "s.trace.id")
        page.locator(f".st-key-model_map button[data-path='{path}']").click()
        until(page, f"s.trace.id !== {before} && s.trace.stage(s.stage)")
    until(page, "s.trace.stage('embedding') && s.trace.stage(s.stage)")
    expect(page.get_by_text("Error:")).to_have_count(0)
    assert not errors


def test_each_part_shows_its_own_stages_and_tokens_where_they_look_at_one_another(
    server: str, page: Page
) -> None:
    open_step(page, server, "&part=encoder/1/feed_forward", "translation")
    chips = page.locator(".st-key-microscope .chips")
    parts_of_a_model = {"source": ("embedding", False), "decoder/1/cross": ("memory", False),
              "decoder/1/self": ("masked", True),
              "decoder/1/feed_forward": ("hidden", False)}  # fmt: skip
    expect(chips).to_be_hidden()
    for path, (key, is_there) in parts_of_a_model.items():
        page.locator(f".st-key-model_map button[data-path='{path}']").click()
        chosen_in_link(page, part=path.replace("/", "%2F"))
        until(page, f"s.trace.stage('{key}')")
        assert (state(page, "s.trace.stage('memory')") is None) == (key != "memory")
        assert not page.get_by_text("Error:").count()
        expect(chips).to_be_visible(visible=is_there)
        if is_there:
            step(page, "scores").click()
            expect(chips.locator("svg path")).to_have_count(0)
            step(page, "weights").click()
            expect(chips.locator("svg path").first).to_be_visible()


def test_a_view_that_fails_is_reported_and_keeps_no_other_from_being_drawn(
    server: str, page: Page, errors: list[str]
) -> None:
    open_step(page, server, "&model=translator&stage=scores")
    page.evaluate(
        """() => {
          const { listeners } = globalThis.attentionMicroscope, others = [...listeners];
          listeners.clear();
          listeners.add(() => { throw new Error("this view fails"); });
          others.forEach((view) => listeners.add(view));
        }"""
    )
    page.locator(".st-key-microscope .figure > canvas").focus()
    page.keyboard.press("ArrowRight")
    until(page, "s.stage === 'scaled'")
    expect(title_of_sum(page)).to_contain_text("scaled[")
    assert errors
    assert set(errors) == {"this view fails"}


def test_a_part_is_named_no_longer_on_a_page_without_a_model(server: str, page: Page) -> None:
    open_step(page, server, "&model=vision", "image")
    for path in ("encoder/1/self", "encoder/2/self"):
        page.locator(f".st-key-model_map [data-path='{path}']").click()
        address_has(page, path.replace("/", "%2F"))
    expect(page.locator(".st-key-microscope .signature .part")).to_have_text(re.compile("layer 2"))
    open_step(page, server, "&stage=scores")
    expect(page.locator(".st-key-microscope .signature")).to_contain_text("query 3")
    expect(page.locator(".st-key-microscope .signature .part")).to_have_count(0)
