"""Which sequence feeds W_Q, W_K and W_V, as boxes and arrows."""

from typing import Any

from core import Stage, Trace
from views.text import Words
from views.text.spans import isolated
from views.widgets.component import component


def flow(trace: Trace, texts: Words) -> None:
    """Draw which sequences Q, K and V are computed from, and their shapes."""
    query_source: dict[str, Any] = {
        "symbol": "X",
        "text": _words(trace["X"]),
        "role": "token",
        "feeds": "QKV",
    }
    sources = [query_source]
    if "memory" in trace:
        query_source["feeds"] = "Q"
        memory_source = {
            "symbol": "memory",
            "text": _words(trace["memory"]),
            "role": "key",
            "feeds": "KV",
        }
        sources.append(memory_source)
    label = texts.flow_cross if "memory" in trace else texts.flow_self
    shapes = {key: in_head(trace[key]) for key in ("Q", "K", "V", "scores", "output")}
    component("cross")(key="flow", data={"sources": sources, "shapes": shapes, "label": label})


def in_head(stage: Stage) -> str:
    """The shape of one sample in one head, each axis by its name: ``(query 3, key 4)``."""
    named = [f"{axis} {stage.size(axis)}" for axis in stage.roles if axis not in ("batch", "head")]
    return f"({', '.join(named)})"


def _words(stage: Stage) -> str:
    return isolated(" ".join(stage.axes[1].names() or ()))
