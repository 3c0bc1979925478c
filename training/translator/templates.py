"""Sentence pairs with slots, ``我爱{city}。 → I love {city}.``, filled at random from a lexicon.

A class of the lexicon is a table in ``written/lexicon``; its columns ``zh`` and ``en`` fill
``{class}``, any other column ``{class.column}``. A digit tells two slots of one class apart:
``{name}``, ``{name2}``. Numbers, years and full names are made rather than looked up.
"""

import csv
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from training.tatoeba import Pair

WRITTEN = Path(__file__).parent / "written"
ARTICLE = re.compile(r"\b([Aa]) (?=[aeioAIO]|E(?!u))")  # an, before these
SLOT = re.compile(r"\{([a-z_]+)(\d?)(?:\.(\w+))?\}")
ONES = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
DIGITS = "零一二三四五六七八九"
FULL_NAMES = 0.2  # share of slots for names that a made Chinese name fills
Entry = Mapping[str, str]
Lexicon = Mapping[str, Sequence[Entry]]
Maker = Callable[[Lexicon, random.Random], Entry]


def read_lexicon(folder: Path = WRITTEN / "lexicon") -> Lexicon:
    """The entries of each class, by its name."""
    return {path.stem: _rows(path) for path in sorted(folder.glob("*.tsv"))}


def _rows(path: Path) -> list[Entry]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def fill(template: Pair, lexicon: Lexicon, rng: random.Random) -> Pair:
    """The pair with one entry for each slot. Raises KeyError for an unknown class or column."""
    chosen: dict[str, Entry] = {}
    slots = SLOT.findall(template.source + template.target)
    for kind, number, _ in slots:
        if kind + number not in chosen:
            columns = {column for one, other, column in slots if (one, other) == (kind, number)}
            used = {entry["zh"] for entry in chosen.values()}
            chosen[kind + number] = _entry(kind, columns - {""}, lexicon, rng, used)

    def filled(text: str, side: str) -> str:
        return SLOT.sub(lambda slot: chosen[slot[1] + slot[2]][slot[3] or side], text)

    target = ARTICLE.sub(r"\1n ", filled(template.target, "en"))
    return Pair(filled(template.source, "zh"), target[:1].upper() + target[1:])


def _entry(
    kind: str, columns: Collection[str], lexicon: Lexicon, rng: random.Random, used: Collection[str]
) -> Entry:
    if kind in MADE:
        return MADE[kind](lexicon, rng)
    if kind.startswith("name") and rng.random() < FULL_NAMES:
        return _full_name(lexicon, rng)
    fit = [e for e in lexicon[kind] if e["zh"] not in used and all(e[one] for one in columns)]
    return rng.choice(fit)


def generalise(pair: Pair, lexicon: Lexicon, swapped: Sequence[str]) -> Pair | None:
    """The pair with slots in place of what is in the classes ``swapped``, or None if nothing is.

    An entry counts where it occurs once on both sides, in English as a whole word.
    """
    source, target = pair.source, pair.target
    for kind in swapped:
        number = 1
        for entry in lexicon[kind]:
            if source.count(entry["zh"]) != 1 or entry["en"] not in target:
                continue
            word = re.compile(rf"\b{re.escape(entry['en'])}\b")
            if len(word.findall(target)) == 1:
                slot = f"{{{kind}{number if number > 1 else ''}}}"
                source, target = source.replace(entry["zh"], slot), word.sub(slot, target)
                number += 1
    return Pair(source, target) if source != pair.source else None


def chinese_number(n: int, two: str = "二") -> str:
    """A number from 0 to 99 in Chinese. two: a 2 alone, which is 两 before what is counted."""
    if n < 10:
        return two if n == 2 else DIGITS[n]
    tens, ones = divmod(n, 10)
    return (DIGITS[tens] if tens > 1 else "") + "十" + (DIGITS[ones] if ones else "")


def english_number(n: int) -> str:
    """A number from 0 to 99 in English."""
    if n < 20:
        return ONES[n - 1] if n else "zero"
    tens, ones = divmod(n, 10)
    return TENS[tens - 2] + (f"-{ONES[ones - 1]}" if ones else "")


def _number(low: int, high: int, figures: float) -> Maker:
    """Numbers of which a share is written in figures on both sides."""

    def make(_: Lexicon, rng: random.Random) -> Entry:
        tens = 10 * rng.randint(1, high // 10)
        n = rng.choice((rng.randint(low, min(high, 12)), rng.randint(low, high), tens))
        if rng.random() < figures:
            return {"zh": str(n), "en": str(n)}
        return {"zh": chinese_number(n, "两"), "en": english_number(n)}

    return make


def _digits(low: int, high: int) -> Maker:
    def make(_: Lexicon, rng: random.Random) -> Entry:
        figures = str(rng.randint(low, high))
        return {"zh": figures, "en": figures}

    return make


def _full_name(lexicon: Lexicon, rng: random.Random) -> Entry:
    """A surname and one or two characters: 张伟 → Zhang Wei."""
    surname = rng.choice(lexicon["surname"])
    given = rng.sample(list(lexicon["given_char"]), rng.choice((1, 2)))
    written = "".join(entry["en"] for entry in given).capitalize()
    return {
        "zh": surname["zh"] + "".join(entry["zh"] for entry in given),
        "en": f"{surname['en']} {written}",
    }


MADE = {
    "n": _number(2, 99, 0.2),
    "age": _number(3, 99, 0.3),
    "hour": _number(1, 12, 0.2),
    "year": _digits(1900, 2030),
    "digits": _digits(10, 9999),
    "fullname": _full_name,
}


def read_templates(path: Path = WRITTEN / "templates.tsv") -> tuple[Pair, ...]:
    """The templates that were written for this project."""
    return tuple(Pair(*line.split("\t")) for line in path.read_text("utf-8").splitlines())


def unknown_slots(template: Pair, lexicon: Lexicon) -> Iterator[str]:
    """The slots of a template that no class or column fills, or that one side alone has."""
    sides = [SLOT.findall(text) for text in (template.source, template.target)]
    for kind, number, column in (*sides[0], *sides[1]):
        if kind not in MADE and (
            kind not in lexicon or (column and column not in lexicon[kind][0])
        ):
            yield f"{kind}{number}.{column}"
    for one, other in (sides, sides[::-1]):
        yield from {a + b for a, b, _ in one} - {a + b for a, b, _ in other}
