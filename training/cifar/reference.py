"""The float64 results of PyTorch's TransformerEncoderLayer for one picture, for the tests."""

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import TransformerEncoderLayer
from torch.nn.functional import layer_norm

from core.sources.picture import values
from training.cifar.model import ModelConfig, Weights, patches

REFERENCE = Path(__file__).parents[2] / "tests/core/models/data/vision_reference.safetensors"
ROWS = [0, 1, 7, 13, 29, 43, 61]  # tokens or queries that are recorded


def record(weights: Weights, sizes: ModelConfig, pixels: np.ndarray, path: Path) -> None:
    """Write each layer's attention weights and output, and the prediction."""
    stages = {name: one.float().contiguous() for name, one in stages_of(weights, sizes, pixels)}
    save_file(stages | {"pixels": torch.tensor(pixels)}, path)
    path.chmod(0o644)


def stages_of(weights: Weights, sizes: ModelConfig, pixels: np.ndarray) -> list[tuple[str, Tensor]]:
    """Some rows of each result, by path. pixels: (1, side, side, 3) uint8."""
    w = {name: one.double() for name, one in weights.items()}
    flat = patches(torch.tensor(values(pixels)).double(), sizes)
    X = torch.cat((w["input/cls"].expand(1, 1, -1), flat @ w["input/W_E"]), 1) + w["input/position"]
    found = [("input/X", X[:, ROWS])]
    for number in range(1, sizes.layers + 1):
        layer = TransformerEncoderLayer(
            sizes.d_model, sizes.heads, sizes.d_ff, dropout=0, activation="gelu",
            layer_norm_eps=sizes.epsilon, batch_first=True, norm_first=True, dtype=torch.float64,
        ).eval()  # fmt: skip
        layer.load_state_dict(encoder_state_dict(w, f"encoder/{number}"))
        with torch.no_grad():
            normalised = layer.norm1(X)
            _, attention = layer.self_attn(
                normalised, normalised, normalised, average_attn_weights=False
            )
            X = layer(X)
        found.append((f"encoder/{number}/self/weights", attention[:, :, ROWS]))
        found.append((f"encoder/{number}/feed_forward/residual", X[:, ROWS]))
    norm = (w["prediction/gamma"], w["prediction/beta"], sizes.epsilon)
    cls = layer_norm(X[:, 0], (sizes.d_model,), *norm)
    logits = cls @ w["prediction/W"] + w["prediction/b"]
    return [
        *found,
        ("prediction/logits", logits),
        ("prediction/probabilities", logits.softmax(-1)),
    ]


def encoder_state_dict(w: Weights, path: str) -> Weights:
    """The state dict of a TransformerEncoderLayer: matrices (out, in), Q, K and V stacked."""
    one, two = f"{path}/self", f"{path}/feed_forward"
    return {
        "self_attn.in_proj_weight": torch.cat([w[f"{one}/W_{name}"].T for name in "QKV"]),
        "self_attn.in_proj_bias": torch.cat([w[f"{one}/b_{name}"] for name in "QKV"]),
        "self_attn.out_proj.weight": w[f"{one}/W_O"].T,
        "self_attn.out_proj.bias": w[f"{one}/b_O"],
        "linear1.weight": w[f"{two}/W_1"].T,
        "linear1.bias": w[f"{two}/b_1"],
        "linear2.weight": w[f"{two}/W_2"].T,
        "linear2.bias": w[f"{two}/b_2"],
        "norm1.weight": w[f"{one}/gamma"],
        "norm1.bias": w[f"{one}/beta"],
        "norm2.weight": w[f"{two}/gamma"],
        "norm2.bias": w[f"{two}/beta"],
    }
