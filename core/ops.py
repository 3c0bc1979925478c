"""The operations of multi-head attention: one function is one line of the paper.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2. The size symbols are those of
``core``. Every function returns a new array and does not modify its arguments.
"""

import math

import numpy as np


def split_heads(packed: np.ndarray, heads: int) -> np.ndarray:
    """Split the columns into heads (section 3.2.2)."""
    batch, n, width = packed.shape
    # (batch, n, h·d_k) -> (batch, n, head, d_k) -> (batch, head, n, d_k)
    return packed.reshape(batch, n, heads, width // heads).swapaxes(1, 2)


def merge_heads(head_output: np.ndarray) -> np.ndarray:
    """Concatenate the heads: concat = Concat(head_1, …, head_h) (section 3.2.2)."""
    batch, heads, n, d_v = head_output.shape
    # (batch, head, n, d_v) -> (batch, n, head, d_v) -> (batch, n, h·d_v)
    return head_output.swapaxes(1, 2).reshape(batch, n, heads * d_v)


def linear(X: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    """Multiply every row by one matrix: X W + b."""
    # The rows of all samples as one matrix: one large product is faster than many small ones.
    # (batch, n, width) -> (batch·n, width) · (width, m) -> (batch·n, m)
    flat = X.reshape(-1, X.shape[-1]) @ W
    if b is not None:
        flat += b
    return flat.reshape(*X.shape[:-1], W.shape[1])  # -> (batch, n, m)


def add(X: np.ndarray, added: np.ndarray) -> np.ndarray:
    """X + added, as for positions (section 3.5) and residual connections (section 3.1)."""
    return X + added  # (batch, n, d_model) + (batch, n, d_model) or (n, d_model)


def multiply(gate: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Element-wise product gate ⊙ X (Shazeer, 2020, section 2)."""
    return gate * X  # (batch, n, d_ff) each


def project(X: np.ndarray, W: np.ndarray, b: np.ndarray | None, heads: int) -> np.ndarray:
    """Q = X W^Q + b^Q, split into heads; K and V likewise (section 3.2.2)."""
    return split_heads(linear(X, W, b), heads)  # (batch, n, d_model) -> (batch, head, n, d_k)


def dot_product_scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Dot product of every query with every key: scores = Q Kᵀ (section 3.2.1)."""
    K = repeat_heads(K, Q.shape[-3]) if K.ndim == 4 else K
    # (batch, head, query, d_k) · (batch, head, d_k, key) -> (batch, head, query, key)
    return Q @ K.swapaxes(-1, -2)


def repeat_heads(shared: np.ndarray, heads: int) -> np.ndarray:
    """Grouped-query attention: repeat shared key or value heads for each query head.

    "GQA: Training Generalized Multi-Query Transformer Models" (Ainslie et al., 2023), section 2.2.
    shared: (…, kv_head, key, d_k) -> (…, head, key, d_k); the same array if there are as many. A
    group is of consecutive heads.
    """
    group = heads // shared.shape[-3]
    return shared if group == 1 else np.repeat(shared, group, axis=-3)


def replaced(values: np.ndarray, kept: np.ndarray, instead: np.ndarray) -> np.ndarray:
    """Some rows set to others: values · kept + instead, with 1 or 0 for each row in kept.

    values: (…, row, column). kept: (…, row, 1). instead: like values, 0 in the rows that are kept.
    """
    return values * kept + instead


def rotate(
    X: np.ndarray, cos: np.ndarray, sin: np.ndarray, interleaved: bool = False
) -> np.ndarray:
    """Rotary position embedding of each vector: x · cos ∓ partner · sin.

    "RoFormer: Enhanced Transformer with Rotary Position Embedding" (Su et al., 2021), section
    3.4.2. The partner of an entry is half the rotated width away, as in Hugging Face's
    ``transformers``, or if interleaved, as in the paper, beside it.
    X: (…, token, d_k); cos, sin: (token, pair), or with more axes in front, one angle a pair.
    Entries from 2 · pair on are not rotated.
    """
    pairs = cos.shape[-1]
    rotated = np.array(X, copy=True)
    halves = (
        (np.s_[..., 0 : 2 * pairs : 2], np.s_[..., 1 : 2 * pairs : 2])
        if interleaved
        else (np.s_[..., :pairs], np.s_[..., pairs : 2 * pairs])
    )
    first, second = (X[half] for half in halves)  # (…, token, pair) each
    rotated[halves[0]] = first * cos - second * sin
    rotated[halves[1]] = second * cos + first * sin
    return rotated


def soft_cap(scaled: np.ndarray, cap: float) -> np.ndarray:
    """Logit soft-capping: cap · tanh(scaled / cap), between −cap and cap.

    "Gemma 2: Improving Open Language Models at a Practical Size" (Gemma Team, 2024), section 2.
    """
    capped = scaled / scaled.dtype.type(cap)
    np.tanh(capped, out=capped)
    capped *= scaled.dtype.type(cap)
    return capped


def relative_buckets(
    apart: np.ndarray, count: int, furthest: int, bidirectional: bool
) -> np.ndarray:
    """The bucket of each distance, key position − query position: the same shape, int32.

    Half of the buckets are one distance each, the others grow logarithmically up to ``furthest``,
    beyond which all share the last one; in float32, as the models were trained. bidirectional:
    whether keys behind a query have the second half of the buckets; else they have bucket 0.
    "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (Raffel et
    al., 2020), section 2.1, and its code.
    """
    if bidirectional:
        count //= 2
        first, size = np.where(apart > 0, count, 0), np.abs(apart)
    else:
        first, size = np.zeros_like(apart), np.maximum(-apart, 0)
    exact = count // 2
    growth = np.log(np.maximum(size, 1).astype(np.float32) / np.float32(exact))
    growth = growth / np.float32(math.log(furthest / exact)) * np.float32(count - exact)
    far = np.minimum(exact + growth.astype(np.int64), count - 1)
    bucket: np.ndarray = (first + np.where(size < exact, size, far)).astype(np.int32)
    return bucket


def relative_bias(table: np.ndarray, buckets: np.ndarray) -> np.ndarray:
    """Relative position bias, looked up in a table (Raffel et al., 2020, section 2.1).

    table: (head, bucket). buckets: (query, key). Returns (head, query, key).
    """
    return table[:, buckets]


def alibi(slopes: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Attention with linear biases: −slope · |query position − key position|, (head, query, key).

    "Train Short, Test Long" (Press et al., 2022), section 3.
    slopes: (head,); distance: (query, key).
    """
    return -slopes[:, None, None] * distance


def round_to(array: np.ndarray, precision: str) -> np.ndarray:
    """Numbers rounded to ``float16`` or ``bfloat16``, in the type that they had.

    Ties go to the even neighbour; what is too large becomes infinite (IEEE 754-2019, section 4.3).
    """
    with np.errstate(over="ignore"):
        if precision == "float16":
            return array.astype(np.float16).astype(array.dtype)
        single = np.asarray(array, np.float32)
    bits = single.view(np.uint32)
    # A bfloat16 is the upper half of a float32.
    upper = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) & np.uint32(
        0xFFFF0000
    )
    return np.where(np.isfinite(single), upper.view(np.float32), single).astype(array.dtype)


def scale_scores(scores: np.ndarray, scale: float, temperature: float = 1.0) -> np.ndarray:
    """scaled = scores · scale / temperature, with scale = 1/√d_k (section 3.2.1)."""
    return scores * (scale / temperature)


def mask_scores(
    scaled: np.ndarray, allowed: tuple[np.ndarray, ...], bias: np.ndarray | None = None
) -> np.ndarray:
    """Add the bias, then set to −∞ what any mask does not allow (section 3.2.3)."""
    masked = scaled.copy() if bias is None else scaled + bias
    for mask in allowed:
        np.copyto(masked, -np.inf, where=~mask)
    return masked


def softmax(scores: np.ndarray, sinks: np.ndarray | None = None) -> np.ndarray:
    """Softmax along the last axis: e^(x − max) / Σ e^(x − max).

    Stable for any finite scores, in their precision. −∞ becomes exactly 0, and a row of −∞ alone
    becomes all 0.
    sinks: one more logit of each row, broadcastable to (…, query, 1), whose weight is dropped
    ("gpt-oss-120b & gpt-oss-20b Model Card", OpenAI, 2025, section 2.2).
    """
    maximum = scores.max(axis=-1, keepdims=True)  # (…, query, key) -> (…, query, 1)
    if sinks is not None:
        maximum = np.maximum(maximum, sinks)
    maximum[np.isneginf(maximum)] = 0
    with np.errstate(over="ignore"):  # −∞ where the difference of two scores overflows
        weights = scores - maximum
    np.exp(weights, out=weights)
    total = weights.sum(axis=-1, keepdims=True)
    if sinks is not None:
        total += np.exp(sinks - maximum)
    total[total == 0] = 1
    weights /= total
    return weights


def dropout_mask(
    shape: tuple[int, ...],
    dropout: float,
    seed: int,
    heads: tuple[int, int],
    queries: tuple[int, int],
) -> np.ndarray:
    """Bool mask of the weights that dropout does not zero: True with probability 1 − dropout.

    shape: (batch, head, query, key). seed: of PCG64. heads, queries: the index of the first of
    these, and the number of all: a head and a query have the same mask alone and among all.
    """
    keep = np.empty(shape, dtype=bool)
    (first_head, all_heads), (first_query, all_queries) = heads, queries
    for sample, head in np.ndindex(shape[:2]):
        before = (sample * all_heads + first_head + head) * all_queries + first_query
        random = _advanced(before * shape[3], seed)
        row = random.random(shape[2:], dtype=np.float32)
        np.greater_equal(row, dropout, out=keep[sample, head])
    return keep


def _advanced(drawn: int, seed: int) -> np.random.Generator:
    """The generator of this seed after ``drawn`` float32 numbers."""
    random = np.random.Generator(np.random.PCG64(seed).advance(drawn // 2))
    if drawn % 2:  # a step of PCG64 makes two of them
        random.random(dtype=np.float32)
    return random


def apply_dropout(weights: np.ndarray, keep: np.ndarray, dropout: float) -> np.ndarray:
    """Dropout: weights ⊙ keep / (1 − dropout)."""
    dropped = weights * keep
    dropped /= 1 - dropout
    return dropped


def weighted_sum(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The weighted sum of the values: head_output = weights V (section 3.2.1)."""
    # (batch, head, query, key) · (batch, head, key, d_v) -> (batch, head, query, d_v)
    V = repeat_heads(V, weights.shape[-3]) if V.ndim == 4 else V
    return weights @ V


def layer_norm(
    X: np.ndarray,
    epsilon: float,
    gamma: np.ndarray | None = None,
    beta: np.ndarray | None = None,
) -> np.ndarray:
    """LayerNorm: each row to mean 0 and variance 1, then γ and β (Ba et al., 2016).

    γ · (x − mean) / √(variance + ε) + β. X: (…, d_model); gamma, beta: (d_model,), 1 and 0 if None.
    A row whose variance overflows becomes NaN.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        centred = X - X.mean(axis=-1, keepdims=True)
        # The mean is rounded; without a second pass a row of equal numbers would not become 0.
        centred -= centred.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        variance[np.isinf(variance)] = np.nan
        centred /= np.sqrt(variance + X.dtype.type(epsilon))
        if gamma is not None:
            centred *= gamma
        if beta is not None:
            centred += beta
    return centred


def rms_norm(X: np.ndarray, epsilon: float, gamma: np.ndarray | None = None) -> np.ndarray:
    """RMSNorm: each row to a mean square of 1, then γ (Zhang & Sennrich, 2019, section 4).

    γ · x / √(mean of x² + ε). X: (…, width); gamma: (width,), 1 if None.
    A row whose mean square overflows becomes NaN.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        mean_square = np.square(X).mean(axis=-1, keepdims=True)
        mean_square[np.isinf(mean_square)] = np.nan
        normed = X / np.sqrt(mean_square + X.dtype.type(epsilon))
        if gamma is not None:
            normed *= gamma
    return normed


def softmax_steps(row: np.ndarray) -> dict[str, np.ndarray]:
    """The intermediate results of softmax for one row of scores.

    row: (key,). Returns ``max`` (), ``shifted`` (key,), ``exponentials`` (key,), ``sum`` () and
    ``weights`` (key,), in the precision of the row.
    """
    maximum = row.max()
    with np.errstate(over="ignore"):
        shifted = row - (maximum if maximum > -np.inf else row.dtype.type(0))
    exponentials = np.exp(shifted)
    total = exponentials.sum()
    weights = exponentials / (total if total else row.dtype.type(1))
    return {
        "max": maximum,
        "shifted": shifted,
        "exponentials": exponentials,
        "sum": total,
        "weights": weights,
    }
