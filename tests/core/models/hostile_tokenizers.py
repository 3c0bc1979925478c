"""Hostile definitions of tokenizers, with the expected error of each.

As a script: what becomes of each, and the most memory of a process that had them.
"""

import base64
import json
import struct
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace as changed_to
from functools import reduce
from pathlib import Path

from core.errors import InputError
from core.limits import TOKENIZING
from core.sources import apart, tokenizer
from core.sources.tokenizer import Tokenizer

FOLDERS = Path(__file__).parent / "data" / "checkpoints"
TEXT = ("a" * 200 + " ") * 9 + "\ufdfa北"
DEEP = 5_000

Made = Callable[[], str]


def changed(kind: str = "bert", **parts: object) -> Made:
    """The definition of a test model with other parts."""
    return lambda: json.dumps(definition(kind) | parts)


def definition(kind: str) -> dict:
    return json.loads((FOLDERS / kind / "tokenizer.json").read_text("utf-8"))


def model(kind: str, **fields: object) -> Made:
    return lambda: changed(kind, model=definition(kind)["model"] | fields)()


def replace(pattern: str, content: str, kind: str = "String") -> dict:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def prepend(text: str) -> dict:
    return {"type": "Prepend", "prepend": text}


def several(part: str, *steps: dict) -> dict:
    return {"type": "Sequence", part: steps}


def split(pattern: str) -> dict:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def charsmap(data: bytes) -> Made:
    written = base64.b64encode(data).decode()
    return changed(normalizer={"type": "Precompiled", "precompiled_charsmap": written})


def trie(units: dict[int, int], texts: bytes, size: int = 1024) -> bytes:
    trie = struct.pack(f"<{size}I", *(units.get(unit, 0) for unit in range(size)))
    return struct.pack("<I", len(trie)) + trie + texts


def step(offset: int, label: int = 0, leaf: bool = False) -> int:
    """A unit of a double array: the way on, the byte that leads here, whether a leaf is next."""
    return offset << 10 | leaf << 8 | label


def one_letter(text: bytes, at: int = 0) -> bytes:
    """A map of a to one text."""
    unit, leaf = 256 ^ ord("a"), 600
    units = {0: step(256), unit: step(unit ^ leaf, ord("a"), True), leaf: 1 << 31 | at}
    return trie(units, text)


def frame(**parts: object) -> Made:
    return changed(post_processor=definition("bert")["post_processor"] | parts)


def added(*tokens: dict) -> Made:
    first = definition("bert")["added_tokens"][0]
    return changed(added_tokens=[first | {"id": 50} | token for token in tokens])


def unigram(*vocabulary: tuple[str, float]) -> Made:
    return changed(model={"type": "Unigram", "unk_id": 0, "vocab": vocabulary})


A = {"Sequence": {"id": "A", "type_id": 0}}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
TOO_MUCH, DAMAGED = "takes_too_much", "damaged_checkpoint"
HOSTILE: dict[str, tuple[Made, str]] = {
    "a letter becomes a million": (changed(normalizer=replace("a", "b" * 10**6)), TOO_MUCH),
    "a letter doubled sixteen times": (
        changed(normalizer=several("normalizers", *[replace("a", "aa")] * 16)), TOO_MUCH,
    ),
    "a letter doubled thirty times": (
        changed(normalizer=several("normalizers", *[replace("a", "aa")] * 30)), TOO_MUCH,
    ),
    "doubled in sequences in sequences": (
        changed(normalizer=reduce(
            lambda inner, _: several("normalizers", replace("a", "aa"), inner), range(30), {},
        )), DAMAGED,
    ),
    "a sequence of no end": (
        lambda: changed(normalizer=0)().replace(
            '"normalizer": 0', '"normalizer": ' + '{"type": "Sequence", "normalizers": [' * DEEP
            + "]}" * DEEP
        ), DAMAGED,
    ),
    "nothing becomes something": (
        changed(normalizer=several("normalizers", *[replace("", "ab")] * 9)), TOO_MUCH,
    ),
    "a pattern of no end replaced": (
        changed(normalizer=replace("(?<x>a\\g<x>?b|a\\g<x>)", "", "Regex")), TOO_MUCH,
    ),
    "a million letters prepended": (changed(normalizer=prepend("x" * 10**6)), "done"),
    "ten thousand times prepended": (
        changed(normalizer=several("normalizers", *[prepend("x" * 16)] * 10_000)), "done",
    ),
    "bytes of bytes of bytes": (
        changed(normalizer=several("normalizers", *[{"type": "ByteLevel"}] * 16)), "done",
    ),
    "bytes of bytes cut": (
        changed(pre_tokenizer=several("pretokenizers", *[BYTE_LEVEL] * 16)), TOO_MUCH,
    ),
    "spaces around spaces": (
        changed(normalizer=several("normalizers", *[definition("bert")["normalizer"]] * 16)),
        "done",
    ),
    "a map that is none": (charsmap(b""), DAMAGED),
    "a map not in base 64": (
        changed(normalizer={"type": "Precompiled", "precompiled_charsmap": "~"}), DAMAGED,
    ),
    "a map of two gigabytes": (charsmap(b"\xff\xff\xff\x7fabc"), TOO_MUCH),
    "a map without a root": (charsmap(trie({0: 1 << 31}, b"\0")), DAMAGED),
    "a map of no length": (charsmap(trie({}, b"\0", 0)), DAMAGED),
    "a map whose step leads out": (charsmap(trie({0: step(2048)}, b"\0")), DAMAGED),
    "a map whose leaf leads out": (charsmap(one_letter(b"b\0", 3)), DAMAGED),
    "a map whose leaf cuts a character": (charsmap(one_letter("é\0".encode(), 1)), DAMAGED),
    "a map whose leaf is none": (
        charsmap(trie({0: step(256), 256 ^ 97: step(0, 97, True)}, b"\0")), DAMAGED,
    ),
    "a map into what is no UTF-8": (charsmap(one_letter(b"\xff\0")), DAMAGED),
    "a map to a text without end": (charsmap(one_letter(b"bb")), "done"),
    "a map to a million letters": (charsmap(one_letter(b"b" * 10**6 + b"\0")), TOO_MUCH),
    "a normalizer that nobody knows": (changed(normalizer={"type": "Python"}), DAMAGED),
    "a normalizer without a type": (changed(normalizer={"prepend": "x"}), "done"),
    "a normalizer that is a list": (changed(normalizer=[[]]), "done"),
    "a field that nobody knows": (changed(normalizer={"type": "NFC", "times": 9}), "done"),
    "a pattern that calls itself": (
        changed(pre_tokenizer=split("(?<x>a\\g<x>?b|a\\g<x>)")), TOO_MUCH,
    ),
    "a pattern that tries every way": (changed(pre_tokenizer=split("(a+)+$b")), DAMAGED),
    "pieces of no length": (changed(pre_tokenizer={"type": "FixedLength", "length": 0}), DAMAGED),
    "a frame of a hundred thousand texts": (frame(single=[A] * 10**5), TOO_MUCH),
    "a frame of two texts": (frame(single=[A, A]), "done"),
    "a special token a hundred thousand times": (
        frame(special_tokens={"[CLS]": {"id": "?", "ids": [2] * 10**5, "tokens": ["?"] * 10**5}}),
        DAMAGED,
    ),
    "twenty frames": (
        changed(post_processor=several("processors", *[definition("bert")["post_processor"]] * 20)),
        DAMAGED,
    ),
    "fifty thousand added tokens": (
        added(*({"content": f"q{number}"} for number in range(50_000))), "done",
    ),
    "an added token of thirty million letters": (added({"content": "a" * 3 * 10**7}), TOO_MUCH),
    "added tokens of four million letters": (
        added(*({"content": f"{number:05}" * 80} for number in range(10_000))), TOO_MUCH,
    ),
    "a piece of five million letters": (unigram(("?", 0), ("a" * 5 * 10**6, -1)), TOO_MUCH),
    "no piece at all": (unigram(), DAMAGED),
    "words of a billion letters": (model("bert", max_input_chars_per_word=10**9), "done"),
    "a suffix of a million letters": (model("gpt2", end_of_word_suffix="x" * 10**6), "done"),
    "a prefix that no merge has": (model("gpt2", continuing_subword_prefix="x" * 9), DAMAGED),
    "tokens by chance": (model("gpt2", dropout=0.5), "done"),
    "a number beyond all": (model("gpt2", vocab={"a": 2**32 - 1}), DAMAGED),
    "a model that nobody knows": (changed(model={"type": "Neural"}), DAMAGED),
    "six million empty lists": (
        lambda: '{"model": {}, "x": [' + "[]," * 6 * 10**6 + "[]]}", DAMAGED,
    ),
    "texts half of which are missing": (changed(normalizer=prepend("\ud800")), DAMAGED),
    "padded to multiples of nothing": (
        changed(padding=definition("bert")["padding"] | {"pad_to_multiple_of": 0}), "done",
    ),
    "padded without end": (
        changed(padding=definition("bert")["padding"] | {"strategy": {"Fixed": 10**12}}), "done",
    ),
    "truncated to nothing": (
        changed(truncation=definition("bert")["truncation"] | {"max_length": 0}), "done",
    ),
    "joined again without end": (
        changed(decoder=reduce(lambda inner, _: several("decoders", inner), range(60), {})),
        DAMAGED,
    ),
}  # fmt: skip


def outcome(definition: str) -> str:
    """The code of the error of opening a definition and tokenizing a text by it, or "done"."""
    try:
        Tokenizer(definition).encode(TEXT, 10**9)
    except InputError as refusal:
        return refusal.code
    return "done"


def outcomes(definitions: dict[str, str]) -> dict[str, str]:
    """The outcome of each, as two readers at a time have it."""
    with ThreadPoolExecutor(TOKENIZING.processes) as readers:
        return dict(zip(definitions, readers.map(outcome, definitions.values()), strict=True))


if __name__ == "__main__":
    import resource  # which not every system has

    found = {}
    quick = changed_to(TOKENIZING, cpu_seconds=0.5, wait=60.0, memory_per_byte=0)
    for limits, too_much in ((quick, True), (TOKENIZING, False)):
        tokenizer.TOKENIZING = limits
        found |= outcomes(
            {name: made() for name, (made, is_) in HOSTILE.items() if (is_ == TOO_MUCH) == too_much}
        )
        apart._made(limits).close()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    json.dump({"outcomes": found, "peak": peak}, sys.stdout)
