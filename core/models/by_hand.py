"""Attention over matrices that were entered by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from core.attention import multi_head_attention, scaled_dot_product_attention
from core.axis import Axis
from core.errors import InputError, shape_mismatch
from core.notation import SYMBOLS, axes, given
from core.options import DEFAULT, AttentionOptions
from core.trace import Trace
from core.weights import HeadWeights, Weights

ROLES = {
    "X": ("token", "d_model"),
    "W_Q": ("head", "d_model", "d_k"),
    "W_K": ("head", "d_model", "d_k"),
    "W_V": ("head", "d_model", "d_v"),
    "W_O": ("concat", "d_model"),
    "Q": ("head", "query", "d_k"),
    "K": ("head", "key", "d_k"),
    "V": ("head", "key", "d_v"),
}
BY_TOKEN = ("token", "query", "key")


@dataclass(frozen=True, eq=False)
class Sheet:
    """A worked example: the given matrices and the options of attention.

    matrices: by name, with the axes of ``ROLES``. Either X, W_Q, W_K, W_V and W_O (Q, K or V, if
        given too, replace the computed ones); or Q, K and V.
    tokens: their names. padded: how many of them, at the end, are padding.
    options: as for multi_head_attention; key_mask is set from ``padded``.
    """

    tokens: tuple[str, ...]
    matrices: Mapping[str, np.ndarray]
    padded: int = 0
    options: AttentionOptions = DEFAULT

    def __post_init__(self) -> None:
        """Make read-only copies. Raises shape_mismatch for a wrong number of axes."""
        checked = {}
        for name, matrix in self.matrices.items():
            array = np.array(matrix, dtype=np.float64)
            if array.ndim != len(ROLES[name]):
                raise shape_mismatch(name, f"({', '.join(ROLES[name])})", array.shape)
            array.setflags(write=False)
            checked[name] = array
        object.__setattr__(self, "matrices", MappingProxyType(checked))

    def with_matrix(self, name: str, matrix: np.ndarray | None) -> "Sheet":
        """The sheet with this matrix replaced, or removed if it is None."""
        others = {key: other for key, other in self.matrices.items() if key != name}
        return replace(self, matrices=others if matrix is None else {**others, name: matrix})

    def with_options(self, **changes: Any) -> "Sheet":
        """The sheet with changed options of attention, such as ``causal=True``."""
        return replace(self, options=replace(self.options, **changes))

    def with_tokens(self, tokens: tuple[str, ...], padded: int = 0) -> "Sheet":
        """The sheet for other tokens: rows of zeros are appended, or the last rows removed."""
        resized = self._resized(dict.fromkeys(BY_TOKEN, len(tokens)))
        return replace(self, tokens=tokens, matrices=resized, padded=padded)

    def with_size(self, name: str, rows: int, columns: int) -> "Sheet":
        """The sheet for another size of this matrix, or of each of its heads.

        The matrices that share an axis with it, and it itself if it is given, follow: zeros are
        appended, or the last rows and columns removed. New tokens stand before the padding, named
        by their number. rows: of W_O, a multiple of the heads.
        """
        sizes = dict(zip(ROLES[name][-2:], (rows, columns), strict=True))
        if "concat" in sizes:
            sizes["d_v"] = sizes.pop("concat") // len(self.matrices["W_V"])
        count = next((size for role, size in sizes.items() if role in BY_TOKEN), len(self.tokens))
        sizes |= dict.fromkeys(BY_TOKEN, count)
        resized = self._resized(sizes)
        real = len(self.tokens) - self.padded
        new = tuple(str(number) for number in range(len(self.tokens) + 1, count + 1))
        tokens = (*self.tokens[:real], *new, *self.tokens[real:])[:count]
        padded = max(0, count - real - len(new))
        return replace(self, tokens=tokens, matrices=resized, padded=padded)

    def trace(self) -> Trace:
        """The trace. Raises core.errors.InputError if a matrix is missing or does not fit."""
        for name in ("W_Q", "W_K", "W_V", "W_O") if "X" in self.matrices else "QKV":
            if name not in self.matrices:
                raise InputError("missing_matrix", name=name)
        key_mask = np.arange(len(self.tokens)) < len(self.tokens) - self.padded
        options = replace(self.options, key_mask=key_mask[None] if self.padded else None)
        direct = {name: self.matrices[name][None] for name in "QKV" if name in self.matrices}
        if "X" not in self.matrices:
            Q, K, V = (direct[name] for name in "QKV")
            for name, given_matrix in direct.items():
                self._check_tokens(given_matrix.shape[2], name)
            labels = dict.fromkeys(("query", "key"), self._along())
            return scaled_dot_product_attention(Q, K, V, options, labels=labels)
        X = self.matrices["X"][None]
        self._check_tokens(X.shape[1], "X")
        named = axes("batch", "token", "d_model", labels={"token": self._along()})
        source = Trace([given("X", X, named)])
        return multi_head_attention(source, self._weights(), options, given=direct)

    def _resized(self, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
        """The matrices with zeros appended or the end removed along axes. sizes: by role."""
        resized = {}
        for name, matrix in self.matrices.items():
            roles, whole = ROLES[name], matrix
            if name == "W_O":  # (concat, d_model) -> (head, d_v, d_model)
                roles = ("head", "d_v", "d_model")
                whole = matrix.reshape(len(self.matrices["W_V"]), -1, matrix.shape[1])
            shape = [sizes.get(role, size) for role, size in zip(roles, whole.shape, strict=True)]
            shortened = whole[tuple(map(slice, shape))]
            missing = zip(shape, shortened.shape, strict=True)
            padded = np.pad(shortened, [(0, size - has) for size, has in missing])
            resized[name] = padded.reshape(-1, padded.shape[-1]) if name == "W_O" else padded
        return resized

    def _along(self) -> Axis:
        real = len(self.tokens) - self.padded
        kinds = (*["word"] * real, *["filling"] * self.padded)
        return Axis("token", SYMBOLS["token"], self.tokens, kinds)

    def _check_tokens(self, rows: int, name: str) -> None:
        if rows != len(self.tokens):
            raise shape_mismatch(name, f"of {len(self.tokens)} tokens", (rows,))

    def _weights(self) -> Weights:
        W_Q, W_K, W_V, W_O = (self.matrices[name] for name in ("W_Q", "W_K", "W_V", "W_O"))
        for name, W in (("W_K", W_K), ("W_V", W_V)):
            if len(W) != len(W_Q):
                raise shape_mismatch(name, f"of {len(W_Q)} heads", W.shape)
        rows = len(W_V) * W_V.shape[2]
        if len(W_O) != rows:
            raise shape_mismatch("W_O", f"({rows}, d_model)", W_O.shape)
        slices = np.split(W_O, len(W_V))
        parts = zip(W_Q, W_K, W_V, slices, strict=True)
        return Weights.from_heads([HeadWeights(*head) for head in parts])
