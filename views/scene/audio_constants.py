"""The constants of audio preprocessing as they are printed in sentences."""

from core.sources.audio import SOUNDING
from core.sources.spectrum import COMPRESSION, HOP, RATE, WINDOW
from views.text import numbers


def milliseconds(samples: int) -> str:
    """The duration of a number of samples at the sample rate, in whole milliseconds."""
    return str(1000 * samples // RATE)


# rate: sample rate in Hz. hop, width, beyond: hop length, window length and their overlap in ms.
# apart, top: the spacing of frequency bins, and the last one, in Hz.
AUDIO_CONSTANTS = {
    "rate": numbers.count(RATE),
    "hop": milliseconds(HOP),
    "width": milliseconds(WINDOW),
    "beyond": milliseconds(WINDOW - HOP),
    "apart": str(RATE // WINDOW),
    "top": str(RATE // 2),
    "compression": numbers.count(numbers.whole(COMPRESSION)),
    "sounding": numbers.bare(SOUNDING),
}
