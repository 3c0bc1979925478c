"""What the reader chose to listen to, and every stage from it to the output."""

import zlib
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.by_head import Heads
from core.options import AttentionOptions
from core.sources import audio
from core.sources.recording import decode
from core.sources.spectrum import RATE
from pages.see.audio.words import WORDS
from views import link
from views.bundle import ASSETS
from views.reader import in_language
from views.spans import plain
from views.widgets.model_input import Model

SAMPLES = ("drums", "notes", "rise", "vowels")
ALL_HEADS = 250  # tokens, up to which all heads are computed and shown at once
FIRST_POOL = 4  # frames of 10 ms
FIRST_MODEL = Model(d_model=64, heads=4, seed=7, position=False, temperature=0.3)


@dataclass(frozen=True, eq=False)
class Sound:
    """samples: (n,) float32, 16 000 a second. pool: frames of 10 ms a token.

    silence: whether silence is masked. same: whether W_K is W_Q. lasts: the seconds of the whole
    file where only its beginning was taken; else 0. head: the one that is looked at, from 0, where
    they are computed one at a time.
    """

    samples: np.ndarray
    pool: int
    silence: bool
    same: bool
    model: Model
    head: int = 0
    lasts: float = 0.0

    @property
    def tokens(self) -> int:
        """How many there are. Raises TooManyFrames."""
        return audio.token_count(len(self.samples), self.pool)

    @property
    def by_head(self) -> bool:
        """Whether one head at a time is computed."""
        return self.tokens > ALL_HEADS

    def weights(self) -> Weights:
        """Seeded random matrices. Raises HeadsDoNotDivide."""
        drawn = Weights.seeded(self.model.d_model, self.model.heads, self.model.seed)
        return replace(drawn, W_K=drawn.W_Q) if self.same else drawn

    def options(self, source: Trace) -> AttentionOptions:
        """Which tokens may be heard from which, and what becomes of the weights."""
        options = self.model.options(self.tokens)
        return replace(options, key_mask=audio.sound_mask(source) if self.silence else None)


@cache
def sample(name: str) -> np.ndarray:
    """The samples of a sound that comes with the app."""
    found, _ = decode((ASSETS / "samples" / "sounds" / f"{name}.flac").read_bytes())
    found.setflags(write=False)
    return found


@cache
def first_sound() -> Sound:
    """What the page shows before anything was chosen."""
    samples = sample(SAMPLES[0])
    return Sound(samples, FIRST_POOL, False, True, FIRST_MODEL)


def sound_trace(sound: Sound) -> Trace:
    """Every stage from the samples to the output, in float32. Raises core.errors.InputError."""
    model, count = sound.model, sound.tokens  # too many are refused before anything is computed
    source = audio.embed(
        sound.samples,
        RATE,
        model.d_model,
        model.seed,
        pool=sound.pool,
        position=model.position,
    )
    options = sound.options(source)
    if count <= ALL_HEADS:
        return multi_head_attention(source, sound.weights(), options)
    heads = Heads(source, sound.weights(), options)
    return heads.head_trace(min(sound.head, model.heads - 1), _outputs(sound, heads))


@dataclass
class Outputs:
    """What every head found, and of what it was made."""

    made_of: tuple[object, ...] = ()
    found: list[np.ndarray] = field(default_factory=list)


def _outputs(sound: Sound, heads: Heads) -> list[np.ndarray]:
    """What every head found, computed once for all the steps and cells that are looked at.

    Shows its progress; it ends when the reader changes an input meanwhile.
    """
    known, place = link.remembered(Outputs), st.empty()
    heard = zlib.crc32(sound.samples.tobytes())
    made_of = heard, sound.pool, sound.silence, sound.same, sound.model
    if known.made_of != made_of:
        text, count, found = in_language(WORDS).progress, sound.model.heads, []
        for i, output in enumerate(heads.outputs(), start=1):
            found.append(output)
            place.progress(i / count, plain(text.format(head=i, heads=count)))
        place.empty()
        known.made_of, known.found = made_of, found
    return known.found
