"""The choice of a sound: a recording, a file, or a sample. No link can carry the first two."""

from dataclasses import dataclass, field
from functools import cache
from typing import cast

import numpy as np
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError
from core.limits import LIMITS
from core.sources import apart, recording
from core.sources.recording import decode
from views import link, parse
from views.export.bundle import ASSETS
from views.preferences import in_language
from views.selection import reset_cell
from views.text import SOUND, numbers
from views.text.spans import spans
from views.widgets.errors import LastValidInput
from views.widgets.prose import Style, notice, prose
from views.widgets.uploaded_files import lost_on_server_restart

USER_SOURCES = ("recording", "upload")
SAMPLES = ("drums", "notes", "rise", "vowels", "sentence")
SPEECH = "sentence"  # the sample that is spoken


@dataclass(frozen=True, eq=False)
class SessionSound:
    """A decoded sound. samples: (n,) float32 at 16 kHz.

    file_id: of the upload. lasts: the seconds of the whole file if it was cut, else 0.
    channels: of the file, of which the samples are the mean. cancelled: whether that is silent
    although the channels are not.
    """

    file_id: str
    samples: np.ndarray
    lasts: float = 0.0
    channels: int = 1
    cancelled: bool = False


@dataclass
class Sounds:
    """by_source: the last sound of each of ``USER_SOURCES``."""

    by_source: dict[str, SessionSound] = field(default_factory=dict)


def session_sound(name: str) -> SessionSound | None:
    """The last sound of a source that could be decoded; None if there is none."""
    return link.remembered(Sounds).by_source.get(name)


def read_sound(name: str, file: UploadedFile) -> SessionSound:
    """Decode a file once, and keep it in the session; a file that is too long is cut.

    Raises file_too_large, takes_too_much and what ``recording.read_sound`` raises, all
    core.errors.InputError; then the previous sound is kept.
    """
    before = session_sound(name)
    if before is not None and before.file_id == file.file_id:
        return before
    if file.size > LIMITS.file_bytes:
        raise InputError("file_too_large", size=file.size, limit=LIMITS.file_bytes)
    facts, samples = apart.read(recording.read_sound, file.getvalue())
    sound = SessionSound(file.file_id, samples, **facts)
    link.remembered(Sounds).by_source[name] = sound
    return sound


@cache
def sample(name: str) -> np.ndarray:
    """A sample sound by its name in ``SAMPLES``: (n,) float32 at 16 kHz, read-only."""
    samples, _ = decode((ASSETS / "samples" / "sounds" / f"{name}.flac").read_bytes())
    samples.setflags(write=False)
    return samples


def sound_source(first: str = SAMPLES[0]) -> tuple[str, dict[str, UploadedFile | None]]:
    """Draw the choice of a sound: its name, and the recorded or uploaded file by source.

    first: the sample to begin with.
    """
    text = in_language(SOUND)
    with st.container(horizontal=True, gap="small", key="input_row"):
        choose, record, upload = (st.container() for _ in range(3))
    files = {
        "recording": record.audio_input(
            text.record_speech if first == SPEECH else text.record,
            key="record",
            on_change=_on_new_file,
            args=("recording", "record"),
        ),
        "upload": upload.file_uploader(
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
    link.bind_param("sound", first, parse.one_of([*SAMPLES, *USER_SOURCES]))
    available = [
        name for name in USER_SOURCES if files[name] is not None or session_sound(name) is not None
    ]
    options = [*SAMPLES, *available]
    restarted = any([lost_on_server_restart(key) for key in ("record", "upload")])
    if st.session_state["sound"] not in options:
        lost = text.lost_on_server_restart if restarted else text.lost
        notice(lost, key="lost")
        st.session_state["sound"] = SAMPLES[0]
    name = choose.pills(
        text.samples,
        options,
        format_func=lambda option: text.sample_names[option],
        key="sound",
        on_change=reset_cell,
        required=True,
    )
    if name in USER_SOURCES:
        link.mark_uploaded()
    return cast(str, name), files


def read_source(name: str, files: dict[str, UploadedFile | None]) -> SessionSound:
    """The sound of a source that ``sound_source`` returned.

    Raises what ``read_sound`` raises.
    """
    if name not in USER_SOURCES:
        return SessionSound(name, sample(name))
    file = files[name]
    chosen = read_sound(name, file) if file is not None else session_sound(name)
    assert chosen is not None, "only available sounds are options"
    return chosen


def channels_note(sound: SessionSound) -> None:
    """A sentence on the channels of a file of which the mean was taken, if it has several."""
    if sound.channels == 1:
        return
    text = in_language(SOUND)
    sentence = text.cancelled if sound.cancelled else text.averaged
    style: Style = "notice" if sound.cancelled else "quiet"
    prose([spans(sentence, channels=str(sound.channels))], key="channels", style=style)


def _on_new_file(name: str, key: str) -> None:
    """Callback: choose a sound that was just recorded or uploaded, and forget a removed one."""
    reset_cell()
    valid = link.remembered(LastValidInput)
    if st.session_state[key]:
        valid.file_added()
        link.set_value("sound", name)
        return
    valid.file_removed(link.session().page)
    link.remembered(Sounds).by_source.pop(name, None)
    if st.session_state.get("sound") == name:
        link.set_value("sound", SAMPLES[0])
