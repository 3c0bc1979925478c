"""Path lengths and costs of recurrent and attention layers."""

from dataclasses import dataclass

from core import shapes


@dataclass(frozen=True)
class Layer:
    """One row of Table 1 of "Attention Is All You Need", counted for n words.

    path: maximum path length, from the first word to the result of the last. sequential: sequential
    operations. multiply_adds: of all matrix products.
    """

    path: int
    sequential: int
    multiply_adds: int


def recurrent_layer(n: int, d_model: int, width: int) -> Layer:
    """Path O(n), sequential O(n), n·width·(width + d_model) multiply-adds: O(n·d²)."""
    return Layer(n, n, n * width * (width + d_model))


def attention_layer(n: int, d_model: int, heads: int) -> Layer:
    """Path O(1), sequential O(1), 2·n²·d_model + 4·n·d_model² multiply-adds.

    The first summand is O(n²·d) of Table 1, which leaves out the second: the projections.
    """
    return Layer(1, 1, shapes.attention_cost(n, d_model, heads).multiply_adds)
