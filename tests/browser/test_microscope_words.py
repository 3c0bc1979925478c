"""Symbols highlight their matrices, hints appear once, greyed steps give the reason."""

import re

from microscope import (
    FIGURE,
    button,
    hover_cell,
    leave_figure,
    open_step,
    state,
    step,
    title,
    until,
    visit,
)
from playwright.sync_api import Page, expect


def test_words_symbols_and_matrices_light_each_other_and_a_greyed_step_gives_the_reason(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=scores&row=2&column=3")
    a_pointed_symbol_of_the_formula_lights_its_matrix(page)
    a_pointed_name_of_the_passport_lights_its_symbol(page)
    the_words_are_about_the_pointed_cell_and_then_about_the_chosen_one_again(page)

    before = title(page).inner_text()
    why = page.locator(".st-key-microscope .stepper [role=status]")
    expect(why).to_be_empty()
    page.get_by_role("button", name="+1 unused: dropout").click()
    step(page, "dropped").click()
    expect(why).to_contain_text("Dropout is 0")
    assert (state(page, "s.stage"), title(page).inner_text()) == ("scores", before)
    step(page, "concat").click()
    expect(why).to_be_empty()
    signature = page.locator(".st-key-microscope .signature")
    expect(signature).to_have_text("head_output × 2 (query 3, dv 4) → concat (query 3, concat 8)")

    words = page.locator(".st-key-microscope .words")
    words.get_by_role("button", name="code").click()
    expect(words.locator("pre")).to_contain_text("def merge_heads(")
    expect(words.locator(".formula")).to_be_hidden()
    page.locator(".st-key-microscope .stepper .heading", has_text="Score").click()
    expect(words.locator("pre")).to_contain_text("def dot_product_scores(")
    words.get_by_role("button", name="formula").click()
    expect(words.locator(".formula")).to_be_visible()


def a_pointed_symbol_of_the_formula_lights_its_matrix(page: Page) -> None:
    formula = page.locator(".st-key-microscope .words .formula")
    still = page.locator(FIGURE).evaluate("(c) => c.toDataURL()")
    for means in ("Q", "K"):
        symbol = formula.locator(f"[data-means={means}]").first
        symbol.hover()
        until(page, f"s.lit === '{means}'")
        expect(symbol).to_have_class(re.compile("lit"))
        expect(formula.locator(f".lit:not([data-means={means}])")).to_have_count(0)
        page.wait_for_function("() => new Promise((f) => requestAnimationFrame(() => f(true)))")
        assert page.locator(FIGURE).evaluate("(c) => c.toDataURL()") != still
    page.mouse.move(2, 2)
    until(page, "s.lit === null")
    expect(formula.locator(".lit")).to_have_count(0)


def a_pointed_name_of_the_passport_lights_its_symbol(page: Page) -> None:
    signature = page.locator(".st-key-microscope .signature")
    expect(signature).to_have_text(re.compile(r"Q.*query 3.*dk 4.*K.*dk 4.*key 3.*→.*scores"))
    assert signature.locator(".contracted").all_text_contents() == ["dk 4", "dk 4"]
    signature.locator("[data-means=Q]").hover()
    until(page, "s.lit === 'Q'")
    expect(page.locator(".st-key-microscope .words .formula [data-means=Q]").first).to_have_class(
        re.compile("lit")
    )


def the_words_are_about_the_pointed_cell_and_then_about_the_chosen_one_again(page: Page) -> None:
    does = page.locator(".st-key-microscope .words .does")
    expect(does).to_contain_text("The query of “爱” and the key of “北京”")
    hover_cell(page, 2, 0)
    expect(does).to_contain_text("The query of “北京” and the key of “我”")
    hover_cell(page, 0, 1, plane=0)  # of Q, whose columns are no keys
    expect(does).to_contain_text("The query of “我” and the key of “北京”")
    page.locator(".st-key-microscope .chips button").nth(2).hover()
    expect(does).to_contain_text("The query of “北京” and the key of “北京”")
    leave_figure(page)
    expect(does).to_contain_text("The query of “爱” and the key of “北京”")


def test_three_hints_on_the_first_visit_and_never_again(server: str, page: Page) -> None:
    visit(page, f"{server}/?lang=en")
    page.evaluate("localStorage.removeItem('attention-microscope-hints')")
    open_step(page, server, "")
    hint = page.get_by_role("note").filter(has=page.get_by_role("button"))
    done = (
        lambda: hover_cell(page, 0, 0),
        lambda: hint.get_by_role("button").click(),
        lambda: button(page, "play").click(),
    )
    places = set()
    for number, gesture in enumerate(done, start=1):  # what it says, or the button
        expect(hint).to_contain_text(f"{number}/3")
        box, figure = hint.bounding_box(), page.locator(FIGURE).bounding_box()
        assert box and figure and box["y"] >= figure["y"] + figure["height"], "it covers the figure"
        places.add(figure["y"])
        gesture()
    assert len(places) == 1, "it pushes the figure"
    expect(hint).to_have_count(0)
    open_step(page, server, "")
    hover_cell(page, 0, 0)
    expect(hint).to_have_count(0)
