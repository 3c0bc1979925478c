"""The cards of the Audio page: the sound above the stage viewer, and a summary beside it."""

from collections.abc import Mapping
from itertools import count

import numpy as np
import streamlit as st

from core import Trace
from core.experiments.repeats import peaks, period
from core.limits import LIMITS
from core.sources import audio
from core.sources.spectrum import HOP, RATE
from pages.see.audio.controls import Sound
from views.figures.axis import shortened
from views.preferences import in_language
from views.scene.audio_constants import AUDIO_CONSTANTS, milliseconds
from views.scene.naming import frames_per_token
from views.selection import Selection
from views.text import SOUND, Words, numbers, words_beside
from views.text.spans import Span, spans
from views.widgets.prose import heading, prose
from views.widgets.sound_input import SessionSound, channels_note
from views.widgets.timeline import timeline
from views.widgets.viewer import Shown

MOST_PEAKS = 4
MIN_EXAMPLE_DISTANCE = 0.08  # seconds
MIN_PERIOD = 5  # frames of a beat that can be distinguished from its multiples
CLEAR = 2  # times an even share
NEARLY_EVEN = 0.2  # of an even share: how far from it a share may be


def summary(
    trace: Trace, sound: Sound, selection: Selection, words: Words, text: Words
) -> list[list[Span]]:
    """Sentences about the selected query in the selected head."""
    if audio.is_silent(sound.samples):
        return [spans(text.silent)]
    repeat = period(_row(trace, "scores", selection)[0])
    sentences = [_looks(trace, selection, words, text), _repeats(trace, repeat, text)]
    sentences += [_window(trace, sound, selection, text)] if "masked" in trace else []
    if sound.model.position:
        sentences.append(spans(text.why_positions))
    elif repeat:
        sentences.append(spans(text.why_same if sound.same else text.why_own))
    return [line for line in sentences if line]


def facts(trace: Trace, sound: Sound, text: Words) -> list[list[Span]]:
    """Sentences on what a token is, and what differs from the paper."""
    model, n = sound.model, str(trace["X"].size("token"))
    pool, seconds = milliseconds(sound.pool * HOP), numbers.plain(len(sound.samples) / RATE, 2)
    token = spans(text.token, pool=pool, n=n, seconds=seconds, beyond=AUDIO_CONSTANTS["beyond"])
    sentences = [token]
    if model.temperature != 1:
        sentences.append(spans(text.temperature, t=numbers.bare(model.temperature)))
    return sentences


def _row(trace: Trace, key: str, selection: Selection) -> tuple[np.ndarray, Span]:
    at, stage = selection.at, trace[key]
    query = min(at["query"], stage.size("query") - 1)
    name = stage.axis("query").label(query)
    return stage.tensor[at["batch"], at["head"], query], (name, "query")


def _nearly_even(shares: np.ndarray) -> bool:
    """Whether no share differs from 1 / n by more than a fifth. shares: of the n visible keys."""
    return bool((np.abs(shares * shares.size - 1) <= NEARLY_EVEN).all())


def _looks(trace: Trace, selection: Selection, words: Words, text: Words) -> list[Span]:
    row, name = _row(trace, "weights", selection)
    if not row.any():
        return spans(text.nobody, row=name)
    if np.count_nonzero(row) == 1:
        label = trace["weights"].axis("key").label(int(row.argmax()))
        return spans(words.reading.only_one, row=name, column=(label, "key"))
    share = 1 / np.count_nonzero(row)
    if _nearly_even(row[row > 0]):
        largest = numbers.short(float(row.max()))
        return spans(text.even, row=name, weight=largest, share=numbers.short(share))
    min_distance = max(1, round(MIN_EXAMPLE_DISTANCE * RATE / (HOP * frames_per_token(trace))))
    highest, *others = peaks(row, MOST_PEAKS, min_distance)
    highest_peaks = [highest, *(p for p in others if row[p] >= CLEAR * share)]
    labels = trace["weights"].axis("key")
    named = [
        f"{shortened(labels.label(p))} ({numbers.short(float(row[p]))})" for p in highest_peaks
    ]
    return spans(
        text.looks,
        row=name,
        peaks=(words.list_mark.join(named), "key"),
        share=numbers.short(share),
    )


def _repeats(trace: Trace, repeat: tuple[float, float] | None, text: Words) -> list[Span]:
    if repeat is None:
        return spans(text.no_repeats)
    lag, alike = repeat
    seconds = lag * frames_per_token(trace) * HOP / RATE
    frame = frames_per_token(trace) * HOP / RATE
    return spans(
        text.repeats,
        seconds=numbers.plain(seconds, 2),
        half=numbers.short(frame / 2),
        fastest=numbers.plain(MIN_PERIOD * frame, 2),
        alike=numbers.plain(alike),
    )


def _window(trace: Trace, sound: Sound, selection: Selection, text: Words) -> list[Span]:
    row, _ = _row(trace, "masked", selection)
    template = text.streaming if sound.model.mask.name == "causal" else text.near
    return spans(template, allowed=str(int(np.isfinite(row).sum())), n=str(row.size))


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
