"""The vision transformer in PyTorch, for training on a CPU; its weights have the app's names.

"An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), section 3.1; layout and names are those
of ``core.models.vision``, which returns every step. PatchDropout (Liu et al., 2023) drops patches
in training, after their positions are added. Not PyTorch's ``TransformerEncoder``: it computes the
same and takes 2.4 times as long in bfloat16 on a CPU.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm, linear

from core.sources.position import sinusoids
from training.checkpoints import Weights


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of the model, and its classes."""

    classes: tuple[str, ...]
    d_model: int = 128
    heads: int = 4
    layers: int = 6
    d_ff: int = 512
    patch: int = 4
    side: int = 32
    epsilon: float = 1e-6

    @property
    def patches(self) -> int:
        """How many patches a photo has."""
        return (self.side // self.patch) ** 2

    @property
    def values(self) -> int:
        """How many numbers a patch has."""
        return 3 * self.patch**2


def init_weights(sizes: ModelConfig, seed: int) -> Weights:
    """Weights before training; a matrix is (in, out).

    Attention is initialised near what training leads to, which saves many epochs ("Mimetic
    Initialization of Self-Attention Layers", Trockman & Kolter, 2023): W_Q W_Kᵀ ≈ 0.7 (Z + I) for
    each head, W_V W_O ≈ 0.4 (Z − I), Z normal with variance 1 / d_model; positions are sinusoids.
    Other matrices Xavier uniform, [CLS] normal with deviation 0.02, γ = 1, the rest 0.
    """
    torch.manual_seed(seed)
    d, d_ff = sizes.d_model, sizes.d_ff
    weights = {
        "input/W_E": _xavier(sizes.values, d),
        "input/cls": 0.02 * torch.randn(d),
        "input/position": _position_grid(sizes),
    }
    for layer in range(1, sizes.layers + 1):
        at = f"encoder/{layer}/self"
        weights |= _norm(at, d)
        heads = [_factors(d, 0.7, 0.7, d // sizes.heads) for _ in range(sizes.heads)]
        weights[f"{at}/W_Q"] = torch.cat([Q for Q, _ in heads], 1)
        weights[f"{at}/W_K"] = torch.cat([K for _, K in heads]).T.contiguous()
        weights[f"{at}/W_V"], weights[f"{at}/W_O"] = _factors(d, 0.4, -0.4, d)
        weights |= {f"{at}/b_{name}": torch.zeros(d) for name in "QKVO"}
        at = f"encoder/{layer}/feed_forward"
        weights |= _norm(at, d)
        weights |= {f"{at}/W_1": _xavier(d, d_ff), f"{at}/b_1": torch.zeros(d_ff)}
        weights |= {f"{at}/W_2": _xavier(d_ff, d), f"{at}/b_2": torch.zeros(d)}
    weights |= _norm("prediction", d)
    weights["prediction/W"] = torch.zeros(d, len(sizes.classes))
    weights["prediction/b"] = torch.zeros(len(sizes.classes))
    return weights


def patches(images: Tensor, sizes: ModelConfig) -> Tensor:
    """(batch, row, column, channel) to (batch, patch, value), flattened as in the app."""
    n, P = sizes.side // sizes.patch, sizes.patch
    tiles = images.reshape(-1, n, P, n, P, 3).transpose(2, 3)  # (batch, n, n, P, P, channel)
    return tiles.reshape(-1, n * n, sizes.values)


def forward(
    weights: Weights, sizes: ModelConfig, flat: Tensor, read: Tensor | None = None
) -> Tensor:
    """Patches (batch, patch, value) to logits (batch, class).

    read: (batch, read patch) indices of the patches that are read; None for all.
    """
    w = weights
    position = w["input/position"][1:]  # (patch, d_model)
    if read is None:
        embedded = flat @ w["input/W_E"] + position
    else:
        flat = flat.gather(1, read[:, :, None].expand(-1, -1, sizes.values))
        embedded = flat @ w["input/W_E"] + position[read]
    cls = (w["input/cls"] + w["input/position"][0]).expand(len(flat), 1, -1)
    X = torch.cat((cls, embedded), 1)  # (batch, token, d_model)
    for layer in range(1, sizes.layers + 1):
        X = X + _attention(w, sizes, f"encoder/{layer}/self", X)
        X = X + _feed_forward(w, sizes, f"encoder/{layer}/feed_forward", X)
    return _normalised(w, sizes, "prediction", X[:, 0]) @ w["prediction/W"] + w["prediction/b"]


def _attention(w: Weights, sizes: ModelConfig, at: str, stream: Tensor) -> Tensor:
    X = _normalised(w, sizes, at, stream)
    Q, K, V = (
        linear(X, w[f"{at}/W_{name}"].T, w[f"{at}/b_{name}"])
        .view(*X.shape[:2], sizes.heads, -1)
        .transpose(1, 2)
        for name in "QKV"
    )  # (batch, head, token, d_k)
    scores = (Q / Q.shape[-1] ** 0.5) @ K.transpose(-1, -2)  # (batch, head, query, key)
    concat = (scores.softmax(-1) @ V).transpose(1, 2).flatten(2)  # (batch, query, d_model)
    return linear(concat, w[f"{at}/W_O"].T, w[f"{at}/b_O"])


def _feed_forward(w: Weights, sizes: ModelConfig, at: str, stream: Tensor) -> Tensor:
    X = _normalised(w, sizes, at, stream)
    hidden = gelu(linear(X, w[f"{at}/W_1"].T, w[f"{at}/b_1"]))  # (batch, token, d_ff)
    return linear(hidden, w[f"{at}/W_2"].T, w[f"{at}/b_2"])


def _normalised(w: Weights, sizes: ModelConfig, at: str, stream: Tensor) -> Tensor:
    gamma, beta = w[f"{at}/gamma"], w[f"{at}/beta"]
    return layer_norm(stream, (sizes.d_model,), gamma, beta, sizes.epsilon)


def _position_grid(sizes: ModelConfig) -> Tensor:
    """Sinusoids of the row and of the column, side by side: (1 + patch, d_model); 0 for [CLS]."""
    n, d = sizes.side // sizes.patch, sizes.d_model
    line = torch.from_numpy(sinusoids(n, d // 2)).float() / 2  # (row or column, d_model / 2)
    grid = torch.cat((line.repeat_interleave(n, 0), line.repeat(n, 1)), 1)  # (patch, d_model)
    return torch.cat((torch.zeros(1, d), grid))


def _factors(d: int, random: float, identity: float, rank: int) -> tuple[Tensor, Tensor]:
    """Matrices (d, rank) and (rank, d), their product nearest to random · Z + identity · I."""
    whole = random * torch.randn(d, d) / d**0.5 + identity * torch.eye(d)
    U, S, V = torch.linalg.svd(whole)
    root = S[:rank] ** 0.5
    return (U[:, :rank] * root).contiguous(), (root[:, None] * V[:rank]).contiguous()


def _xavier(rows: int, columns: int) -> Tensor:
    return torch.nn.init.xavier_uniform_(torch.empty(rows, columns))


def _norm(at: str, d_model: int) -> Weights:
    return {f"{at}/gamma": torch.ones(d_model), f"{at}/beta": torch.zeros(d_model)}
