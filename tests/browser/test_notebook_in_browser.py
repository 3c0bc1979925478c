"""The widget's front end in a plain page, with a model that a notebook would give it."""

import base64
import json

from playwright.sync_api import Locator, Page, expect
from shown_traces import many_patches, sentence

from core import Trace
from core.nested import compose
from views.export.notebook import Microscope

PAGE = """
<style>
  body { margin: 0; background: #fff; color: rgb(10 20 30); }
  body.dark { background: oklch(0.2 0 0); color: oklch(0.95 0 0); }
  section, h2 { display: none !important; }
</style>
<div id="cell"></div>
"""
MODEL = """
(state) => {
  const listeners = {}, pressed = [];
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  state._scene = new DataView(bytes(state._scene));
  const model = {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off(event, listener) {
      listeners[event] = listeners[event].filter((one) => one !== listener);
    },
    save_changes: () => (state.saved = { selection: state.selection, asked: state._asked }),
  };
  document.addEventListener("keydown", ({ key }) => pressed.push(key));
  Object.assign(globalThis, { state, model, listeners, pressed, bytes });
}
"""


def opened(page: Page, trace: Trace, **options: object) -> Microscope:
    """The widget on a page; what a notebook would say to its Python side stands in ``state``."""
    widget = Microscope(trace, **options)  # type: ignore[arg-type]
    page.goto("about:blank")
    page.set_content(PAGE)
    state = {
        "_style": widget._style, "selection": widget.selection, "_scene": encoded(widget),
        "_parts": widget._parts,
    }  # fmt: skip
    page.evaluate(MODEL, state)
    page.evaluate(
        """async (text) => {
          const file = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const el = document.createElement("div"), { default: shim } = await import(file);
          globalThis.close = shim.render({ model, el });
          await new Promise((done) => setTimeout(done, 100)); // as JupyterLab does
          document.getElementById("cell").append(el);
        }""",
        widget._esm,
    )
    expect(summed(page)).not_to_be_empty()
    return widget


def encoded(widget: Microscope) -> str:
    return base64.b64encode(widget._scene).decode()


def summed(page: Page) -> Locator:
    return page.locator(".microscope .sum h3")


def test_a_widget_made_before_it_was_on_the_page_is_drawn_in_its_colours_and_no_style_gets_through(
    blank_tab: Page,
) -> None:
    page = blank_tab
    page.goto("about:blank")
    before = page.evaluate("document.styleSheets.length")
    opened(page, sentence())
    expect(page.locator(".stepper .now")).to_contain_text("softmax")
    expect(page.locator(".words .does")).not_to_be_empty()
    expect(page.locator(".heads .one")).to_have_count(3)
    expect(page.locator(".sheets [role=tab]")).to_have_count(4)
    expect(page.locator(".step h2")).to_be_visible()
    assert page.evaluate("document.styleSheets.length") == before + 1
    expect(page.locator(".terms")).to_be_hidden()
    its_colours_are_those_of_the_page_around(page)


def its_colours_are_those_of_the_page_around(page: Page) -> None:
    host = page.locator("#cell div div").first
    assert host.evaluate("host => getComputedStyle(host).color") == "rgb(10, 20, 30)"
    assert host.evaluate("host => getComputedStyle(host).colorScheme") == "light"
    light = page.locator(".figure > canvas").evaluate("canvas => canvas.toDataURL()")
    page.evaluate("document.body.className = 'dark'")
    expect(host).to_have_css("color-scheme", "dark")
    assert host.evaluate("host => getComputedStyle(host).color") == "rgb(238, 238, 238)"
    assert (
        host.evaluate("host => host.style.getPropertyValue('--st-background-color')")
        == "rgb(22 22 22)"
    )
    page.wait_for_function(
        """light => document.querySelector('#cell div div').shadowRoot
          .querySelector('.figure > canvas').toDataURL() !== light""",
        arg=light,
    )


def test_keys_are_its_own_only_inside_python_receives_the_selection_and_closed_it_leaves_nothing(
    blank_tab: Page,
) -> None:
    page = blank_tab
    opened(page, sentence())
    page.locator(".player .forward").click()
    page.keyboard.press("ArrowRight")
    expect(summed(page)).to_contain_text("head_output[")
    assert page.evaluate("pressed") == []
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("pressed") == ["ArrowLeft"]
    expect(summed(page)).to_contain_text("head_output[")

    page.locator(".stepper button[data-key=Q]").click()
    page.keyboard.press("Enter")
    page.wait_for_function("state.saved?.selection.stage === 'Q' && state.saved.selection.locked")
    saved = page.evaluate("state.saved")
    assert saved["selection"]["positions"] == {"query": 1, "key": 2}
    assert saved["asked"] is None
    assert "presenting" not in saved["selection"]

    page.evaluate("close()")
    expect(page.locator(".microscope")).to_have_count(0)
    assert page.evaluate("Object.values(listeners).flat().length") == 0


def test_setting_the_selection_in_python_moves_the_microscope(blank_tab: Page) -> None:
    page = blank_tab
    opened(page, sentence(), selection={"stage": "scores"})
    expect(summed(page)).to_contain_text("scores[head 1")
    page.evaluate("model.set('selection', { stage: 'V', head: 2, positions: { key: 0 } })")
    expect(summed(page)).to_contain_text("V[head 3, 我")
    page.wait_for_function("(s => s?.stage === 'V' && 'sheet' in s)(state.saved?.selection)")


def test_numbers_that_were_not_sent_are_asked_for_and_shown(blank_tab: Page) -> None:
    page = blank_tab
    widget = opened(page, many_patches())
    page.locator(".heads .one").nth(2).locator("button").first.click()
    page.wait_for_function("state.saved?.asked?.head === 2")
    widget._asked = page.evaluate("state.saved.asked")
    sent = json.dumps(encoded(widget))
    page.evaluate(f"model.set('_scene', new DataView(bytes({sent})))")
    expect(summed(page)).to_contain_text("weights[head 3, ")
    expect(page.locator(".waits")).to_have_count(0)


def test_another_part_of_a_model_is_chosen_and_shown(blank_tab: Page) -> None:
    page = blank_tab
    trace = compose({"other": sentence(), "first": sentence(), "second": sentence()}, {})
    widget = opened(page, trace, selection={"part": "first"})
    choice = page.get_by_role("combobox", name="Part of the model")
    expect(choice).to_have_value("first")
    choice.select_option("second")
    page.wait_for_function("(s => s.part === 'second' && s.stage === 'weights')(state.selection)")
    widget.selection = page.evaluate("state.selection") | {"head": 1}
    page.evaluate("selection => model.set('selection', selection)", widget.selection)
    sent = json.dumps(encoded(widget))
    page.evaluate(f"model.set('_scene', new DataView(bytes({sent})))")
    expect(summed(page)).to_contain_text("weights[head 2, ")
    page.wait_for_function("(s => s.part === 'second' && s.head === 1)(state.saved.selection)")
