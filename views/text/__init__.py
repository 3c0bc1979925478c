"""Every word that a reader sees, as two instances of one contract. Imports nothing but itself."""

from views.text.contract import StageWords, Words
from views.text.en import EN
from views.text.zh import ZH

LANGUAGES: dict[str, Words] = {"zh": ZH, "en": EN}

__all__ = ["LANGUAGES", "StageWords", "Words"]
