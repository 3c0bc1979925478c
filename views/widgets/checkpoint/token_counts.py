"""How a model cut the reader's text: how many tokens, and what their marks mean."""

import re

from core.sources.tokenizer import Encoding
from core.sources.visible import NUMBERED, visible
from views.figures.axis import shortened
from views.preferences import in_language
from views.text import CHECKPOINT, Words
from views.text.spans import Span, spans
from views.widgets.errors import MOST, more

CONTINUES, BEGINS, ENDS, SPACE = "##", "▁", "</w>", "␣"
_BYTES = re.compile(r"[0-9A-F]{2}( [0-9A-F]{2})*")
_NUMBERED = re.compile(NUMBERED)


def told_of(cut: Encoding, places: int, words: Words) -> list[list[Span]]:
    """Sentences on the tokens of a text; only on what occurs in them. places: of the model."""
    said = in_language(CHECKPOINT)
    told = [spans(said.cut, tokens=str(len(cut.tokens)), places=str(places))]
    unknown = tuple(dict.fromkeys(cut.origins[place] for place in cut.unknown))
    if unknown:
        token = (cut.tokens[cut.unknown[0]], "token")
        told.append(spans(said.unknown, token=token, characters=_quoted(unknown, words)))
    pairs = [
        (name, origin)
        for place, (name, origin) in enumerate(zip(cut.tokens, cut.origins, strict=True))
        if origin and place not in cut.unknown and name != origin
    ]
    if any(name.startswith(CONTINUES) for name, _ in pairs):
        told.append(spans(said.continues, mark=(CONTINUES, "token")))
    if any(name.startswith(BEGINS) for name, _ in pairs):
        told.append(spans(said.begins, mark=(BEGINS, "token")))
    if any(SPACE in name and name.strip(SPACE) for name, _ in pairs):
        told.append(spans(said.space, mark=(SPACE, "token")))
    if any(name.endswith(ENDS) for name, _ in pairs):
        told.append(spans(said.ends, mark=(ENDS, "token")))
    of_bytes = next((origin for name, origin in pairs if _BYTES.fullmatch(name)), "").strip(" ")
    if of_bytes:
        held = of_bytes.encode().hex(" ").upper()
        told.append(spans(said.bytes, bytes=(held, "token"), character=_quoted((of_bytes,), words)))
    unseen = _NUMBERED.search("".join(name for name, _ in pairs))
    if unseen:
        told.append(spans(said.unseen, mark=(unseen.group(), "token")))
    if cut.left_out:
        told.append(spans(said.left_out, characters=_quoted(cut.left_out, words)))
    return told


def _quoted(texts: tuple[str, ...], words: Words) -> str:
    quoted = [f"“{shortened(visible(text))}”" for text in texts[:MOST]]
    return words.list_mark.join([*quoted, *more(texts)])
