"""The components' front ends are one script, at an address that names its contents."""

from gzip import decompress

from in_node import evaluate
from source_tree import ROOT
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from tests.event_loop import run
from views.export.bundle import ASSETS, bundle_js, components
from views.export.front_end import address, script
from views.server.front_end import route

DRAW = """
  globalThis.CSSStyleSheet = class { replaceSync(text) { this.text = text; } };
  globalThis.ShadowRoot = class {};
  const parentElement = new ShadowRoot(), bytes = new Uint8Array(9).fill(9).fill(0, 7, 8);
  globalThis.styles = { common: "of all", one: "its own" };
  globalThis.components = { one: ({ data }) => data };
  const { draw } = await import(`data:text/javascript,${encodeURIComponent(given)}`);
  const drawn = (data) => draw("one", { parentElement, data });
  const texts = [drawn(new TextEncoder().encode('{"a": "é"}')), drawn(null)];
  const styles = parentElement.adoptedStyleSheets.map((sheet) => sheet.text);
  return [...texts, drawn(bytes) === bytes, styles];
"""


def answer(base: str, path: str, accepted: str = "") -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer of the app that is served below ``base``."""
    sent = []

    async def take(message):
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": b"",
        "headers": [(b"accept-encoding", accepted.encode())],
    }  # fmt: skip
    run(Starlette(routes=[route(base)])(scope, None, take))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, sent[1]["body"]


def test_a_browser_keeps_the_script_of_this_version_and_finds_no_other():
    for base in ("", "/below/a/path/"):
        below = f"/{base.strip('/')}".rstrip("/")
        status, headers, body = answer(base, f"{below}/{address()}")
        assert (status, body) == (200, script().encode()) and "immutable" in headers[
            "cache-control"
        ]
        assert headers["content-type"].startswith("text/javascript")
        _, packed, smaller = answer(base, f"{below}/{address()}", "gzip, br")
        assert packed["content-encoding"] == "gzip" and decompress(smaller) == body
        assert answer(base, f"{below}/front_end/{'0' * 16}.js")[0] == 404


def test_a_component_is_drawn_with_its_style_and_with_json_or_bytes_as_data():
    main = bundle_js(ASSETS / "front_end" / "front_end.js")
    assert evaluate([], DRAW, main) == [{"a": "é"}, None, True, ["of all", "its own"]]
    assert script().endswith(main)
    for name in components():
        assert f"{name}: (() => {{" in script() and f'"{name}": "' in script(), name


def test_a_run_sends_no_code():
    at = AppTest.from_file(str(ROOT / "views" / "frame.py")).run(timeout=60)
    sent = [element.proto for element in at.get("bidi_component")]
    assert {"menu", "prose"} <= {one.component_name for one in sent} <= components().keys()
    assert all(address() in one.js_content and len(one.js_content) < 600 for one in sent)
    assert not any(one.css_content for one in sent)
