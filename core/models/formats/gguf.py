"""GGUF, the format of llama.cpp: settings, tokenizer and quantized tensors in one file.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. The header is read here, in a
second where the library ``gguf`` takes ten, since it makes an array of every token's name; blocks
of quantized numbers are decoded by the library.
"""

import json
import math
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError, wrong_setting
from core.limits import TOKENIZER as MOST
from core.models.formats.entries import BF16, F16, F32, F64, Encoding, Entry, EntryTensors
from core.models.formats.joined import JoinedFile
from core.sources.tokenizer_schema import KNOWN_PATTERNS

SUFFIX, MAGIC = ".gguf", b"GGUF"
VERSIONS = (2, 3)
ALIGNMENT = 32  # bytes, where nothing else is stated
HEADER_BYTES = 64_000_000  # a vocabulary of a quarter of a million has 6
SPACE = "\u2581"  # for a space in a vocabulary of SentencePiece
NUMBERS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q",
    12: "<d",
}  # fmt: skip
TEXT, ARRAY = 8, 9
PLAIN = {0: F32, 1: F16, 28: F64, 30: BF16}
CONTROL, UNKNOWN, DEFINED = 3, 2, 4  # types of tokens

# Tensors by llama.cpp's names and by those of ``transformers``.
OUTSIDE = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
OF_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
SANDWICH = {
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
ARCHITECTURES = {
    "llama": OF_LAYER,
    "qwen2": OF_LAYER,
    "qwen3": OF_LAYER,
    "gemma3": OF_LAYER | SANDWICH,
}
MODEL_TYPES = {"gemma3": "gemma3_text"}
SETTINGS = {  # a field behind the architecture's name, and the name in config.json
    "block_count": "num_hidden_layers",
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "attention.sliding_window": "sliding_window",
    "rope.freq_base": "rope_theta",
}
ROPE_FACTORS = "rope_freqs.weight"  # of Llama 3.1: what each frequency is divided by

_BYTES = {
    "type": "ByteLevel", "add_prefix_space": False, "use_regex": False, "trim_offsets": False,
}  # fmt: skip
_GPT_2 = [{**_BYTES, "use_regex": True}]


def _split(known: str) -> list[dict[str, Any]]:
    pattern = {"Regex": KNOWN_PATTERNS[known][0]}
    return [{"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}, _BYTES]


PRE_TOKENIZERS = {
    **dict.fromkeys(("gpt-2", "gpt2", "phi-2", "default"), _GPT_2),
    "smollm": [{"type": "Digits", "individual_digits": True}, *_GPT_2],
    **dict.fromkeys(("llama-bpe", "llama3", "llama-v3", "smaug-bpe"), _split("Llama 3")),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen"), _split("Qwen2")),
}
BEGINS = ("llama-bpe", "llama3", "llama-v3")  # pre-tokenizers with a first token, if unstated


@dataclass(frozen=True, eq=False)
class GGUF:
    """An opened file.

    settings: what ``config.json`` would say. tokenizer: what ``tokenizer.json`` would. tensors: by
    the names of ``transformers``. quantization: how most of its numbers are stored, such as Q4_1;
    None if as numbers of 16 bits or more.
    rope_factors: what each rotary frequency is divided by, (pair,); None if there are none.
    """

    settings: Mapping[str, Any]
    tokenizer: str
    tensors: EntryTensors
    quantization: Encoding | None
    rope_factors: np.ndarray | None


def read(paths: Sequence[Path]) -> GGUF:
    """Open a file, or one in several pieces.

    Raises empty_file, damaged_checkpoint, unknown_architecture and wrong_setting.
    """
    file = JoinedFile(paths)
    try:
        fields, entries = _header(file)
        architecture = str(fields.get("general.architecture"))
        if architecture not in ARCHITECTURES:
            raise InputError(
                "unknown_architecture", found=architecture[:40], known=(*ARCHITECTURES,)
            )
        factors = entries.pop(ROPE_FACTORS, None)
        named = dict(_renamed(entries, architecture, fields))
        settings = _settings(architecture, fields, named)
        tokenizer = _tokenizer(fields)
    except (KeyError, TypeError, ValueError, struct.error) as failure:
        if isinstance(failure, InputError):
            raise
        raise InputError("damaged_checkpoint", file=file.name) from failure
    tensors = EntryTensors(file, named)
    return GGUF(
        settings, tokenizer, tensors, _quantization(named.values()), _factors(file, factors)
    )


def _factors(file: JoinedFile, entry: Entry | None) -> np.ndarray | None:
    if entry is None:
        return None
    return EntryTensors(file, {ROPE_FACTORS: entry}).array(ROPE_FACTORS, entry.shape)


def _quantization(entries: Iterable[Entry]) -> Encoding | None:
    """The encoding of most numbers; None for one that is not quantized."""
    numbers = Counter[Encoding]()
    for entry in entries:
        numbers[entry.encoding] += math.prod(entry.shape)
    ((most, _),) = numbers.most_common(1)
    return None if most in PLAIN.values() else most


class _Cursor:
    """Reads a header from front to back. Raises struct.error and IndexError beyond its end."""

    def __init__(self, header: np.ndarray) -> None:
        """header: (n,) uint8."""
        self._bytes, self.at = memoryview(header.data), 0

    def number(self, form: str) -> Any:
        """A number of a struct format."""
        (found,) = struct.unpack_from(form, self._bytes, self.at)
        self.at += struct.calcsize(form)
        return found

    def text(self) -> str:
        """A text, behind its length."""
        length = self.number("<Q")
        return str(self._take(length), "utf-8", "replace")

    def value(self, kind: int) -> Any:
        """A value of a type of the format: a number, a text, or a list or array of them."""
        if kind == TEXT:
            return self.text()
        if kind != ARRAY:
            return self.number(NUMBERS[kind])
        of, count = self.number("<I"), self.number("<Q")
        if of == TEXT:
            if count > MOST.entries:
                raise ValueError(f"{count} texts")
            return [self.text() for _ in range(count)]
        stored = np.dtype(NUMBERS[of])
        return np.frombuffer(self._take(count * stored.itemsize), stored)

    def _take(self, length: int) -> memoryview:
        found = self._bytes[self.at : self.at + length]
        if len(found) < length:
            raise IndexError(length)
        self.at += length
        return found


def _header(file: JoinedFile) -> tuple[dict[str, Any], dict[str, Entry]]:
    """The fields, and the tensors by llama.cpp's names."""
    cursor = _Cursor(file.read(0, min(len(file), HEADER_BYTES)))
    if cursor.number("4s") != MAGIC or cursor.number("<I") not in VERSIONS:
        raise ValueError("no GGUF")
    tensors, count = cursor.number("<Q"), cursor.number("<Q")
    fields = {}
    for _ in range(count):
        name = cursor.text()
        fields[name] = cursor.value(cursor.number("<I"))
    described = []
    for _ in range(tensors):
        name = cursor.text()
        shape = tuple(cursor.number("<Q") for _ in range(cursor.number("<I")))[::-1]
        described.append((name, shape, cursor.number("<I"), cursor.number("<Q")))
    alignment = int(fields.get("general.alignment", ALIGNMENT))
    begin = -(-cursor.at // alignment) * alignment
    return fields, {
        name: Entry(_encoding(kind), shape, begin + offset)
        for name, shape, kind, offset in described
    }


@cache
def _encoding(kind: int) -> Encoding:
    """The encoding of a type of tensor, decoded by the library. Raises ValueError for none."""
    if kind in PLAIN:
        return PLAIN[kind]
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType
    from gguf.quants import dequantize

    quantization = GGMLQuantizationType(kind)
    numbers, size = GGML_QUANT_SIZES[quantization]

    def decode(given: np.ndarray) -> np.ndarray:
        # one row, since the library decodes sixteen at a time
        decoded: np.ndarray = dequantize(given[None], quantization)[0]
        return decoded

    return Encoding(quantization.name, numbers, size, decode)


def _renamed(
    entries: Mapping[str, Entry], architecture: str, fields: Mapping[str, Any]
) -> Iterator[tuple[str, Entry]]:
    """The tensors by the names of ``transformers``, with their rows in its order.

    llama.cpp has the pairs that rotate together side by side in the queries and keys of Llama;
    ``transformers`` has them half a head apart.
    """
    names = ARCHITECTURES[architecture]
    heads = {
        "attn_q": fields[f"{architecture}.attention.head_count"],
        "attn_k": fields.get(f"{architecture}.attention.head_count_kv")
        or fields[f"{architecture}.attention.head_count"],
    }
    for name, entry in entries.items():
        if name in OUTSIDE:
            yield OUTSIDE[name], entry
            continue
        block, _, rest = name.partition(".")
        layer, _, part = rest.partition(".")
        module, _, end = part.partition(".")
        if block != "blk" or module not in names:
            yield name, entry
            continue
        if architecture == "llama" and module in heads:
            rows = np.arange(entry.shape[0]).reshape(int(heads[module]), -1, 2)
            entry = replace(entry, order=rows.swapaxes(1, 2).reshape(-1))
        yield f"model.layers.{layer}.{names[module]}.{end}", entry


def _settings(
    architecture: str, fields: Mapping[str, Any], entries: Mapping[str, Entry]
) -> dict[str, Any]:
    """What the file says, under the names of ``config.json``."""
    stated = {
        "model_type": MODEL_TYPES.get(architecture, architecture),
        "vocab_size": entries["model.embed_tokens.weight"].shape[0],
        "tie_word_embeddings": "lm_head.weight" not in entries,
        "attention_bias": "model.layers.0.self_attn.q_proj.bias" in entries,
    }
    for field, name in SETTINGS.items():
        value = fields.get(f"{architecture}.{field}")
        if value is not None:
            stated[name] = value
    if fields.get(f"{architecture}.expert_count"):
        raise wrong_setting(
            "GGUF", "expert_count", str(fields[f"{architecture}.expert_count"]), "0"
        )
    scaling = fields.get(f"{architecture}.rope.scaling.type", "none")
    if scaling != "none":
        stated["rope_scaling"] = {
            "rope_type": scaling,
            "factor": fields[f"{architecture}.rope.scaling.factor"],
        }
    return stated


def _tokenizer(fields: Mapping[str, Any]) -> str:
    """The definition of the tokenizer, as in ``tokenizer.json``. Raises wrong_setting."""
    model = fields["tokenizer.ggml.model"]
    tokens, types = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    added = [
        {
            "id": number, "content": tokens[number], "special": int(types[number]) != DEFINED,
            "normalized": False, "single_word": False, "lstrip": False, "rstrip": False,
        }
        for number in np.flatnonzero(np.isin(types, (CONTROL, DEFINED))).tolist()
    ]  # fmt: skip
    vocabulary = {token: number for number, token in enumerate(tokens)}
    definition: dict[str, Any] = {"added_tokens": added}
    if model == "gpt2":
        pre = str(fields.get("tokenizer.ggml.pre", "default"))
        if pre not in PRE_TOKENIZERS:
            raise wrong_setting("GGUF", "tokenizer.ggml.pre", pre[:40], ", ".join(PRE_TOKENIZERS))
        steps = PRE_TOKENIZERS[pre]
        definition["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": steps}
        definition["model"] = {
            "type": "BPE", "vocab": vocabulary, "merges": fields["tokenizer.ggml.merges"],
            "ignore_merges": pre in BEGINS,
        }  # fmt: skip
        begins = pre in BEGINS
    elif model == "llama":
        prefix = fields.get("tokenizer.ggml.add_space_prefix", True)
        spaces = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
        first = [{"type": "Prepend", "prepend": SPACE}] if prefix else []
        definition["normalizer"] = {"type": "Sequence", "normalizers": [*first, spaces]}
        definition["model"] = {
            "type": "BPE", "vocab": vocabulary,
            "merges": _merges(vocabulary, fields["tokenizer.ggml.scores"]),
            "unk_token": tokens[int(fields["tokenizer.ggml.unknown_token_id"])],
            "fuse_unk": True, "byte_fallback": True,
        }  # fmt: skip
        begins = True
    else:
        raise wrong_setting("GGUF", "tokenizer.ggml.model", str(model)[:40], "gpt2, llama")
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


def _merges(vocabulary: Mapping[str, int], scores: np.ndarray) -> list[list[str]]:
    """The merges of a vocabulary of SentencePiece: all pairs that give a token, best score first.

    Pairs of equal score in the order of the lengths of their left parts.
    """
    found = []
    for token, number in vocabulary.items():
        pairs = [
            [token[:cut], token[cut:]]
            for cut in range(1, len(token))
            if token[:cut] in vocabulary and token[cut:] in vocabulary
        ]
        pairs.sort(key=lambda pair: (vocabulary[pair[0]], vocabulary[pair[1]]))
        found += [(-scores[number], pair) for pair in pairs]
    found.sort(key=lambda scored: scored[0])
    return [pair for _, pair in found]
