"""The cost of the installed pretrained models: opening, a first and a second run, and memory.

Then the app itself: every page of these models, opened once one after the other, with the memory of
its process and what was sent to the reader; the goal is 2,000 MB at most.

In a first run the weights are read, and decoded where they are stored in fewer bits; in a second
one they are in the cache of ``LIMITS.decoded_bytes`` that all models share. Every model is opened
twice too: the second time its files are in the memory of the system, and nothing else is kept.

Run from the root of the project:  python -m tests.benchmarks.bench_pretrained --threads 1
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from tests.benchmarks.side_by_side import conditions, options

OPTIONS = options(__doc__, seconds=0, each="model")
# On one thread the processor's own time, in which nobody else's work counts.
CLOCK = time.process_time if OPTIONS.threads == 1 else time.perf_counter

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

from core.limits import LIMITS  # noqa: E402
from core.models import pretrained  # noqa: E402
from tests.benchmarks.bench_load import Reader, serving  # noqa: E402

ASSETS = Path(__file__).parents[2] / "assets"
MOST = 40  # tokens that are written of the sound
PAGES: list[tuple[pretrained.Pretrained | None, str, dict[str, object]]] = [
    (None, "sentence", {"model": "seeded"}),
    (pretrained.SMOLLM2, "sentence", {"model": "smollm2", "next": 1}),
    (pretrained.SMOLLM2, "sentence", {"model": "smollm2", "board": 1}),
    (pretrained.GEMMA, "sentence", {"model": "gemma", "next": 1}),
    (None, "sentence", {"model": "bert", "text": "I love Beijing"}),
    (pretrained.DINOV2, "image", {"model": "dinov2"}),
    (pretrained.DINOV2, "image", {"model": "dinov2", "picture": "moose", "layer": 6}),
    (pretrained.WHISPER, "audio", {"model": "whisper"}),
    (pretrained.WHISPER, "audio", {"model": "whisper", "side": "encoder"}),
    (pretrained.SMOLLM2, "sentence", {"model": "smollm2", "text": "The opposite of hot is"}),
    (None, "translation", {}),
]

Run = Callable[[], object]


def text(model: pretrained.Pretrained, given: str) -> Run:
    """The next token of a text."""
    opened = pretrained.open_checkpoint(model)
    return lambda: opened.predict(given)


def photo(model: pretrained.Pretrained) -> Run:
    """All layers on a photo."""
    opened = pretrained.open_checkpoint(model)
    assert opened.processor
    pixels = opened.processor.pixels(Image.open(ASSETS / "samples" / "tabby.webp").convert("RGB"))
    return lambda: opened.run(pixels, opened.layers)


def sound(model: pretrained.Pretrained) -> Run:
    """Ten seconds, encoded and written down."""
    opened = pretrained.open_speech(model)
    seconds = np.arange(160_000) / 16_000
    hum = (np.sin(seconds * 1200) * np.sin(seconds * 9) * 0.2).astype(np.float32)
    return lambda: [*opened.write(opened.listen(hum), "en", most=MOST)]


CASES: dict[str, Callable[[], Run]] = {
    "smollm2": lambda: text(pretrained.SMOLLM2, "The capital of France is"),
    "gemma": lambda: text(pretrained.GEMMA, "中国的首都是"),
    "dinov2": lambda: photo(pretrained.DINOV2),
    "whisper": lambda: sound(pretrained.WHISPER),
}


def timed(call: Callable[[], object]) -> tuple[float, object]:
    """How many seconds a call takes, and what it returns."""
    began = CLOCK()
    found = call()
    return CLOCK() - began, found


def memory(process: int | str = "self") -> dict[str, float]:
    """Megabytes (10⁶ bytes) of a process: at present, and at most; nothing where it is unknown."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return {}
    lines = (line.split() for line in status.read_text().splitlines())
    found = {words[0].rstrip(":"): float(words[1]) for words in lines if words[-1] == "kB"}
    return {name: found[name] * 1024 / 1e6 for name in ("VmRSS", "VmHWM")}


def main() -> None:
    print(conditions(OPTIONS.threads))
    kind = " of processor time" if OPTIONS.threads == 1 else ""
    print(f"seconds{kind}, and megabytes of the process so far; at most", end=" ")
    print(f"{LIMITS.decoded_bytes / 1e6:.0f} MB are decoded weights, of all models together\n")
    print(
        f"{'':12}{'opening':>9}{'again':>9}{'first run':>11}{'second':>9}{'memory':>9}{'peak':>9}"
    )
    for name, model in pretrained.ALL.items():
        if not pretrained.is_there(model):
            print(f"{name:12}is not installed: {model.command}")
            continue
        opening, _ = timed(CASES[name])
        again, run = timed(CASES[name])
        first, second = timed(run)[0], timed(run)[0]  # type: ignore[arg-type]
        now = memory()
        print(
            f"{name:12}{opening:9.2f}{again:9.2f}{first:11.2f}{second:9.2f}"
            f"{now.get('VmRSS', 0):9.0f}{now.get('VmHWM', 0):9.0f}",
            flush=True,
        )
    if memory():
        asyncio.run(print_app())


async def print_app() -> None:
    """Print the memory of the app's process after each page of a model, opened once in its turn."""
    print(f"\n{'the app, page by page':44}{'seconds':>9}{'kB sent':>9}{'memory':>9}{'peak':>9}")
    with serving(hidden=()) as served:
        for model, page, query in PAGES:
            if model and not pretrained.is_there(model):
                continue
            reader = Reader(served.address, page)
            await reader.open()
            seconds = await reader.run(query)
            now = memory(served.pid)
            print(
                f"{page + '?' + urlencode(query, safe=' '):44.44}{seconds:9.2f}"
                f"{reader.received / 1000:9.0f}{now['VmRSS']:9.0f}{now['VmHWM']:9.0f}",
                flush=True,
            )
            await reader.socket.close()


if __name__ == "__main__":
    main()
