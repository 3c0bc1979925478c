"""Rules and traces that were converted to JSON and back, as for the browser."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from core import Trace, rules

KINDS = {kind.__name__.lower(): kind for kind in get_args(rules.Rule)}


def from_data(data: Mapping[str, Any]) -> rules.Rule:
    """The inverse of ``rules.as_data``, also after JSON."""
    return KINDS[data["rule"]](**{n: _rich(value) for n, value in data.items() if n != "rule"})


def _rich(value: Any) -> Any:
    if isinstance(value, Mapping):
        return from_data(value)
    return tuple(map(_rich, value)) if isinstance(value, list) else value


def through_json(trace: Trace) -> Trace:
    """The same stages, with rules converted to JSON and back."""
    texts = [json.dumps(rules.as_data(stage.rule), allow_nan=False) for stage in trace.values()]
    return Trace(
        replace(stage, rule=from_data(json.loads(text)))
        for stage, text in zip(trace.values(), texts, strict=True)
    )
