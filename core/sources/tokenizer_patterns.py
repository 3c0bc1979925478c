"""The pre-tokenizer patterns of known tokenizers, which do not backtrack excessively."""

import re

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
KNOWN = {
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
_NAMED = frozenset(pattern for patterns in KNOWN.values() for pattern in patterns)
# One kind of character, once or again and again: read from left to right, and never back.
_ONE_KIND = re.compile(
    r"(?:[^\\\[\](){}.^$|?*+]|\\[dDsSwWnrt]|\\[pP]\{\w{1,30}\}|\[[^\[\]\\&]{1,200}\])"
    r"(?:\+|\{[1-9]\d{0,2}(?:,\d{0,3})?\})?"
)


def is_known(pattern: str) -> bool:
    """Whether a pattern is a known one, or matches a single class of characters."""
    return pattern in _NAMED or _ONE_KIND.fullmatch(pattern) is not None
