"""How large an input may be, stated once. Whoever takes input from a reader applies them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The largest input that a page computes.

    text: characters in all; lines: samples of a text batch; tokens: per line.
    file_bytes: one uploaded file; pixels: of one image, before any is decoded; images: per batch.
    seconds: of one sound, before any is decoded; frames: of one sound, after they are pooled.
    d_model, heads: the largest model; trace_bytes: all stages of one trace together; kept_bytes:
        of one that is kept while a reader's session lasts.
    """

    text: int = 2_000
    lines: int = 8
    tokens: int = 64
    file_bytes: int = 20_000_000
    pixels: int = 50_000_000
    images: int = 8
    seconds: float = 30.0
    frames: int = 1_000
    d_model: int = 768
    heads: int = 16
    trace_bytes: int = 300_000_000
    kept_bytes: int = 120_000_000


LIMITS = Limits()
