"""Time of opening, hovering and stepping, bytes over the websocket, memory of a session.

Each figure is printed with its budget, and where Streamlit takes part with that of a bare page with
one heatmap in the same run.

Run from the project's folder: ``python -m tests.benchmarks.bench_pages``.
"""

import argparse
import base64
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from serving import CHROMIUM, CHROMIUM_FLAGS, Served, serving  # noqa: E402

CASES = {  # page, query, tokens, budget of what follows a step from the server in ms
    "4 tokens": ("sentence", "text=a b c d&mode=custom&stage=scores", 4, 120),
    "20 tokens": (
        "sentence",
        "text=" + " ".join("abcdefghijklmnopqrst") + "&mode=custom&stage=scores",
        20,
        120,
    ),
    "196 patches": ("image", "model=seeded&size=224&patch=16", 197, 200),
    "784 patches": ("image", "model=seeded&size=112&patch=4&d_model=32&heads=2", 785, None),
}
SIZES = (1, 1000)  # tokens: beyond what a page lets a reader ask for
BARE = "tests/benchmarks/bare_page.py"
TOKENS = "tests/benchmarks/tokens_page.py"
IN_PAGE = (Path(__file__).parent / "in_page.js").read_text("utf-8")
STEPS = ("Q", "scores", "scaled", "weights", "head_output", "concat", "output")
FRAME, OPEN_BUDGET, SESSION_BUDGET = 16, 1.5, 10
ONCE_BUDGET = 1000  # kB: all that a stage needs, once
RUNS, HOVERS, READERS = 5, 60, 8
REST = 350  # ms without an input, after which the server gets the state
HEADINGS = "{:<12} {:>8} {:>7} {:>10} {:>7} {:>6}"
HOVERED = "{:<12} {:>8} {:>8} {:>7}"
HINTS_SHOWN = "localStorage.setItem('attention-microscope-hints', '1')"
DRAWN = """() => {
  let found = null;
  const ask = (instance) => (found ??= instance.store.layout);
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: ask }));
  return found;
}"""


class Wire:
    """Bytes that arrive over the websocket of a page."""

    def __init__(self, page: Page) -> None:
        self.received = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.webSocketFrameReceived", self._count)

    def _count(self, event: dict[str, Any]) -> None:
        frame = event["response"]
        data = frame["payloadData"]
        self.received += len(base64.b64decode(data)) if frame["opcode"] == 2 else len(data)


def script_run(page: str, query: str) -> float:
    """Median time of one run of a page's script, in milliseconds."""
    at = AppTest.from_file(str(ROOT / "views" / "frame.py"), default_timeout=60)
    for part in query.split("&"):
        name, text = part.split("=")
        at.query_params[name] = text
    at._page_hash = calc_hash(page)  # before the first run its file is taken for its name
    at.run()
    assert not at.exception
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        at.run()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def opening(browser: Browser, url: str, ready: str) -> tuple[float, float]:
    """Median seconds from opening a link to the first figure: with an empty browser cache, and with
    the app's scripts in it."""
    cold, warm = [], []
    for _ in range(RUNS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        for times in (cold, warm):
            page = context.new_page()
            start = time.perf_counter()
            page.goto(url)
            page.wait_for_function(ready)
            times.append(time.perf_counter() - start)
            page.close()
        context.close()
    return statistics.median(cold), statistics.median(warm)


def bare_step(browser: Browser, url: str) -> float:
    """Median milliseconds of a run of the bare page that changes its heatmap."""
    page = browser.new_page()
    page.goto(url)
    page.wait_for_selector(".heatmaplayer image")
    page.wait_for_timeout(1500)
    page.add_script_tag(content=IN_PAGE)
    times = []
    for _ in range(2 * RUNS):
        times.append(page.evaluate("() => benchmark.run()"))
        page.wait_for_timeout(300)
    page.close()
    return statistics.median(times)


def quiet_page(browser: Browser) -> Page:
    """A page without hints and with reduced motion."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion="reduce", locale="en"
    )
    context.add_init_script(HINTS_SHOWN)
    return context.new_page()


def open_link(page: Page, url: str) -> None:
    """Open a link and wait until nothing moves."""
    page.goto(url)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(2500)
    page.add_script_tag(content=IN_PAGE)


def measure_hovers(browser: Browser, url: str) -> list[tuple[str, float, float]]:
    """Each step with the median and the 95th percentile of a hover over its result, in ms."""
    page = quiet_page(browser)
    open_link(page, url)
    rows = []
    for key in STEPS:
        page.evaluate("([key, rest]) => benchmark.step(key, rest)", [key, REST])
        page.wait_for_timeout(150)
        times = sorted(page.evaluate("count => benchmark.hovers(count)", HOVERS))
        rows.append((key, statistics.median(times), times[int(0.95 * HOVERS)]))
    page.context.close()
    return rows


def print_hovers(name: str, rows: list[tuple[str, float, float]]) -> None:
    """Print the time of a hover at each step."""
    print(f"\n{name}:\n" + HOVERED.format("hover", "median", "95 %", "budget"), flush=True)
    for key, median, most in rows:
        print(f"{key:<12} {median:>8.1f} {most:>8.1f} {FRAME:>7}", flush=True)


def measure_steps(
    browser: Browser, url: str
) -> tuple[float, list[tuple[str, float, float, float]]]:
    """Kilobytes of opening; and each step with the ms of work in the browser, the ms of the
    server's run that follows, and its kB."""
    page = quiet_page(browser)
    wire = Wire(page)
    open_link(page, url)
    opened = wire.received / 1000
    rows: dict[str, list[tuple[float, float, float]]] = {key: [] for key in STEPS}
    for _ in range(RUNS):
        for key in STEPS:
            before = wire.received
            work, followed = page.evaluate(
                "([key, rest]) => benchmark.step(key, rest)", [key, REST]
            )
            page.wait_for_timeout(150)
            rows[key].append((work, followed, (wire.received - before) / 1000))
    page.context.close()
    medians = [(key, *(statistics.median(c) for c in zip(*rows[key], strict=True))) for key in rows]
    return opened, medians


def session_memory(browser: Browser, served: Served, query: str) -> float | None:
    """Megabytes of an idle session with an image on the server; None except on Linux."""
    status = Path(f"/proc/{served.pid}/status")
    if not status.exists():
        return None

    def resident() -> float:
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    contexts = []

    def visit() -> None:
        context = browser.new_context()
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{served.address}/image?{query}")
        page.wait_for_function(DRAWN)
        page.wait_for_timeout(500)

    visit()
    before = resident()
    for _ in range(READERS):
        visit()
    grown = (resident() - before) / READERS
    for context in contexts:
        context.close()
    return grown


def main() -> None:
    """Print the tables."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with serving() as served, serving(BARE) as bare, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        for name, (page, query, size, budget) in CASES.items():
            bare_url = f"{bare.address}/?n={size}"
            floor, floor_warm = opening(
                browser, bare_url, "() => document.querySelector('.heatmaplayer image')"
            )
            link = f"{served.address}/{page}?{query}&stage=weights&lang=en"
            cold, warm = opening(browser, link, DRAWN)
            opened, steps = measure_steps(browser, link)
            print(
                f"\n{name}: script run {script_run(page, query):.0f} ms\n"
                f"first figure: {warm:.2f} s, bare page {floor_warm:.2f} s, ratio "
                f"{warm / floor_warm:.2f}; in a new browser {cold:.2f} s, bare page "
                f"{floor:.2f} s, ratio {cold / floor:.2f} (budget {OPEN_BUDGET} s)\n"
                f"bytes of opening: {opened:.0f} kB (budget {ONCE_BUDGET} kB, once)\n"
                f"a run of the bare page: {bare_step(browser, bare_url):.0f} ms\n"
                + HEADINGS.format("step", "work ms", "budget", "server ms", "budget", "kB"),
                flush=True,
            )
            for key, work, followed, kilobytes in steps:
                print(
                    f"{key:<12} {work:>8.1f} {FRAME:>7} {followed:>10.0f} {budget or '—':>7} "
                    f"{kilobytes:>6.0f}"
                )
            print_hovers(name, measure_hovers(browser, link))
        with serving(TOKENS) as tokens:
            for size in SIZES:
                rows = measure_hovers(browser, f"{tokens.address}/?n={size}&stage=weights")
                print_hovers(f"{size} × {size}", rows)
        grown = session_memory(browser, served, CASES["196 patches"][1])
        if grown is not None:
            print(f"\nAn idle reader at 196 patches: {grown:.1f} MB (budget {SESSION_BUDGET} MB)")
        browser.close()


if __name__ == "__main__":
    main()
