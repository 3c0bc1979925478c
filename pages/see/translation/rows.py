"""The rows of the decoder, each named by the word that it reads and the one that it writes."""

from dataclasses import replace

from core import Stage, Trace
from core.sources.pieces import START
from pages.see.translation.controls import Shown

NAMED = ("decoder", "prediction")
ROLES = ("query", "token")  # a key of the decoder is a word that is read, and nothing else


def row_name(place: int, shown: Shown) -> str:
    """The name of a row, from 0: ``[START]→I``; the last one of a translation that never ended
    writes nothing."""
    read = (START, *shown.words)[place]
    return f"{read}→{shown.target[place]}" if place < len(shown.target) else read


def is_named(path: str) -> bool:
    """Whether the rows of a part both read and write; the target's embeddings only read."""
    return path.startswith(NAMED)


def with_row_names(shown: Shown, path: str) -> Trace:
    """The trace of the model with the names of the rows of one part."""
    if not is_named(path):
        return shown.trace
    return shown.trace.derived(("row names", path), lambda: _with_row_names(shown, path))


def _with_row_names(shown: Shown, path: str) -> Trace:
    names = tuple(row_name(place, shown) for place in range(len(shown.words) + 1))
    return Trace(
        _named(stage, names) if key.startswith(f"{path}/") else stage
        for key, stage in shown.trace.items()
    )


def _named(stage: Stage, names: tuple[str, ...]) -> Stage:
    axes = (
        replace(axis, labels=names) if axis.role in ROLES and axis.labels else axis
        for axis in stage.axes
    )
    return replace(stage, axes=tuple(axes))
