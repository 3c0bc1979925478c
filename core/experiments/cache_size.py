"""The size of a KV cache and of attention's matrices, for decoders that are too large to run here.

"Efficiently Scaling Transformer Inference" (Pope et al., 2023), section 3.3.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class DecoderSizes:
    """The sizes of a decoder. itemsize: bytes of a number in its cache."""

    name: str
    layers: int
    d_model: int
    heads: int
    kv_heads: int
    d_k: int
    itemsize: int = 2

    def cache_bytes(self, tokens: int, kv_heads: int | None = None) -> int:
        """Bytes of the keys and values of these many tokens, in all layers.

        kv_heads: other than the model's own.
        """
        shared = self.kv_heads if kv_heads is None else kv_heads
        return 2 * self.layers * shared * self.d_k * tokens * self.itemsize

    def query_bytes(self, tokens: int) -> int:
        """Bytes of the queries of these many tokens, in all layers; a cache does not need them."""
        return self.layers * self.heads * self.d_k * tokens * self.itemsize

    def weights_bytes(self, tokens: int) -> int:
        """Bytes of the attention weights, (query, key), of all heads and layers."""
        return self.layers * self.heads * tokens**2 * self.itemsize

    def attention_parameters(self, kv_heads: int | None = None) -> int:
        """Parameters of W_Q, W_K, W_V and W_O of all layers, without biases."""
        shared = self.kv_heads if kv_heads is None else kv_heads
        return 2 * self.layers * self.d_model * self.d_k * (self.heads + shared)

    def attention_multiply_adds(self, tokens: int, kv_heads: int | None = None) -> int:
        """Multiply-adds of attention for one new token, in all layers.

        Its four projections, and Q Kᵀ and the weighted sum over ``tokens`` tokens, itself included.
        kv_heads: other than the model's own.
        """
        reads = 2 * self.layers * self.heads * self.d_k * tokens
        return self.attention_parameters(kv_heads) + reads

    def reading_multiply_adds(self, tokens: int) -> int:
        """Multiply-adds of attention for a whole text without a cache, in all layers.

        Of a query and a key only where it may attend to it: the causal half of Q Kᵀ.
        """
        pairs = tokens * (tokens + 1) // 2
        reads = 2 * self.layers * self.heads * self.d_k * pairs
        return tokens * self.attention_parameters() + reads


# "The Llama 3 Herd of Models" (Grattafiori et al., 2024), table 3; 131 072 tokens of context.
LLAMA_8B = DecoderSizes("Llama 3.1 8B", 32, 4096, 32, 8, 128)
CONTEXT = 131_072
