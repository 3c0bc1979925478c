"""Every page by keyboard: a figure is one Tab stop, and whatever has the focus shows a ring."""

from collections import Counter
from pathlib import Path

from microscope import address_of, visit
from playwright.sync_api import Page, expect

from views.menu import PAGES

AT_REST = 6  # frames
STOPS = (Path(__file__).parent / "tab_stops.js").read_text("utf-8")
CHOSEN = ", ".join(
    f"[{name}]" for name in ("aria-pressed=true", "aria-checked=true", "aria-current=step",
                             "aria-current=true")
)  # fmt: skip
BORDER = """(e) => {
  const over = (at) => at.parentElement ?? at.getRootNode().host;
  let at = e;
  while (![...at.classList].some((name) => name.startsWith("st-key-"))) at = over(at);
  const key = [...at.classList].find((name) => name.startsWith("st-key-")).slice(7);
  return [key, parseFloat(getComputedStyle(e).borderTopWidth)];
}"""
MOST = {  # of a part of a page; one, where nothing is said
    # rail, tokens, the figure, its five buttons, a symbol of title, shapes and formula, a door of
    # the sum, the heads, the terms
    "microscope": 17,
    "decoding": 5,  # the figure, its three buttons, the small heads
    "timeline": 3,  # the sound, and what is played of it
    "pieces": 16,  # each is carried by its own arrows
}


def settle(page: Page) -> None:
    """Wait until nothing more comes that Tab leads to, asked frame by frame."""
    page.evaluate("globalThis.counted = []")
    page.wait_for_function(
        f"""async () => {{
          globalThis.counted.push(await ({STOPS})(true));
          return globalThis.counted.length > {AT_REST}
            && new Set(globalThis.counted.slice(-{AT_REST})).size === 1;
        }}"""
    )


def test_every_figure_is_one_tab_stop_and_whatever_has_the_focus_shows_a_ring(
    server: str, page: Page
) -> None:
    faults = []
    for name in PAGES:
        page.emulate_media(color_scheme="light")
        visit(page, address_of(server, name))
        expect(page.get_by_test_id("stMain").get_by_role("heading").first).to_be_visible()
        page.keyboard.press("Tab")  # from here on the focus is seen
        settle(page)
        found = []
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            found = page.evaluate(STOPS, False)
            faults += [
                f"{name} {theme}: {stop['key']} {stop['name']} has no ring"
                for stop in found
                if stop["held"] and not stop["rung"]
            ]
        parts = Counter(stop["key"] for stop in found if stop["component"])
        faults += [
            f"{name}: {n} Tab stops in {key}" for key, n in parts.items() if n > MOST.get(key, 1)
        ]
    assert not faults, "\n".join(faults)


def test_in_forced_colours_the_chosen_of_a_choice_has_a_border_of_its_own(
    server: str, page: Page
) -> None:
    page.emulate_media(forced_colors="active")
    faults, seen = [], set()
    for name in ("sentence", "image"):
        visit(page, f"{server}/{name}?lang=en")
        expect(page.locator(".st-key-microscope .heads canvas").first).to_be_visible()
        expect(page.locator(".st-key-microscope .rail [aria-current]")).to_be_visible()
        settle(page)
        chosen = page.locator(CHOSEN).filter(visible=True)
        for one in chosen.all():
            key, width = one.evaluate(BORDER)
            seen.add(key)
            if width < 3:
                faults.append(f"{name}: {key} {one.inner_text()}")
        expect(page.locator(".st-key-here a").first).to_have_css("border-inline-start-width", "4px")
    assert {"lang", "mode", "microscope", "looks", "model_map"} <= seen
    assert not faults
