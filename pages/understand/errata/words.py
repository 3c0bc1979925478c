"""The words of the page that checks what printed study notes say."""

from pages.understand.errata.words_en import EN
from pages.understand.errata.words_zh import ZH

WORDS = {"en": EN, "zh": ZH}
