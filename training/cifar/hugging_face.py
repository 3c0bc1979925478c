"""The trained vision transformer as a folder in the layout of ``transformers``.

``ViTForImageClassification`` and ``ViTImageProcessor`` open it, and so does the page of one's own
model: ``config.json``, ``model.safetensors``, ``preprocessor_config.json``.
"""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from core.models import families
from core.models.folder import CONFIG, WEIGHTS
from core.models.processor import FILE as PREPROCESSOR
from core.models.stored import Stored


def save(folder: Path, stored: Stored) -> None:
    """Write the three files; the weights in float16."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: one.astype(np.float16) for name, one in tensors(stored).items()}
    save_file(weights, folder / WEIGHTS, {"format": "pt"})
    (folder / WEIGHTS).chmod(0o644)
    for name, stated in ((CONFIG, config(stored)), (PREPROCESSOR, processor(stored))):
        (folder / name).write_text(json.dumps(stated, indent=2) + "\n", "utf-8")


def config(stored: Stored) -> dict[str, object]:
    """``config.json``."""
    sizes = stored.config
    names = dict(enumerate(sizes["classes"]))
    return {
        "architectures": ["ViTForImageClassification"],
        "model_type": "vit",
        "hidden_size": sizes["d_model"],
        "num_hidden_layers": sizes["layers"],
        "num_attention_heads": sizes["heads"],
        "intermediate_size": sizes["d_ff"],
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "layer_norm_eps": sizes["epsilon"],
        "image_size": sizes["side"],
        "patch_size": sizes["patch"],
        "num_channels": 3,
        "qkv_bias": True,
        "id2label": {str(number): name for number, name in names.items()},
        "label2id": {name: number for number, name in names.items()},
        "torch_dtype": "float16",
    }


def processor(stored: Stored) -> dict[str, object]:
    """``preprocessor_config.json``: a photo is resized to the model's side, values are −1 … 1."""
    side = stored.config["side"]
    return {
        "image_processor_type": "ViTImageProcessor",
        "do_resize": True,
        "size": {"height": side, "width": side},
        "resample": 2,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.5] * 3,
        "image_std": [0.5] * 3,
    }


def tensors(stored: Stored) -> dict[str, np.ndarray]:
    """The weights by the names of ``transformers``; a matrix is (out, in)."""
    ours, sizes = stored.tensors, stored.config
    P, d_model = sizes["patch"], sizes["d_model"]
    inputs = {
        # A flattened patch is (row, column, channel), a kernel (channel, row, column).
        "W_E": ours["input/W_E"].reshape(P, P, 3, d_model).transpose(3, 2, 0, 1),
        "b_E": np.zeros(d_model),
        "cls": ours["input/cls"].reshape(1, 1, d_model),
        "position": ours["input/position"][None],
    }
    names = families.tensor_names(families.config(config(stored)))
    found = {names.inputs[name]: one for name, one in inputs.items()}
    for number in range(sizes["layers"]):
        layer = names.layer.format(number)
        for letter, name in names.linear.items():
            at = f"encoder/{number + 1}/{'feed_forward' if letter in '12' else 'self'}"
            found[f"{layer}{name}.weight"] = ours[f"{at}/W_{letter}"].T
            found[f"{layer}{name}.bias"] = ours[f"{at}/b_{letter}"]
        for kind, name in zip(("self", "feed_forward"), names.norms, strict=True):
            found |= _norm(ours, f"encoder/{number + 1}/{kind}", layer + name)
    found |= _norm(ours, "prediction", "layernorm")
    named = {names.prefix + name: one for name, one in found.items()}
    named["classifier.weight"] = ours["prediction/W"].T
    named["classifier.bias"] = ours["prediction/b"]
    return {name: np.ascontiguousarray(one) for name, one in named.items()}


def _norm(ours: dict[str, np.ndarray], at: str, name: str) -> dict[str, np.ndarray]:
    return {f"{name}.weight": ours[f"{at}/gamma"], f"{name}.bias": ours[f"{at}/beta"]}
