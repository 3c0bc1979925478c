"""GGUF, the format of llama.cpp: settings, tokenizer and quantized tensors in one file.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. The header is read here, in a
second where the library ``gguf`` takes ten, since it makes an array of every token's name; blocks
of quantized numbers are decoded by the library. No count and no length is believed before it is
compared with what there is.
"""

import math
import struct
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError, wrong_setting
from core.limits import GGUF as MOST
from core.limits import LARGEST_SIZE
from core.limits import TOKENIZER as MOST_TOKENS
from core.models.config_values import printable
from core.models.formats import gguf_tokenizer
from core.models.formats.entries import BF16, F16, F32, F64, Encoding, Entry, EntryTensors
from core.models.formats.joined import JoinedFile
from core.sources.file_type import HEAD, file_type

if TYPE_CHECKING:
    from gguf import GGMLQuantizationType

SUFFIX, MAGIC = ".gguf", b"GGUF"
VERSIONS = (2, 3)
ALIGNMENT = 32  # bytes, where nothing else is stated
NUMBERS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q",
    12: "<d",
}  # fmt: skip
TEXT, ARRAY = 8, 9
LENGTH = struct.Struct("<Q")
LISTS = ("tokenizer.ggml.tokens", "tokenizer.ggml.merges")  # arrays of texts that are needed
PLAIN = {0: F32, 1: F16, 28: F64, 30: BF16}
DECODED = ("Q4_0 … Q8_0", "Q2_K … Q6_K", "IQ1 … IQ4", "F16, BF16", "F32, F64")

BLOCK = "blk"  # before a layer's number
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
    "attention.sliding_window_pattern": "sliding_window_pattern",
    "rope.freq_base": "rope_theta",
    "rope.freq_base_swa": "rope_local_base_freq",
}
ROPE_FACTORS = "rope_freqs.weight"  # of Llama 3.1: what each frequency is divided by


@dataclass(frozen=True, eq=False)
class GGUF:
    """An opened file.

    settings: what ``config.json`` would say. tokenizer: what ``tokenizer.json`` would.
    tensors: by the names of ``transformers``. quantization: how most numbers of its layers are
    stored, such as Q4_1; None if as numbers of 16 bits or more. rope_factors: what each rotary
    frequency is divided by, (pair,); None if there are none.
    """

    settings: Mapping[str, Any]
    tokenizer: str
    tensors: EntryTensors
    quantization: Encoding | None
    rope_factors: np.ndarray | None


def read(paths: Sequence[Path]) -> GGUF:
    """Open a file, or one in several pieces.

    Raises empty_file, wrong_file_type, damaged_checkpoint, unknown_architecture, wrong_setting and
    wrong_number_type.
    """
    file = JoinedFile(paths)
    head = file.read(0, min(len(file), HEAD)).tobytes()
    if not head.startswith(MAGIC) and (found := file_type(head)):
        raise found.refused("gguf", file.name)
    try:
        fields, entries = _header(file)
        architecture = str(fields.get("general.architecture"))
        if architecture not in ARCHITECTURES:
            raise InputError(
                "unknown_architecture", found=printable(architecture), known=(*ARCHITECTURES,)
            )
        factors = entries.pop(ROPE_FACTORS, None)
        named = dict(_renamed(entries, architecture, fields))
        settings = _settings(architecture, fields, named)
        tokenizer = gguf_tokenizer.read(fields)
    except (LookupError, TypeError, ValueError, struct.error) as failure:
        if isinstance(failure, InputError):
            raise
        raise InputError("damaged_checkpoint", file=file.name) from failure
    return GGUF(
        settings,
        tokenizer,
        EntryTensors(file, named),
        _quantization(entries),
        _factors(file, factors),
    )


def _factors(file: JoinedFile, entry: Entry | None) -> np.ndarray | None:
    if entry is None:
        return None
    return EntryTensors(file, {ROPE_FACTORS: entry}).array(ROPE_FACTORS, entry.shape)


def _quantization(entries: Mapping[str, Entry]) -> Encoding | None:
    """The encoding of most numbers of the layers; None for one that is not quantized."""
    numbers = Counter[Encoding]()
    for name, entry in entries.items():
        if name.startswith(f"{BLOCK}."):
            numbers[entry.encoding] += math.prod(entry.shape)
    most = max(numbers, key=numbers.__getitem__, default=F32)
    return None if most in PLAIN.values() else most


class _Cursor:
    """Reads a header from front to back. Raises struct.error and IndexError beyond its end."""

    def __init__(self, header: bytes) -> None:
        self._bytes, self.at = header, 0

    def number(self, form: str) -> Any:
        """A number of a struct format."""
        (found,) = struct.unpack_from(form, self._bytes, self.at)
        self.at += struct.calcsize(form)
        return found

    def text(self) -> str:
        """A text, behind its length."""
        return str(self._take(self.number("<Q")), "utf-8", "replace")

    def value(self, name: str) -> Any:
        """The value of a field: a number, a text, or a list or array of them."""
        kind = self.number("<I")
        if kind == TEXT:
            return self.text()
        if kind != ARRAY:
            return self.number(NUMBERS[kind])
        of, count = self.number("<I"), self.number("<Q")
        if of == TEXT:
            if count > MOST_TOKENS.entries:
                raise ValueError(f"{count} texts")
            return self._texts(count, name in LISTS)
        stored = np.dtype(NUMBERS[of])
        return np.frombuffer(self._take(count * stored.itemsize), stored)

    def _texts(self, count: int, needed: bool) -> list[str]:
        """So many texts in a row; none if they are not needed."""
        found, data, at, end = [], self._bytes, self.at, len(self._bytes)
        for _ in range(count):
            (length,) = LENGTH.unpack_from(data, at)
            at += LENGTH.size
            if at + length > end:
                raise IndexError(length)
            if needed:
                found.append(data[at : at + length].decode("utf-8", "replace"))
            at += length
        self.at = at
        return found

    def _take(self, length: int) -> bytes:
        if self.at + length > len(self._bytes):
            raise IndexError(length)
        self.at += length
        return self._bytes[self.at - length : self.at]


def _header(file: JoinedFile) -> tuple[dict[str, Any], dict[str, Entry]]:
    """The fields, and the tensors by llama.cpp's names. Raises wrong_number_type."""
    cursor = _Cursor(file.read(0, min(len(file), MOST.header)).tobytes())
    if cursor.number("4s") != MAGIC or cursor.number("<I") not in VERSIONS:
        raise ValueError("no GGUF")
    tensors, count = cursor.number("<Q"), cursor.number("<Q")
    if tensors > MOST.tensors or count > MOST.fields:
        raise ValueError(f"{tensors} tensors, {count} fields")
    fields = {}
    for _ in range(count):
        name = cursor.text()
        fields[name] = cursor.value(name)
    described = []
    for _ in range(tensors):
        name, axes = cursor.text(), cursor.number("<I")
        if axes > MOST.axes:
            raise ValueError(f"{axes} axes")
        shape = tuple(cursor.number("<Q") for _ in range(axes))[::-1]
        described.append((name, shape, cursor.number("<I"), cursor.number("<Q")))
    alignment = int(fields.get("general.alignment", ALIGNMENT))
    if not 1 <= alignment <= len(file):
        raise ValueError(f"alignment {alignment}")
    begin = -(-cursor.at // alignment) * alignment
    return fields, {
        name: _entry(name, shape, kind, begin + offset) for name, shape, kind, offset in described
    }


def _entry(name: str, shape: tuple[int, ...], kind: int, offset: int) -> Entry:
    """A tensor, of whole blocks a row. Raises wrong_number_type and ValueError."""
    encoding = _encoding(kind)
    if encoding is None:
        found = _type(kind)
        raise InputError(
            "wrong_number_type", name=printable(name), found=found.name if found else f"#{kind}",
            known=DECODED,
        )  # fmt: skip
    if not shape or max(shape) > LARGEST_SIZE or shape[-1] % encoding.numbers:
        raise ValueError(f"{name}: {shape}")
    return Entry(encoding, shape, offset)


@cache
def _encoding(kind: int) -> Encoding | None:
    """The encoding of a type of tensor, decoded by the library; None if it does not decode it."""
    if kind in PLAIN:
        return PLAIN[kind]
    from gguf import GGML_QUANT_SIZES
    from gguf.quants import dequantize

    quantization = _type(kind)
    if quantization is None:
        return None
    numbers, size = GGML_QUANT_SIZES[quantization]

    def decode(given: np.ndarray) -> np.ndarray:
        # one row, since the library decodes sixteen at a time
        decoded: np.ndarray = dequantize(given[None], quantization)[0]
        return decoded

    if quantization.name == "Q8_0":
        return Encoding(quantization.name, numbers, size, _decode_q8_0)
    try:
        decode(np.zeros(size, np.uint8))
    except NotImplementedError:
        return None
    return Encoding(quantization.name, numbers, size, decode)


def _decode_q8_0(given: np.ndarray) -> np.ndarray:
    """Blocks of a scale and 32 integers, in half the library's time.

    A vocabulary that is too large to be kept is decoded for every token.
    """
    blocks = given.reshape(-1, 34)
    scale = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    return np.multiply(blocks[:, 2:].view(np.int8), scale, dtype=np.float32).reshape(-1)


def _type(kind: int) -> "GGMLQuantizationType | None":
    """A type of tensor by its number; None for one that the library does not know."""
    from gguf import GGMLQuantizationType

    try:
        return GGMLQuantizationType(kind)
    except ValueError:
        return None


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
        if block != BLOCK or module not in names:
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
            stated[name] = value.tolist() if isinstance(value, np.ndarray) else value
    for field, allowed in ((f"{architecture}.expert_count", 0), ("split.count", 1)):
        if int(fields.get(field, allowed)) > allowed:
            raise wrong_setting("GGUF", field, str(fields[field]), str(allowed))
    scaling = fields.get(f"{architecture}.rope.scaling.type", "none")
    if scaling != "none":
        stated["rope_scaling"] = {
            "rope_type": scaling,
            "factor": fields[f"{architecture}.rope.scaling.factor"],
        }
    return stated
