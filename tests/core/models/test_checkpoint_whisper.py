"""Whisper's encoder: its features, its convolutions, and what is refused."""

import json
import math

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, copied, given
from claims import for_all
from refuses import refuses

from core import explain
from core.models import checkpoint

FULL = 16_000  # samples that the recorded model takes


def opened(folder=FOLDERS / "whisper"):
    return checkpoint.open(folder)


@pytest.fixture(scope="module")
def trace():
    return opened().run(given("whisper"), 1)


def at_in(sound, index):
    """The sample at a index, silent behind the sound and mirrored at both ends."""
    index = -index if index < 0 else 2 * (FULL - 1) - index if index >= FULL else index
    return float(sound[index]) if index < len(sound) else 0.0


@for_all("frame", [0, 1, 17, 43, 99])
def test_a_frame_is_centred_windowed_transformed_and_compressed(trace, frame):
    sound = given("whisper")
    hann = [0.5 - 0.5 * math.cos(2 * math.pi * i / 400) for i in range(400)]
    framed = [at_in(sound, 160 * frame - 200 + i) * hann[i] for i in range(400)]
    power = np.abs(np.fft.rfft(framed)) ** 2  # (frequency,)
    mel = power @ trace["input/filters"].tensor
    floored = np.maximum(mel, 1e-10)
    assert trace["input/mel"].tensor[0, frame] == pytest.approx(mel, rel=1e-9, abs=1e-14)
    loudest = trace["input/log_mel"].tensor.max()
    level = (np.maximum(np.log10(floored), loudest - 8) + 4) / 4
    assert trace["input/level"].tensor[0, frame] == pytest.approx(level, abs=1e-6)


def test_a_sound_as_long_as_the_model_takes_needs_no_silence():
    sound = np.random.default_rng(5).normal(size=FULL).astype(np.float32) / 9
    trace = opened().run(sound, 1)
    assert "input/silence" not in trace
    assert explain(trace, "input/padded", (0, 200)).made_by.address.stage == "input/waveform"
    for wrong in (sound[:0], np.concatenate([sound, sound]), sound[None]):
        with refuses("shape_mismatch"):
            opened().run(wrong, 1)
    with pytest.raises(TypeError):
        opened().run("a text", 1)


REFUSED = [
    ("feature_size", 80),
    ("chunk_length", 30),
    ("sampling_rate", 8000),
    ("hop_length", 200),
    ("n_fft", 512),
    ("dither", 0.1),
    ("do_normalize", True),
    ("feature_extractor_type", "SeamlessM4TFeatureExtractor"),
]


@for_all(("name", "value"), REFUSED)
def test_features_that_would_be_others_are_refused_by_name(name, value, tmp_path):
    folder = copied("whisper", tmp_path)
    file = folder / "preprocessor_config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {name: value}))
    with refuses("wrong_setting", file="preprocessor_config.json", name=name):
        opened(folder)


@for_all(("name", "value"), [("num_mel_bins", 200), ("d_model", 0), ("activation_function", "x")])
def test_a_configuration_that_is_computed_otherwise_is_refused_by_name(name, value, tmp_path):
    with refuses("wrong_setting", name=name):
        opened(copied("whisper", tmp_path, **{name: value}))
