"""The transcript of a speech model as words, each with its tokens and cross-attention weights."""

import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.speech import Written
from core.sources.tokenizer import Tokenizer

# Above and below which nobody is taken to speak. The first is OpenAI's; for the second theirs is
# −1, but the one word that Whisper base invents for silence comes to −0.9, and speech to −0.3.
NO_SPEECH, UNSURE = 0.6, -0.6
REPETITIVE = 2.4  # bytes of a text for one of it compressed; OpenAI's
PACE, SPARE = 12, 10  # tokens: for a second of speech at most, and beside these
COLUMNS = ("CJK UNIFIED", "HIRAGANA", "KATAKANA")  # scripts without spaces, by names of characters


@dataclass(frozen=True, eq=False)
class Word:
    """A word; of a script without spaces a character.

    pieces: the names of its tokens. first: the index of the first of them among all that were
    written, from 0. probability: the product of those of its tokens. cross: the mean of their
    weights, (layer, head, frame), without marks of punctuation, which are spoken nowhere.
    """

    text: str
    pieces: tuple[str, ...]
    first: int
    probability: float
    cross: np.ndarray


def words(written: Sequence[Written], tokenizer: Tokenizer) -> list[Word]:
    """The words of what was written. A character that is spelt in several tokens is one word."""
    result: list[tuple[str, int, list[Written]]] = []
    for text, first, tokens in _texts(written, tokenizer):
        for part in _columns(text):
            begins = not result or part[0].isspace() or _has_column(part[0])
            bare = part.strip()
            if begins and any(map(str.isalnum, bare)):
                result.append((bare, first, tokens))
            elif result:
                before, start, earlier = result[-1]
                added = [] if earlier[-1:] == tokens[-1:] else tokens
                result[-1] = before + part, start, [*earlier, *added]
            elif bare:
                result.append((bare, first, tokens))
    return [_word(text, first, tokens, tokenizer) for text, first, tokens in result]


def _texts(
    written: Sequence[Written], tokenizer: Tokenizer
) -> Iterator[tuple[str, int, list[Written]]]:
    """The shortest runs of tokens that are whole characters, each with its first token's index."""
    first = 0
    for last in range(1, len(written) + 1):
        tokens = list(written[first:last])
        text = tokenizer.text_of([one.number for one in tokens])
        if text is None and last == len(written):  # cut in the middle of a character
            text = "".join(f" {tokenizer.name_of(one.number)}" for one in tokens)
        if text:
            yield text, first, tokens
        if text is not None:
            first = last


def _columns(text: str) -> Iterator[str]:
    """The text itself; of a script without spaces each character, with what follows it."""
    pending = ""
    for character in text:
        if pending and _has_column(character):
            yield pending
            pending = ""
        pending += character
    if pending:
        yield pending


def _has_column(character: str) -> bool:
    return unicodedata.name(character, "").startswith(COLUMNS)


def _word(text: str, first: int, tokens: list[Written], tokenizer: Tokenizer) -> Word:
    spoken = [one for one in tokens if _is_spoken(one, tokenizer)] or tokens
    return Word(
        text,
        tuple(tokenizer.name_of(one.number) for one in tokens),
        first,
        float(np.exp(sum(one.log_probability for one in tokens))),
        np.mean([one.cross for one in spoken], axis=0),
    )


def _is_spoken(token: Written, tokenizer: Tokenizer) -> bool:
    text = tokenizer.text_of([token.number])
    return text is None or any(map(str.isalnum, text))


def text_of(written: Sequence[Written], tokenizer: Tokenizer) -> str:
    """The text written so far, up to the last whole character."""
    return "".join(
        text for text, _, tokens in _texts(written, tokenizer) if _is_whole(tokens, tokenizer)
    ).strip()


def _is_whole(tokens: list[Written], tokenizer: Tokenizer) -> bool:
    return tokenizer.text_of([one.number for one in tokens]) is not None


def mean_log_probability(written: Sequence[Written]) -> float:
    """Of the tokens; 0 if there are none."""
    return float(np.mean([one.log_probability for one in written])) if written else 0.0


def has_speech(no_speech: float, written: Sequence[Written]) -> bool:
    """Whether what was written was spoken, rather than made up for noise or silence.

    no_speech: the probability of the token that says so.
    """
    return bool(written) and (no_speech <= NO_SPEECH or mean_log_probability(written) >= UNSURE)


def repeats_itself(text: str) -> bool:
    """Whether a text goes round in circles, as it does where a model loses the sound."""
    data = text.encode()
    return len(data) > REPETITIVE * len(zlib.compress(data))


def most_tokens(seconds: float) -> int:
    """How many tokens are written of a sound at most, so that it ends where nobody speaks."""
    return SPARE + int(PACE * seconds)
