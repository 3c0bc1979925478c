"""In forced colours the chosen option of every control is recognisable."""

from pathlib import Path

from microscope import open_machine, visit
from playwright.sync_api import Page, expect

AT_REST = 3  # looks
LOOK_AGAIN = 50  # milliseconds: each look goes through all that is on the page
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


def settle(page: Page) -> None:
    """Wait until nothing more comes that Tab leads to, asked again and again."""
    page.evaluate("globalThis.counted = []")
    page.wait_for_function(
        f"""async () => {{
          globalThis.counted.push(await ({STOPS})(true));
          return globalThis.counted.length > {AT_REST}
            && new Set(globalThis.counted.slice(-{AT_REST})).size === 1;
        }}""",
        polling=LOOK_AGAIN,
    )


def test_in_forced_colours_the_chosen_of_a_choice_has_a_border_of_its_own(
    server: str, page: Page
) -> None:
    page.emulate_media(forced_colors="active")
    faults, checked = [], set()
    for name, weights in (("sentence", "seeded"), ("image", "vision")):
        visit(page, f"{server}/{name}?lang=en&model={weights}")
        open_machine(page)
        expect(page.locator(".st-key-microscope .heads canvas").first).to_be_visible()
        expect(page.locator(".st-key-microscope .stepper [aria-current]")).to_be_visible()
        settle(page)
        chosen = page.locator(CHOSEN).filter(visible=True)
        for one in chosen.all():
            key, width = one.evaluate(BORDER)
            checked.add(key)
            if width < 3:
                faults.append(f"{name}: {key} {one.inner_text()}")
        here = page.locator(".st-key-pages [aria-current]")
        expect(here).to_have_css("border-inline-start-width", "4px")
    assert {"lang", "mode", "microscope", "looks", "model_map"} <= checked
    assert not faults
