"""A decoder in the layout of Llama, in PyTorch, its weights named as Hugging Face names them.

"LLaMA: Open and Efficient Foundation Language Models" (Touvron et al., 2023), section 2.2: RMSNorm
before each sublayer, SwiGLU, rotary positions; grouped-query attention (Ainslie et al., 2023), and
the token embeddings tied to the output projection.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import (
    dropout,
    embedding,
    linear,
    rms_norm,
    scaled_dot_product_attention,
    silu,
)

from core.rotary import Rotary
from training.checkpoints import Weights

E, LAST = "model.embed_tokens.weight", "model.norm.weight"


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of the model. width: of one head; places: the longest sequence, in tokens."""

    vocabulary: int
    layers: int = 6
    heads: int = 4
    kv_heads: int = 2
    width: int = 48
    d_model: int = 192
    d_ff: int = 512
    places: int = 128  # a key of run.json
    theta: float = 10_000.0
    epsilon: float = 1e-6

    @property
    def config(self) -> dict[str, object]:
        """The ``config.json`` that ``transformers`` reads."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "attention_bias": False,
            "bos_token_id": 0,
            "eos_token_id": 1,
            "head_dim": self.width,
            "hidden_act": "silu",
            "hidden_size": self.d_model,
            "intermediate_size": self.d_ff,
            "max_position_embeddings": self.places,
            "mlp_bias": False,
            "model_type": "llama",
            "num_attention_heads": self.heads,
            "num_hidden_layers": self.layers,
            "num_key_value_heads": self.kv_heads,
            "rms_norm_eps": self.epsilon,
            "rope_parameters": {"rope_theta": self.theta, "rope_type": "default"},
            "rope_theta": self.theta,
            "tie_word_embeddings": True,
            "dtype": "float16",
            "torch_dtype": "float16",
            "vocab_size": self.vocabulary,
        }


def parameter_shapes(sizes: ModelConfig) -> dict[str, tuple[int, ...]]:
    """The shape of every weight by its name in the file."""
    d, queries = sizes.d_model, sizes.heads * sizes.width
    keys = sizes.kv_heads * sizes.width
    parameters: dict[str, tuple[int, ...]] = {E: (sizes.vocabulary, d)}
    for layer in range(sizes.layers):
        at = f"model.layers.{layer}."
        parameters |= {
            f"{at}input_layernorm.weight": (d,),
            f"{at}self_attn.q_proj.weight": (queries, d),
            f"{at}self_attn.k_proj.weight": (keys, d),
            f"{at}self_attn.v_proj.weight": (keys, d),
            f"{at}self_attn.o_proj.weight": (d, queries),
            f"{at}post_attention_layernorm.weight": (d,),
            f"{at}mlp.gate_proj.weight": (sizes.d_ff, d),
            f"{at}mlp.up_proj.weight": (sizes.d_ff, d),
            f"{at}mlp.down_proj.weight": (d, sizes.d_ff),
        }
    return parameters | {LAST: (d,)}


def init_weights(sizes: ModelConfig, seed: int) -> Weights:
    """Random weights: 1 for norms, else normal with standard deviation 0.02.

    Output projections have 0.02 / √(2 · layers), so that the residual stream does not grow with the
    number of layers ("Language Models are Unsupervised Multitask Learners", Radford et al., 2019,
    section 2.3).
    """
    generator = torch.Generator().manual_seed(seed)
    depth_scale = (2 * sizes.layers) ** -0.5
    weights = {}
    for name, shape in parameter_shapes(sizes).items():
        std = 0.02 * (depth_scale if name.endswith(("o_proj.weight", "down_proj.weight")) else 1)
        one = torch.ones(shape) if len(shape) == 1 else None
        weights[name] = std * torch.randn(shape, generator=generator) if one is None else one
    return weights


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions. x: (batch, head, token, width); cos, sin: (token, pair)."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1).to(x.dtype)


def hidden_states(
    weights: Weights, sizes: ModelConfig, ids: Tensor, dropout_rate: float = 0.0
) -> Tensor:
    """The output of the last norm. ids: (batch, token); returns (batch, token, d_model).

    Times the transposed table ``weights[E]`` it gives the logits of the next token.
    """
    rotary = Rotary(sizes.width, sizes.theta)
    tables = rotary.tables(ids.shape[1], np.dtype(np.float32))
    cos, sin = (torch.from_numpy(table) for table in tables)
    x = dropout(embedding(ids, weights[E]), dropout_rate, dropout_rate > 0)
    for layer in range(sizes.layers):
        at = f"model.layers.{layer}."

        def of(name: str, at: str = at) -> Tensor:
            return weights[f"{at}{name}.weight"]

        def normed(x: Tensor, gamma: Tensor) -> Tensor:
            return rms_norm(x, (sizes.d_model,), gamma, sizes.epsilon)

        X = normed(x, of("input_layernorm"))
        q, k, v = (
            linear(X, of(f"self_attn.{name}_proj")).unflatten(-1, (-1, sizes.width)).transpose(1, 2)
            for name in "qkv"
        )
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        attended = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        attended = linear(attended.transpose(1, 2).flatten(2), of("self_attn.o_proj"))
        x = x + dropout(attended, dropout_rate, dropout_rate > 0)
        X = normed(x, of("post_attention_layernorm"))
        hidden = silu(linear(X, of("mlp.gate_proj"))) * linear(X, of("mlp.up_proj"))
        x = x + dropout(linear(hidden, of("mlp.down_proj")), dropout_rate, dropout_rate > 0)
    return rms_norm(x, (sizes.d_model,), weights[LAST], sizes.epsilon)
