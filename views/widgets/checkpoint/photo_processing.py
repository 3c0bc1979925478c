"""A photo as a model's own processor makes it, in numbers and in words."""

from dataclasses import dataclass

import numpy as np

from core.models.processor import Processor, read_photo
from core.sources import apart
from views import link
from views.preferences import in_language
from views.text import CHECKPOINT


@dataclass(frozen=True)
class Processed:
    """The last photo: the file it came from, who made it, and what was made of it."""

    file: bytes
    processor: Processor
    pixels: np.ndarray


@dataclass
class LastProcessed:
    """photo: the last one, which is not processed again while it is looked at."""

    photo: Processed | None = None


def processed(processor: Processor, file: bytes) -> np.ndarray:
    """What the model is given of a picture file, (side, side, 3) uint8.

    Raises what ``read_photo`` raises, and takes_too_much.
    """
    now = link.remembered(LastProcessed)
    known = now.photo
    if known is None or known.processor is not processor or known.file != file:
        _, pixels = apart.read(read_photo, file, **processor.geometry())
        known = now.photo = Processed(file, processor, pixels)
    return known.pixels


def prepared(processor: Processor) -> str:
    """What a processor does to a photo before its pixels become numbers, in words."""
    said, steps = in_language(CHECKPOINT).steps, []
    match processor.size:
        case int(edge):
            steps.append(said.edge.format(edge=edge, resample=processor.resample))
        case (height, width):
            size = {"height": height, "width": width, "resample": processor.resample}
            steps.append(said.resized.format(**size))
    if processor.crop:
        height, width = processor.crop
        steps.append(said.cropped.format(height=height, width=width))
    return said.then.join(steps) or said.as_it_is.format(side=processor.side)
