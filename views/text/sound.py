"""What is said where a sound is chosen, and on its time axis."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class SoundWords:
    """The choice of a sound, and its time axis.

    record, upload, samples: the controls; sample_names: by file, ``recording`` and ``upload``.
    lost: of a link whose sound is not there, lost_on_server_restart: of one that was. cut: of a
    sound that is too long. averaged: of one with several channels, cancelled: of one whose channels
    are opposite. axis, caption: of the time axis; play, hear: its buttons, ``{time}`` of
    the token that attends; weight, forbidden: what a token gets.
    """

    record: str
    upload: str
    upload_help: str
    samples: str
    sample_names: Mapping[str, str]
    lost: str
    lost_on_server_restart: str
    cut: str
    averaged: str
    cancelled: str
    axis: str
    caption: str
    play: str
    hear: str
    weight: str
    forbidden: str


WORDS = load(SoundWords, __file__)
