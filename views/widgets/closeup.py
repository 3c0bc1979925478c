"""One patch from near: its pixels, the long row that they become, and the vector after that."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.models.processor import Colours
from views.figures.photo import bytes_text, float32_text, levels, printed, sums
from views.figures.scale import Scale
from views.spans import Span
from views.widgets.component import component


def closeup(
    pixels: np.ndarray,
    flattened: np.ndarray,
    embedding: np.ndarray,
    *,
    first: int,
    chosen: int,
    stages: Sequence[str],
    bias: bool,
    colours: Colours,
    scale_flat: Scale,
    scale_embedding: Scale,
    title: str,
    caption: list[Span],
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw one patch on its way to its embedding; a pixel and its three numbers light up together.

    pixels: (patch, P, P, 3) uint8, of one patch or of all that the browser may go to. flattened:
    (patch, P·P·3). embedding: (patch, d_model), with a bias or without. first: which patch they
    begin with; chosen: the one to show. stages: those of the microscope beside which a patch is
    shown from near; at others the card that holds it is hidden. colours: how a pixel becomes a
    number. title: with the ``{patch}`` that is shown. labels: words for pixels, flattened,
    embedding, red, green and blue.
    Raises ValueError where flattened does not follow from the pixels.
    """
    data = {
        "side": pixels.shape[1],
        "first": first,
        "chosen": chosen,
        "stages": stages,
        "pixels": bytes_text(pixels),
        "levels": float32_text(levels(pixels, flattened.reshape(-1), colours)),
        "sums": sums(colours),
        "colours": [
            [float(printed(part)) for part in pair]
            for pair in zip(colours.mean, colours.deviation, strict=True)
        ],
        "embedding": float32_text(embedding),
        "bias": bias,
        "scales": {"flattened": _scale(scale_flat), "embedding": _scale(scale_embedding)},
        "title": title,
        "caption": caption,
        "labels": dict(labels),
    }
    component("closeup")(key=key, data=data)


def _scale(scale: Scale) -> dict[str, object]:
    """Both themes' colours, since a reader may switch the theme without a run on the server."""
    colours = list(zip(scale.stops("light"), scale.stops("dark"), strict=True))
    return {"low": scale.low, "high": scale.high, "colours": colours}
