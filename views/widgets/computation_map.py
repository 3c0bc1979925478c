"""The map of the whole computation, each box a door to its stage."""

from collections.abc import Callable, Mapping

import streamlit as st

from core import Trace
from views.figures.graph import graph_of
from views.figures.symbols import symbol_of
from views.widgets.component import component


def computation_map(
    trace: Trace,
    current: str,
    label: str,
    names: Mapping[str, str],
    on_choose: Callable[[str], None],
) -> None:
    """Draw how the stages branch and join, with this input's shapes; the current one is marked."""

    def chosen() -> None:
        on_choose(st.session_state["computation_map"].choose)

    graph = graph_of(trace)
    data = {
        "label": label,
        "width": graph.width,
        "height": graph.height,
        "boxes": [
            {
                "key": box.key,
                "symbol": symbol_of(box.key),
                "name": names[box.key],
                "sizes": [(role, str(size)) for role, size in box.sizes],
                "place": [box.x, box.y, box.width, box.height],
                "given": box.given,
                "heads": trace[box.key].size("head") > 1 and not box.given,
                "now": box.key == current,
            }
            for box in graph.boxes
        ],
        "lines": [
            {"path": line.path, "now": current in (line.source, line.target)}
            for line in graph.lines
        ],
    }
    component("computation_map")(key="computation_map", data=data, on_choose_change=chosen)
