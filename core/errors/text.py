"""Errors of texts."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class EmptyText(InputError):
    """A text without tokens."""

    message = "the text is empty or blank"


@dataclass(eq=False)
class TextTooLong(InputError):
    """More characters than the limit."""

    characters: int
    limit: int
    message = "the text has {characters} characters; the limit is {limit}"


@dataclass(eq=False)
class TooManyLines(InputError):
    """More lines, which are samples of a batch, than the limit."""

    lines: int
    limit: int
    message = "the text has {lines} lines; the limit is {limit}"


@dataclass(eq=False)
class TooManyTokens(InputError):
    """A line with more tokens than the limit."""

    line: int
    tokens: int
    limit: int
    message = "line {line} has {tokens} tokens; the limit is {limit}"


@dataclass(eq=False)
class MoreTokensThanPlaces(InputError):
    """More tokens than the model's maximum length."""

    tokens: int
    limit: int
    message = "the text has {tokens} tokens; the model has places for {limit}"


@dataclass(eq=False)
class UnknownWords(InputError):
    """Words that are not in the vocabulary."""

    words: tuple[str, ...]
    message = "the model does not know {words}"


@dataclass(eq=False)
class NotChinese(InputError):
    """A text without Chinese characters, for a model of Chinese."""

    message = "the model reads Chinese, and no character of the text is"


@dataclass(eq=False)
class NotEnglish(InputError):
    """A text without any letter of English, for a model that reads English."""

    message = "the model reads English, and no character of the text is a letter of it"


@dataclass(eq=False)
class InvisibleCharacters(InputError):
    """Control characters or bidirectional overrides in a text."""

    characters: str
    message = "the text holds invisible control characters: {characters}"
