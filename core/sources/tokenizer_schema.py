"""The allowed components of a ``tokenizer.json``, with the check of each field."""

import re
from collections.abc import Callable, Mapping
from operator import mul
from typing import Any

from core.limits import TOKENIZER as MOST

# Patterns of known tokenizers, which do not backtrack excessively.
_GPT_2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_SPACES = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
_GPT_4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{}"
    r"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
)
_CASED = (r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}")
_GPT_4O = "|".join(
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_CASED[0]}]{upper}[{_CASED[1]}]{lower}(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    for upper, lower in ("*+", "+*")
)
KNOWN_PATTERNS = {
    "GPT-2": (_GPT_2,),
    "Llama 3": (_GPT_4.format(r"\p{N}{1,3}") + _SPACES,),
    "Qwen2": (_GPT_4.format(r"\p{N}") + _SPACES,),
    "GPT-4o": (_GPT_4O + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*" + _SPACES,),
    "CLIP": (
        r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]"
        r"|[^\s\p{L}\p{N}]+",
        r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
    ),
    "BLOOM": (r" ?[^(\s|[.,!?…。，、।۔،])]+",),
    "DeepSeek-V3": (
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
        r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*" + _SPACES,
    ),
}
_NAMED = frozenset(pattern for patterns in KNOWN_PATTERNS.values() for pattern in patterns)
# One class of characters, once or repeated: matched without backtracking.
_ONE_KIND = re.compile(
    r"(?:[^\\\[\](){}.^$|?*+]|\\[dDsSwWnrt]|\\[pP]\{\w{1,30}\}|\[[^\[\]\\&]{1,200}\])"
    r"(?:\+|\{[1-9]\d{0,2}(?:,\d{0,3})?\})?"
)

Holds = Callable[[Any], bool]
Fields = Mapping[str, tuple[Holds, str]]  # of each: the check of a value, and what is allowed


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST.number


def _is_text(most: int, least: int = 0) -> Holds:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _or_none(holds: Holds) -> Holds:
    return lambda value: value is None or holds(value)


def _among(*options: str) -> tuple[Holds, str]:
    return lambda value: value in options, ", ".join(options)


def _is_vocabulary(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= MOST.entries
        and all(map(_TOKEN, value))
        and all(map(_is_number, value.values()))
    )


def _are_scored(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST.entries
        and all(isinstance(entry, list) and len(entry) == 2 and _PIECE(entry[0]) for entry in value)
    )


def _are_merges(value: object) -> bool:
    def is_pair(merge: object) -> bool:
        if isinstance(merge, list):
            return len(merge) == 2 and all(map(_TOKEN, merge))
        return isinstance(merge, str) and len(merge) <= 2 * MOST.token

    return isinstance(value, list) and len(value) <= MOST.entries and all(map(is_pair, value))


def _are_added(value: object) -> bool:
    if not isinstance(value, list) or len(value) > MOST.added or not all(map(_is_added, value)):
        return False
    lengths = [len(token["content"]) for token in value]
    times = [MOST.growth if token.get("normalized") else 1 for token in value]
    return sum(map(mul, lengths, times)) <= MOST.added_text


def _is_added(value: object) -> bool:
    return isinstance(value, dict) and _is_number(value.get("id")) and _TOKEN(value.get("content"))


def _is_marked(value: object) -> bool:
    """Whether it is a pair of a token and its id."""
    return isinstance(value, list) and len(value) == 2 and _TOKEN(value[0]) and _is_number(value[1])


def _is_frame(value: object) -> bool:
    """Whether it is a template of a text or a pair of texts with special tokens."""
    if not isinstance(value, list) or len(value) > MOST.frame:
        return False
    texts = []
    for piece in value:
        if not isinstance(piece, dict) or len(piece) != 1:
            return False
        ((kind, fields),) = piece.items()
        if not isinstance(fields, dict) or not _TOKEN(fields.get("id")):
            return False
        if kind == "Sequence":
            texts.append(fields["id"])
    return texts.count("A") <= 1 and texts.count("B") <= 1 and {*texts} <= {"A", "B"}


def _are_special(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= MOST.frame
        and all(
            isinstance(token, dict)
            and all(
                isinstance(token.get(name), list) and len(token[name]) <= MOST.frame
                for name in ("ids", "tokens")
            )
            for token in value.values()
        )
    )


def _is_known(pattern: str) -> bool:
    """Whether a pattern is a known one, or matches a single class of characters."""
    return pattern in _NAMED or _ONE_KIND.fullmatch(pattern) is not None


def _is_pattern(value: object) -> bool:
    if not isinstance(value, dict) or len(value) != 1:
        return False
    ((kind, pattern),) = value.items()
    if not isinstance(pattern, str) or not pattern:
        return False
    return kind == "String" or (kind == "Regex" and _is_known(pattern))


_TOKEN, _PIECE, _AFFIX = _is_text(MOST.token), _is_text(MOST.piece), _is_text(MOST.affix)
_FLAG = (_or_none(lambda value: isinstance(value, bool)), "true, false")
_LETTER = (_is_text(1, 1), "1")
_NAME = (_or_none(_TOKEN), f"≤ {MOST.token}")
_BESIDE = (_or_none(_AFFIX), f"≤ {MOST.affix}")
_PATTERN = (_is_pattern, ", ".join((*KNOWN_PATTERNS, r"\s+", r"\p{N}{1,3}")))
_BEHAVIOR = _among("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_MARKED = (_is_marked, "[text, number]")
_FRAME = (_is_frame, f"$A × 1, ≤ × {MOST.frame}")
_WORDS = {"vocab": (_is_vocabulary, f"≤ {MOST.entries} × {{…: ≤ {MOST.number}}}")}
_BYTES = {name: _FLAG for name in ("add_prefix_space", "trim_offsets", "use_regex")}
_ENDS = {"sep": _MARKED, "cls": _MARKED}

ADDED: Fields = {"added_tokens": (_are_added, f"≤ {MOST.added} × {{…}}, ≤ {MOST.added_text}")}
SEVERAL = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
}
PARTS: dict[str, dict[str, Fields]] = {
    "normalizer": {
        "BertNormalizer": dict.fromkeys(
            ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), _FLAG
        ),
        **{kind: {} for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt")},
        "Strip": {"strip_left": _FLAG, "strip_right": _FLAG},
        "Prepend": {"prepend": _BESIDE},
        "Replace": {"pattern": _PATTERN, "content": (lambda value: isinstance(value, str), "text")},
        "Precompiled": {"precompiled_charsmap": (lambda value: isinstance(value, str), "text")},
        "ByteLevel": {},
    },
    "pre_tokenizer": {
        **{
            kind: {}
            for kind in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts")
        },
        "ByteLevel": _BYTES,
        "Metaspace": {
            "replacement": _LETTER,
            "add_prefix_space": _FLAG,
            "prepend_scheme": _among("first", "never", "always"),
            "split": _FLAG,
            "str_rep": _BESIDE,
        },
        "Punctuation": {"behavior": _BEHAVIOR},
        "Digits": {"individual_digits": _FLAG},
        "CharDelimiterSplit": {"delimiter": _LETTER},
        "Split": {"pattern": _PATTERN, "behavior": _BEHAVIOR, "invert": _FLAG},
    },
    "post_processor": {
        "BertProcessing": _ENDS,
        "RobertaProcessing": _ENDS | {"trim_offsets": _FLAG, "add_prefix_space": _FLAG},
        "ByteLevel": _BYTES,
        "TemplateProcessing": {
            "single": _FRAME,
            "pair": _FRAME,
            "special_tokens": (_are_special, f"≤ {MOST.frame} × {MOST.frame}"),
        },
    },
}
MODELS: dict[str, Fields] = {
    "WordPiece": {
        **_WORDS,
        "unk_token": _NAME,
        "continuing_subword_prefix": _BESIDE,
        "max_input_chars_per_word": (lambda v: _is_number(v) and v <= MOST.word, f"≤ {MOST.word}"),
    },
    "BPE": {
        **_WORDS,
        "merges": (_are_merges, f"≤ {MOST.entries} × […, …]"),
        "dropout": (lambda value: value in (None, 0), "null, 0"),
        "unk_token": _NAME,
        "continuing_subword_prefix": _BESIDE,
        "end_of_word_suffix": _BESIDE,
        **dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), _FLAG),
    },
    "WordLevel": {**_WORDS, "unk_token": _NAME},
    "Unigram": {
        "vocab": (_are_scored, f"≤ {MOST.entries} × […, …]"),
        "unk_id": (_or_none(_is_number), f"≤ {MOST.number}"),
        "byte_fallback": _FLAG,
    },
}
