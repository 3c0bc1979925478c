"""The sound on a time axis: waveform, spectrogram, and the weights of the selected query."""

from typing import Any

import numpy as np

from core import Trace
from core.shapes import HOP
from core.sources.spectrum import RATE
from pages.see.audio.words import AudioWords
from views import numbers
from views.figures.photo import bytes_text, float32_text
from views.figures.scale import scale_of
from views.naming import frames_per_token
from views.scene.blob import checksum, pack
from views.selection import Selection
from views.widgets.component import component

FOLDER = "sound"
LOUDEST = 32_767  # of 16 bits


def timeline(trace: Trace, selection: Selection, text: AudioWords) -> None:
    """Draw the sound of a trace, with playback of the sound as it is or weighted by attention.

    The data that does not depend on the selected query is sent once, as bytes; the browser takes
    the row of weights from the microscope if it is there.
    """
    sound = _sound_data(trace)
    component("samples", FOLDER)(key="samples", data=sound)
    scale, at = scale_of(trace, "weights"), selection.at
    query = min(at["query"], trace["weights"].size("query") - 1)
    data: dict[str, Any] = {
        "sound": checksum(sound),
        "query": query,
        "row": float32_text(trace["weights"].tensor[at["batch"], at["head"], query]),
        "allowed": None,
        "scale": {"largest": scale.high, "root": scale.root, "printed": numbers.bare(scale.high)},
        "words": {
            name: getattr(text, name) for name in ("axis", "play", "hear", "weight", "forbidden")
        },
    }
    if "masked" in trace:
        row = trace["masked"].tensor[at["batch"], at["head"], query]
        data["allowed"] = bytes_text(np.isfinite(row))
    component("timeline", FOLDER)(key="timeline", data=data)


def _sound_data(trace: Trace) -> bytes:
    """The samples as int16 for playback, and the log-mel levels 0 … 255 for the spectrogram."""
    wave, level = trace["waveform"].tensor[0], trace["level"]
    samples = np.round(np.clip(wave, -1, 1) * LOUDEST).astype("<i2")
    levels = level.tensor[0] / (level.tensor.max() or 1)
    header = {
        "hop": HOP,
        "rate": RATE,
        "pool": frames_per_token(trace),
        "tokens": trace["X"].size("token"),
        "names": level.axis("mel").names(),
    }
    arrays = {"samples": samples.view(np.uint8), "levels": np.round(255 * levels).astype(np.uint8)}
    return pack(header, arrays)
