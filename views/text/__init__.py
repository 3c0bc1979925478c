"""All texts of the app: one TOML file per language, parsed into dataclasses."""

from views.text.words import LANGUAGES, StageWords, Words

__all__ = ["LANGUAGES", "StageWords", "Words"]
