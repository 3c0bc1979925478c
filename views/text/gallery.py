"""The texts of the gallery."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class GalleryWords:
    """Around the saved pages.

    intro: with {microscopes} and {pages}. found: with {n} and {all}. still: of charts and settings.
    needs_app: after a gesture for which numbers would have to be computed anew.
    """

    title: str
    intro: str
    start: str
    search: str
    hint: str
    found: str
    none: str
    all: str
    previous: str
    next: str
    steps: str
    own: str
    own_local: str
    own_hosted: str
    still: str
    needs_app: str


WORDS = load(GalleryWords, __file__)
