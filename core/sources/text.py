"""Text as a sequence: tokens, their embeddings and positions."""

import hashlib
import math
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

import numpy as np
import regex
import rjieba

from core import finite, masks, notation
from core.axis import Axis, Labels
from core.errors import InputError, out_of_range
from core.limits import LIMITS, Limits
from core.rules import Constant, Given, Operand, Product
from core.sources.position import input_stages
from core.sources.visible import visible
from core.trace import Stage, Trace

Mode = Literal["word", "character", "custom"]
PAD = "[PAD]"
# Words that say little by themselves: a picture of a sentence does not begin with one.
FUNCTION_WORDS = frozenset({
    "a", "an", "the", "of", "to", "in", "on", "at", "for", "from", "with", "by", "as", "and",
    "or", "but", "nor", "so", "that", "this", "than", "then", "if", "is", "are", "was", "were",
    "be", "been", "am", "do", "does", "did", "has", "have", "had", "not", "no", "there", "its",
    "his", "her", "their", "my", "your", "our",
    *"的了着过在和与或是有也都就很把被给对从向到这那个一吗呢吧啊", "一个",
})  # fmt: skip
Token = TypeVar("Token", str, int)

# Controls, lone surrogates, and characters that change the order in which text is shown.
_REFUSED = regex.compile(r"[\p{Cc}\p{Cs}\u202A-\u202E\u2066\u2067--\t\n]", flags=regex.V1)
# Marks of direction and line breaks: two tokens that look alike would differ by them.
# U+2068 and U+2069 are around a token that the app quotes, and so in what is copied from it.
_STEERING = dict.fromkeys(map(ord, "\u00ad\u061c\u200e\u200f\u2060\u2068\u2069\ufeff")) | {
    0x200B: " "
}
_VISIBLE = regex.compile(r"[^\s\p{Default_Ignorable_Code_Point}]", flags=regex.V1)
_UNSEEN = regex.compile(
    r"[\p{Default_Ignorable_Code_Point}--[\u202A-\u202E\u2066\u2067]]", flags=regex.V1
)
UNSEGMENTED = {  # scripts without spaces between words, which Unicode leaves to a dictionary
    "thai": regex.compile(r"\p{Script=Thai}"),
    "lao": regex.compile(r"\p{Script=Lao}"),
    "khmer": regex.compile(r"\p{Script=Khmer}"),
    "myanmar": regex.compile(r"\p{Script=Myanmar}"),
    "hiragana": regex.compile(r"\p{Script=Hiragana}"),
}
# rjieba would part a character from its mark, such as the selector of a variant.
_HAN = regex.compile(r"((?:\p{Script=Han}(?!\p{M}))+)")
_WITH_RESULT = frozenset({"弄丢", "搞丢", "弄破"})  # not in its dictionary, unlike 弄坏 or 打碎
_WORD_BOUNDARY = regex.compile(r"\b", flags=regex.V1 | regex.WORD)
_GRAPHEME = regex.compile(r"\X")
_SPACE_OR_SLASH = regex.compile(r"[\s/]+")


def read(text: str, mode: Mode, limits: Limits = LIMITS) -> tuple[tuple[str, ...], ...]:
    """Split a text into lines, and each line into tokens.

    mode: ``word``: runs of Han characters by dictionary, all else at the word boundaries of Unicode
        (UAX #29); ``character``: by grapheme cluster; ``custom``: at white space and ``/``.
    Punctuation is a token, white space is not; blank lines are skipped. The text is first
    normalised to NFC, so that é is one token however it was typed.

    Raises text_too_long, invisible_characters, empty_text, too_many_lines, and too_many_tokens with
    the number of the line as it stands in the text, counted from 1.
    """
    composed = composed_of(text, limits)
    split = [_tokens(line, mode) for line in composed.split("\n")]
    lines = tuple(tokens for tokens in split if tokens)
    if not lines:
        raise InputError("empty_text")
    if len(lines) > limits.lines:
        raise InputError("too_many_lines", lines=len(lines), limit=limits.lines)
    for number, tokens in enumerate(split, start=1):
        if len(tokens) > limits.tokens:
            raise InputError(
                "too_many_tokens", line=number, tokens=len(tokens), limit=limits.tokens
            )
    return lines


def composed_of(text: str, limits: Limits = LIMITS) -> str:
    """The text normalised to NFC, without invisible marks of direction and line breaks.

    Raises text_too_long and invisible_characters.
    """
    if len(text) > limits.text:
        raise InputError("text_too_long", characters=len(text), limit=limits.text)
    text = text.replace("\r\n", "\n")
    refused = dict.fromkeys(_REFUSED.findall(text))
    if refused:
        raise InputError(
            "invisible_characters",
            characters=", ".join(f"U+{ord(character):04X}" for character in refused),
        )
    return unicodedata.normalize("NFC", text.translate(_STEERING))


def left_out(text: str, mode: Mode) -> tuple[str, ...]:
    """The invisible characters of a text that are in no token of it, each once."""
    split = (_tokens(line, mode) for line in text.translate(_STEERING).split("\n"))
    in_tokens = {character for tokens in split for token in tokens for character in token}
    return tuple(dict.fromkeys(c for c in _UNSEEN.findall(text) if c not in in_tokens))


def unsegmented(text: str) -> tuple[str, ...]:
    """The scripts of a text, of ``UNSEGMENTED``, which mode ``word`` cannot split into words."""
    return tuple(name for name, script in UNSEGMENTED.items() if script.search(text))


def is_chinese(written: str) -> bool:
    """Whether any character is Chinese, a rare one included."""
    return _HAN.search(written) is not None


def is_english(written: str) -> bool:
    """Whether any character is a letter of English."""
    return any(sign in string.ascii_letters for sign in written)


def embed(
    lines: Sequence[Sequence[str]], d_model: int, seed: int, *, position: bool = True
) -> Trace:
    r"""The trace from tokens to X with random embeddings and sinusoidal positions.

    X = E[tokens] + position   ("Attention Is All You Need", sections 3.4 and 3.5)

    lines: the tokens of each sample; shorter samples are padded with [PAD], which is hidden by the
        key mask only.
    position: whether to add sinusoidal positions.

    Labels show invisible characters, such as joiners, by their code points (``visible``).
    The stages are tokens (batch, token), row indices of E; E (vocabulary, d_model), with the tokens
    that occur; embedding (batch, token, d_model); position (token, d_model), if it is on; key_mask
    (batch, token), True for real tokens, if any sample is padded; and X. float64.
    Raises out_of_range for d_model < 1 or a negative seed, empty_text for a sample without tokens.
    """
    for name, value, least in (("d_model", d_model, 1), ("seed", seed, 0)):
        if value < least:
            raise out_of_range(name, value, f"at least {least}")
    if not lines or not all(lines):
        raise InputError("empty_text")
    filled, key_mask = _filled(lines, PAD)
    vocabulary = tuple(dict.fromkeys(token for line in filled for token in line))
    E = np.stack([vector(token, d_model, seed) for token in vocabulary])  # (vocabulary, d_model)
    row = {token: i for i, token in enumerate(vocabulary)}
    ids = np.array([[row[token] for token in line] for line in filled])  # (batch, token)
    labels = tuple(tuple(map(visible, line)) for line in filled)
    stages = rows_of(ids, _token_axis(labels, key_mask), E, [*map(visible, vocabulary)], "random")
    return _placed(stages, key_mask, position=position)


def look_up(lines: Sequence[Sequence[int]], E: np.ndarray, names: Sequence[str]) -> Trace:
    r"""The trace from token ids to X with trained embeddings and sinusoidal positions.

    X = √d_model · E[tokens] + position   ("Attention Is All You Need", sections 3.4 and 3.5)

    lines: ids of each sample; shorter samples are padded with [PAD], which has the first row of E.
    E: (vocabulary, d_model); the stage E has only the rows that occur, in order of occurrence.
    names: of every row.
    The stages are those of ``embed``, in the precision of E. Raises empty_text for a sample without
    tokens.
    """
    if not lines or not all(lines):
        raise InputError("empty_text")
    filled, key_mask = _filled(lines, 0)
    rows = tuple(dict.fromkeys(row for line in filled for row in line))
    index = {row: i for i, row in enumerate(rows)}
    ids = np.array([[index[row] for row in line] for line in filled])  # (batch, token)
    named = [[names[row] for row in line] for line in lines]
    labels, _ = _filled(named, PAD)
    tokens = _token_axis(labels, key_mask)
    *given, looked_up = rows_of(
        ids, tokens, E[list(rows)], [names[row] for row in rows], "parameter"
    )
    return _placed([*given, scaled_embedding(looked_up)], key_mask, position=True)


def scaled_embedding(looked_up: Stage) -> Stage:
    """The stage embedding with every number times √d_model (section 3.4)."""
    scale = looked_up.tensor.dtype.type(math.sqrt(looked_up.size("d_model")))
    return Stage(
        "embedding",
        r"\text{embedding} = \sqrt{d_{\text{model}}} \cdot E_{\text{tokens}}",
        looked_up.tensor * scale,
        looked_up.axes,
        Product((looked_up.rule, Constant(float(scale), r"\sqrt{d_{\text{model}}}"))),
        "scaled_vectors",
    )


def _filled(
    lines: Sequence[Sequence[Token]], filling: Token
) -> tuple[tuple[tuple[Token, ...], ...], np.ndarray | None]:
    """Padded lines, and their key mask; None if no line is padded."""
    lengths = [len(line) for line in lines]
    n = max(lengths)
    filled = tuple(tuple(line) + (filling,) * (n - len(line)) for line in lines)
    return filled, masks.key_mask(lengths, n) if min(lengths) < n else None


def _token_axis(labels: Labels, key_mask: np.ndarray | None) -> Axis:
    (tokens,) = notation.axes("token", labels={"token": labels})
    tokens = replace(tokens, kinds="word")
    return tokens if key_mask is None else tokens.filled(key_mask)


def _placed(stages: list[Stage], key_mask: np.ndarray | None, *, position: bool) -> Trace:
    """The trace of these stages, position, key_mask and X."""
    embedding = stages[-1]
    *positions, X = input_stages(embedding, position)
    stages = [*stages, *positions]
    if key_mask is not None:
        stages.append(notation.given("key_mask", key_mask, embedding.axes[:2], "mask"))
    return Trace([*stages, X])


def rows_of(
    ids: np.ndarray,
    tokens: Axis,
    E: np.ndarray,
    vocabulary: Sequence[str],
    origin: str,
) -> list[Stage]:
    """The stages tokens, E and embedding.

    ids: row indices of E, (batch, token). tokens: their axis. E: (vocabulary, d_model).
    origin: of E, as ``what`` of ``Given``. Raises not_real.
    """
    E, kind = finite.real("E", E), "" if origin == "random" else "learnt_table"
    named = notation.axes("batch", "token", "d_model", labels={"token": tokens})
    of_each_token = notation.axes("vocabulary", "d_model", labels={"vocabulary": tuple(vocabulary)})
    embedding = Stage(
        "embedding",
        r"\text{embedding} = E_{\text{tokens}}",
        E[ids],  # (batch, token, d_model)
        named,
        Operand("E", (("look_up", "tokens", ("batch", "token")), "d_model")),
    )
    return [
        notation.given("tokens", ids, named[:2]),
        Stage("E", "E", E, of_each_token, Given(origin), kind),
        embedding,
    ]


def vector(token: str, d_model: int, seed: int) -> np.ndarray:
    """The random vector of a token, the same in every process and on every machine.

    (2u − 1) · √3 with u uniform in 0 … 1, hence of mean 0 and variance 1. The u are the upper 53 of
    each 64 bits, little-endian, of SHAKE-256 over the seed's digits, a zero byte and the token in
    UTF-8. A narrower vector is the beginning of a wider one. Returns (d_model,) float64.
    """
    digest = hashlib.shake_256(f"{seed}\0{token}".encode()).digest(8 * d_model)
    u = (np.frombuffer(digest, dtype="<u8") >> 11) / 2**53  # (d_model,), exact
    return (2 * u - 1) * math.sqrt(3)


def _tokens(line: str, mode: Mode) -> tuple[str, ...]:
    return tuple(token.strip() for token in _CUT[mode](line) if _VISIBLE.search(token))


def _words(line: str) -> Iterator[str]:
    for i, run in enumerate(_HAN.split(line)):
        yield from _joined(rjieba.cut(run)) if i % 2 else _WORD_BOUNDARY.split(run)


def _joined(words: Iterable[str]) -> list[str]:
    """The words of rjieba, with a verb and its result as one."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] + word in _WITH_RESULT:
            joined[-1] += word
        else:
            joined.append(word)
    return joined


_CUT: dict[Mode, Callable[[str], Iterable[str]]] = {
    "word": _words,
    "character": _GRAPHEME.findall,
    "custom": _SPACE_OR_SLASH.split,
}
