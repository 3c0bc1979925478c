"""Random weights, trained weights and back, on the Sentence page."""

from microscope import (
    address_has,
    chosen_in_link,
    click_cell,
    open_step,
    quiet,
    step,
    title,
    title_of_sum,
)
from playwright.sync_api import Page, expect


def choose(page: Page, source: str) -> None:
    page.get_by_test_id("stSidebar").get_by_text(source, exact=True).click()


def part(page: Page, path: str) -> None:
    page.locator(f".st-key-model_map [data-path='{path}']").click()


def test_trained_weights_and_back_to_random_ones_lose_nothing(server: str, page: Page) -> None:
    open_step(page, server, "&d_model=12&heads=3&seed=5&head=3")
    expect(page.locator(".st-key-microscope .origin")).to_contain_text("seed 5")
    choose(page, "Trained: translator, 3 layers")
    expect(page.locator(".st-key-microscope .origin")).to_contain_text("Trained weights")
    address_has(page, "[?&]model=translator")
    expect(page.locator(".st-key-d_model input")).to_have_count(0)
    choose(page, "Random: an experiment")
    expect(page.locator(".st-key-microscope .origin")).to_contain_text("seed 5")
    expect(page.locator(".st-key-d_model input")).to_have_value("12")
    address_has(page, "heads=3")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_map_leads_to_another_part_an_unknown_word_is_answered_and_the_sentence_goes_along(
    server: str, page: Page
) -> None:
    open_step(page, server, "&model=translator&text=她在图书馆看书")
    step(page, "weights").click()
    part(page, "encoder/2/self")
    address_has(page, "part=encoder%2F2%2Fself")
    quiet(page)
    click_cell(page, 1, 2)
    expect(title_of_sum(page)).to_contain_text("weights[head 2, 在, 图书馆]")
    chosen_in_link(page, row=2, column=3)
    part(page, "encoder/2/feed_forward")
    expect(title(page)).to_contain_text("wider, with activation")
    expect(page.locator("article.notice")).to_have_count(0)

    box = page.locator(".st-key-text input")
    box.fill("我爱🐊")
    expect(page.locator("article.error")).to_contain_text("“🐊”")
    page.locator(".st-key-put_in button").click()
    expect(page.locator("article.error")).to_have_count(0)
    expect(box).to_have_value("她在图书馆看书")
    page.get_by_role("link", name="See it translated").click()
    address_has(page, "/translation")
    expect(box).to_have_value("她在图书馆看书")
