"""The parameters of one multi-head attention layer."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from core import finite
from core.arrays import as_numpy
from core.errors import InputError, out_of_range, shape_mismatch
from core.notation import parameter
from core.trace import Stage

SEPARATE = ("q_proj_weight", "k_proj_weight", "v_proj_weight")  # of PyTorch, else packed
ARRAYS = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "gamma_Q", "gamma_K")


@dataclass(frozen=True)
class HeadWeights:
    """The matrices of one head: W_i^Q (d_model, d_k), …, W_i^O (d_v, d_model), biases (d_k,)."""

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray | None = None
    b_Q: np.ndarray | None = None
    b_K: np.ndarray | None = None
    b_V: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Weights:
    """W^Q, W^K, W^V and W^O of "Attention Is All You Need", section 3.2.2, packed over the heads.

    W_Q, W_K: (d_model, h·d_k). W_V: (d_model, h·d_v).
    W_O: (h·d_v, d_model), or None to end at concat.
    A projection of PyTorch, ``nn.Linear``, has the transposed matrix, (h·d_k, d_model), which a
    square one does not show: ``from_torch`` turns it.
    For cross-attention the rows of W_K and W_V have the width of the memory.
    b_Q, b_K: (h·d_k,), b_V: (h·d_v,), b_O: (d_model,), each None for no bias.

    Head i owns columns i·d_k … (i + 1)·d_k − 1 of W_Q and W_K, and likewise of W_V with d_v.

    kv_heads: for grouped-query attention (Ainslie et al., 2023, section 2.2), the number of key and
    value heads, each shared by consecutive query heads: then W_K is (d_model, kv_heads·d_k), and
    W_V, b_K and b_V likewise. 0: as many as query heads.
    gamma_Q, gamma_K: (d_k,), for RMSNorm of queries and keys with this epsilon ("Scaling Vision
    Transformers to 22 Billion Parameters", Dehghani et al., 2023, section 2, "query/key
    normalization"); None without it.

    Raises heads_do_not_divide, shape_mismatch, out_of_range (no head), not_real and not_finite.
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray | None
    heads: int
    b_Q: np.ndarray | None = None
    b_K: np.ndarray | None = None
    b_V: np.ndarray | None = None
    b_O: np.ndarray | None = None
    kv_heads: int = 0
    gamma_Q: np.ndarray | None = None
    gamma_K: np.ndarray | None = None
    epsilon: float = 1e-6

    def __post_init__(self) -> None:
        """Copy writeable arrays, check that the shapes fit, and make all read-only."""
        if self.heads < 1:
            raise out_of_range("heads", self.heads, "at least 1")
        object.__setattr__(self, "kv_heads", self.kv_heads or self.heads)
        if self.kv_heads < 1 or self.heads % self.kv_heads:
            raise out_of_range("kv_heads", self.kv_heads, f"a divisor of {self.heads}")
        for name in ARRAYS:
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _locked(name, given, name[0] == "W"))
        keys, values = self.W_K.shape[1], self.W_V.shape[1]
        of_queries, mixed = (width * self.heads // self.kv_heads for width in (keys, values))
        expected = {
            "W_Q": (self.d_model, of_queries),
            "W_V": (self.W_K.shape[0], values),
            "W_O": (mixed, self.d_model if self.W_O is None else self.W_O.shape[1]),
            "b_Q": (of_queries,),
            "b_K": (keys,),
            "b_V": (values,),
            "b_O": (self.d_model if self.W_O is None else self.W_O.shape[1],),
            "gamma_Q": (keys // self.kv_heads,),
            "gamma_K": (keys // self.kv_heads,),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise shape_mismatch(name, str(shape), array.shape)
        for name, width in (("h·d_k", keys), ("h·d_v", values)):
            if width % self.kv_heads:
                raise InputError("heads_do_not_divide", name=name, width=width, heads=self.kv_heads)

    def __repr__(self) -> str:
        """The shapes in one line: they show which way the matrices are turned."""
        given = ((name, getattr(self, name)) for name in ARRAYS)
        shapes = ", ".join(f"{name} {array.shape}" for name, array in given if array is not None)
        return f"<Weights of {self.heads} heads on {self.kv_heads}: {shapes}>"

    @property
    def d_model(self) -> int:
        """The width of a token's vector."""
        return int(self.W_Q.shape[0])

    @property
    def d_k(self) -> int:
        """The width of a query or key in one head."""
        return int(self.W_Q.shape[1]) // self.heads

    @property
    def d_v(self) -> int:
        """The width of a value in one head."""
        return int(self.W_V.shape[1]) // self.kv_heads

    def in_precision(self, dtype: np.dtype) -> "Weights":
        """With all matrices as float32 or float64; of those that are so already views are copied.

        Raises not_finite if a number is too large for the precision.
        """
        given = ((name, getattr(self, name)) for name in ARRAYS)
        others = {
            name: finite.in_precision(name, array, dtype)
            for name, array in given
            if array is not None and (array.dtype != dtype or array.base is not None)
        }
        if not others:
            return self
        result = copy(self)  # the checks of shapes hold in any precision
        vars(result).pop("stages", None)
        for name, array in others.items():
            array.setflags(write=False)
            vars(result)[name] = array
        return result

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The parameters as stages: (head, d_model, d_k), W_O (head, d_v, d_model), and the biases.

        W_K and W_V have the axis kv_head if heads share them. gamma_Q and gamma_K, (d_k,), are
        last. Views of the packed matrices, not copies.
        """
        stages = []
        for letter in "QKV":
            W, b = getattr(self, f"W_{letter}"), getattr(self, f"b_{letter}")
            role, heads, width = self.heads_of(letter)
            columns = W.reshape(W.shape[0], heads, -1).swapaxes(0, 1)
            stages.append(parameter(f"W_{letter}", columns, role, "d_model", width))
            if b is not None:
                rows = b.reshape(heads, -1)
                stages.append(parameter(f"b_{letter}", rows, role, width))
        if self.W_O is not None:
            stages += output_parameters(self.W_O, self.b_O, self.heads)
        for key, gamma in (("gamma_Q", self.gamma_Q), ("gamma_K", self.gamma_K)):
            if gamma is not None:
                stages.append(parameter(key, gamma, "d_k"))
        return tuple(stages)

    def heads_of(self, letter: str) -> tuple[str, int, str]:
        """The role and the number of the heads of Q, K or V, and the role of the width of one."""
        width = "d_v" if letter == "V" else "d_k"
        shared = letter != "Q" and self.kv_heads < self.heads
        return ("kv_head", self.kv_heads, width) if shared else ("head", self.heads, width)

    def head(self, i: int) -> HeadWeights:
        """The matrices of head i, from 0; shared keys and values are those of its group.

        Raises IndexError for a head that does not exist.
        """
        if not 0 <= i < self.heads:
            raise IndexError(f"no head {i}: there are {self.heads}, counted from 0")
        group = i * self.kv_heads // self.heads
        q = slice(i * self.d_k, (i + 1) * self.d_k)
        k = slice(group * self.d_k, (group + 1) * self.d_k)
        v = slice(group * self.d_v, (group + 1) * self.d_v)
        o = slice(i * self.d_v, (i + 1) * self.d_v)
        return HeadWeights(
            W_Q=self.W_Q[:, q],
            W_K=self.W_K[:, k],
            W_V=self.W_V[:, v],
            W_O=None if self.W_O is None else self.W_O[o],
            b_Q=None if self.b_Q is None else self.b_Q[q],
            b_K=None if self.b_K is None else self.b_K[k],
            b_V=None if self.b_V is None else self.b_V[v],
        )

    @classmethod
    def from_heads(cls, heads: Sequence[HeadWeights], b_O: np.ndarray | None = None) -> "Weights":
        """Pack the matrices of the heads: columns side by side, rows of W^O one below another.

        All heads need the same shapes, and W_O or a bias in all heads or in none.
        Raises out_of_range for no head, shape_mismatch if the heads differ.
        """
        if not heads:
            raise out_of_range("heads", 0, "at least 1")

        def pack(name: str, axis: int) -> np.ndarray | None:
            parts = [getattr(head, name) for head in heads]
            if all(part is None for part in parts):
                return None
            shapes = [None if part is None else np.shape(part) for part in parts]
            for shape in shapes:
                if shape != shapes[0]:
                    raise shape_mismatch(f"{name} of every head", str(shapes[0]), shape or ())
            return np.concatenate(parts, axis=axis)

        return cls(
            W_Q=pack("W_Q", 1),  # type: ignore[arg-type]
            W_K=pack("W_K", 1),  # type: ignore[arg-type]
            W_V=pack("W_V", 1),  # type: ignore[arg-type]
            W_O=pack("W_O", 0),
            heads=len(heads),
            b_Q=pack("b_Q", 0),
            b_K=pack("b_K", 0),
            b_V=pack("b_V", 0),
            b_O=b_O,
        )

    @classmethod
    def from_torch(cls, *modules: Any, heads: int = 0) -> "Weights":
        """The parameters of an ``nn.MultiheadAttention``, or of projections q, k, v and o.

        modules: ``nn.Linear``, whose matrix is (out, in) and is transposed here, or ``Conv1D`` of
            Hugging Face's GPT-2, whose matrix is not. o may be left out, to end at concat; k and v
            may be narrower than q, for heads that share them.
        heads: of the queries; an ``nn.MultiheadAttention`` says so itself.

        Raises TypeError for other modules, ValueError for ``bias_k`` or ``add_zero_attn``, and what
        ``Weights`` raises.
        """
        if len(modules) == 1 and hasattr(modules[0], "out_proj"):
            (of,) = modules
            if of.bias_k is not None or of.add_zero_attn:
                raise ValueError("bias_k, bias_v and add_zero_attn are not in the paper")
            named = {
                name: getattr(of, name) for name in (*SEPARATE, "in_proj_weight", "in_proj_bias")
            }
            output = {"out_proj_weight": of.out_proj.weight, "out_proj_bias": of.out_proj.bias}
            return cls(heads=of.num_heads, **projections({**named, **output}))
        if len(modules) not in (3, 4) or heads < 1:
            raise TypeError("an nn.MultiheadAttention, or q, k, v and o with heads=")
        arrays: dict[str, Any] = {"W_O": None}
        for name, module in zip("QKVO", modules, strict=False):
            arrays[f"W_{name}"], arrays[f"b_{name}"] = _of_linear(module)
        d_k = max(1, arrays["W_Q"].shape[1] // heads)
        return cls(heads=heads, kv_heads=arrays["W_K"].shape[1] // d_k, **arrays)

    @classmethod
    def seeded(
        cls,
        d_model: int,
        heads: int,
        seed: int,
        d_k: int | None = None,
        d_v: int | None = None,
    ) -> "Weights":
        """Random matrices that are the same for the same seed, without biases.

        Each ``xavier_uniform``, drawn as W_Q, W_K, W_V, W_O in this order. d_k and d_v default to
        d_model / h, which must then divide.

        Raises heads_do_not_divide, and out_of_range for a size below 1.
        """
        for name, value in (("d_model", d_model), ("heads", heads), ("d_k", d_k), ("d_v", d_v)):
            if value is not None and value < 1:
                raise out_of_range(name, value, "at least 1")
        if (d_k is None or d_v is None) and d_model % heads:
            raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
        random = np.random.default_rng(seed)
        keys, values = heads * (d_k or d_model // heads), heads * (d_v or d_model // heads)
        return cls(
            W_Q=xavier_uniform(random, d_model, keys),
            W_K=xavier_uniform(random, d_model, keys),
            W_V=xavier_uniform(random, d_model, values),
            W_O=xavier_uniform(random, values, d_model),
            heads=heads,
        )


def projections(of: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of ``Weights`` from the arguments of ``F.multi_head_attention_forward``.

    There they are (out, in), and are transposed here.
    """
    packed, bias, b_O = of["in_proj_weight"], of["in_proj_bias"], of["out_proj_bias"]
    arrays: dict[str, Any] = {"W_O": as_numpy(of["out_proj_weight"]).T}
    arrays["b_O"] = None if b_O is None else as_numpy(b_O)
    for i, name in enumerate("QKV"):
        own = of[SEPARATE[i]] if packed is None else packed.chunk(3)[i]
        arrays[f"W_{name}"] = as_numpy(own).T
        arrays[f"b_{name}"] = None if bias is None else as_numpy(bias.chunk(3)[i])
    return arrays


def _of_linear(module: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """The matrix (in, out) and the bias of a projection. Raises TypeError for another module."""
    if not (hasattr(module, "in_features") or hasattr(module, "nf")):  # nf: that of Conv1D
        raise TypeError(f"{type(module).__name__} is no nn.Linear")
    matrix = as_numpy(module.weight)
    bias = None if module.bias is None else as_numpy(module.bias)
    return (matrix if hasattr(module, "nf") else matrix.T), bias


def output_parameters(W_O: np.ndarray, b_O: np.ndarray | None, heads: int) -> list[Stage]:
    """W_O (head, d_v, d_model), a view of the packed matrix, and b_O (d_model,) if there is one."""
    by_head = W_O.reshape(heads, -1, W_O.shape[1])
    stages = [parameter("W_O", by_head, "head", "d_v", "d_model")]
    if b_O is not None:
        stages.append(parameter("b_O", b_O, "d_model"))
    return stages


def xavier_uniform(random: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Uniform in ±√(6 / (rows + columns)) (Glorot & Bengio, 2010, equation 16)."""
    limit = np.sqrt(6 / (rows + columns))
    return random.uniform(-limit, limit, (rows, columns))


def _locked(name: str, given: np.ndarray, matrix: bool) -> np.ndarray:
    if type(given).__name__ == "Parameter":
        raise TypeError(f"{name} is a layer's own parameter, transposed: use Weights.from_torch")
    array = finite.real(name, given)
    if array.flags.writeable:
        array = array.copy(order="K")
    if array.dtype != np.float32:
        array = array.astype(np.float64)
    if array.ndim != (2 if matrix else 1) or not array.size:
        expected = f"a {'matrix' if matrix else 'vector'} that is not empty"
        raise shape_mismatch(name, expected, array.shape)
    finite.check(name, array)
    array.setflags(write=False)
    return array
