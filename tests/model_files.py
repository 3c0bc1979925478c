"""Small models in the formats of llama.cpp, CTranslate2 and ONNX, of numbers that a test gives."""

import json
import struct
from pathlib import Path

import gguf
import numpy as np
import onnx
from safetensors.numpy import load_file

# A module of ``transformers`` by llama.cpp's name for it.
MODULES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}  # fmt: skip
OUTSIDE = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}


def tensors_of(folder: Path) -> dict[str, np.ndarray]:
    """The tensors of a folder, in one file or in several."""
    files = sorted(folder.glob("model*.safetensors"))
    return {name: array for file in files for name, array in load_file(file).items()}


def permuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """Rows of W_Q or W_K of Llama as llama.cpp has them: the two numbers of a pair side by side."""
    halves = weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:])
    return halves.swapaxes(1, 2).reshape(weights.shape)


def write_gguf(folder: Path, path: Path, kind: str = "F32", **fields: object) -> None:
    """A folder of Llama or Qwen3 as one file. kind: of its matrices. fields: to write beside."""
    stated = json.loads((folder / "config.json").read_text("utf-8"))
    architecture, heads = stated["model_type"], stated["num_attention_heads"]
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(stated["num_hidden_layers"])
    writer.add_context_length(stated["max_position_embeddings"])
    writer.add_embedding_length(stated["hidden_size"])
    writer.add_feed_forward_length(stated["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(stated["num_key_value_heads"])
    writer.add_key_length(stated["head_dim"])
    writer.add_layer_norm_rms_eps(stated["rms_norm_eps"])
    writer.add_rope_freq_base(stated["rope_parameters"]["rope_theta"])
    for name, value in fields.items():
        add = writer.add_string if isinstance(value, str) else writer.add_uint32
        add(name.replace("__", "."), value)
    _add_tokenizer(writer, json.loads((folder / "tokenizer.json").read_text("utf-8")))
    of_kind = gguf.GGMLQuantizationType[kind]
    for name, array in tensors_of(folder).items():
        if architecture == "llama" and (".q_proj" in name or ".k_proj" in name):
            array = permuted(array, heads if ".q_proj" in name else stated["num_key_value_heads"])
        matrix = array.ndim == 2 and array.shape[-1] % 32 == 0
        stored = of_kind if matrix else gguf.GGMLQuantizationType.F32
        writer.add_tensor(written_name(name), gguf.quants.quantize(array, stored), raw_dtype=stored)
    if stated["rope_parameters"]["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", _divisors(stated))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def written_name(name: str) -> str:
    """llama.cpp's name of a tensor."""
    if name in OUTSIDE:
        return OUTSIDE[name]
    layer, _, rest = name.removeprefix("model.layers.").partition(".")
    module, _, part = rest.rpartition(".")
    return f"blk.{layer}.{MODULES[module]}.{part}"


def _divisors(stated: dict) -> np.ndarray:
    """What llama.cpp divides the frequencies of Llama 3.1 by, by its own converter's loop."""
    rope, width = stated["rope_parameters"], stated["head_dim"]
    low = rope["original_max_position_embeddings"] / rope["low_freq_factor"]
    high = rope["original_max_position_embeddings"] / rope["high_freq_factor"]
    divisors = []
    for i in range(0, width, 2):
        wave = 2 * np.pi * rope["rope_theta"] ** (i / width)
        if wave < high:
            divisors.append(1.0)
        elif wave > low:
            divisors.append(rope["factor"])
        else:
            smooth = rope["original_max_position_embeddings"] / wave - rope["low_freq_factor"]
            smooth /= rope["high_freq_factor"] - rope["low_freq_factor"]
            divisors.append(1 / ((1 - smooth) / rope["factor"] + smooth))
    return np.array(divisors, np.float32)


def _add_tokenizer(writer: gguf.GGUFWriter, stated: dict) -> None:
    by_number = {number: token for token, number in stated["model"]["vocab"].items()}
    added = {one["id"]: one["content"] for one in stated["added_tokens"]}
    tokens = [(by_number | added)[number] for number in range(len(by_number | added))]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if number in added else 1 for number in range(len(tokens))])
    writer.add_token_merges([" ".join(pair) for pair in stated["model"]["merges"]])
    template = (stated.get("post_processor") or {}).get("special_tokens")
    writer.add_add_bos_token(bool(template))
    if template:
        ((first,),) = (one["ids"] for one in template.values())
        writer.add_bos_token_id(first)


def write_ctranslate2(folder: Path, path: Path, heads: int) -> None:
    """A folder of Whisper as CTranslate2 saves it, in float16, by the layout of its format."""
    tensors = {name.removeprefix("model."): array for name, array in tensors_of(folder).items()}
    found: dict[str, np.ndarray] = {}
    for side in ("encoder", "decoder"):
        found[f"{side}/num_heads"] = np.array(heads, np.int16)
        inside = {name: array for name, array in tensors.items() if name.startswith(f"{side}.")}
        found |= _side(
            side, {name.removeprefix(f"{side}."): array for name, array in inside.items()}
        )
    parts = [struct.pack("<I", 6), _text("WhisperSpec"), struct.pack("<II", 3, len(found))]
    for name, array in sorted(found.items()):
        kind = 2 if array.dtype == np.int16 else 4
        stored = array if kind == 2 else array.astype("<f2")
        parts += [
            _text(name), struct.pack("<B", stored.ndim),
            *(struct.pack("<I", size) for size in stored.shape),
            struct.pack("<BI", kind, stored.nbytes), stored.tobytes(),
        ]  # fmt: skip
    parts.append(struct.pack("<I", 0))
    path.write_bytes(b"".join(parts))


def _text(text: str) -> bytes:
    return struct.pack("<H", len(text) + 1) + text.encode() + b"\0"


def _side(side: str, tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    found = {}
    outside = {"conv1": "conv1", "conv2": "conv2"}
    for module, written in outside.items():
        for part in ("weight", "bias"):
            if f"{module}.{part}" in tensors:
                found[f"{side}/{written}/{part}"] = tensors[f"{module}.{part}"]
    found[f"{side}/position_encodings/encodings"] = tensors["embed_positions.weight"]
    if "embed_tokens.weight" in tensors:
        found[f"{side}/embeddings/weight"] = tensors["embed_tokens.weight"]
    norms = {"layer_norm": "layer_norm"}
    count = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    for layer in range(count):
        at, to = f"layers.{layer}.", f"layer_{layer}"
        norms |= {f"{at}self_attn_layer_norm": f"{to}/self_attention/layer_norm",
                  f"{at}final_layer_norm": f"{to}/ffn/layer_norm",
                  f"{at}encoder_attn_layer_norm": f"{to}/attention/layer_norm"}  # fmt: skip
        joined = {
            "self_attention/linear_0": [f"self_attn.{one}_proj" for one in "qkv"],
            "self_attention/linear_1": ["self_attn.out_proj"],
            "attention/linear_0": ["encoder_attn.q_proj"],
            "attention/linear_1": ["encoder_attn.k_proj", "encoder_attn.v_proj"],
            "attention/linear_2": ["encoder_attn.out_proj"],
            "ffn/linear_0": ["fc1"],
            "ffn/linear_1": ["fc2"],
        }
        for written, modules in joined.items():
            if f"{at}{modules[0]}.weight" not in tensors:
                continue
            weights = [tensors[f"{at}{one}.weight"] for one in modules]
            none = np.zeros(len(weights[0]), np.float32)  # keys have no bias
            biases = [tensors.get(f"{at}{one}.bias", none) for one in modules]
            found[f"{side}/{to}/{written}/weight"] = np.concatenate(weights)
            found[f"{side}/{to}/{written}/bias"] = np.concatenate(biases)
    for name, written in norms.items():
        if f"{name}.weight" in tensors:
            found[f"{side}/{written}/gamma"] = tensors[f"{name}.weight"]
            found[f"{side}/{written}/beta"] = tensors[f"{name}.bias"]
    return found


def write_onnx(folder: Path, path: Path, module: str) -> None:
    """A folder of DINOv2 as PyTorch exports one module of a model: transposed and numbered."""
    initializers, nodes = [], []
    for number, (name, array) in enumerate(tensors_of(folder).items()):
        owner, _, part = name.rpartition(".")
        at = f"/{module}/{owner.replace('.', '/').replace('layer/', 'layer.')}"
        if name == "embeddings.position_embeddings":
            for operation, piece in (("Concat", array[:, :1]), ("Reshape", array[:, 1:])):
                key = f"onnx::{operation}_{number}"
                initializers.append(onnx.numpy_helper.from_array(np.ascontiguousarray(piece), key))
                owner = f"/{module}/embeddings/{operation}_1"
                nodes.append(onnx.helper.make_node(operation, [key, "x"], ["y"], owner))
        elif part == "weight" and array.ndim == 2:
            key = f"onnx::MatMul_{number}"
            turned = np.ascontiguousarray(array.T)
            initializers.append(onnx.numpy_helper.from_array(turned, key))
            nodes.append(onnx.helper.make_node("MatMul", ["x", key], ["y"], f"{at}/MatMul"))
        else:
            initializers.append(onnx.numpy_helper.from_array(array, f"{module}.{name}"))
    initializers.append(onnx.numpy_helper.from_array(np.zeros(3, np.float32), "decoder.bias"))
    graph = onnx.helper.make_graph(nodes, "main", [], [], initializers)
    onnx.save(onnx.helper.make_model(graph), path)
