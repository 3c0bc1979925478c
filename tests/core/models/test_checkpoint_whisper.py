"""Whisper's encoder: its features, its convolutions, and what is refused."""

import json
import math

import numpy as np
import pytest
from checkpoint_folders import EXPECTED, FOLDERS, copied, given
from claims import for_all
from refuses import refuses
from safetensors.numpy import load_file

from core import explain
from core.models import checkpoint

FILE = load_file(FOLDERS / "whisper" / "model.safetensors")
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


def gelu(x):
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


@for_all(
    ("number", "of", "key", "stride"), [(1, "level", "conv_1", 1), (2, "conv_1", "embedding", 2)]
)
def test_a_convolution_sees_three_frames(trace, number, of, key, stride):
    kernel = FILE[f"model.encoder.conv{number}.weight"].astype(float)  # (d_model, width, tap)
    bias, x = FILE[f"model.encoder.conv{number}.bias"], trace[f"input/{of}"].tensor[0].astype(float)
    made = trace[f"input/{key}"].tensor[0]
    for frame, d in ((0, 3), (7, 0), (len(made) - 1, 9)):
        indices = [stride * frame + tap - 1 for tap in range(3)]
        total = bias[d] + sum(
            x[index] @ kernel[d, :, tap] for tap, index in enumerate(indices) if 0 <= index < len(x)
        )
        assert made[frame, d] == pytest.approx(gelu(total), abs=1e-5)


def test_keys_have_no_bias_and_positions_are_those_of_the_file(trace):
    assert {key for key in trace if "/b_" in key and "self" in key} == {
        f"encoder/1/self/b_{letter}" for letter in "QVO"
    }
    times = FILE["model.encoder.embed_positions.weight"]
    assert (trace["input/position"].tensor == times).all()
    assert trace["input/X"].axis("token").label(3) == "0.06 s"


def test_padding_beyond_the_ends_refers_to_the_mirrored_sample(trace):
    first = explain(trace, "input/padded", (0, 0)).made_by.address
    copied_from = explain(trace, first.stage, first.index).made_by.address
    assert (copied_from.stage, copied_from.index) == ("input/filled", (0, 200))


def test_the_final_norm_follows_the_last_layer():
    made = opened().run(given("whisper"), 2)["final_norm/normalised"].tensor[0]
    assert np.abs(made - EXPECTED["whisper"]["final_norm"]).max() < 2e-5


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
