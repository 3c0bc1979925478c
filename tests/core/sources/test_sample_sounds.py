"""The sounds that ship with the project: short, clean, and as described."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from sounds import RATE
from source_tree import ASSETS

from core.sources.audio import is_silent, token_count
from core.sources.recording import decode

FOLDER = ASSETS / "samples" / "sounds"
NAMES = ("rise", "notes", "drums", "vowels")
SPOKEN = ("sentence",)  # by flite, which is not installed everywhere
DRAWN = runpy.run_path(str(FOLDER / "draw.py"))


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
