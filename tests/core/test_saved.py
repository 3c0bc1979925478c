"""A trace that was saved is the same trace again."""

from dataclasses import fields

import numpy as np
import pytest
from claims import for_all
from shown_traces import TRACES

from core import Stage, Trace, load, save
from core.nested import compose


def is_same(one: Stage, other: Stage) -> bool:
    # A cache says what was asked of a stage, not what it is.
    named = {field.name for field in fields(Stage)} - {"tensor", "_derived"}
    return np.array_equal(one.tensor, other.tensor) and all(
        getattr(one, name) == getattr(other, name) for name in named
    )


@for_all("name", TRACES)
def test_a_saved_trace_is_the_same_again(name, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "run.npz"
    trace = compose({"first/1/self": TRACES[name]()}, {})
    save(trace, path)
    again = load(path)
    assert [*again] == [*trace]
    assert all(is_same(again[key], trace[key]) for key in trace)


def test_an_npz_of_another_kind_is_refused_and_nothing_is_unpickled(tmp_path):
    np.savez(tmp_path / "other.npz", weights=np.ones((1, 1, 1)))
    with pytest.raises(KeyError, match="stages"):
        load(tmp_path / "other.npz")
    np.savez(tmp_path / "objects.npz", **{"stages.json": np.array([Trace], dtype=object)})
    with pytest.raises(ValueError, match="allow_pickle=False"):
        load(tmp_path / "objects.npz")
