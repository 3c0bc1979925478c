"""All heads of one's own model at a glance: cells are links and differ by more than colour."""

from pathlib import Path

from microscope import chosen_in_link, open_step, state, until, visit
from playwright.sync_api import Locator, Page, expect

FOLDERS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
QUERY = "&model=gpt2&text=love é lov 爱&board=1"


def overview(page: Page) -> Locator:
    return page.locator(".st-key-head_overview section")


def cell(page: Page, layer: int, head: int) -> Locator:
    return overview(page).locator(f"[data-at='{layer}/{head}']")


def readout(page: Page) -> Locator:
    return overview(page).locator("p.now")


def test_a_cell_leads_to_its_layer_and_head_arrows_walk_and_a_lit_kind_stays_lit(
    server: str, page: Page
) -> None:
    open_step(page, server, f"{QUERY}&part=input", "checkpoint")
    every_cell_has_a_label_that_describes_its_head(page)
    expect(cell(page, 1, 1)).to_have_attribute("aria-current", "true")
    kind = overview(page).locator(".counts button").last
    kind.click()
    expect(kind).to_have_attribute("aria-pressed", "true")
    faint = overview(page).locator("td button.faint").count()
    assert faint
    cell(page, 2, 4).click()
    chosen_in_link(page, layer=2, head=4)
    until(page, "s.stage === 'weights' && s.head === 3")
    expect(overview(page).locator("[aria-current]")).to_have_attribute("data-at", "2/4")
    expect(readout(page)).to_contain_text("Layer 2, head 4")
    expect(kind).to_have_attribute("aria-pressed", "true")
    expect(overview(page).locator("td button.faint")).to_have_count(faint)
    kind.click()

    cell(page, 1, 1).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(cell(page, 2, 2)).to_be_focused()
    expect(readout(page)).to_contain_text("Layer 2, head 2")
    assert state(page, "[s.stage, s.head]") == ["weights", 3]
    page.keyboard.press("Enter")
    chosen_in_link(page, layer=2, head=2)
    until(page, "s.head === 1")


def every_cell_has_a_label_that_describes_its_head(page: Page) -> None:
    labels = (
        overview(page)
        .locator("td button")
        .evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    )
    starts = [f"Layer {layer}, head {head}: " for layer in (1, 2) for head in range(1, 6)]
    assert [label.startswith(start) for label, start in zip(labels, starts, strict=True)] == [
        True
    ] * 10
    assert not any("{" in label or label.endswith(": ") for label in labels)
    assert overview(page).locator("td button[tabindex='0']").count() == 1


def test_one_kind_is_lit_alone_and_every_kind_has_a_drawing_of_its_own(
    server: str, page: Page
) -> None:
    open_step(page, server, "&model=bert&text=爱 the sun!&board=1", "checkpoint")
    cells = overview(page).locator("td button")
    kinds = cells.evaluate_all("(all) => all.map((one) => one.dataset.kind)")
    drawings = cells.evaluate_all("(all) => all.map((one) => one.querySelector('path').outerHTML)")
    assert len(set(zip(kinds, drawings, strict=True))) == len(set(kinds)) == len(set(drawings)) > 1
    counted = overview(page).locator(".counts button")
    expect(counted).to_have_count(len(set(kinds)))
    counted.first.click()
    kind = counted.first.get_attribute("data-kind")
    expect(overview(page).locator("td .faint")).to_have_count(sum(one != kind for one in kinds))
    counted.first.click()
    page.mouse.move(0, 0)
    expect(overview(page).locator("td .faint")).to_have_count(0)


def test_on_a_phone_a_finger_finds_every_cell(server: str, phone: Page) -> None:
    visit(phone, f"{server}/checkpoint?lang=en{QUERY}")
    cell(phone, 2, 5).wait_for()
    for box in (cell(phone, layer, head).bounding_box() for layer in (1, 2) for head in (1, 5)):
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
