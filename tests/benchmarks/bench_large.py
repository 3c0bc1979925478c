"""Bytes, time and memory of attention over many tokens, on the server and in Chromium.

Run from the project's folder: ``python -m tests.benchmarks.bench_large``; beside an earlier state:
``python -m tests.benchmarks.bench_large --before COMMIT``.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from serving import CHROMIUM, CHROMIUM_FLAGS  # noqa: E402

CASES = [  # tokens, heads, d_k, whether causal
    (197, 12, 64, False),
    (1_000, 8, 8, True),
    (1_500, 8, 64, False),
    (2_048, 9, 64, True),
    (8_192, 1, 64, True),
]
MOST = 8_000_000_000  # bytes of a process
COLUMNS = (
    "sent kB",
    "later kB",
    "trace s",
    "peak MB",
    "scene s",
    "file kB",
    "open s",
    "zoom",
    "pan",
    "sum",
)
ON_SERVER = """
import inspect, json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
import numpy as np
from core import AttentionOptions, scaled_dot_product_attention
from views.export.file import ExportOptions, html
from views.scene.scene import scene
from views.text import LANGUAGES
n, heads, d_k, causal, path = json.loads(sys.argv[1])
draw = np.random.default_rng(0).standard_normal
arrays = [draw((1, heads, n, d_k), np.float32) for _ in "QKV"]
def timed(call):
    begin = time.process_time()
    made = call()
    return made, time.process_time() - begin
options = AttentionOptions(causal=causal)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
trace, computed = timed(lambda: scaled_dot_product_attention(*arrays, options))
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e3
later = {}
given = {"serve": lambda name, data: later.setdefault(name, data) and name}
if "serve" not in inspect.signature(scene).parameters:
    given = {}
steps = ("weights",)
sent, packed = timed(lambda: scene(trace, "weights", 0, 0, steps, LANGUAGES["en"], **given))
file = html(trace, LANGUAGES["en"], ExportOptions(key="weights")).encode()
open(path, "wb").write(file)
fetched = sum(map(len, later.values()))
print(json.dumps([len(sent) / 1e3, fetched / 1e3, computed, peak, packed, len(file) / 1e3]))
""".replace("MOST", str(MOST))
STORE = """() => {
  let found = null;
  const ask = (instance) => (found ??= instance.store);
  document.dispatchEvent(new CustomEvent("microscope:find", { detail: ask }));
  return found?.layout ? found : null;
}"""
IN_PAGE = """async () => {
  const store = (STORE)(), real = requestAnimationFrame;
  const all = [document, ...Array.from(document.querySelectorAll("*"), (one) => one.shadowRoot)];
  const canvas = all.map((root) => root?.querySelector(".figure canvas")).find(Boolean);
  let spent = 0;
  globalThis.requestAnimationFrame = (callback) => real((now) => {
    const begin = performance.now();
    callback(now);
    spent += performance.now() - begin;
  });
  const worked = async (act) => {
    spent = 0;
    const begin = performance.now();
    act();
    spent += performance.now() - begin;
    await new Promise((done) => real(() => setTimeout(done)));
    return spent;
  };
  const at = (down = 0) => {
    const { left, top } = canvas.getBoundingClientRect(), box = store.layout.boxes.at(-1);
    const [x, y] = [left + box.x + box.width / 2, top + box.y + box.height / 2];
    return { clientX: x + down, clientY: y + down, pointerType: "mouse" };
  };
  const p95 = (times) => times.sort((one, other) => one - other)[Math.floor(0.95 * times.length)];
  const zooms = [], pans = [], sums = [];
  for (let i = 0; i < 60; i++) {
    const deltaY = i % 30 < 15 ? -1 : 1;
    const event = new WheelEvent("wheel", { ...at(), deltaY, ctrlKey: true, cancelable: true });
    zooms.push(await worked(() => canvas.dispatchEvent(event)));
  }
  for (let i = 0; i < 8; i++) {
    const event = new WheelEvent("wheel", { ...at(), deltaY: -1, ctrlKey: true });
    await worked(() => canvas.dispatchEvent(event));
  }
  canvas.dispatchEvent(new PointerEvent("pointerdown", at()));
  for (let i = 0; i < 60; i++) {
    const event = new PointerEvent("pointermove", at((i % 30) * 6 - 90));
    pans.push(await worked(() => canvas.dispatchEvent(event)));
  }
  canvas.dispatchEvent(new PointerEvent("pointerup", at()));
  const { rows } = store.layout.boxes.at(-1).plane;
  for (let i = 1; i <= 12; i++) {
    const query = Math.floor((rows.size * i) / 13), positions = { query, key: query >> 1 };
    sums.push(await worked(() => store.move({ locked: true, positions })));
  }
  return [p95(zooms), p95(pans), Math.max(...sums)];
}""".replace("STORE", STORE)


def on_server(tree: Path, case: tuple[Any, ...], file: Path) -> list[float] | None:
    """What the server spends, and the saved file; None if this state of the code cannot do it."""
    given = json.dumps([*case, str(file)])
    made = subprocess.run(
        [sys.executable, "-c", ON_SERVER, given], cwd=tree, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(tree)},
    )  # fmt: skip
    return json.loads(made.stdout) if made.returncode == 0 else None


def in_browser(browser: Browser, file: Path) -> list[float]:
    """Seconds to the first picture; milliseconds of zooming and panning (p95), and of any sum."""
    page = browser.new_page(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    page.goto(file.as_uri())
    drawn: float = page.evaluate(f"""() => new Promise((done) => {{
      const look = () => (({STORE})() ? done(performance.now()) : requestAnimationFrame(look));
      look();
    }})""")
    found: list[float] = page.evaluate(IN_PAGE)
    page.close()
    return [drawn / 1000, *found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", default="", help="a commit to measure beside the present state")
    before: str = parser.parse_args().before
    print(f"load {os.getloadavg()[0]:.1f}; zoom, pan (p95) and sum (largest): ms of a frame")
    print(f"{'n × heads × d_k':<18}{'':8}", *(f"{name:>9}" for name in COLUMNS))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        trees = {"now": ROOT}
        if before:
            trees = {"before": Path(folder) / "before"} | trees
            trees["before"].mkdir()
            packed = subprocess.run(
                ["git", "archive", before], capture_output=True, check=True
            ).stdout
            subprocess.run(["tar", "-x", "-C", str(trees["before"])], input=packed, check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        for case in CASES:
            for name, tree in trees.items():
                file = Path(folder) / "saved.html"
                spent = on_server(tree, case, file)
                found = [*spent, *in_browser(browser, file)] if spent else []
                row = [f"{value:9.2f}" if value < 100 else f"{value:9.0f}" for value in found]
                print(
                    f"{' × '.join(map(str, case[:3])):<18}{name:8}",
                    *(row or ["cannot"]),
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    main()
