"""The texts of the Audio page."""

from dataclasses import dataclass

from views.text.load import load
from views.text.words import MaskWords


@dataclass(frozen=True)
class AudioWords:
    """The whole page. looks, repeats, even …: sentences about the numbers."""

    pool: str
    pool_help: str
    mask: MaskWords
    silence: str
    silence_help: str
    same: str
    same_help: str
    card: str
    told: str
    token: str
    looks: str
    even: str
    nobody: str
    repeats: str
    no_repeats: str
    why_same: str
    why_own: str
    why_place: str
    streaming: str
    near: str
    silent: str
    temperature: str
    origin_same: str
    progress: str
    by_head: str


WORDS = load(AudioWords, __file__)
