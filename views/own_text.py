"""Which pages share what the reader typed, a text or numbers; ``views/link.py`` takes it along."""

from collections.abc import Mapping
from functools import lru_cache

from core.errors import InputError
from core.limits import IN_LINK, LIMITS, SENTENCE, SEQUENCE, SPLIT, TRANSLATED, WRITTEN, Limits
from core.models.by_hand import ROLES
from core.sources import text

TEXT = "text"  # the parameter of all of them
READERS: Mapping[str, Limits] = {
    "story": TRANSLATED, "sentence": SENTENCE, "writing": WRITTEN, "translation": TRANSLATED,
    "heads": SPLIT, "order": SEQUENCE, "break_it": LIMITS, "around": LIMITS,
}  # fmt: skip
SHEET_READERS = ("by_hand", "predict")
SHEET = ("preset", "tokens", "divisor", *ROLES)  # its parameters on all of them


@lru_cache(maxsize=256)  # the menu asks for every page in every run
def reads(page: str, written: str) -> bool:
    """Whether a page reads a text: its language, and so many words and lines."""
    if (
        page not in READERS
        or len(written) > IN_LINK
        or len(written.splitlines()) > READERS[page].lines
    ):
        return False
    try:
        text.read(written, "word", READERS[page])
    except InputError:
        return False
    return page != "translation" or text.is_chinese(written)
