"""Evaluates a run and writes the model that ships: ``python -m training.cifar.ship PHOTOS …``.

The weights are rounded to float16 before they are evaluated. The same weights are also written as
``transformers`` lays out a ViT.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch.nn import TransformerEncoderLayer
from torch.nn.functional import layer_norm

from core.models.stored import FOLDER, RUN, WEIGHTS, Stored, read_folder
from core.models.vision import Vision
from core.sources.picture import values
from training.cards import HISTORY, write
from training.checkpoints import Weights, load, save
from training.cifar import cls_attention, data, hugging_face, outliers
from training.cifar.card import cards
from training.cifar.measure import evaluate, evaluate_rejection, predict_logits
from training.cifar.model import ModelConfig, init_weights, patches
from training.cifar.teacher import load_teacher, validation_accuracy

DESTINATION = FOLDER / "vision"
OUTLIERS_PER_KIND = 30  # drawings
MASKED_IMAGES = 500  # images with a known object mask
REFERENCE = DESTINATION.parents[2] / "tests/core/models/data/vision_reference.safetensors"
ROWS = [0, 1, 7, 13, 29, 43, 61]  # tokens or queries that are recorded


def app_model(weights: Weights, sizes: dict[str, Any]) -> Vision:
    """The app's model with these weights."""
    return Vision(Stored({name: one.numpy() for name, one in weights.items()}, sizes, {}))


@torch.no_grad()
def reference(weights: Weights, sizes: ModelConfig, pixels: np.ndarray) -> Weights:
    """Some rows of what PyTorch's own layers compute in float64, by path, for the tests.

    pixels: (1, side, side, 3) uint8.
    """
    w = {name: one.double() for name, one in weights.items()}
    flat = patches(torch.tensor(values(pixels)).double(), sizes)
    X = torch.cat((w["input/cls"].expand(1, 1, -1), flat @ w["input/W_E"]), 1) + w["input/position"]
    found = {"input/X": X[:, ROWS]}
    for path in (f"encoder/{number}" for number in range(1, sizes.layers + 1)):
        layer = TransformerEncoderLayer(
            sizes.d_model, sizes.heads, sizes.d_ff, dropout=0, activation="gelu",
            layer_norm_eps=sizes.epsilon, batch_first=True, norm_first=True, dtype=torch.float64,
        ).eval()  # fmt: skip
        layer.load_state_dict(encoder_state_dict(w, path))
        X_norm = layer.norm1(X)
        _, attention = layer.self_attn(X_norm, X_norm, X_norm, average_attn_weights=False)
        X = layer(X)
        found[f"{path}/self/weights"] = attention[:, :, ROWS]
        found[f"{path}/feed_forward/residual"] = X[:, ROWS]
    norm = (w["prediction/gamma"], w["prediction/beta"], sizes.epsilon)
    cls = layer_norm(X[:, 0], (sizes.d_model,), *norm)
    logits = cls @ w["prediction/W"] + w["prediction/b"]
    return found | {"prediction/logits": logits, "prediction/probabilities": logits.softmax(-1)}


def encoder_state_dict(w: Weights, path: str) -> Weights:
    """The state dict of a TransformerEncoderLayer: matrices (out, in), Q, K and V stacked."""
    attention, feed_forward = f"{path}/self", f"{path}/feed_forward"
    state = {
        "self_attn.in_proj_weight": torch.cat([w[f"{attention}/W_{name}"].T for name in "QKV"]),
        "self_attn.in_proj_bias": torch.cat([w[f"{attention}/b_{name}"] for name in "QKV"]),
        "self_attn.out_proj.weight": w[f"{attention}/W_O"].T,
        "self_attn.out_proj.bias": w[f"{attention}/b_O"],
    }
    for number, sublayer in (("1", attention), ("2", feed_forward)):
        state |= {
            f"linear{number}.weight": w[f"{feed_forward}/W_{number}"].T,
            f"linear{number}.bias": w[f"{feed_forward}/b_{number}"],
            f"norm{number}.weight": w[f"{sublayer}/gamma"],
            f"norm{number}.bias": w[f"{sublayer}/beta"],
        }
    return state


def main() -> None:
    """Round, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("drawings", type=Path, help="openclipart-png, unpacked")
    parser.add_argument("stamps", type=Path, help="tuxpaint-stamps-default, unpacked")
    parser.add_argument("teacher", type=Path, help="weights of training.cifar.teacher")
    parser.add_argument("--run", type=Path, required=True, help="the folder of training")
    parser.add_argument("--to", type=Path, default=DESTINATION)
    args = parser.parse_args()
    torch.set_num_threads(1)
    dataset = data.split(data.read(args.photos))
    weights, run_data = load(args.run)
    sizes = ModelConfig(**run_data["sizes"])
    run_data.pop("validation", None)
    run_data["data"] = {
        "sha256": data.SHA256,
        "learnt": len(dataset.train),
        "strange": outliers.COUNT,
    }
    teacher_accuracy = validation_accuracy(load_teacher(args.teacher), dataset.validation)
    run_data["teacher"] = {"accuracy": round(teacher_accuracy, 4)}
    logits = predict_logits(weights, sizes, dataset.validation.pixels)
    run_data["measured"] = evaluate(logits, dataset.validation)
    outlier_pixels = outliers.evaluation_outliers(args.drawings, args.stamps, OUTLIERS_PER_KIND)
    run_data["strange"] = evaluate_rejection(
        logits,
        dataset.validation,
        {kind: predict_logits(weights, sizes, pixels) for kind, pixels in outlier_pixels.items()},
    )
    selection_images, test_images = (
        cls_attention.images_with_masks(
            args.drawings, dataset.validation.pixels, MASKED_IMAGES, sizes.patch, seed
        )
        for seed in (3, 4)
    )
    trained, untrained = (
        app_model(one, run_data["sizes"])
        for one in (weights, init_weights(sizes, run_data["settings"]["seed"]))
    )
    run_data["looks"] = cls_attention.evaluate(trained, untrained, selection_images, test_images)
    args.to.mkdir(parents=True, exist_ok=True)
    save(args.to, weights, run_data)
    (args.to / HISTORY).write_bytes((args.run / HISTORY).read_bytes())
    write(args.to, cards(args.to))
    hugging_face.save(args.to.with_name("vit"), read_folder(args.to, np.float32))
    picture = test_images.pixels[:1]
    stages = reference(load_file(args.to / WEIGHTS), sizes, picture)
    tensors = {name: one.float().contiguous() for name, one in stages.items()}
    save_file(tensors | {"pixels": torch.tensor(picture)}, REFERENCE)
    REFERENCE.chmod(0o644)
    print(json.dumps(json.loads((args.to / RUN).read_text("utf-8")), indent=1))


if __name__ == "__main__":
    main()
