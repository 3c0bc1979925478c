"""Every word that a reader sees: TOML files, one a language, and the contracts that they fit."""

from views.text.words import LANGUAGES, StageWords, Words

__all__ = ["LANGUAGES", "StageWords", "Words"]
