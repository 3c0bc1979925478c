"""All heads of a stage in view as small maps; a click chooses one."""

from collections.abc import Callable, Mapping

import streamlit as st

from core import Trace
from views.figures.palette import Theme
from views.figures.plane import drawn_roles, filling, forbidden, plane_of
from views.figures.scale import scale_of
from views.figures.thumbnail import data_url, thumbnail
from views.text import Words
from views.widgets.component import component


def heads(
    trace: Trace,
    key: str,
    at: Mapping[str, int],
    theme: Theme,
    words: Words,
    on_choose: Callable[[int], None],
) -> None:
    """Draw every head of a stage on its one scale; ``at["head"]`` is the chosen one."""

    def chosen() -> None:
        on_choose(st.session_state["head_maps"].choose)

    stage = trace[key]
    scale = scale_of(trace, key)
    greyed = filling(trace, drawn_roles(stage)[0] or "", at["batch"])
    side = 96 if stage.size("head") <= 4 else 72

    def small(head: int) -> str:
        place = {**at, "head": head}
        plane = plane_of(stage, place)
        struck = forbidden(trace, plane, place)
        return data_url(thumbnail(plane.values, scale, theme, side, greyed, struck))

    data = {
        "label": words.viewer.heads,
        "chosen": at["head"],
        "heads": [
            {
                "name": words.viewer.head.format(number=i + 1),
                "picture": small(i),
            }
            for i in range(stage.size("head"))
        ],
    }
    component("heads")(key="head_maps", data=data, on_choose_change=chosen)
