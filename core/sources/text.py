"""A sentence as a sequence: cut into tokens, each looked up as a vector, plus its position."""

import hashlib
import unicodedata
from collections.abc import Sequence
from typing import Literal

import numpy as np
import regex
import rjieba

from core import masks
from core.errors import (
    EmptyText,
    InvisibleCharacters,
    OutOfRange,
    TextTooLong,
    TooManyLines,
    TooManyTokens,
)
from core.limits import LIMITS, Limits
from core.rules import Given, Operand, Rule, Sum
from core.sources.position import sinusoids
from core.steps import axes
from core.trace import Axis, Stage, Trace

Mode = Literal["word", "character", "custom"]
PAD = "[PAD]"

_HAN = regex.compile(r"(\p{Script=Han}+)")
_WORD_BOUNDARY = regex.compile(r"\b", flags=regex.V1 | regex.WORD)
_GRAPHEME = regex.compile(r"\X")
_CUSTOM = regex.compile(r"[\s/]+")
# Controls, lone surrogates, and the overrides that make text show in another order than it has.
_INVISIBLE = regex.compile(r"[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069--\t\n]", flags=regex.V1)


def read(text: str, mode: Mode, limits: Limits = LIMITS) -> tuple[tuple[str, ...], ...]:
    """Cut a text into lines, and each line into the tokens that will attend to one another.

    mode: ``word``: runs of Han characters by dictionary, all else at the word boundaries of Unicode
        (UAX #29); ``character``: by grapheme cluster; ``custom``: at white space and ``/``.
    White space is no token; punctuation is. Blank lines are passed over. The text is brought into
    Unicode's composed form (NFC) first, so that é is the same token however it was typed.

    Raises EmptyText, TextTooLong, TooManyLines, TooManyTokens and InvisibleCharacters.
    """
    if len(text) > limits.text:
        raise TextTooLong(len(text), limits.text)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    invisible = dict.fromkeys(_INVISIBLE.findall(text))
    if invisible:
        raise InvisibleCharacters(", ".join(f"U+{ord(c):04X}" for c in invisible))
    composed = unicodedata.normalize("NFC", text)
    lines = [tokens for line in composed.split("\n") if (tokens := _cut(line, mode))]
    if not lines:
        raise EmptyText
    if len(lines) > limits.lines:
        raise TooManyLines(len(lines), limits.lines)
    for number, tokens in enumerate(lines, start=1):
        if len(tokens) > limits.tokens:
            raise TooManyTokens(number, len(tokens), limits.tokens)
    return tuple(lines)


def embed(
    lines: Sequence[Sequence[str]], d_model: int, seed: int, *, position: bool = True
) -> Trace:
    r"""Look every token up in a table of vectors and add its position.

    X = E[tokens] + position   ("Attention Is All You Need", sections 3.4 and 3.5)

    lines: tokens of each sample; shorter samples are filled up with [PAD].
    Stages: ``tokens`` (batch, token), ``E`` (vocabulary, d_model), ``embedding`` (batch, token,
    d_model), ``position`` (token, d_model) if it is on, ``padding`` (batch, token) if there is any,
    ``X`` (batch, token, d_model); float64.

    Raises EmptyText for a sample without tokens, OutOfRange for d_model < 1 or a negative seed.
    """
    if d_model < 1:
        raise OutOfRange("d_model", d_model, "at least 1")
    if seed < 0:
        raise OutOfRange("seed", seed, "at least 0")
    if not lines or not all(lines):
        raise EmptyText
    n = max(map(len, lines))
    filled = tuple((*line, *[PAD] * (n - len(line))) for line in lines)
    vocabulary = tuple(dict.fromkeys(token for line in filled for token in line))
    rows = {token: row for row, token in enumerate(vocabulary)}
    named = axes("batch", "token", "d_model", labels={"token": filled})
    tokens = np.array([[rows[token] for token in line] for line in filled])  # (batch, token)
    E = np.stack([vector(token, d_model, seed) for token in vocabulary])  # (vocabulary, d_model)
    embedding = E[tokens]  # (batch, token, d_model)
    stages = [
        Stage("tokens", r"\text{tokens}", tokens, named[:2], Given("input")),
        Stage("E", "E", E, (Axis("vocabulary", "v", vocabulary), named[2]), Given("random")),
        Stage(
            "embedding",
            r"\text{embedding} = E[\text{tokens}]",
            embedding,
            named,
            Operand("E", (("look_up", "tokens", ("batch", "token")), "d_model")),
        ),
    ]
    X: np.ndarray = embedding
    rule: Rule = Operand("embedding", ("batch", "token", "d_model"))
    formula = r"X = \text{embedding}"
    if position:
        waves = sinusoids(n, d_model)
        stages.append(
            Stage("position", r"\text{position}", waves, axes("token", "d_model"), Given("input"))
        )
        X = embedding + waves
        rule = Sum((rule, Operand("position", ("token", "d_model"))))
        formula += r" + \text{position}"
    lengths = [len(line) for line in lines]
    if min(lengths) < n:
        padding = masks.padding(lengths, n)  # (batch, token)
        stages.append(Stage("padding", r"\text{padding}", padding, named[:2], Given("mask")))
    return Trace([*stages, Stage("X", formula, X, named, rule)])


def vector(token: str, d_model: int, seed: int) -> np.ndarray:
    """The vector of a token: the same wherever it stands, in every process and on every machine.

    Uniform in ±√3, so of mean 0 and variance 1, from the bytes of SHAKE-256 over seed and token.
    Returns (d_model,) float64.
    """
    digest = hashlib.shake_256(f"{seed}\0{token}".encode()).digest(8 * d_model)
    part = np.frombuffer(digest, dtype="<u8") / 2**64  # (d_model,), 0 … 1
    return (2 * part - 1) * np.sqrt(3)


def _cut(line: str, mode: Mode) -> tuple[str, ...]:
    if mode == "custom":
        found = _CUSTOM.split(line)
    elif mode == "character":
        found = _GRAPHEME.findall(line)
    else:
        found = []
        for i, run in enumerate(_HAN.split(line)):
            found += rjieba.cut(run) if i % 2 else _WORD_BOUNDARY.split(run)
    return tuple(token.strip() for token in found if token.strip())
