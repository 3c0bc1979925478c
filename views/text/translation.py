"""What the Translation page says."""

from views.text.en_translation import EN
from views.text.zh_translation import ZH

WORDS = {"en": EN, "zh": ZH}
