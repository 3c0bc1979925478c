"""The inputs of the layers are cached between runs on the same input, up to a limit."""

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, given

from core.models import checkpoint, opened_model

LAYER = 3


@pytest.fixture
def vit():
    return checkpoint.open(FOLDERS / "vit")


def run_with_progress(vit, layer, streams):
    reported = []
    trace = vit.run(given("vit"), layer, lambda *done: reported.append(done), streams=streams)
    return trace, reported


def test_a_run_from_cached_streams_gives_the_same_trace(vit):
    streams = {}
    _, reported = run_with_progress(vit, 2, streams)
    assert reported == [(1, 2), (2, 2)]
    again, reported = run_with_progress(vit, LAYER, streams)
    assert reported == [(2, 3), (3, 3)]
    anew = vit.run(given("vit"), LAYER)
    assert again.keys() == anew.keys()
    for key, stage in anew.items():
        np.testing.assert_array_equal(again[key].tensor, stage.tensor)


def test_the_cached_streams_are_the_inputs_of_the_layers(vit):
    streams = {}
    vit.run(given("vit"), LAYER, streams=streams)
    assert set(streams) == {1, 2, 3}
    for layer, stream in streams.items():
        trace = vit.run(given("vit"), layer)
        np.testing.assert_array_equal(trace[f"encoder/{layer}/self/stream"].tensor[0], stream)


def test_beyond_the_limit_the_last_stream_is_cached_and_some_between(vit, monkeypatch):
    entering = vit.run(given("vit"), 1)["encoder/1/self/stream"].tensor[0]
    monkeypatch.setattr(opened_model, "STREAM_BYTES", 3 * entering.nbytes - 1)
    streams = {}
    vit.run(given("vit"), LAYER, streams=streams)
    assert set(streams) == {1, LAYER}
