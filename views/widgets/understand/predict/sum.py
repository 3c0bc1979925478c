"""The sum that makes a number, printed as the microscope prints it."""

import math
from dataclasses import asdict
from typing import Any

from core import Trace, explain, rules
from views.figures.symbols import name_of
from views.text import Words
from views.widgets.component import component
from views.widgets.understand.predict.book import Quiz


def the_sum(quiz: Quiz, place: tuple[int, int], words: Words) -> None:
    """Show how ``core.explain`` says that a cell was made; what is still covered stays so."""
    trace, key = quiz.trace, quiz.asked.stage
    cell = explain(trace, key, quiz.asked.index(trace, *place))
    data = {
        "cell": _sent(asdict(cell)),
        "stages": {name: _stage(trace, name) for name in trace},
        "covered": quiz.pending[place[0]].tolist(),
        "words": {
            "opened": asdict(words.opened),
            "contributions": words.reading.contributions,
            "contribution": words.reading.contribution,
            "list_mark": words.list_mark,
            "head": words.viewer.head,
            "more": words.microscope.more,
        },
    }
    component("revealed")(key="revealed", data=data)


def _stage(trace: Trace, key: str) -> dict[str, Any]:
    stage = trace[key]
    return {"name": name_of(key), "roles": stage.roles, "rule": rules.as_data(stage.rule)}


def _sent(value: Any) -> Any:
    """The same as JSON can hold it, with null in place of −∞."""
    if isinstance(value, dict):
        return {name: _sent(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_sent(part) for part in value]
    return None if isinstance(value, float) and math.isinf(value) else value
