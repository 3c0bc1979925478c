"""How an architecture is laid out in a file: the names of its tensors."""

from collections.abc import Mapping
from dataclasses import dataclass

FUSED = {"QKV": ("Q", "K", "V"), "gate_up": ("gate", "up")}  # several matrices in one


@dataclass(frozen=True)
class Layout:
    """The tensor names of one architecture.

    prefix: optional prefix of all names. layer: prefix of the names of a layer.
    linear: modules of the matrices, by our letter; of several in one, by theirs (``FUSED``).
    norms: modules of the norms of attention and of the feed-forward layer. inputs: tensors of the
    embeddings, by our name. qk_norms: modules of the norms of queries and keys. last_norm: module
    of the final norm before the language model head; empty without such a head. final_norm: module
    of the final norm of a model without such a head.
    layer_scales: tensors of the LayerScale behind attention and behind the feed-forward layer.
    transposed: whether matrices are stored as (out, in). token: the kind of a token.
    rms: whether norms are RMSNorm, and feed-forward layers without biases.
    first_norm: whether the first layer has a norm in front of its attention.
    """

    prefix: str
    layer: str
    linear: Mapping[str, str]
    norms: tuple[str, str]
    inputs: Mapping[str, str]
    transposed: bool
    causal: bool
    pre_norm: bool
    token: str
    rms: bool = False
    qk_norms: tuple[str, str] = ("", "")
    last_norm: str = ""
    final_norm: str = ""
    first_norm: bool = True
    layer_scales: tuple[str, ...] = ()

    @property
    def gated(self) -> bool:
        """Whether feed-forward layers are gated."""
        return "down" in self.linear
