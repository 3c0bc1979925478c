"""The sound on a time axis: waveform, spectrogram, and the weights of the selected query."""

from typing import Any

import numpy as np

from core import Trace
from core.sources import audio
from core.sources.spectrum import HOP, RATE
from views.figures.photo import bytes_text, float32_text
from views.figures.scale import scale_of
from views.preferences import in_language
from views.scene.blob import checksum, pack
from views.scene.naming import frames_per_token
from views.selection import Selection
from views.text import SOUND, numbers
from views.widgets.component import component
from views.widgets.prose import prose

FULL_SCALE = 2**15  # of 16 bits: a 16-bit file is played as it is


def timeline(
    source: Trace, attention: Trace, selection: Selection, tokens: int | None = None
) -> None:
    """Draw a sound, with playback of it as it is or weighted by attention.

    source: with the stages waveform and level. attention: with its weights; the same trace, or a
    part of the same model. tokens: only the first so many are drawn, by default all.
    The data that does not depend on the selected query is sent once, as bytes; the browser takes
    the row of weights from the microscope if it is there.
    """
    texts, weights = in_language(SOUND), attention["weights"]
    count = weights.size("key")
    sound = sound_data(source, frames_per_token(attention), tokens or count, count)
    bring(sound)
    scale, at = scale_of(attention, "weights"), selection.at
    query = min(at["query"], weights.size("query") - 1)
    data: dict[str, Any] = {
        "sound": checksum(sound),
        "query": query,
        "row": float32_text(weights.tensor[at["batch"], at["head"], query]),
        "allowed": None,
        "scale": {"largest": scale.high, "root": scale.root, "printed": numbers.bare(scale.high)},
        "words": {name: texts[name] for name in ("axis", "play", "hear", "weight", "forbidden")},
    }
    if "masked" in attention:
        row = attention["masked"].tensor[at["batch"], at["head"], query]
        data["allowed"] = bytes_text(np.isfinite(row))
    component("timeline")(key="timeline", data=data)
    prose([[(texts.caption, "")]], key="caption", style="quiet")


def bring(sound: bytes) -> None:
    """Send the result of ``sound_data`` to the browser, for components that draw the sound."""
    component("samples")(key="samples", data=sound)


def sound_data(source: Trace, pool: int, tokens: int, count: int) -> bytes:
    """The samples as int16 for playback, and the log-mel levels 0 … 255 for the spectrogram.

    source: with the stages waveform and level. pool: frames of 10 ms per token. tokens: the number
    of those that are drawn, of ``count``.
    """
    level = source["level"]
    wave = source["waveform"].tensor[0, : tokens * pool * HOP]
    levels = level.tensor[0, : tokens * pool]
    low, high = min(0.0, float(levels.min())), float(levels.max())
    silent = audio.is_silent(wave)  # drawn as it is; all else is drawn as large as there is room
    high = max(high, 1.0) if silent else high
    samples = np.clip(np.round(wave * FULL_SCALE), -FULL_SCALE, FULL_SCALE - 1).astype("<i2")
    header = {
        "hop": HOP,
        "rate": RATE,
        "pool": pool,
        "tokens": tokens,
        "of": count,
        "loudest": FULL_SCALE if silent else int(np.abs(samples.astype(int)).max()),
        "names": level.axis("mel").names(),
    }
    shades = np.round(255 * (levels - low) / ((high - low) or 1)).astype(np.uint8)
    return pack(header, {"samples": samples.view(np.uint8), "levels": shades})
