"""What a sound is cut and measured by, as it stands in sentences."""

from core.shapes import HOP
from core.sources.audio import SOUNDING
from core.sources.spectrum import COMPRESSION, RATE, WINDOW
from views import numbers


def milliseconds(samples: int) -> str:
    """How long so many samples last."""
    return str(1000 * samples // RATE)


# rate: samples a second. hop, width, beyond: ms from window to window, of a window, and of what it
# reaches beyond the next one's begin. apart, top: Hz from frequency to frequency, and the last one.
MEASURES = {
    "rate": numbers.count(RATE),
    "hop": milliseconds(HOP),
    "width": milliseconds(WINDOW),
    "beyond": milliseconds(WINDOW - HOP),
    "apart": str(RATE // WINDOW),
    "top": str(RATE // 2),
    "compression": numbers.count(numbers.whole(COMPRESSION)),
    "sounding": numbers.bare(SOUNDING),
}
