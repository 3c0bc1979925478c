"""What the Translation page says."""

from pages.see.translation.words_en import EN
from pages.see.translation.words_zh import ZH

WORDS = {"en": EN, "zh": ZH}
