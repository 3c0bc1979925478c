"""All texts of the app: one TOML file per language, read as ``Words``.

Each of these is by language code. ``LANGUAGES`` has what every page says.
"""

from pathlib import Path

from views.text.load import Words, load, words_beside

_FOLDER = Path(__file__).parent

STAGES = load(_FOLDER / "stages")
LANGUAGES = {code: words | STAGES[code] for code, words in load(_FOLDER / "words").items()}
CHAPTER = load(_FOLDER / "lesson")  # the header and footer of a chapter's pages, and its contents
CHECKPOINT = load(_FOLDER / "checkpoint")
CLASSROOM = load(_FOLDER / "classroom")
DECODER = load(_FOLDER / "decoder")
EXPORT = load(_FOLDER / "export")
FILE_TYPES = load(_FOLDER / "file_types")
GALLERY = load(_FOLDER / "gallery")
GLOSSARY = load(_FOLDER / "glossary")
MODEL_CARD = load(_FOLDER / "model_card")
MODEL_MAP = load(_FOLDER / "model_map")
RELEVANCE = load(_FOLDER / "relevance")
SOUND = load(_FOLDER / "sound")
STREAMLIT = load(_FOLDER / "streamlit")
VISION = load(_FOLDER / "vision")
WHAT_IF = load(_FOLDER / "what_if")


def language(code: str) -> Words:
    """What every page says in a language. Raises ValueError for one that is not there."""
    if code not in LANGUAGES:
        raise ValueError(f"lang is one of {', '.join(LANGUAGES)}, not {code!r}")
    return LANGUAGES[code]


__all__ = [
    "CHAPTER",
    "CHECKPOINT",
    "CLASSROOM",
    "DECODER",
    "EXPORT",
    "FILE_TYPES",
    "GALLERY",
    "GLOSSARY",
    "LANGUAGES",
    "MODEL_CARD",
    "MODEL_MAP",
    "RELEVANCE",
    "SOUND",
    "STREAMLIT",
    "VISION",
    "WHAT_IF",
    "Words",
    "language",
    "words_beside",
]
