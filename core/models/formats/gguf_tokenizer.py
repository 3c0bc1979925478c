"""The tokenizer in the header of a GGUF file, as ``tokenizer.json`` defines it.

Byte pairs (``gpt2``) come with their merges; those of SentencePiece (``llama``) follow from the
scores of its vocabulary.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.errors import wrong_setting
from core.limits import GGUF as MOST
from core.limits import TOKENIZER as MOST_TOKENS
from core.models.config_values import printable

SPACE = "\u2581"  # for a space in a vocabulary of SentencePiece
CONTROL, DEFINED = 3, 4  # types of tokens

_BYTES = {
    "type": "ByteLevel", "add_prefix_space": False, "use_regex": False, "trim_offsets": False,
}  # fmt: skip
_GPT_2 = [{**_BYTES, "use_regex": True}]


def _split(digits: str) -> list[dict[str, Any]]:
    """Words as GPT-4 has them. digits: the pattern of a number."""
    pattern = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
        + digits
        + r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return [split | {"invert": False}, _BYTES]


PRE_TOKENIZERS = {
    **dict.fromkeys(("gpt-2", "gpt2", "phi-2", "default"), _GPT_2),
    "smollm": [{"type": "Digits", "individual_digits": True}, *_GPT_2],
    **dict.fromkeys(("llama-bpe", "llama3", "llama-v3", "smaug-bpe"), _split(r"\p{N}{1,3}")),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen"), _split(r"\p{N}")),
}
BEGINS = ("llama-bpe", "llama3", "llama-v3")  # pre-tokenizers with a first token, if unstated


def read(fields: Mapping[str, Any]) -> str:
    """The definition of the tokenizer, as in ``tokenizer.json``.

    Raises wrong_setting.
    """
    model = fields["tokenizer.ggml.model"]
    tokens, types = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    if not (isinstance(tokens, list) and max(map(len, tokens)) <= MOST_TOKENS.token):
        raise ValueError("tokens")
    added = [
        {
            "id": number, "content": tokens[number], "special": int(types[number]) != DEFINED,
            "normalized": False, "single_word": False, "lstrip": False, "rstrip": False,
        }
        for number in np.flatnonzero(np.isin(types, (CONTROL, DEFINED))).tolist()
    ]  # fmt: skip
    vocabulary = {token: number for number, token in enumerate(tokens)}
    pairs: dict[str, Any] = {"type": "BPE", "vocab": vocabulary}
    definition: dict[str, Any] = {"added_tokens": added, "model": pairs}
    if model == "gpt2":
        pre = str(fields.get("tokenizer.ggml.pre", "default"))
        if pre not in PRE_TOKENIZERS:
            raise wrong_setting(
                "GGUF", "tokenizer.ggml.pre", printable(pre), ", ".join(PRE_TOKENIZERS)
            )
        steps = PRE_TOKENIZERS[pre]
        definition["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": steps}
        begins = pre in BEGINS
        pairs["merges"] = fields["tokenizer.ggml.merges"]
        pairs["ignore_merges"] = begins
    elif model == "llama":
        prefix = fields.get("tokenizer.ggml.add_space_prefix", True)
        spaces = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
        first = [{"type": "Prepend", "prepend": SPACE}] if prefix else []
        definition["normalizer"] = {"type": "Sequence", "normalizers": [*first, spaces]}
        pairs["merges"] = _merges(tokens, vocabulary, fields["tokenizer.ggml.scores"])
        pairs["unk_token"] = tokens[int(fields["tokenizer.ggml.unknown_token_id"])]
        pairs |= {"fuse_unk": True, "byte_fallback": True}
        begins = True
    else:
        raise wrong_setting("GGUF", "tokenizer.ggml.model", printable(str(model)), "gpt2, llama")
    if fields.get("tokenizer.ggml.add_bos_token", begins):
        number = int(fields["tokenizer.ggml.bos_token_id"])
        definition["post_processor"] = _behind(tokens[number], number)
    return json.dumps(definition)


def _behind(token: str, number: int) -> dict[str, Any]:
    """A post-processor that puts a token in front of every text."""
    first = {"SpecialToken": {"id": token, "type_id": 0}}
    one, other = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    return {
        "type": "TemplateProcessing", "single": [first, one], "pair": [first, one, other],
        "special_tokens": {token: {"id": token, "ids": [number], "tokens": [token]}},
    }  # fmt: skip


def _merges(
    tokens: Sequence[str], vocabulary: Mapping[str, int], scores: np.ndarray
) -> list[tuple[str, str]]:
    """The merges of a vocabulary of SentencePiece: all pairs that give a token, best score first.

    Pairs of equal score are in the order of what they give, of their left and of their right parts.
    Raises ValueError if there are too many, or too many characters to look for them.
    """
    if sum(map(len, vocabulary)) > MOST.characters:
        raise ValueError("characters of a vocabulary")
    found: list[int] = []  # ids in threes: what a pair gives, its left and its right part
    prefixes: list[str] = []  # of a token, each a token too; in this order they lie on a stack
    for token in filter(None, sorted(vocabulary)):
        while prefixes and not token.startswith(prefixes[-1]):
            prefixes.pop()
        for left in prefixes:
            right = vocabulary.get(token[len(left) :])
            if right is not None:
                found += (vocabulary[token], vocabulary[left], right)
        prefixes.append(token)
        if len(found) > 3 * MOST_TOKENS.entries:
            raise ValueError("merges")
    given, left_parts, right_parts = np.array(found, np.int64).reshape(-1, 3).T
    best_first = np.lexsort((right_parts, left_parts, given, -scores[given]))
    return [
        (tokens[left], tokens[right])
        for left, right in zip(
            left_parts[best_first].tolist(), right_parts[best_first].tolist(), strict=True
        )
    ]
