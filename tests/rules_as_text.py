"""Traces whose rules were converted to JSON and back, as for the browser."""

import json
from dataclasses import replace

from core import Trace, rules


def through_json(trace: Trace) -> Trace:
    """The same stages, with rules converted to JSON and back."""
    texts = [json.dumps(rules.as_data(stage.rule), allow_nan=False) for stage in trace.values()]
    return Trace(
        replace(stage, rule=rules.from_data(json.loads(text)))
        for stage, text in zip(trace.values(), texts, strict=True)
    )
