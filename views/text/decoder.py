"""What the pages of the chapter *Today* have in common: a sentence in the small decoder."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class DecoderWords:
    """A sentence in the shipped decoder.

    costs: the heading of what a variant saves. papers: that of where it comes from; columns: of
    their table.
    """

    text: str
    text_help: str
    one_text: str
    layer: str
    origin: str
    costs: str
    papers: str
    columns: tuple[str, ...]
    code: str


WORDS = load(DecoderWords, __file__)
