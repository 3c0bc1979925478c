"""Which sequence feeds W_Q, W_K and W_V, as boxes and arrows."""

from typing import Any

from core import Stage, Trace
from pages.understand.cross.words import CrossWords
from views.widgets.component import component


def flow(trace: Trace, texts: CrossWords) -> None:
    """Draw where Q, K and V of this trace come from, and the shapes that follow."""
    asks: dict[str, Any] = {
        "symbol": "X",
        "text": _words(trace["X"]),
        "role": "token",
        "feeds": "QKV",
    }
    sources = [asks]
    if "memory" in trace:
        asks["feeds"] = "Q"
        answers = {
            "symbol": "memory",
            "text": _words(trace["memory"]),
            "role": "key",
            "feeds": "KV",
        }
        sources.append(answers)
    label = texts.flow_cross if "memory" in trace else texts.flow_self
    shapes = {key: in_head(trace[key]) for key in ("Q", "K", "V", "scores", "output")}
    component("cross")(key="flow", data={"sources": sources, "shapes": shapes, "label": label})


def in_head(stage: Stage) -> str:
    """The shape of one sample in one head, each axis by its name: ``(query 3, key 4)``."""
    named = [f"{axis} {stage.size(axis)}" for axis in stage.roles if axis not in ("batch", "head")]
    return f"({', '.join(named)})"


def _words(stage: Stage) -> str:
    return " ".join(stage.axes[1].names() or ())
