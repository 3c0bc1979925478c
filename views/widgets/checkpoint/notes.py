"""Sentences on an opened model: how its weights are stored, and the tokens of its text."""

import re

from core.models.opened_model import Checkpoint
from core.sources.tokenizer import Encoding
from core.sources.visible import NUMBERED, visible
from views.figures.axis import shortened
from views.preferences import in_language
from views.text import CHECKPOINT, Words
from views.text.spans import Span, spans
from views.widgets.errors import MOST, more


def stored_as(model: Checkpoint, words: Words) -> str:
    """A sentence on it; empty for weights of 16 bits or more."""
    kind = model.quantization
    if kind is None:
        return ""
    return str(
        CHECKPOINT[words.code].stored.format(name=kind.name, bits=kind.bits, block=kind.numbers)
    )


def with_stored(model: Checkpoint, origin: str, words: Words) -> str:
    """Where the weights come from, and in a second line how they are stored."""
    if model.quantization is None:
        return origin
    return f"{origin}\n{stored_as(model, words)}"


CONTINUES, BEGINS, ENDS, SPACE = "##", "▁", "</w>", "␣"
_BYTES = re.compile(r"[0-9A-F]{2}( [0-9A-F]{2})*")
_NUMBERED = re.compile(NUMBERED)


def token_notes(encoding: Encoding, positions: int, words: Words) -> list[list[Span]]:
    """A sentence on each kind of mark that occurs. positions: the most that the model takes."""
    texts = in_language(CHECKPOINT)
    notes = [spans(texts.cut, tokens=str(len(encoding.tokens)), positions=str(positions))]
    unknown = tuple(dict.fromkeys(encoding.origins[i] for i in encoding.unknown))
    if unknown:
        token = (encoding.tokens[encoding.unknown[0]], "token")
        notes.append(spans(texts.unknown, token=token, characters=_quoted(unknown, words)))
    pairs = [
        (name, origin)
        for i, (name, origin) in enumerate(zip(encoding.tokens, encoding.origins, strict=True))
        if origin and i not in encoding.unknown and name != origin
    ]
    if any(name.startswith(CONTINUES) for name, _ in pairs):
        notes.append(spans(texts.continues, mark=(CONTINUES, "token")))
    if any(name.startswith(BEGINS) for name, _ in pairs):
        notes.append(spans(texts.begins, mark=(BEGINS, "token")))
    if any(SPACE in name and name.strip(SPACE) for name, _ in pairs):
        notes.append(spans(texts.space, mark=(SPACE, "token")))
    if any(name.endswith(ENDS) for name, _ in pairs):
        notes.append(spans(texts.ends, mark=(ENDS, "token")))
    of_bytes = next((origin for name, origin in pairs if _BYTES.fullmatch(name)), "").strip(" ")
    if of_bytes:
        hex_bytes = of_bytes.encode().hex(" ").upper()
        quoted = _quoted((of_bytes,), words)
        notes.append(spans(texts.bytes, bytes=(hex_bytes, "token"), character=quoted))
    unseen = _NUMBERED.search("".join(name for name, _ in pairs))
    if unseen:
        notes.append(spans(texts.unseen, mark=(unseen.group(), "token")))
    if encoding.left_out:
        notes.append(spans(texts.left_out, characters=_quoted(encoding.left_out, words)))
    return notes


def special_notes(encoding: Encoding, words: Words) -> list[list[Span]]:
    """A sentence on each special token, which is no word."""
    names = dict.fromkeys(encoding.tokens[i] for i in encoding.special)
    known = words.first_view.special
    return [[(known[name], "")] for name in names if name in known]


def _quoted(texts: tuple[str, ...], words: Words) -> str:
    quoted = [f"“{shortened(visible(text))}”" for text in texts[:MOST]]
    return words.list_mark.join([*quoted, *more(texts)])
