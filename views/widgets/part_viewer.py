"""The stage viewer for one part of a model: an attention, a feed-forward layer, the prediction."""

from collections.abc import Callable, Mapping

import numpy as np

from core import Trace
from core.nested import subtrace
from views.export.file import PARTS, WITHOUT_CHIPS
from views.scene.naming import num_heads
from views.scene.steps import first_step, steps_of
from views.selection import Selection, choose_head
from views.text import Words
from views.widgets.microscope import Origin
from views.widgets.viewer import Shown, step_viewer


def part_viewer(
    trace: Trace,
    path: str,
    words: Words,
    *,
    origin: Origin,
    follow: bool = True,
    start: Mapping[str, int] | None = None,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
) -> Shown:
    """Show the part of a model's trace at this path, such as ``decoder/1/cross``.

    start: the initial cell, from 0 by axis. lead: draws content before the stepper, such as the
    map of the model. origin, follow, hidden, photos: see ``step_viewer``. Raises UnknownStage for a
    path that the trace does not have.
    """
    part = subtrace(trace, path)
    heads = num_heads(trace)
    choose_head((start or {}).get("head", 0), heads)
    parts = PARTS if trace.token in ("word", "piece") else WITHOUT_CHIPS
    return step_viewer(
        part, words, parts=parts, steps=steps_of(part), origin=origin, follow=follow,
        first=first_step(part), start=start, lead=lead, hidden=hidden, photos=photos, heads=heads,
    )  # fmt: skip
