"""The sound on one time axis: waveform, spectrogram, and the weights of the chosen frame."""

from typing import Any

import numpy as np

from core import Trace
from core.shapes import HOP
from core.sources.spectrum import RATE
from pages.see.audio.words import AudioWords
from views import numbers
from views.figures.photo import bytes_text, float32_text
from views.figures.scale import scale_of
from views.naming import hops_of
from views.scene.blob import checksum, packed
from views.selection import Selection
from views.widgets.component import component

FOLDER = "sound"
LOUDEST = 32_767  # of 16 bits


def timeline(trace: Trace, selection: Selection, text: AudioWords) -> None:
    """Draw the sound that a trace begins with, to be played as it is or as a frame hears it.

    What does not change with the chosen frame goes once, in bytes; the row of weights follows by
    itself where the microscope has it.
    """
    brought = _brought(trace)
    component("samples", FOLDER)(key="samples", data=brought)
    scale, at = scale_of(trace, "weights"), selection.at
    query = min(at["query"], trace["weights"].size("query") - 1)
    data: dict[str, Any] = {
        "sound": checksum(brought),
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


def _brought(trace: Trace) -> bytes:
    """The samples as 16 bits, for playing, and how strong each band is, 0 … 255, for looking."""
    wave, level = trace["waveform"].tensor[0], trace["level"]
    samples = np.round(np.clip(wave, -1, 1) * LOUDEST).astype("<i2")
    levels = level.tensor[0] / (level.tensor.max() or 1)
    header = {
        "hop": HOP,
        "rate": RATE,
        "pool": hops_of(trace),
        "tokens": trace["X"].size("token"),
        "names": level.axis("mel").names(),
    }
    arrays = {"samples": samples.view(np.uint8), "levels": np.round(255 * levels).astype(np.uint8)}
    return packed(header, arrays)
