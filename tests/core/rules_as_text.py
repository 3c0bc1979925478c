"""Traces whose rules were written as text and read again, as a browser gets them."""

import json
from dataclasses import replace

from core import Trace, rules


def through_json(trace: Trace) -> Trace:
    """The same stages, with rules that were written as text and read again."""
    texts = [json.dumps(rules.as_data(stage.rule), allow_nan=False) for stage in trace.values()]
    return Trace(
        replace(stage, rule=rules.from_data(json.loads(text)))
        for stage, text in zip(trace.values(), texts, strict=True)
    )
