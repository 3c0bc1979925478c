"""Next tokens as words that a reader expects, and the last word of a text."""

from core.limits import WRITTEN
from core.models.opened_model import Checkpoint
from core.sources import text
from core.sources.visible import as_word
from pages.see.writing.models import WORDS
from views.preferences import in_language
from views.text import CHECKPOINT
from views.text.spans import isolated
from views.widgets.checkpoint.notes import BEGINS

NEW_LINE = "↵"  # as the names of tokens show it


def word_of(model: Checkpoint, written: str, number: int) -> str:
    """A token that may come next, by its id: without its space; ``…ley`` if a word goes on."""
    if model.is_end_of_text(number):
        return str(in_language(CHECKPOINT).following.ends)
    name = model.name_of(number)
    signs, word = in_language(WORDS).signs, as_word(name)
    if word in signs:
        return str(signs[word])
    if " " in name:  # bytes in hexadecimal: a space of a token is shown as a mark
        return str(in_language(WORDS).signs.bytes)
    bare = word.removeprefix(BEGINS)
    if bare != word and bare:
        is_chinese = text.is_chinese(bare + written[-1:])  # which has no spaces between words
        return isolated(signs.before.format(word=bare) if is_chinese else bare)
    goes_on = word == name and word[:1].isalpha() and written[-1:].isalpha()
    return isolated(f"…{word}" if goes_on and not text.is_chinese(word + written[-1:]) else word)


def is_finished(model: Checkpoint, likeliest: int) -> bool:
    """Whether no word is expected: the text ends, or a new paragraph begins."""
    return model.is_end_of_text(likeliest) or not model.name_of(likeliest).strip(NEW_LINE)


def without_last_word(written: str) -> tuple[str, str] | None:
    """A text before its last word and what follows that, and the word; None if nothing is left.

    Raises what ``core.sources.text.read`` raises.
    """
    words = [word for line in text.read(written, "word", WRITTEN) for word in line]
    last = next((word for word in reversed(words) if any(map(str.isalnum, word))), "")
    before, found, _ = written.rpartition(last) if last else ("", "", "")
    return (before.rstrip(), last) if found and before.strip() else None
