"""The opened cell: the sum, quotient, copy or mask that made one number."""

from dataclasses import asdict

from core import Trace, explain
from views.opened import opened
from views.text import Words
from views.widgets.component import component


def opened_cell(trace: Trace, key: str, index: tuple[int, ...], words: Words) -> None:
    """Show where one cell of a stage comes from, with the numbers that made it."""
    roles = {name: stage.roles for name, stage in trace.items()}
    data = asdict(opened(explain(trace, key, index), roles, words))
    component("opened")(key="opened", data=data)
