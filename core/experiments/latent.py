"""Multi-head latent attention: keys and values of all heads made from one short vector per token.

"DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model" (DeepSeek-AI,
2024), section 2.1: c = X W^DKV, K = c W^UK, V = c W^UV, and only c is cached. A trained layer is
brought into that form by the nearest matrices of low rank ("The approximation of one matrix by
another of lower rank", Eckart & Young, 1936).
"""

from dataclasses import dataclass, replace

import numpy as np

from core import around, finite, notation, ops
from core.attention import multi_head_attention
from core.experiments.cache_size import DecoderSizes
from core.options import AttentionOptions
from core.rules import Dot, Operand
from core.trace import Stage, Trace
from core.weights import Weights


@dataclass(frozen=True, eq=False)
class Latent:
    """W^K and W^V as one matrix down and two up.

    W_DKV: (d_model, d_c). W_UK: (d_c, kv_heads · d_k). W_UV: (d_c, kv_heads · d_v).
    explained: the sum of the squares of the product over that of W^K and W^V.
    """

    W_DKV: np.ndarray
    W_UK: np.ndarray
    W_UV: np.ndarray
    explained: float

    @property
    def d_c(self) -> int:
        """The numbers of a latent vector."""
        return int(self.W_DKV.shape[1])


@dataclass(frozen=True, eq=False)
class Factors:
    """The singular value decomposition [W^K W^V] = left · diag(values) · right."""

    left: np.ndarray
    values: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, weights: Weights) -> "Factors":
        """Those of a layer. Raises ValueError for weights with a bias of K or V."""
        if weights.b_K is not None or weights.b_V is not None:
            raise ValueError("a bias of K or V is not part of a low-rank product")
        together = np.concatenate([weights.W_K, weights.W_V], axis=1)
        return cls(*np.linalg.svd(together, full_matrices=False))

    def latent(self, d_c: int, keys: int) -> Latent:
        """The nearest product of rank d_c. keys: the columns of W^K."""
        up = self.right[:d_c]
        squares = np.square(self.values.astype(np.float64))
        return Latent(
            self.left[:, :d_c] * self.values[:d_c],
            up[:, :keys],
            up[:, keys:],
            float(squares[:d_c].sum() / squares.sum()),
        )


def narrowed(weights: Weights, latent: Latent) -> Weights:
    """The weights whose W^K and W^V are the products of low rank."""
    return replace(weights, W_K=latent.W_DKV @ latent.W_UK, W_V=latent.W_DKV @ latent.W_UV)


def latent_attention(
    source: Trace, weights: Weights, options: AttentionOptions, latent: Latent
) -> Trace:
    """Multi-head attention with the stages latent, W_DKV, W_UK and W_UV instead of W_K and W_V.

    source: ends in X, (batch, token, d_model). Raises what ``multi_head_attention`` raises.
    """
    x = source["X"]
    down = notation.given("W_DKV", latent.W_DKV, notation.axes("d_model", "d_c"), "parameter")
    c = around.linear(x, down, None, "latent")
    made = {
        letter: ops.project(c.tensor, W, None, weights.kv_heads)
        for letter, W in (("K", latent.W_UK), ("V", latent.W_UV))
    }
    trace = multi_head_attention(source, weights, options, given=made)
    stages: list[Stage] = []
    for stage in trace.values():
        if stage.key == "K":
            stages += [down, c]
        if stage.key in made:
            up, stage = _made(stage, c, latent)
            stages.append(up)
        stages.append(stage)
    return Trace(stages)


def _made(stage: Stage, c: Stage, latent: Latent) -> tuple[Stage, Stage]:
    """The matrix up from the latents, and K or V as its product with them."""
    _, head, side, width = stage.roles
    name = f"W_U{stage.key}"
    W = getattr(latent, name)
    by_head = W.reshape(len(W), stage.size(head), -1).swapaxes(0, 1)
    up = notation.given(name, by_head, notation.axes(head, "d_c", width), "parameter")
    rule = Dot(
        Operand(c.key, ("batch", side, "d_c")), Operand(name, (head, "d_c", width)), "d_c",
        latent.d_c,
    )  # fmt: skip
    formula = f"{stage.key} = {notation.latex(c.key)} {notation.latex(name)}"
    kind = {"K": "latent_keys", "V": "latent_values"}[stage.key]
    finite.check(stage.key, stage.tensor)
    return up, replace(stage, rule=rule, formula=formula, kind=kind)


def absorbed_scores(Q: np.ndarray, latents: np.ndarray, W_UK: np.ndarray) -> np.ndarray:
    """Q Kᵀ without K: (Q (W^UK)ᵀ) cᵀ, the matrix up absorbed into the queries.

    Q: (head, query, d_k). latents: (key, d_c). W_UK: (d_c, kv_heads · d_k), each head of which is
    shared by consecutive heads of Q. Returns (head, query, key).
    """
    heads, _, d_k = Q.shape
    up = W_UK.reshape(len(W_UK), -1, d_k).transpose(1, 2, 0)  # (kv_head, d_k, d_c)
    shared = np.repeat(up, heads // len(up), axis=0)
    return (Q @ shared) @ latents.T


@dataclass(frozen=True)
class LatentSizes:
    """The sizes of a decoder with latent attention.

    d_c: numbers of a latent. d_rotated: numbers of a key with rotary positions, which all heads
    share and which is cached beside the latent, since a rotation cannot be absorbed.
    """

    sizes: DecoderSizes
    d_c: int
    d_rotated: int

    def cache_bytes(self, tokens: int) -> int:
        """Bytes of the latents and the rotated keys of these many tokens, in all layers."""
        return self.numbers * tokens * self.sizes.layers * self.sizes.itemsize

    @property
    def numbers(self) -> int:
        """Numbers in the cache for one token in one layer."""
        return self.d_c + self.d_rotated

    @property
    def multiply_adds_absorbed(self) -> int:
        """For one pair of query and key in one head, on the latents themselves."""
        return self.d_c + self.d_rotated + self.d_c


# "DeepSeek-V2" (DeepSeek-AI, 2024), section 3.1.2; 128 heads, each with its own K and V.
DEEPSEEK_V2 = LatentSizes(
    DecoderSizes("DeepSeek-V2", layers=60, d_model=5120, heads=128, kv_heads=128, d_k=128),
    d_c=512,
    d_rotated=64,
)
