"""Small checkpoints as ``transformers`` wrote them, and copies of them with something changed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from core.layers import FeedForward, Norm
from core.models import checkpoint, families
from core.models.config import ModelConfig
from core.models.model import Layer
from core.models.opened_model import Checkpoint

FOLDERS = Path(__file__).parent / "core" / "models" / "data" / "checkpoints"
SENTENCES = {
    "bert": "爱 the Playing sun!",
    "gpt2": "love é lov 爱",
    "llama": "love é lov 爱",
    "qwen3": "lov 爱 love",
    "gemma3_text": "lov 爱 love love",
    "roberta": "love é lov 爱",
    "distilbert": "爱 the Playing sun!",
    "modernbert": "love é lov love lov 爱",
    "clip_text_model": "The LOVE cat's  爱!",
}
LAYERS = {"bert": 2, "vit": 3, "gpt2": 2, "llama": 2, "qwen3": 3, "gemma3_text": 3}
LAYERS |= {"roberta": 2, "distilbert": 3, "modernbert": 4}
LAYERS |= {"deit": 2, "dinov2": 3, "dinov2_with_registers": 2, "clip_vision_model": 2}
LAYERS |= {"clip_text_model": 2, "whisper": 2}
SOUNDS = ("whisper",)  # models of sounds
# Models of photos, and their tokens in front of the patches.
PICTURED = {
    "vit": ("[CLS]",),
    "deit": ("[CLS]", "[DIST]"),
    "dinov2": ("[CLS]",),
    "dinov2_with_registers": ("[CLS]", "[REG 1]", "[REG 2]"),
    "clip_vision_model": ("[CLS]",),
}
DECODERS = ("gpt2", "llama", "qwen3", "gemma3_text")
CAUSAL = (*DECODERS, "clip_text_model")
EXPECTED = {kind: load_file(FOLDERS / kind / "expected.safetensors") for kind in LAYERS}

PIECES = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "play", "##ing", "sun", "爱", "北", "京",
    "!", "##s", "love", "a", "##un", "Play", "##é", "##e", "cafe", "é", "É", "爱北京", "[NEW]", ".",
]  # fmt: skip
VOCABULARY = "\n".join(PIECES) + "\n"
TO_CUT = (
    "爱 the Playing suns!",
    "café CAFÉ Play\u00e9 e\u0301",
    "爱北京, love\u200b a\tsun\r\n.",
    "[MASK] sun[SEP]a [mask] [NEW]",
    "☃ " + "a" * 101 + " " + "sun" + "s" * 97,
)

Tensors = dict[str, np.ndarray]


def given(kind: str) -> str | np.ndarray:
    """The input of the recorded run."""
    return SENTENCES.get(kind, EXPECTED[kind]["given"])


def opened(kind: str, folder: Path | None = None) -> Checkpoint:
    """The model of a kind, or of a folder."""
    return checkpoint.open(folder or FOLDERS / kind)


def copied(
    kind: str,
    to: Path,
    tensors: Callable[[Tensors], Tensors] | None = None,
    **config: object,
) -> Path:
    """A copy of a folder, with other tensors or other values in its configuration."""
    shutil.copytree(FOLDERS / kind, to, dirs_exist_ok=True)
    if config:
        values = json.loads((to / "config.json").read_text("utf-8"))
        (to / "config.json").write_text(json.dumps(values | config), "utf-8")
    if tensors:
        stored = load_file(to / "model.safetensors")
        save_file(tensors(stored), to / "model.safetensors")
    return to


def configured(kind: str, **changed: object) -> ModelConfig:
    """The configuration of a folder with other values in ``config.json``; ``...`` removes one."""
    stated = json.loads((FOLDERS / kind / "config.json").read_text("utf-8")) | changed
    return families.config({name: value for name, value in stated.items() if value is not ...})


def with_vocabulary(kind: str, to: Path, vocabulary: str | None = None, **files: object) -> Path:
    """A folder of a kind with ``vocab.txt`` and other files instead of ``tokenizer.json``."""
    made = copied(kind, to)
    known = json.loads((made / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    (made / "tokenizer.json").unlink()
    lines = "\n".join(sorted(known, key=known.get))
    (made / "vocab.txt").write_text(lines if vocabulary is None else vocabulary, "utf-8")
    for name, content in files.items():
        (made / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return made


def sharded(kind: str, to: Path, files: int = 3) -> Path:
    """A copy of a folder, with the weights in so many files."""
    folder = copied(kind, to)
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = {name: f"model-{i % files + 1}.safetensors" for i, name in enumerate(tensors)}
    for file in {*names.values()}:
        part = {name: tensors[name] for name, of in names.items() if of == file}
        save_file(part, folder / file)
    index = json.dumps({"metadata": {}, "weight_map": names})
    (folder / "model.safetensors.index.json").write_text(index, "utf-8")
    return folder


def attending(heads: int, d_model: int) -> Layer:
    """A layer with random attention, whose norms and feed-forward layer are placeholders."""
    random = np.random.default_rng(3)
    drawn = {f"W_{x}": random.standard_normal((d_model, d_model), np.float32) for x in "QKVO"}
    nothing = np.zeros((1, 1))
    norm = Norm(nothing, nothing, 0.0)
    fed = FeedForward(nothing, nothing, nothing, nothing)
    return Layer(drawn, heads, norm, fed, norm, kv_heads=heads, epsilon=0.0)


def file_of(tensors: dict[str, tuple[str, np.ndarray]]) -> bytes:
    """A safetensors file byte by byte, each tensor under the stated type."""
    header, data = {}, b""
    for name, (kind, tensor) in tensors.items():
        offsets = [len(data), len(data) + tensor.nbytes]
        header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": offsets}
        data += tensor.tobytes()
    return headed(json.dumps(header).encode(), data)


def headed(header: bytes, data: bytes) -> bytes:
    """A header behind its length, and the data behind both."""
    return len(header).to_bytes(8, "little") + header + data
