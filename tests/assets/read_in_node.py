"""Readings of cells as the browser writes them, from the bytes of a scene."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from blob_reader import unpacked
from in_node import evaluate

from core import Trace
from views.scene.arrays import group_of
from views.scene.naming import stage_words
from views.scene.scene import scene
from views.text import Words

MODULES = [f"microscope/engine/{name}.js" for name in ("blob", "readings", "trace")]
READ = """
  const traces = given.scenes.map((sent) => new trace.Trace(blob.unpacked(sent)));
  return given.asked.map(([scene, key, at]) => readings.readings(traces[scene], key, at));
"""
FIRST = ("batch", "head", "query", "key", "token", "patch", "d_model")
Asked = tuple[Trace, str, dict[str, int]]


class Scenes:
    """The scenes that contain the requested cells, without duplicates."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._traces: list[Trace] = []  # referenced, so that no id is used twice
        self.blobs: list[str] = []

    def number(self, trace: Trace, key: str, at: dict[str, int]) -> int:
        """The number of a scene around a cell."""
        whole = id(trace), at["batch"]
        part = *whole, at["head"], group_of(trace, key)
        found = self._numbers.get(whole, self._numbers.get(part))
        if found is None:
            blob = scene(trace, key, at["batch"], at["head"], (), self._words)
            found = len(self.blobs)
            self._numbers[whole if unpacked(blob)[0]["head"] is None else part] = found
            self.blobs.append(blob)
            self._traces.append(trace)
        return found


def read_all(asked: Iterable[Asked], words: Words) -> list[list[str]]:
    """The readings of each cell: a trace, a step, and those positions, from 0, that are not 0."""
    scenes, sent = Scenes(words), []
    for trace, key, positions in asked:
        at = dict.fromkeys(FIRST, 0) | positions
        sent.append((scenes.number(trace, key, at), key, at))
    found = evaluate(MODULES, READ, {"scenes": scenes.blobs, "asked": sent})
    return [["".join(text for text, _ in spans) for spans in sentences] for sentences in found]


def emptied_by(trace: Trace, words: Words, batch: int, head: int, query: int) -> str:
    """The names of the masks that hide a whole row: alone, or else together."""
    shape = trace["weights"].tensor.shape
    hidden = {}
    for key in (
        "key_mask",
        "causal",
        "sliding_window",
        "allowed",
        "not_hidden",
        "head_mask",
        "bias",
    ):
        if key in trace and "token" not in trace[key].roles:
            stage = trace[key]
            sizes = [stage.size(role) for role in ("batch", "head", "query", "key")]
            whole = np.broadcast_to(stage.tensor.reshape(sizes), shape)[batch, head, query]
            hides = np.isneginf(whole) if key == "bias" else ~whole
            if hides.any():
                hidden[stage_words(trace, key, words).name] = hides.all()
    alone = [name for name, all_of_it in hidden.items() if all_of_it]
    return words.list_mark.join(alone or hidden)


def read(trace: Trace, key: str, words: Words, /, **at: int) -> list[str]:
    """The reading of one cell."""
    return read_all([(trace, key, at)], words)[0]
