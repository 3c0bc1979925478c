"""Interlinear glosses of Chinese words: pinyin and an English meaning.

Pinyin is from pypinyin, meanings are from CC-CEDICT; ``training.translator.gloss`` wrote the table.
"""

from functools import cache

from core.models.stored import FOLDER

Gloss = tuple[str, str]  # pinyin, meaning


def gloss(token: str) -> Gloss:
    """Pinyin and meaning of a token; two empty strings if the dictionary does not have it."""
    return _glosses().get(token, ("", ""))


@cache
def _glosses() -> dict[str, Gloss]:
    lines = (FOLDER / "translator" / "gloss.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {token: (pinyin, meaning) for token, pinyin, meaning in rows}
