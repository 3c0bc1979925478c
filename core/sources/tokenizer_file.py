"""Validation of a ``tokenizer.json`` against an allow-list of components and limits.

The library executes such a file without limits: it may multiply the text, backtrack in a regular
expression, or allocate any amount of memory. So it gets a definition that is rebuilt from the
allow-list, and anything else is refused by name.
"""

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from core.errors import InputError, wrong_setting
from core.limits import TOKENIZER as MOST
from core.sources.tokenizer_schema import ADDED, MODELS, PARTS, SEVERAL, Fields
from core.sources.visible import visible

FILE = "tokenizer.json"
# A letter for each byte of a character; a space on either side of a Chinese one.
GROWTH = {"ByteLevel": 4, "BertNormalizer": 3}
UNIT = 4  # bytes of a unit of a character map's trie
LEAF = np.uint32(1 << 31)
Json = dict[str, Any]


@dataclass(frozen=True)
class Rules:
    """A validated definition.

    by_bytes: whether its tokens are byte-level. unknown: the id of the unknown token of a Unigram
    model, which gives such a token under the text that it stands for; None for other models.
    """

    definition: str
    by_bytes: bool
    unknown: int | None = None


def read(definition: str) -> Rules:
    """The validated definition, without padding, truncation and decoder.

    Raises damaged_checkpoint, wrong_setting and text_grows.
    """
    if sum(definition.count(mark) for mark in "[{,") > 5 * MOST.entries:  # before any is made
        raise InputError("damaged_checkpoint", file=FILE)
    try:
        found = json.loads(definition)
    except (ValueError, RecursionError) as failure:
        raise InputError("damaged_checkpoint", file=FILE) from failure
    if not isinstance(found, dict) or not isinstance(found.get("model"), dict):
        raise InputError("damaged_checkpoint", file=FILE)
    steps = {part: [*_steps(found, part)] for part in PARTS}
    before = [*steps["normalizer"], *steps["pre_tokenizer"]]
    _check_growth(before)
    added = {"added_tokens": found.get("added_tokens", [])}
    written = {"version": "1.0", "model": _model(found["model"])} | _check("", added, ADDED)
    for part, of_several in SEVERAL.items():
        if steps[part]:
            written[part] = {"type": "Sequence", of_several: steps[part]}
    by_bytes = "ByteLevel" in {step["type"] for step in before}
    return Rules(json.dumps(written), by_bytes, found["model"].get("unk_id"))


def _steps(found: Json, part: str) -> Iterator[Json]:
    """The components of one part, checked, in order."""
    steps = [*_flat(found.get(part), SEVERAL[part])]
    if len(steps) > MOST.steps:
        raise wrong_setting(FILE, part, f"{len(steps)} ×", f"≤ {MOST.steps} ×")
    for step in steps:
        kind = step.get("type") if isinstance(step, dict) else step
        if not isinstance(kind, str) or kind not in PARTS[part]:
            raise wrong_setting(FILE, part, shown(kind), ", ".join(PARTS[part]))
        yield _check(f"{part}.{kind}.", step, PARTS[part][kind], "type")


def _flat(given: Any, of_several: str) -> Iterator[Any]:
    """The components of a sequence, including nested sequences."""
    waiting = [given]
    while waiting:
        step = waiting.pop()
        inner = step.get(of_several) if isinstance(step, dict) else None
        if isinstance(inner, list) and step.get("type") == "Sequence":
            waiting += reversed(inner)
        elif step is not None:
            yield step


def _model(model: Json) -> Json:
    """The model, with its type added, which early files lack."""
    kind = model.get("type")
    if kind is None:
        listed = isinstance(model.get("vocab"), list)
        telling = {"merges": "BPE", "max_input_chars_per_word": "WordPiece"}
        plain = "Unigram" if listed else "WordLevel"
        kind = next((known for name, known in telling.items() if name in model), plain)
    if not isinstance(kind, str) or kind not in MODELS:
        raise wrong_setting(FILE, "model", shown(kind), ", ".join(MODELS))
    return {"type": kind} | _check(f"model.{kind}.", model, MODELS[kind], "type")


def _check(path: str, found: Json, fields: Fields, *free: str) -> Json:
    """The component, if all fields are known and valid. Raises wrong_setting."""
    for name in found:
        if name not in fields and name not in free:
            raise wrong_setting(FILE, f"{path}{shown(name)}", shown(found[name]), "—")
    for name, (holds, allowed) in fields.items():
        if name in found and not holds(found[name]):
            raise wrong_setting(FILE, f"{path}{name}", shown(found[name]), allowed)
    return found


def _check_growth(steps: list[Json]) -> None:
    """Raises text_grows if explicit normalizers can make a text too long.

    Unicode normalization forms are not counted: they hardly lengthen what they have normalised.
    """
    times = 1.0
    for step in steps:
        if step["type"] in GROWTH:
            times *= GROWTH[step["type"]]
        elif step["type"] == "Precompiled":
            try:
                times *= max(1, _growth_of(step["precompiled_charsmap"]))
            except (KeyError, ValueError) as failure:
                raise InputError("damaged_checkpoint", file=FILE) from failure
        elif step["type"] == "Replace":
            replaced = step.get("pattern", {}).get("String", "?")  # at least one character
            times *= max(1.0, len(step.get("content", "")) / len(replaced))
        if times > MOST.growth:
            raise InputError("text_grows", file=FILE, times=ceil(times), limit=MOST.growth)


def shown(value: object) -> str:
    """A value as a short text for an error message."""
    if isinstance(value, dict) and len(value) == 1:  # a pattern, behind the name of its kind
        (value,) = value.values()
    if isinstance(value, list | dict):
        return f"{'[…]' if isinstance(value, list) else '{…}'} × {len(value)}"
    text = visible(value) if isinstance(value, str) and value else json.dumps(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _growth_of(written: str) -> int:
    """The largest number of characters that one becomes by SentencePiece's precompiled map.

    The map, in base 64: the length of a trie (4 bytes, little-endian), the trie, as a double array
    of units of 32 bits ("An Efficient Digital Search Algorithm by Using a Double-Array Structure",
    Aoe, 1989), and the texts that its leaves point to, each closed by a zero byte.
    Checks that no step leaves the trie and that every leaf points to the start of a text.
    Raises ValueError for an invalid map, or texts that are not UTF-8.
    """
    try:
        data = base64.b64decode(written, validate=True)
    except binascii.Error as failure:
        raise ValueError("not in base 64") from failure
    size = int.from_bytes(data[:UNIT], "little")
    if len(data) < UNIT or size % UNIT or not 0 < size <= len(data) - UNIT:
        raise ValueError("the trie breaks off")
    texts = data[UNIT + size :]
    lengths = [len(text) for text in texts.decode("utf-8").split("\0")]
    if not texts.endswith(b"\0"):
        raise ValueError("the last text is not closed")
    units = np.frombuffer(data, "<u4", size // UNIT, UNIT)  # (unit,)
    leaves = units[_leaves(units)] ^ LEAF
    if (leaves >= len(texts)).any() or _inside_a_character(texts)[leaves].any():
        raise ValueError("a leaf points to no text")
    return max(lengths)


def _leaves(units: np.ndarray) -> np.ndarray:
    """The indices of all reachable leaves. Raises ValueError for a step out of the trie."""
    if units[0] >= LEAF:
        raise ValueError("the trie has no root")
    steps = units[units < LEAF]
    indices = np.flatnonzero(units < LEAF).astype(np.int64)
    offsets = (steps >> 10).astype(np.int64) << ((steps & 0x200) >> 6)
    behind = indices ^ offsets  # and, for each byte that follows, behind ^ byte
    if ((behind | 0xFF) >= len(units)).any():
        raise ValueError("a step leads out of the trie")
    leaves = behind[(steps & 0x100) > 0]
    if (units[leaves] < LEAF).any():
        raise ValueError("a leaf has no offset of a text")
    return leaves


def _inside_a_character(texts: bytes) -> np.ndarray:
    """For each byte of UTF-8, whether it continues a character."""
    return (np.frombuffer(texts, np.uint8) & 0xC0) == 0x80
