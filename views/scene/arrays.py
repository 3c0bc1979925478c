"""Which of a trace's numbers go to the browser, and in what form.

A stage that only copies, adds, multiplies or masks single cells is not sent: the browser follows
its rule to the cells that are, and rounds to the stage's own precision, which gives the same
number to the last bit or the one before.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PIL import Image

from core import Stage, Trace, rules
from views.figures.plane import drawn_roles
from views.figures.scale import SHARES, of_tokens_by_tokens, scale_of

EXACT = 256 * 256  # cells of one plane; what is larger and computed goes as a byte a cell
DOUBLE = 16_384  # numbers, up to which float64 is not rounded to float32
TABLED = 4_096  # numbers, from which on few different ones are sent as a table and places in it
ALL_AT_ONCE = 1_000_000  # bytes, up to which all heads and all steps go together
THUMB = 48


@dataclass(frozen=True, eq=False)
class Sent:
    """Numbers of one stage.

    begins: which place of each axis the array begins with. form: ``numbers`` as they are;
    ``places`` along the stage's colour scale, 1 … 255, and 0 for what is not finite: the numbers
    follow from the rule; ``table``: places in ``table``.
    """

    array: np.ndarray
    begins: tuple[int, ...]
    form: str = "numbers"
    table: np.ndarray | None = None


def follows(rule: rules.Rule) -> bool:
    """Whether a cell is made of single cells, so that the browser can do without its number."""
    match rule:
        case rules.Operand() | rules.Constant() | rules.Stack():
            return True
        case rules.Sum(parts) | rules.Product(parts):
            return all(follows(part) for part in parts)
        case rules.Mask(of):
            return follows(of)
    return False


def group_of(trace: Trace, key: str) -> tuple[str, ...]:
    """The stages that are sent together with this one: those that lead to X, or all after X."""
    front = _leading_to(trace, "X")
    before = {*front, *(k for k in trace if isinstance(trace[k].rule, rules.Given))}
    after = tuple(k for k in trace if k not in before)
    return front if key in front else (*_given_to(trace, after, front), *after)


def needed(trace: Trace, keys: Iterable[str]) -> tuple[str, ...]:
    """The stages whose numbers it takes to show and open every cell of these."""
    wanted = dict.fromkeys(keys)
    found: set[str] = set()

    def need(key: str, *, shown: bool) -> None:
        stage = trace[key]
        if shown and follows(stage.rule) and not _is_large(stage):
            for source in stage.computed_from:
                need(source, shown=source in wanted)
        else:
            found.add(key)

    for key in wanted:
        for part in (key, *trace[key].computed_from):
            need(part, shown=part in wanted)
    return tuple(key for key in trace if key in found)


def weigh(trace: Trace, keys: Iterable[str]) -> float:
    """How many bytes the numbers of these stages have in one sample, all heads together."""
    return sum(trace[key].tensor.nbytes / trace[key].size("batch") for key in keys)


def sent(
    trace: Trace,
    keys: Iterable[str],
    sample: int,
    head: int | None,
    hidden: tuple[int, ...] = (),
) -> dict[str, Sent]:
    """The arrays with which every cell of these stages can be shown and opened.

    head: the one head that is sent where a stage is not read by all of them; None sends all.
    hidden: the places of tokens that have no part in the colours.
    """
    joined, shown = read_by_all_heads(trace), set(keys)
    heads = {key: None if key in joined else head for key in needed(trace, keys)}
    return {
        key: _form(trace, key, sample, only, hidden, by_rule=key in shown)
        for key, only in heads.items()
    }


def read_by_all_heads(trace: Trace) -> frozenset[str]:
    """The stages of whose heads a later one reads more than its own."""
    found = set()
    for stage in trace.values():
        for operand in rules.operands(stage.rule):
            roles = trace[operand.stage].roles
            if "head" in roles and operand.index[roles.index("head")] != "head":
                found.add(operand.stage)
    return frozenset(found)


def thumbnails(trace: Trace, key: str, sample: int, hidden: tuple[int, ...] = ()) -> np.ndarray:
    """All heads of a stage, small: places along its scale, at most 48 × 48 each, 0 is masked.

    hidden: the places of tokens that have no part in the colours, nor in the mean of a cell that
        stands for several.
    Returns (head, row, column) uint8.
    """
    stage = trace[key]
    places = _places(trace, stage, (sample,) if "batch" in stage.roles else (), hidden)
    if places.ndim == 2:
        places = places[:, None, :]  # a bias has but one row
    rows, columns = places.shape[1:]
    if max(rows, columns) <= THUMB:
        return places
    shown = np.ones((rows, columns), dtype=bool)
    if of_tokens_by_tokens(stage):
        shown[list(hidden), :] = shown[:, list(hidden)] = False
    size = min(columns, THUMB), min(rows, THUMB)
    return np.stack([_shrunk(head, shown, size) for head in places])


def _shrunk(places: np.ndarray, shown: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The means of what is shown and not masked; 0 where more than half of what is shown is."""
    if shown.all() and places.all():
        return np.round(_boxed(places, size)).astype(np.uint8)
    counted, whole = _boxed(shown & (places > 0), size), _boxed(shown, size)
    mean = np.round(_boxed(shown * places, size) / np.maximum(counted, 1e-6))
    return np.where(counted >= whole / 2, mean, 0).astype(np.uint8)


def _boxed(plane: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    picture = Image.fromarray(plane.astype(np.float32))
    return np.asarray(picture.resize(size, Image.Resampling.BOX))


def _form(
    trace: Trace, key: str, sample: int, head: int | None, hidden: tuple[int, ...], *, by_rule: bool
) -> Sent:
    """The numbers of a stage; where they are many, places, if its rule leads to numbers here."""
    stage = trace[key]
    held = {"batch": sample, "head": head}
    begins = tuple(held.get(role) or 0 for role in stage.roles)
    index = tuple(
        slice(None) if held.get(role) is None else slice(held[role], (held[role] or 0) + 1)
        for role in stage.roles
    )
    tensor = stage.tensor[index]
    if tensor.dtype == bool:
        return Sent(tensor.astype(np.uint8), begins)
    if tensor.dtype.kind in "iu":
        return Sent(tensor.astype(np.int32), begins)
    if by_rule and _is_large(stage):
        return Sent(_places(trace, stage, index, hidden), begins, "places")
    if tensor.size >= TABLED and stage.rule == rules.Given("input"):
        found = np.unique(tensor)
        if found.size <= 256:
            places = np.searchsorted(found, tensor).astype(np.uint8)
            return Sent(places, begins, "table", found)
    return Sent(tensor if tensor.size <= DOUBLE else tensor.astype(np.float32), begins)


def _is_large(stage: Stage) -> bool:
    """Whether a computed plane is too large to send its numbers. A mere copy costs nothing."""
    rows, columns = drawn_roles(stage)
    cells = stage.size(rows or "") * stage.size(columns or "")
    return cells > EXACT and not isinstance(stage.rule, rules.Operand | rules.Given)


def _places(
    trace: Trace, stage: Stage, index: tuple[slice | int, ...], hidden: tuple[int, ...]
) -> np.ndarray:
    """Places along the stage's scale, 1 … 255; 0 for what is not finite or what a mask struck."""
    values = stage.tensor[index]
    places = np.maximum(scale_of(trace, stage.key, hidden).place(values), 1)
    places[~np.isfinite(values)] = 0
    if stage.key in SHARES and "masked" in trace:
        places[np.isneginf(trace["masked"].tensor[index])] = 0
    return places


def _leading_to(trace: Trace, key: str) -> tuple[str, ...]:
    found = {key}
    for name in reversed(tuple(trace)):
        if name in found:
            found.update(trace[name].computed_from)
    return tuple(name for name in trace if name in found)


def _given_to(trace: Trace, keys: Iterable[str], front: Iterable[str]) -> tuple[str, ...]:
    read = {source for key in keys for source in trace[key].computed_from} - set(front) - set(keys)
    return tuple(key for key in trace if key in read)
