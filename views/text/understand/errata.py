"""The words of the page that checks what printed study notes say."""

from views.text.understand.en_errata import EN
from views.text.understand.zh_errata import ZH

WORDS = {"en": EN, "zh": ZH}
