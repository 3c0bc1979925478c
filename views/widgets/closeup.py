"""One patch from near: its pixels, the long row that they become, and the vector after that."""

from collections.abc import Mapping

import numpy as np

from core.models.processor import Colours
from views.figures.photo import bytes_text, float32_text, levels, printed, sums
from views.figures.scale import Scale
from views.widgets.component import component


def closeup(
    pixels: np.ndarray,
    flattened: np.ndarray,
    embedding: np.ndarray,
    *,
    bias: bool,
    colours: Colours,
    scale_flat: Scale,
    scale_embedding: Scale,
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw one patch on its way to its embedding; a pixel and its three numbers light up together.

    pixels: (P, P, 3) uint8. flattened: (P·P·3,). embedding: (d_model,), with a bias or
    without. colours: how a pixel becomes a number. labels: words for pixels, flattened, embedding,
    red, green and blue.
    Raises ValueError where flattened does not follow from the pixels.
    """
    data = {
        "side": pixels.shape[0],
        "pixels": bytes_text(pixels),
        "levels": float32_text(levels(pixels, flattened, colours)),
        "sums": sums(colours),
        "colours": [
            [float(printed(part)) for part in pair]
            for pair in zip(colours.mean, colours.deviation, strict=True)
        ],
        "embedding": float32_text(embedding),
        "bias": bias,
        "scales": {"flattened": _scale(scale_flat), "embedding": _scale(scale_embedding)},
        "labels": dict(labels),
    }
    component("closeup")(key=key, data=data)


def _scale(scale: Scale) -> dict[str, object]:
    """Both themes' colours, since a reader may switch the theme without a run on the server."""
    colours = list(zip(scale.stops("light"), scale.stops("dark"), strict=True))
    return {"low": scale.low, "high": scale.high, "colours": colours}
