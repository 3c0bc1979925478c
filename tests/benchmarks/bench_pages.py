"""What a step costs a reader: script run, bytes over the wire, time until the new figure stands.

Beside each figure stands what Streamlit takes for a bare page with one heatmap, in the same run.

Run from the project's folder: ``python -m tests.benchmarks.bench_pages``.
"""

import base64
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from serving import CHROMIUM_FLAGS, Served, serving  # noqa: E402

CASES = {
    "4 tokens": ("sentence", "text=a b c d&mode=custom", 4, 120),
    "196 patches": ("image", "size=224&patch=16", 197, 200),
    "784 patches": ("image", "size=112&patch=4&d_model=32&heads=2", 785, None),
}
BARE = "tests/benchmarks/bare_page.py"
STEPS = ("X", "Q", "scores", "scaled", "weights", "head_output", "output")
BYTES_BUDGET, OPEN_BUDGET, SESSION_BUDGET = 350, 1.5, 10
RUNS = 7
READERS = 8

CLICK_AND_WAIT = """key => new Promise(done => {
  const plot = () => document.querySelector('.js-plotly-plot');
  const old = plot(), start = performance.now();
  if (key === 'bare') document.querySelector('[data-testid=stMain] button').click();
  else document.querySelectorAll('*').forEach(host => {
    const step = host.shadowRoot?.querySelector(`nav button[data-key=${key}]`);
    if (step) step.click();
  });
  const look = () => {
    const now = plot();
    if (now && now !== old && now.querySelector('.heatmaplayer image'))
      requestAnimationFrame(() => done(performance.now() - start));
    else requestAnimationFrame(look);
  };
  look();
})"""


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
    at.switch_page(f"../pages/see/{page}.py").run()
    assert not at.exception
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        at.run()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def steps(
    browser: Browser, address: str, page_name: str, query: str
) -> list[tuple[str, float, float, float]]:
    """For each step: its key, median milliseconds, the slowest, and kilobytes received."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    wire = Wire(page)
    page.goto(f"{address}/{page_name}?{query}&stage=output&lang=en")
    page.wait_for_selector(".heatmaplayer image")
    page.wait_for_timeout(1500)
    times: dict[str, list[float]] = {key: [] for key in STEPS}
    received: dict[str, list[int]] = {key: [] for key in STEPS}
    for _ in range(RUNS):
        for key in STEPS:
            before = wire.received
            times[key].append(page.evaluate(CLICK_AND_WAIT, key))
            page.wait_for_timeout(400)
            received[key].append(wire.received - before)
    page.close()
    return [
        (
            key,
            statistics.median(times[key]),
            max(times[key]),
            statistics.median(received[key]) / 1000,
        )
        for key in STEPS
    ]


def bare_step(browser: Browser, url: str) -> float:
    """Median milliseconds until the bare page shows another heatmap."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(url)
    page.wait_for_selector(".heatmaplayer image")
    page.wait_for_timeout(1500)
    times = []
    for _ in range(2 * RUNS):
        times.append(page.evaluate(CLICK_AND_WAIT, "bare"))
        page.wait_for_timeout(400)
    page.close()
    return statistics.median(times)


def opening(browser: Browser, url: str) -> tuple[float, float]:
    """Median seconds from opening a link to the first heatmap: in a new browser, and in one that
    has the app's scripts already."""
    cold, warm = [], []
    for _ in range(RUNS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        for times in (cold, warm):
            page = context.new_page()
            start = time.perf_counter()
            page.goto(url)
            page.wait_for_selector(".heatmaplayer image")
            times.append(time.perf_counter() - start)
            page.close()
        context.close()
    return statistics.median(cold), statistics.median(warm)


def session_memory(browser: Browser, served: Served, query: str) -> float | None:
    """Megabytes on the server for each reader who looks at an image and is idle; None off Linux."""
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
        page.wait_for_selector(".heatmaplayer image")
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
    with serving() as served, serving(BARE) as bare, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
        )
        for name, (page, query, size, budget) in CASES.items():
            bare_url = f"{bare.address}/?n={size}"
            floor, floor_warm = opening(browser, bare_url)
            link = f"{served.address}/{page}?{query}&stage=weights&lang=en"
            cold, warm = opening(browser, link)
            print(
                f"\n{name}: script run {script_run(page, query):.0f} ms\n"
                f"first heatmap: {warm:.2f} s, bare {floor_warm:.2f} s, ratio "
                f"{warm / floor_warm:.2f}; in a new browser {cold:.2f} s, bare "
                f"{floor:.2f} s, ratio {cold / floor:.2f} (budget {OPEN_BUDGET} s)"
            )
            floor_step = bare_step(browser, bare_url)
            print(f"a step of the bare page: {floor_step:.0f} ms")
            print(
                f"{'step':<12} {'median ms':>10} {'slowest ms':>11} {'ratio':>6} {'budget ms':>10} "
                f"{'kB':>8} {'budget kB':>10}"
            )
            for key, median, slowest, kilobytes in steps(browser, served.address, page, query):
                print(
                    f"{key:<12} {median:>10.0f} {slowest:>11.0f} {median / floor_step:>6.2f} "
                    f"{budget or '—':>10} "
                    f"{kilobytes:>8.0f} {BYTES_BUDGET:>10}"
                )
        grown = session_memory(browser, served, CASES["196 patches"][1])
        if grown is not None:
            print(f"\nAn idle reader at 196 patches: {grown:.1f} MB (budget {SESSION_BUDGET} MB)")
        browser.close()


if __name__ == "__main__":
    main()
