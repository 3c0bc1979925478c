"""The sounds that ship with the project: short, clean, and as described."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from sounds import HOP, RATE
from source_tree import ASSETS

from core.sources.audio import embed, is_silent, log_mel, sound_mask, token_count
from core.sources.recording import decode

FOLDER = ASSETS / "samples" / "sounds"
NAMES = ("rise", "notes", "drums", "vowels")
SPOKEN = ("sentence",)  # by flite, which is not installed everywhere
DRAWN = runpy.run_path(str(FOLDER / "draw.py"))
BAR = 96  # frames: 0.96 s


def played(name: str) -> np.ndarray:
    return decode((FOLDER / f"{name}.flac").read_bytes())[0]


def test_every_sound_of_the_folder_is_known():
    assert {Path(file).stem for file in FOLDER.glob("*.flac")} == {*NAMES, *SPOKEN}


@for_all("name", NAMES + SPOKEN)
def test_a_sound_is_short_neither_clipped_nor_faint_and_small(name):
    samples = played(name)
    assert 2 <= len(samples) / RATE <= 4
    assert np.abs(samples).max() == pytest.approx(0.6, abs=0.01)
    assert not is_silent(samples)
    assert (FOLDER / f"{name}.flac").stat().st_size < 100_000
    assert token_count(len(samples)) < 400


@for_all("name", NAMES)
def test_drawing_a_sound_anew_makes_the_same_sound(name):
    anew = DRAWN[name]()
    np.testing.assert_allclose(0.6 * anew / np.abs(anew).max(), played(name), atol=2**-14)


def test_the_tone_rises_all_the_way():
    loudest = log_mel(played("rise"), RATE)[10:-10].argmax(axis=1)
    assert (np.diff(loudest) >= 0).all()
    assert loudest[-1] > 3 * loudest[0]


def test_between_the_two_notes_there_is_a_rest():
    mask = sound_mask(embed(played("notes"), RATE, 8, 1))[0]
    assert mask[:89].all()
    assert not mask[92:148].any()
    assert mask[151:239].all()


def test_the_bars_of_the_drums_are_the_same_frame_by_frame():
    samples = played("drums")
    assert len(samples) == 4 * BAR * HOP
    first, *others = log_mel(samples, RATE).reshape(4, BAR, 80)
    # The last two frames of a bar already reach into the next one, where there is one.
    for bar in others:
        np.testing.assert_allclose(bar[: BAR - 2], first[: BAR - 2], atol=1e-6)


def test_the_vowel_that_returns_is_nearer_to_itself_than_to_the_other():
    spectrum = log_mel(played("vowels"), RATE)
    ah, ee, again = (spectrum[start : start + 60].mean(axis=0) for start in (15, 121, 227))
    assert np.linalg.norm(ah - again) < 0.2 * np.linalg.norm(ah - ee)
