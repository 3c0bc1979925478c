"""Which of a trace's arrays are sent to the browser, and in what form.

A stage whose cells are only copied, added, multiplied or masked is not sent: the browser derives
them by the stage's rule from the arrays that are, and rounds to the stage's own precision. The
result differs by at most the last bit. Nor is a large (query, key) stage: its pictures and its
numbers are made of Q, K, the masks and one number a row.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from core import Stage, Trace, blockwise, rules
from core.blockwise import blocks
from views.figures.plane import drawn_roles
from views.figures.scale import SHARES, is_query_by_key, scale_of

TILED = 128 * 128  # cells of a (query, key) plane from which on the browser computes it
EXACT = 256 * 256  # cells of one plane; larger computed planes are sent as one byte per cell
DOUBLE = 16_384  # numbers up to which float64 is not rounded to float32
TABLED = 4_096  # numbers from which on few distinct values are sent as a table and indices
LATER = 500_000  # bytes from which on an array can be fetched apart from its scene
ALL_AT_ONCE = 1_000_000  # bytes up to which all heads, or else all steps after X, go together
THUMB = 48


@dataclass(frozen=True, eq=False)
class SentArray:
    """The array of one stage as it is sent.

    begins: the index of its first cell along each axis. form: ``numbers`` for values; ``levels``
    for levels of the stage's colour scale, 1 … 255, and 0 for what is not finite (the values
    follow from the rule); ``table`` for indices into ``table``.
    """

    array: np.ndarray
    begins: tuple[int, ...]
    form: str = "numbers"
    table: np.ndarray | None = None


def is_derivable(rule: rules.Rule) -> bool:
    """Whether each cell follows from single cells of other stages, so that it need not be sent."""
    match rule:
        case rules.Operand() | rules.Constant() | rules.Stack():
            return True
        case rules.Sum(parts) | rules.Product(parts):
            return all(is_derivable(part) for part in parts)
        case rules.Mask(of):
            return is_derivable(of)
    return False


def is_tiled(stage: Stage) -> bool:
    """Whether the browser computes a large (query, key) stage from what it is made of."""
    rule = stage.rule.of if isinstance(stage.rule, rules.Round) else stage.rule
    computed = is_derivable(rule) or isinstance(rule, rules.Dot | rules.Softmax | rules.Activation)
    return computed and is_query_by_key(stage) and _is_large(stage, most=TILED)


def group_of(trace: Trace, key: str) -> tuple[str, ...]:
    """The stages that are sent together with this one: see ``groups``."""
    *most, last = groups(trace)
    return next((group for group in most if key in group), last)


def groups(trace: Trace) -> tuple[tuple[str, ...], ...]:
    """The stages that are sent together: those up to X, and those after X.

    If the latter are too many bytes, they are three groups: what one head makes of Q, K and V; the
    projections of X; and what is made of all heads. The weights are in each, since other parts of a
    page show them at any step.
    """
    return trace.derived("groups", lambda: tuple(_grouped(trace)))


def _grouped(trace: Trace) -> Iterator[tuple[str, ...]]:
    front = _leading_to(trace, "X")
    before = {*front, *(k for k in trace if isinstance(trace[k].rule, rules.Given))}
    after = tuple(k for k in trace if k not in before)
    yield front
    for part in _parts(trace, after):
        yield (*_given_to(trace, part, front), *part)


def _parts(trace: Trace, after: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if "head_output" not in after or _one_head_bytes(trace, after) <= ALL_AT_ONCE:
        yield after
        return
    of_head, of_weights = _leading_to(trace, "head_output"), _leading_to(trace, "weights")
    projected = {key for key in of_head if "scores" not in _leading_to(trace, key)}
    yield tuple(key for key in after if key in of_head and key not in projected)
    yield tuple(key for key in after if key in projected or key in of_weights)
    yield tuple(
        key for key in after
        if key not in of_head or (key in of_weights and key not in projected)
    )  # fmt: skip


def _one_head_bytes(trace: Trace, keys: Iterable[str]) -> float:
    """About how many bytes are sent of these stages in one sample, with one head."""
    joined, shown = read_by_all_heads(trace, keys), set(keys)
    total = 0.0
    for key in required_stages(trace, keys):
        stage = trace[key]
        heads = 1 if key in joined else stage.size("head")
        is_levels = key in shown and _is_large(stage)
        size = stage.tensor.size if is_levels else _num_bytes(stage)
        total += size / stage.size("batch") / heads
    return total


def required_stages(trace: Trace, keys: Iterable[str]) -> tuple[str, ...]:
    """The stages whose arrays are required to show and explain every cell of these stages."""
    wanted = dict.fromkeys(keys)
    required: set[str] = set()

    def need(key: str, *, shown: bool) -> None:
        stage = trace[key]
        if is_tiled(stage) or (shown and is_derivable(stage.rule)):
            for source in stage.computed_from:
                need(source, shown=source in wanted)
        else:
            required.add(key)

    for key in wanted:
        for part in (key, *trace[key].computed_from):
            need(part, shown=part in wanted)
    return tuple(key for key in trace if key in required)


def num_bytes(trace: Trace, keys: Iterable[str]) -> float:
    """The bytes of these stages' tensors in one sample, with all heads."""
    return sum(_num_bytes(trace[key]) / trace[key].size("batch") for key in keys)


def _num_bytes(stage: Stage) -> int:
    tensor = stage.tensor
    if _is_by_pairs(stage):
        return 4 * (stage.size("query") + stage.size("key"))  # or some more for runs
    return tensor.size * (2 if _is_half(stage) else tensor.itemsize)


def _is_half(stage: Stage) -> bool:
    """Whether the numbers of a stage are sent in float16."""
    return stage.derived("is half", lambda: _narrowed(stage.tensor).dtype == np.float16)


def _is_by_pairs(stage: Stage) -> bool:
    """Whether a large mask or table of queries and keys is sent in a short form."""
    of = stage.rule == rules.Given("mask") or stage.rule == rules.Given("transform")
    return of and stage.roles[-2:] == ("query", "key") and _is_large(stage, computed=False)


def sent(
    trace: Trace,
    keys: Iterable[str],
    sample: int,
    head: int | None,
    hidden: tuple[int, ...] = (),
) -> dict[str, SentArray]:
    """The arrays with which every cell of these stages can be shown and explained.

    head: the only head to send, from 0, except for stages that other heads read; None sends all.
    hidden: positions of tokens that do not count for the colour scale.
    """
    joined, shown = read_by_all_heads(trace, keys), set(keys)
    heads = {key: None if key in joined else head for key in required_stages(trace, keys)}
    return {
        key: _sent_array(trace, key, sample, only, hidden, by_rule=key in shown)
        for key, only in heads.items()
    }


def read_by_all_heads(trace: Trace, keys: Iterable[str]) -> frozenset[str]:
    """The stages of which one of these stages reads several heads at once."""
    stages = set()
    for key in keys:
        for operand in trace[key].operands:
            roles = trace[operand.stage].roles
            if "head" in roles and operand.index[roles.index("head")] != "head":
                stages.add(operand.stage)
    return frozenset(stages)


def drawn_from(trace: Trace, keys: Iterable[str]) -> frozenset[str]:
    """The stages whose arrays the pictures of tiled stages are made of."""
    found: set[str] = set()
    tiled = [key for key in keys if is_tiled(trace[key])]
    while tiled:
        sources = set(trace[tiled.pop()].computed_from) - found
        found |= sources
        tiled += [source for source in sources if is_tiled(trace[source])]
    return frozenset(found)


def halved(array: np.ndarray) -> np.ndarray | None:
    """float32 numbers in half as many bytes, for pictures; None if they are too large for that."""
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    return half if array.dtype == np.float32 and np.isfinite(half).all() else None


def thumbnails(trace: Trace, key: str, sample: int, hidden: tuple[int, ...] = ()) -> np.ndarray:
    """Thumbnails of all heads of a stage: levels of its colour scale, 0 for masked.

    hidden: positions of tokens that do not count for the scale, nor in downsampled cells.
    Returns (head, row, column) uint8, at most 48 × 48 each.
    """
    stage = trace[key]
    one = slice(sample, sample + 1)
    index: tuple[Any, ...] = (one,) if "batch" in stage.roles else (None,)
    if isinstance(stage.tensor, blockwise.BlockwiseArray):  # one query of so many
        some = np.linspace(0, stage.size("query") - 1, THUMB).astype(int)
        index = (*index, ..., some, slice(None))
    levels = _levels(trace, stage, index, hidden)[0]
    while levels.ndim < 3:
        levels = levels[:, None]  # a bias has but one row, a mask of heads one cell
    rows, columns = levels.shape[1:]
    if max(rows, columns) <= THUMB:
        return levels
    shown = np.ones((rows, columns), dtype=bool)
    if is_query_by_key(stage):
        shown[list(hidden), :] = shown[:, list(hidden)] = False
    size = min(columns, THUMB), min(rows, THUMB)
    return np.stack([_shrink(head, shown, size) for head in levels])


def _shrink(levels: np.ndarray, shown: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Means of the shown, unmasked cells; 0 if more than half of the shown cells are masked."""
    if shown.all() and levels.all():
        return np.round(_box_resized(levels, size)).astype(np.uint8)
    counted, whole = _box_resized(shown & (levels > 0), size), _box_resized(shown, size)
    mean = np.round(_box_resized(shown * levels, size) / np.maximum(counted, 1e-6))
    return np.where(counted >= whole / 2, mean, 0).astype(np.uint8)


def _box_resized(plane: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    picture = Image.fromarray(plane.astype(np.float32))
    return np.asarray(picture.resize(size, Image.Resampling.BOX))


def _sent_array(
    trace: Trace, key: str, sample: int, head: int | None, hidden: tuple[int, ...], *, by_rule: bool
) -> SentArray:
    """The array of a stage; if it is large and computed by a rule, levels of its scale."""
    stage = trace[key]
    indexed = {"batch": sample, "head": head}
    begins = tuple(indexed.get(role) or 0 for role in stage.roles)
    index = tuple(
        slice(None) if indexed.get(role) is None else slice(indexed[role], (indexed[role] or 0) + 1)
        for role in stage.roles
    )
    tensor = stage.tensor[index]
    if _is_by_pairs(stage):
        if tensor.dtype != bool:
            return SentArray(_diagonals(tensor), begins, "diagonals")
        runs, starts = _runs(tensor)
        return SentArray(runs, begins, "runs", starts)
    if tensor.dtype == bool:
        return SentArray(tensor.astype(np.uint8), begins)
    if tensor.dtype.kind in "iu":
        return SentArray(tensor.astype(np.int32), begins)
    if by_rule and _is_large(stage):
        return SentArray(_levels(trace, stage, index, hidden), begins, "levels")
    if tensor.size >= TABLED and stage.rule == rules.Given("input"):
        distinct = np.unique(tensor)
        if distinct.size <= 256:
            indices = np.searchsorted(distinct, tensor).astype(np.uint8)
            return SentArray(indices, begins, "table", distinct)
    if tensor.size > DOUBLE and _is_half(stage):
        return SentArray(tensor.astype(np.float16), begins)
    return SentArray(_narrowed(tensor), begins)


def _runs(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The runs of allowed keys of a mask (…, query, key), and where those of each query begin."""
    runs, counts = [], [0]
    for _, rows in blocks(mask):
        edges = np.diff(np.pad(rows.reshape(-1, mask.shape[-1]).astype(np.int8), ((0, 0), (1, 1))))
        query, first = np.nonzero(edges == 1)
        runs.append(np.stack([first, np.nonzero(edges == -1)[1]], axis=-1))
        counts += np.bincount(query, minlength=len(edges)).tolist()
    return np.concatenate(runs).astype(np.int32), np.cumsum(counts).astype(np.int32)


def _diagonals(table: np.ndarray) -> np.ndarray:
    """The numbers of a (query, key) stage by key position − query position, from the least."""
    first_row, first_column = np.asarray(table[..., 0, :]), np.asarray(table[..., :, 0])
    along = np.concatenate([first_column.ravel()[:0:-1], first_row.ravel()])
    return along.astype(np.int32)


def logsumexps(
    trace: Trace, keys: Iterable[str], sample: int, head: int | None
) -> dict[str, np.ndarray]:
    """log Σ e^x of each row of the large softmax stages among these, by ``KEY.logsumexp``.

    (head, query) float64 each. head: the only one, from 0; None: all.
    """
    at = (sample, slice(None) if head is None else slice(head, head + 1))
    found = {}
    for key in keys:
        stage = trace[key]
        rule = stage.rule.of if isinstance(stage.rule, rules.Round) else stage.rule
        if isinstance(rule, rules.Softmax) and is_tiled(stage):
            logits = trace[rule.of.stage].tensor[at]
            sums = blockwise.logsumexp(logits, stage.tensor[at])
            found[f"{key}.logsumexp"] = sums.astype(np.float64)
    return found


def _narrowed(tensor: np.ndarray) -> np.ndarray:
    """A large tensor in float32, or in float16 where that loses nothing, as of stored weights."""
    if tensor.size <= DOUBLE or tensor.dtype.kind != "f":
        return tensor
    single = tensor.astype(np.float32)
    with np.errstate(over="ignore"):
        for some in (single.ravel()[:TABLED], single):  # a few numbers decide most
            half = some.astype(np.float16)
            if not np.array_equal(half, some):
                return single
    return half


def _is_large(stage: Stage, *, computed: bool = True, most: int = EXACT) -> bool:
    """Whether a plane is too large to send its values. computed: copies and given ones are not."""
    rows, columns = drawn_roles(stage)
    cells = stage.size(rows or "") * stage.size(columns or "")
    return cells > most and not (computed and isinstance(stage.rule, rules.Operand | rules.Given))


def _levels(
    trace: Trace, stage: Stage, index: tuple[Any, ...], hidden: tuple[int, ...]
) -> np.ndarray:
    """Levels of the stage's colour scale, 1 … 255; 0 for what is not finite or masked."""
    values = stage.tensor[index]
    levels = np.maximum(scale_of(trace, stage.key, hidden).positions(values), 1)
    levels[~np.isfinite(values)] = 0
    if stage.key in SHARES and "masked" in trace:
        levels[np.isneginf(trace["masked"].tensor[index])] = 0
    return levels


def _leading_to(trace: Trace, key: str) -> tuple[str, ...]:
    leading = {key}
    for name in reversed(tuple(trace)):
        if name in leading:
            leading.update(trace[name].computed_from)
    return tuple(name for name in trace if name in leading)


def _given_to(trace: Trace, keys: Iterable[str], front: Iterable[str]) -> tuple[str, ...]:
    read = {source for key in keys for source in trace[key].computed_from} - set(front) - set(keys)
    return tuple(k for k in trace if k in read and isinstance(trace[k].rule, rules.Given))
