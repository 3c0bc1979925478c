"""A small Whisper folder with random weights, a decoder and a tokenizer."""

import json
from pathlib import Path

import numpy as np
from checkpoint_folders import FOLDERS
from safetensors.numpy import load_file, save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

SECONDS = 4  # that the encoder takes
PIECES = [" the", " cat", "s", ",", ".", "我", "你好", "幾", " dog"]
BYTES = [b"\xe5\x87", b"\xa0"]  # together 几
SPECIAL = (
    "<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|zh|>", "<|transcribe|>",
    "<|translate|>", "<|nocaptions|>", "<|notimestamps|>",
)  # fmt: skip
ALIGNING = [[0, 1], [1, 0]]


def letters(text: bytes) -> str:
    """Bytes as a byte-level vocabulary spells them, by the definition of GPT-2."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    spelt = {byte: chr(byte) for byte in printable}
    spelt |= {byte: chr(256 + i) for i, byte in enumerate(others)}
    return "".join(spelt[byte] for byte in text)


def write_speech_folder(folder: Path) -> Path:
    """Write the folder, and return it."""
    folder.mkdir(parents=True)
    names = [letters(piece.encode()) for piece in PIECES] + [letters(piece) for piece in BYTES]
    tokenizer = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(name, special=True) for name in SPECIAL])
    tokenizer.save(str(folder / "tokenizer.json"))
    count, random = len(names) + len(SPECIAL), np.random.default_rng(24)
    stated = json.loads((FOLDERS / "whisper" / "config.json").read_text("utf-8"))
    stated |= {
        "vocab_size": count, "max_target_positions": 80, "max_source_positions": 50 * SECONDS,
        "decoder_layers": 2,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(stated))
    tensors = load_file(FOLDERS / "whisper" / "model.safetensors")
    d = stated["d_model"]
    sizes = {
        "model.decoder.embed_tokens.weight": (count, d),
        "model.decoder.embed_positions.weight": (80, d),
        "model.encoder.embed_positions.weight": (50 * SECONDS, d),
    }
    tensors |= {name: random.normal(size=size).astype("f4") for name, size in sizes.items()}
    for name, tensor in [*tensors.items()]:
        if "decoder.layers.0" in name:
            other = random.normal(size=tensor.shape).astype("f4") / 2
            tensors[name.replace("layers.0", "layers.1")] = other
    save_file(tensors, folder / "model.safetensors")
    numbers = {name: len(names) + i for i, name in enumerate(SPECIAL)}
    generation = {
        "alignment_heads": ALIGNING,
        "lang_to_id": {name: numbers[name] for name in ("<|en|>", "<|zh|>")},
        "suppress_tokens": [3, 9, 10],
        "begin_suppress_tokens": [4, numbers["<|endoftext|>"]],
    }
    (folder / "generation_config.json").write_text(json.dumps(generation))
    return folder
