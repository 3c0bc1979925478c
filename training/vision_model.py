"""The vision transformer in PyTorch, with every step of a forward pass kept by its name.

"An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), section 3.1:

    z_0  = [x_class; x_1 E; …; x_N E] + E_pos
    z'_l = MSA(LN(z_{l−1})) + z_{l−1}
    z_l  = MLP(LN(z'_l)) + z'_l
    y    = LN(z_L)_0 W + b
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.sources.picture import VALUES
from training.pictures import CLASSES

Stages = dict[str, Tensor]


@dataclass(frozen=True)
class Config:
    """The sizes of the model."""

    d_model: int = 64
    heads: int = 2
    layers: int = 3
    d_ff: int = 128
    patch: int = 8
    side: int = 64
    channels: int = 3
    epsilon: float = 1e-6
    classes: tuple[tuple[str, str], ...] = CLASSES

    @property
    def patches(self) -> int:
        """How many patches an image has."""
        return (self.side // self.patch) ** 2

    @property
    def pixels(self) -> int:
        """How many numbers a patch has."""
        return self.patch**2 * self.channels


def parameters(config: Config, seed: int) -> nn.ParameterDict:
    """Fresh parameters; a matrix is (in, out).

    Matrices uniform in ±√(6 / (in + out)) (Glorot & Bengio, 2010), [CLS] and positions normal with
    deviation 0.02, γ = 1, biases and β = 0.
    """
    generator = torch.Generator().manual_seed(seed)

    def matrix(rows: int, columns: int) -> Tensor:
        limit = (6 / (rows + columns)) ** 0.5
        return (2 * torch.rand(rows, columns, generator=generator) - 1) * limit

    def small(*shape: int) -> Tensor:
        return 0.02 * torch.randn(*shape, generator=generator)

    d, ff = config.d_model, config.d_ff
    made = {
        "input/W_E": matrix(config.pixels, d),
        "input/cls": small(d),
        "input/position": small(config.patches + 1, d),
    }
    for layer in range(1, config.layers + 1):
        self, forward = f"encoder/{layer}/self", f"encoder/{layer}/feed_forward"
        made |= {f"{part}/gamma": torch.ones(d) for part in (self, forward)}
        made |= {f"{part}/beta": torch.zeros(d) for part in (self, forward)}
        made |= {f"{self}/W_{name}": matrix(d, d) for name in "QKVO"}
        made |= {f"{self}/b_{name}": torch.zeros(d) for name in "QKVO"}
        made |= {f"{forward}/W_1": matrix(d, ff), f"{forward}/b_1": torch.zeros(ff)}
        made |= {f"{forward}/W_2": matrix(ff, d), f"{forward}/b_2": torch.zeros(d)}
    made |= {"prediction/gamma": torch.ones(d), "prediction/beta": torch.zeros(d)}
    made |= {"prediction/W": matrix(d, len(config.classes))}
    made |= {"prediction/b": torch.zeros(len(config.classes))}
    return nn.ParameterDict(made)


def forward(
    given: nn.ParameterDict | Stages, config: Config, pixels: Tensor, dropout: float = 0.0
) -> Stages:
    """Every stage of a forward pass by its path, ``prediction/logits`` and all before it.

    pixels: (batch, 64, 64, 3), uint8. dropout: the share of the attention weights that is dropped.
    """
    stages = _input(given, config, pixels)
    stream = stages["input/X"]
    for layer in range(1, config.layers + 1):
        path = f"encoder/{layer}/self"
        stages |= _attention(given, config, path, stream, dropout)
        stream = stages[f"{path}/residual"]
        path = f"encoder/{layer}/feed_forward"
        stages |= _feed_forward(given, config, path, stream)
        stream = stages[f"{path}/residual"]
    X = _normalised(given, config, "prediction", stream)
    logits = X[:, 0] @ given["prediction/W"] + given["prediction/b"]  # (batch, class)
    return stages | {
        "prediction/stream": stream,
        "prediction/X": X,
        "prediction/logits": logits,
        "prediction/probabilities": logits.softmax(-1),
    }


def _input(given: nn.ParameterDict | Stages, config: Config, pixels: Tensor) -> Stages:
    values = torch.from_numpy(VALUES).to(given["input/W_E"].dtype)
    image = values[pixels.long()]  # (batch, height, width, channel)
    batch, P, n = len(image), config.patch, config.side // config.patch
    # (batch, H, W, C) -> (batch, h, P, w, P, C) -> (batch, N, P, P, C)
    apart = image.reshape(batch, n, P, n, P, config.channels).transpose(2, 3)
    patches = apart.reshape(batch, n * n, P, P, config.channels)
    flattened = patches.flatten(2)  # (batch, patch, pixel)
    embedding = flattened @ given["input/W_E"]  # (batch, patch, d_model)
    cls = given["input/cls"].expand(batch, 1, config.d_model)
    sequence = torch.cat([cls, embedding], 1)  # (batch, token, d_model)
    return {
        "input/image": image,
        "input/patches": patches,
        "input/flattened": flattened,
        "input/embedding": embedding,
        "input/sequence": sequence,
        "input/position": given["input/position"],
        "input/X": sequence + given["input/position"],
    }


def _attention(
    given: nn.ParameterDict | Stages, config: Config, path: str, stream: Tensor, dropout: float
) -> Stages:
    X = _normalised(given, config, path, stream)
    Q, K, V = (
        (X @ given[f"{path}/W_{name}"] + given[f"{path}/b_{name}"])
        .unflatten(-1, (config.heads, -1))
        .transpose(1, 2)
        for name in "QKV"
    )  # (batch, head, token, d_k)
    scores = Q @ K.transpose(-1, -2)  # (batch, head, query, key)
    scaled = scores / Q.shape[-1] ** 0.5
    weights = scaled.softmax(-1)
    head_output = functional.dropout(weights, dropout) @ V  # (batch, head, query, d_v)
    concat = head_output.transpose(1, 2).flatten(2)  # (batch, query, d_model)
    output = concat @ given[f"{path}/W_O"] + given[f"{path}/b_O"]
    named = {
        "stream": stream,
        "X": X,
        "Q": Q,
        "K": K,
        "V": V,
        "scores": scores,
        "scaled": scaled,
        "weights": weights,
        "head_output": head_output,
        "concat": concat,
        "output": output,
        "residual": stream + output,
    }
    return {f"{path}/{name}": tensor for name, tensor in named.items()}


def _feed_forward(
    given: nn.ParameterDict | Stages, config: Config, path: str, stream: Tensor
) -> Stages:
    X = _normalised(given, config, path, stream)
    hidden = functional.gelu(X @ given[f"{path}/W_1"] + given[f"{path}/b_1"])
    output = hidden @ given[f"{path}/W_2"] + given[f"{path}/b_2"]
    named = {
        "stream": stream,
        "X": X,
        "hidden": hidden,
        "output": output,
        "residual": stream + output,
    }
    return {f"{path}/{name}": tensor for name, tensor in named.items()}


def _normalised(
    given: nn.ParameterDict | Stages, config: Config, path: str, stream: Tensor
) -> Tensor:
    gamma, beta = given[f"{path}/gamma"], given[f"{path}/beta"]
    return functional.layer_norm(stream, (config.d_model,), gamma, beta, config.epsilon)
