"""The map of the whole computation, each box a door to its stage."""

from collections.abc import Mapping

from core import Trace
from views.figures.graph import graph_of
from views.figures.symbols import Convention, symbol_of
from views.naming import told_as
from views.widgets.component import component


def computation_map(
    trace: Trace, label: str, names: Mapping[str, str], convention: Convention
) -> None:
    """Draw how the stages branch and join, with this input's shapes.

    The microscope says which one is marked; a box that is chosen is where it goes.
    """
    graph = graph_of(trace, convention)
    data = {
        "label": label,
        "width": graph.width,
        "height": graph.height,
        "boxes": [
            {
                "key": box.key,
                "symbol": symbol_of(box.key, told_as(trace, box.key), convention),
                "name": names[box.key],
                "sizes": [(role, str(size)) for role, size in box.sizes],
                "place": [box.x, box.y, box.width, box.height],
                "given": box.given,
                "heads": trace[box.key].size("head") > 1 and not box.given,
            }
            for box in graph.boxes
        ],
        "lines": [
            {"path": line.path, "source": line.source, "target": line.target}
            for line in graph.lines
        ],
    }
    component("computation_map")(key="computation_map", data=data)
