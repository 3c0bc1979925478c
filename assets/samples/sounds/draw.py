"""Makes the sample sounds anew: ``python assets/samples/sounds/draw.py``.

Each is seeded, 16 000 samples a second in one channel, and shows something about frames that belong
together. The sentence is spoken by Flite (https://github.com/festvox/flite) in its voice slt, of
which any use is allowed; ``flite`` has to be installed for it.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import soundfile

HERE = Path(__file__).parent
RATE = 16_000
LOUDEST = 0.6
FADE = 0.02  # seconds

# The first three formants of men's vowels in Hz (Peterson & Barney, 1952, table II).
FORMANTS = {"ah": (730, 1090, 2440), "ee": (270, 2290, 3010)}
BANDWIDTHS = (80, 90, 120)
SENTENCE = "The cat sat on the mat, and the dog slept by the door."


def time(seconds: float) -> np.ndarray:
    """The moment of each sample."""
    return np.arange(round(seconds * RATE)) / RATE


def faded(sound: np.ndarray, seconds: float = FADE) -> np.ndarray:
    """The sound with a soft beginning and a soft end."""
    at = time(len(sound) / RATE)
    edge = np.minimum(at, at[::-1]) / seconds
    return sound * (0.5 - 0.5 * np.cos(np.pi * np.minimum(edge, 1)))


def voiced(frequency: np.ndarray, strength: Callable[[int], np.ndarray | float]) -> np.ndarray:
    """Overtones of a frequency that may change, none above half the rate."""
    turns = np.cumsum(frequency) / RATE
    highest = int(RATE / 2 / frequency.max())
    return sum(strength(k) * np.sin(2 * np.pi * k * turns) for k in range(1, highest))


def rise() -> np.ndarray:
    """A tone that climbs three octaves in three seconds, each in one."""
    at = time(3.0)
    return faded(voiced(220 * 2**at, lambda k: 0.5 ** (k - 1) if k < 4 else 0.0), 0.1)


def notes() -> np.ndarray:
    """A note, a rest, and the note a fifth above."""

    def note(frequency: float) -> np.ndarray:
        at = time(0.9)
        tone = voiced(np.full(len(at), frequency), lambda k: np.exp(-k * at * 2) / k**1.5)
        return faded(tone)

    return np.concatenate([note(440), np.zeros(round(0.6 * RATE)), note(660)])


def drums() -> np.ndarray:
    """Eight strokes in 0.96 s, four times over, the same to the last sample."""
    random = np.random.default_rng(7)
    at = time(0.12)
    swoop = np.cumsum(50 + 110 * np.exp(-at * 40)) / RATE
    noise = random.standard_normal(len(at))
    hiss = np.diff(random.standard_normal(len(at)), prepend=0.0)
    kick = np.sin(2 * np.pi * swoop) * np.exp(-at * 22)
    snare = (0.45 * noise + 0.5 * np.sin(2 * np.pi * 190 * at)) * np.exp(-at * 32)
    hat = 0.16 * hiss * np.exp(-at * 70)
    rest = np.zeros(len(at))
    bar = [kick, hat, snare, hat, kick, kick, snare, rest]
    return np.concatenate([faded(stroke, 0.002) for stroke in bar] * 4)


def vowels() -> np.ndarray:
    """Ah, ee, and ah again, sung on one breath with short pauses."""

    def vowel(name: str) -> np.ndarray:
        at = time(0.9)
        pitch = 125 - 12 * at + 1.5 * np.sin(2 * np.pi * 5 * at)

        def strength(k: int) -> np.ndarray:
            gain = np.ones(len(at))
            for formant, bandwidth in zip(FORMANTS[name], BANDWIDTHS, strict=True):
                f = k * pitch
                gain *= formant**2 / np.hypot(formant**2 - f**2, bandwidth * f)
            return gain / k

        return faded(voiced(pitch, strength), 0.06)

    pause = np.zeros(round(0.16 * RATE))
    parts = [vowel("ah"), pause, vowel("ee"), pause, vowel("ah")]
    return np.concatenate([part / (np.abs(part).max() or 1) for part in parts])


def sentence() -> np.ndarray:
    """An English sentence, for a model that writes down what is spoken."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "sentence.wav"
        subprocess.run(["flite", "-voice", "slt", "-t", SENTENCE, "-o", file], check=True)
        samples, rate = soundfile.read(file)
    assert rate == RATE
    return samples


def main() -> None:
    """Make each sound and save it beside this file."""
    for sound in (rise, notes, drums, vowels, sentence):
        samples = sound()
        path = HERE / f"{sound.__name__}.flac"
        soundfile.write(path, LOUDEST * samples / np.abs(samples).max(), RATE, subtype="PCM_16")
        print(f"{path.name}: {len(samples) / RATE:.2f} s, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
