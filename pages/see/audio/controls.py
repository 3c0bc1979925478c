"""The controls of the Audio page: the sound, the pooling of frames, the masks and the model."""

from dataclasses import replace
from typing import cast

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.limits import LIMITS
from core.shapes import HOP
from core.sources.spectrum import RATE
from pages.see.audio.session_sounds import (
    USER_SOURCES,
    SessionSound,
    Sounds,
    read_sound,
    session_sound,
)
from pages.see.audio.sound import (
    FIRST_MODEL,
    FIRST_POOL,
    SAMPLES,
    Sound,
    sample,
)
from pages.see.audio.words import WORDS, AudioWords
from views import link, numbers, parse
from views.preferences import in_language
from views.scene.audio_constants import AUDIO_CONSTANTS
from views.selection import choose_head, reset_cell
from views.text import Words
from views.uploads import lost_on_server_restart
from views.widgets.mask_input import mask_input
from views.widgets.model_input import model_input
from views.widgets.prose import notice

FRAME = 1000 * HOP // RATE  # ms
POOLS = (1, 2, 4, 8)


def sound_input(words: Words) -> Sound:
    """Draw the controls and return the chosen sound. Raises core.errors.InputError."""
    text = in_language(WORDS)
    name, files = _sound_source(text)
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
    link.bind_param("silence", False, parse.flag, parse.written_flag)
    silence = st.checkbox(
        text.silence,
        key="silence",
        help=text.silence_help.format(sounding=AUDIO_CONSTANTS["sounding"]),
    )
    link.bind_param("same", True, parse.flag, parse.written_flag)
    same = st.checkbox(text.same, key="same", help=text.same_help)
    model = model_input(words, FIRST_MODEL, mask)
    if name in USER_SOURCES:
        file = files[name]
        chosen = read_sound(name, file) if file is not None else session_sound(name)
        assert chosen is not None, "only available sounds are options"
    else:
        chosen = SessionSound(name, sample(name))
    sound = Sound(
        chosen.samples,
        cast(int, pool) // FRAME,
        silence,
        same,
        model,
        lasts=chosen.lasts,
    )
    if not sound.by_head:
        return sound
    return replace(sound, head=choose_head(0, model.heads))


def _sound_source(text: AudioWords) -> tuple[str, dict[str, UploadedFile | None]]:
    """Draw the choice of a sound: its name, and the recorded or uploaded file by source."""
    files = {
        "recording": st.audio_input(
            text.record, key="record", on_change=_on_new_file, args=("recording", "record")
        ),
        "upload": st.file_uploader(
            text.upload,
            key="upload",
            help=text.upload_help.format(
                size=numbers.size(LIMITS.file_bytes),
                seconds=numbers.bare(LIMITS.seconds),
                session=numbers.size(LIMITS.session_bytes),
            ),
            on_change=_on_new_file,
            args=("upload", "upload"),
        ),
    }
    link.bind_param("sound", SAMPLES[0], parse.one_of([*SAMPLES, *USER_SOURCES]))
    available = [
        name for name in USER_SOURCES if files[name] is not None or session_sound(name) is not None
    ]
    options = [*SAMPLES, *available]
    restarted = any([lost_on_server_restart(key) for key in ("record", "upload")])
    if st.session_state["sound"] not in options:
        lost = text.lost_on_server_restart if restarted else text.lost
        notice(lost, key="lost")
        st.session_state["sound"] = SAMPLES[0]
    name = st.pills(
        text.samples,
        options,
        format_func=lambda option: text.sample_names[option],
        key="sound",
        on_change=reset_cell,
        required=True,
    )
    return cast(str, name), files


def _on_new_file(name: str, key: str) -> None:
    """Callback: choose a sound that was just recorded or uploaded, and forget a removed one."""
    reset_cell()
    if st.session_state[key]:
        link.set_value("sound", name)
        return
    link.remembered(Sounds).by_source.pop(name, None)
    if st.session_state.get("sound") == name:
        link.set_value("sound", SAMPLES[0])
