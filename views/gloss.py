"""How a Chinese word is read and what it means, for who reads no Chinese.

Pinyin by pypinyin, meanings from CC-CEDICT: ``training.tatoeba.gloss`` looked up every token.
"""

from functools import cache

from core.models.stored import FOLDER

Gloss = tuple[str, str]  # pinyin, meaning


def gloss(token: str) -> Gloss:
    """Pinyin and meaning; empty for a mark, a number, or what the dictionary has not got."""
    return _glosses().get(token, ("", ""))


@cache
def _glosses() -> dict[str, Gloss]:
    lines = (FOLDER / "translator" / "gloss.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {token: (pinyin, meaning) for token, pinyin, meaning in rows}
