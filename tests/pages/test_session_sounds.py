"""Uploaded sounds are read once, cut if they are too long, and refused with an error."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core.limits import LIMITS
from core.sources.recording import encode
from pages.see.audio.cards import duration
from views import link
from views.widgets.sound_input import read_sound, session_sound


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    st = SimpleNamespace(session_state={}, context=SimpleNamespace(locale="en"))
    monkeypatch.setattr(link, "st", st)


def file_of(data: bytes, name: str = "a") -> Any:
    return SimpleNamespace(file_id=name, size=len(data), getvalue=lambda: data)


def sound(seconds: float, rate: int = 8_000) -> bytes:
    return encode(np.random.default_rng(1).uniform(-0.5, 0.5, round(seconds * rate)), rate)


def test_a_file_is_decoded_once() -> None:
    file = file_of(sound(0.5))
    found = read_sound("upload", file)
    assert found.samples.shape == (8_000,)
    assert found.lasts == 0
    assert read_sound("upload", file) is found
    assert session_sound("upload") is found
    assert session_sound("recording") is None


def test_a_long_sound_is_cut_and_its_length_reported() -> None:
    found = read_sound("upload", file_of(sound(LIMITS.seconds + 7)))
    assert len(found.samples) == LIMITS.seconds * 16_000
    assert found.lasts == LIMITS.seconds + 7


BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty_file"),
    "text": (b"To be or not to be", "not_a_sound"),
    "promising": (sound(1.0)[:-4_000], "sound_breaks_off"),
    "large": (bytes(LIMITS.file_bytes + 1), "file_too_large"),
}


@for_all("name", BAD)
def test_a_refused_file_keeps_the_last_one(name: str) -> None:
    found = read_sound("upload", file_of(sound(0.5)))
    data, error = BAD[name]
    with refuses(error):
        read_sound("upload", file_of(data, "b"))
    assert session_sound("upload") is found


@for_all(
    ("seconds", "expected"),
    [
        (45.23, "45.2 s"),
        (30.001, "30.001 s"),
        (30.04, "30.04 s"),
        (75.4, "1:15"),
        (28_800, "8:00:00"),
    ],
)
def test_a_duration_is_printed_in_hours_minutes_and_seconds(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected
