"""The cards of the Audio page: the sound above the stage viewer, and a summary beside it."""

from collections.abc import Mapping
from itertools import count

import streamlit as st

from core import Trace
from core.experiments.repeats import peaks
from core.limits import LIMITS
from core.sources.spectrum import HOP, RATE
from pages.see.audio.controls import Sound
from pages.see.audio.summary import facts, summary
from views.preferences import in_language
from views.scene.naming import frames_per_token
from views.selection import Selection
from views.text import SOUND, Words, numbers, words_beside
from views.text.spans import spans
from views.widgets.prose import heading, prose
from views.widgets.sound_input import SessionSound, channels_note
from views.widgets.timeline import timeline
from views.widgets.viewer import Shown

WORDS = words_beside(__file__)

MIN_DISTANCE = 0.2  # seconds between the initial query and key
INPUT_STEPS = (
    "frames", "windowed", "power", "mel", "log_mel", "level", "pooled", "embedding", "position",
)  # fmt: skip


def start(trace: Trace) -> Mapping[str, int]:
    """The initial cell, by axis from 0: the loudest token as query, as key its largest other peak.

    At earlier steps: the loudest frame of that token, its middle, and its strongest frequencies.
    """
    levels = trace["pooled" if "pooled" in trace else "level"].tensor[0]  # (token, mel)
    loudest = int(levels.mean(axis=1).argmax())
    row = trace["weights"].tensor[0, 0, loudest]
    hops = frames_per_token(trace)
    min_distance = max(1, round(MIN_DISTANCE * RATE / (HOP * hops)))
    strong = [i for i in peaks(row, 3, min_distance) if row[i] >= row.max() / 2]
    others = [i for i in strong if abs(i - loudest) >= min_distance] or strong
    frame = loudest * hops + int(trace["level"].tensor[0, loudest * hops :][:hops].sum(1).argmax())
    return {
        "query": loudest,
        "key": others[0] if others else loudest,
        "frame": frame,
        "offset": trace["frames"].size("offset") // 2,
        "frequency": int(trace["power"].tensor[0, frame].argmax()),
        "mel": int(levels[loudest].argmax()),
    }


def origin(sound: Sound, words: Words) -> str:
    """Where the weights come from, in words."""
    if sound.same:
        return WORDS[words.code].origin_same.format(seed=sound.model.seed)
    return sound.model.origin(words)


def sound_card(trace: Trace, sound: Sound, selection: Selection) -> None:
    """The sound on a time axis, with the weights of the selected query."""
    with st.container(border=True, key="sound_card"):
        if sound.file:
            file_notes(sound.file)
        timeline(trace, trace, selection)


def file_notes(file: SessionSound) -> None:
    """Notes about a file: which of its channels is used, and that only its first seconds are."""
    channels_note(file)
    if file.lasts:
        line = spans(
            in_language(SOUND).cut,
            seconds=duration(file.lasts),
            limit=numbers.bare(LIMITS.seconds),
        )
        prose([line], key="cut", style="notice")


def summary_card(trace: Trace, sound: Sound, shown: Shown, words: Words) -> None:
    """Sentences about the numbers of this sound, beside the step."""
    text = in_language(WORDS)
    with shown.beside, st.container(border=True, key="findings_card"):
        heading(text.findings)
        prose(summary(trace, sound, shown.selection, words, text), key="findings")
        prose(facts(trace, sound, text), key="facts", style="quiet")


def duration(seconds: float) -> str:
    """A duration as ``h:mm:ss`` or ``m:ss``; below a minute as ``45.2 s``.

    With more decimals if the limit would be printed otherwise: ``30.001 s``.
    """
    if seconds < 60:
        printed = (numbers.rounded(seconds, digits) for digits in count(1))
        return f"{next(one for one in printed if one != LIMITS.seconds or one == seconds)} s"
    minutes, rest = divmod(numbers.whole(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
