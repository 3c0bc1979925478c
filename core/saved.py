"""A trace as a file: its tensors as an .npz that NumPy reads, and beside them what they mean."""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from core import rules
from core.axis import Axis
from core.trace import Stage, Trace

STAGES = "stages.json"  # in the file: everything but the tensors


def save(trace: Trace, path: Path | str) -> None:
    """Write a trace to an ``.npz``: each tensor under the key of its stage."""
    Path(path).write_bytes(npz(trace))


def npz(trace: Trace) -> bytes:
    """What ``save`` writes."""
    about = [
        {
            "key": stage.key, "formula": stage.formula, "kind": stage.kind,
            "axes": [asdict(axis) for axis in stage.axes], "rule": rules.as_data(stage.rule),
        }
        for stage in trace.values()
    ]  # fmt: skip
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    file = io.BytesIO()
    np.savez(file, **{STAGES: text}, **trace.tensors)  # type: ignore[arg-type]
    return file.getvalue()


def load(path: Path | str) -> Trace:
    """Read what ``save`` wrote; nothing in it is executed.

    Raises KeyError for an ``.npz`` of another kind, whose tensors ``trace_of`` takes.
    """
    with np.load(path, allow_pickle=False) as file:
        about = json.loads(file[STAGES].tobytes())
        return Trace(_stage(one, file[one["key"]]) for one in about)


def _stage(about: dict[str, Any], tensor: np.ndarray) -> Stage:
    axes = (Axis(**{n: rules.from_data(v) for n, v in axis.items()}) for axis in about["axes"])
    rule = rules.from_data(about["rule"])
    return Stage(about["key"], about["formula"], tensor, tuple(axes), rule, about["kind"])
