"""What the browser is sent to draw a sound from."""

import numpy as np
from blob_reader import unpacked
from claims import for_all

from pages.see.audio.controls import FIRST_MODEL, Sound, sound_trace
from views.widgets.timeline import _sound_data

NOISE = np.random.default_rng(7).uniform(-1, 1, 8_000).astype(np.float32)


def drawn(samples: np.ndarray) -> tuple[float, float]:
    """The height of the waveform and the brightness of the spectrogram, of the most there is."""
    trace = sound_trace(Sound(samples, 4, False, True, FIRST_MODEL))
    header, arrays = unpacked(_sound_data(trace, trace, trace["weights"].size("key")))
    wave = arrays["samples"].view("<i2").astype(float)
    return float(np.abs(wave).max()) / header["loudest"], arrays["levels"].max() / 255


@for_all("loudness", [0, 1e-5, 9e-5])
def test_silence_is_drawn_as_silence(loudness: float) -> None:
    assert max(drawn(np.float32(loudness) * NOISE)) < 0.01


@for_all("loudness", [2e-3, 0.1, 1])
def test_a_sound_fills_the_room_however_quiet_it_is(loudness: float) -> None:
    wave, levels = drawn(np.float32(loudness) * NOISE)
    assert abs(wave - 1) < 0.02
    assert levels == 1
