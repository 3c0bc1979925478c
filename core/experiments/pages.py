"""A KV cache in pages, which several texts share.

"Efficient Memory Management for Large Language Model Serving with PagedAttention" (Kwon et al.,
2023), sections 4.1 (pages) and 4.4 (texts that begin alike share them).
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A page of the memory.

    text: whose it is, from 0; None if all share it. tokens: their indices in the text.
    """

    text: int | None
    tokens: range


def pages(alike: int, lengths: Sequence[int], size: int) -> list[Page]:
    """The pages of the memory in the order in which they are taken.

    alike: with so many tokens all texts begin alike. lengths: tokens of each text. size: tokens of
    a page. Full pages of the beginning are there once; of a page that is not full each text has its
    own, since it goes on there in its own way (copy on write).
    """
    shared = alike // size
    found = [Page(None, range(i * size, (i + 1) * size)) for i in range(shared)]
    for first in range(shared * size, max(lengths), size):
        found += [
            Page(text, range(first, min(first + size, length)))
            for text, length in enumerate(lengths)
            if length > first
        ]
    return found
