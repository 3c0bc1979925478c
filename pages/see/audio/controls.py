"""The controls of the Audio page: the sound, the pooling of frames, the masks and the model."""

from dataclasses import replace
from typing import cast

import streamlit as st

from core.sources.spectrum import HOP, RATE
from pages.see.audio.sound import FIRST_MODEL, FIRST_POOL, Sound
from views import link, parse
from views.preferences import in_language
from views.scene.audio_constants import AUDIO_CONSTANTS
from views.selection import choose_head, reset_cell
from views.text import Words, words_beside
from views.widgets.mask_input import mask_input
from views.widgets.model_input import model_input
from views.widgets.sound_input import read_source, sound_source

WORDS = words_beside(__file__)

FRAME = 1000 * HOP // RATE  # ms
POOLS = (1, 2, 4, 8)


def sound_input(words: Words) -> Sound:
    """Draw the controls and return the chosen sound. Raises core.errors.InputError."""
    text = in_language(WORDS)
    name, files = sound_source()
    link.bind_param("pool", FIRST_POOL * FRAME, parse.one_of([FRAME * pool for pool in POOLS]))
    pool = st.segmented_control(
        text.pool,
        [FRAME * pool for pool in POOLS],
        key="pool",
        help=text.pool_help.format(hop=AUDIO_CONSTANTS["hop"]),
        on_change=reset_cell,
        required=True,
        width="stretch",
    )
    mask = mask_input(text.mask)
    link.bind_param("silence", False, parse.flag)
    silence = st.checkbox(
        text.silence,
        key="silence",
        help=text.silence_help.format(sounding=AUDIO_CONSTANTS["sounding"]),
    )
    link.bind_param("same", True, parse.flag)
    same = st.checkbox(text.same, key="same", help=text.same_help)
    model = model_input(words, FIRST_MODEL, mask)
    chosen = read_source(name, files)
    sound = Sound(
        chosen.samples,
        cast(int, pool) // FRAME,
        silence,
        same,
        model,
        file=chosen,
    )
    if not sound.by_head:
        return sound
    return replace(sound, head=choose_head(0, model.heads))
