"""The words of the page on the KV cache."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class KVCacheWords:
    """states: of a part of a token at a step: gone, kept and new. says: of a step: that of the
    text, or a later one. faults: by their names in the link; fault_says: what the numbers say of
    each; invariants: what must hold, each a line of a table.
    """

    lesson: Lesson
    steps: str
    prefill: str
    step: str
    write: str
    head: str
    claim: str
    so_far: str
    writes: str
    ends: str
    without: str
    with_cache: str
    states: tuple[str, ...]
    cell: str
    legend: str
    rows: str
    weights: str
    says: dict[str, str]
    work: str
    multiply_adds: str
    work_says: str
    fault_heading: str
    fault: str
    faults: dict[str, str]
    fault_says: dict[str, str]
    invariant_columns: tuple[str, ...]
    invariants: dict[str, str]
    holds: tuple[str, ...]
    written_columns: tuple[str, ...]
    of_named: str
    kept_columns: tuple[str, ...]
    kept: dict[str, str]
    is_kept: tuple[str, ...]
    next_token: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(KVCacheWords, __file__)
