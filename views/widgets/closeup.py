"""A close-up of one patch: its pixels, the flattened row, and its embedding."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.models.processor import Colours
from views.figures.photo import (
    bytes_text,
    float32_text,
    pixel_formulas,
    pixel_to_number,
    six_digits,
)
from views.figures.scale import Scale
from views.text.spans import Span
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
    """Draw a patch's pixels, flattened row and embedding; hovering a pixel marks its three numbers.

    pixels: (patch, P, P, 3) uint8, of one patch or of all that the browser may show.
    flattened: (patch, P·P·3). embedding: (patch, d_model). first: the index of their first patch.
    chosen: the patch to show. stages: the steps of the microscope at which the close-up is visible.
    bias: whether the embedding has a bias. colours: from pixel to number. title: with ``{patch}``.
    labels: words for pixels, flattened, embedding, red, green and blue.
    Raises ValueError if ``flattened`` does not follow from ``pixels``.
    """
    data = {
        "side": pixels.shape[1],
        "first": first,
        "chosen": chosen,
        "stages": stages,
        "pixels": bytes_text(pixels),
        "levels": float32_text(pixel_to_number(pixels, flattened.reshape(-1), colours)),
        "sums": pixel_formulas(colours),
        "colours": [
            [float(six_digits(part)) for part in pair]
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
    """The colours of both themes, because a change of theme does not rerun the page."""
    colours = list(zip(scale.stops("light"), scale.stops("dark"), strict=True))
    return {"low": scale.low, "high": scale.high, "colours": colours}
