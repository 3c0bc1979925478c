"""SentencePiece's own files, Marian's ``source.spm`` or mT5's ``spiece.model``, as a
``tokenizer.json``.

"SentencePiece: A simple and language independent subword tokenizer and detokenizer for Neural Text
Processing" (Kudo & Richardson, 2018). The file is a protocol buffer, ``sentencepiece_model.proto``;
what is read of it are the pieces with their scores, the kind of model, and the normalizer.
"""

import base64
import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import InputError, wrong_setting
from core.limits import TOKENIZER

END, UNKNOWN, PADDING = "</s>", "<unk>", "<pad>"
NORMAL, USER_DEFINED = 1, 4  # kinds of pieces; the others are control tokens
KINDS = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
FAR = 100.0  # by so much less than any other scores a piece that only the other language has

Value = int | bytes


def definition(
    data: bytes, file: str, vocabulary: Mapping[str, Any] | None = None, name: str = ""
) -> str:
    """The JSON text of a ``tokenizer.json``, with the pieces of a file.

    vocabulary: their ids; None for those of the file itself, in which they are numbered by their
    order. file, name: of the file and of the vocabulary, for errors. Pieces that the vocabulary
    lacks have the ids behind it: they stand for the unknown token. What only pieces of the other
    language spell is cut into these, where ``transformers`` has an unknown token.
    Raises damaged_checkpoint, and wrong_setting for a model that is not of the kind unigram.
    """
    try:
        pieces, scores, kind, charsmap = _read(data)
    except (ValueError, IndexError, struct.error) as failure:
        raise InputError("damaged_checkpoint", file=file) from failure
    if kind != "unigram":
        raise wrong_setting(file, "model_type", kind, "unigram")
    if vocabulary is None:
        vocabulary, name = {piece: number for number, piece in enumerate(pieces)}, file
    if not scores or not _is_numbered(vocabulary):
        raise InputError("damaged_checkpoint", file=file if not scores else name)
    least = min(scores.values()) - FAR
    ordered = [*sorted(vocabulary, key=vocabulary.__getitem__)]
    ordered += [piece for piece in scores if piece not in vocabulary]
    special = [
        one for one in vocabulary if one in (END, UNKNOWN, PADDING) or one[:2] + one[-2:] == ">><<"
    ]
    normalizers: list[dict[str, Any]] = [
        {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
        {"type": "Strip", "strip_left": True, "strip_right": True},
    ]
    if charsmap:
        mapped = base64.b64encode(charsmap).decode("ascii")
        normalizers.insert(0, {"type": "Precompiled", "precompiled_charsmap": mapped})
    return json.dumps(
        {
            "added_tokens": [
                {
                    "id": vocabulary[one], "content": one, "special": True, "normalized": False,
                    "single_word": False, "lstrip": False, "rstrip": False,
                }
                for one in special
            ],
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": {
                "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False,
            },
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [
                    {"Sequence": {"id": "A", "type_id": 0}},
                    {"SpecialToken": {"id": END, "type_id": 0}},
                ],
                "pair": [
                    {"Sequence": {"id": "A", "type_id": 0}},
                    {"Sequence": {"id": "B", "type_id": 0}},
                ],
                "special_tokens": {END: {"id": END, "ids": [vocabulary[END]], "tokens": [END]}},
            },
            "model": {
                "type": "Unigram",
                "unk_id": vocabulary[UNKNOWN],
                "vocab": [[piece, scores.get(piece, least)] for piece in ordered],
                "byte_fallback": False,
            },
        }
    )  # fmt: skip


def _is_numbered(vocabulary: Mapping[str, Any]) -> bool:
    """Whether the ids are 0, 1, … and the tokens that are needed are there."""
    numbers = list(vocabulary.values())
    return (
        {END, UNKNOWN} <= vocabulary.keys()
        and all(type(number) is int for number in numbers)
        and sorted(numbers) == list(range(len(numbers)))
    )


def _read(data: bytes) -> tuple[list[str], dict[str, float], str, bytes]:
    """All pieces in order, the scores of those of a text, the kind of the model, and the
    normalizer's map of characters."""
    pieces: list[str] = []
    scores: dict[str, float] = {}
    kind, charsmap = 1, b""
    for number, value in _fields(data):
        inside = dict(_fields(value)) if isinstance(value, bytes) and number <= 3 else {}
        if number == 1:
            piece, score = inside.get(1), inside.get(2, b"\0" * 4)
            if not isinstance(piece, bytes) or not isinstance(score, bytes):
                raise ValueError("a piece without a text or a score")
            if len(pieces) > TOKENIZER.entries:
                raise ValueError("too many pieces")
            pieces.append(piece.decode("utf-8"))
            if inside.get(3, NORMAL) in (NORMAL, USER_DEFINED):
                scores[pieces[-1]] = float(struct.unpack("<f", score)[0])
        elif number == 2:
            kind = int(inside.get(3, 1))
        elif number == 3 and isinstance(inside.get(2), bytes):
            charsmap = bytes(inside[2])
    return pieces, scores, KINDS.get(kind, str(kind)), charsmap


def _fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """The number and value of every field of a message; numbers of 32 and 64 bits as bytes.

    https://protobuf.dev/programming-guides/encoding. Raises ValueError and IndexError.
    """
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        value: Value
        match tag & 7:
            case 0:
                value, at = _varint(data, at)
            case 1 | 2 | 5 as kind:
                size, at = _varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
                if size > len(data) - at:
                    raise ValueError("a field breaks off")
                value, at = data[at : at + size], at + size
            case _:
                raise ValueError("an unknown kind of field")
        yield tag >> 3, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    number = 0
    for shift in range(0, 70, 7):
        byte = data[at + shift // 7]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at + shift // 7 + 1
    raise ValueError("a number without an end")
