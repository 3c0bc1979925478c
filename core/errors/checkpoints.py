"""Errors of checkpoints."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class MissingFile(InputError):
    """A checkpoint's folder lacks a file that is needed, or has something else in its place."""

    file: str
    message = "the folder has no file {file}"


@dataclass(eq=False)
class PickleOnly(InputError):
    """A checkpoint whose numbers stand in a pickle file alone, which is never read."""

    file: str
    message = "{file} is a pickle file, which can run code and is never read; save safetensors"


@dataclass(eq=False)
class OutsideFolder(InputError):
    """A file of a checkpoint is a link to somewhere else."""

    file: str
    message = "{file} is a link that leads out of its folder"


@dataclass(eq=False)
class DamagedCheckpoint(InputError):
    """A file of a checkpoint breaks off, contradicts itself or is of another format."""

    file: str
    message = "{file} is damaged, incomplete or of another format"


@dataclass(eq=False)
class CheckpointFileTooLarge(InputError):
    """A file of a checkpoint, or what its header claims to be, has more bytes than the limit."""

    file: str
    size: int
    limit: int
    message = "{file} has {size} bytes; the limit is {limit}"


@dataclass(eq=False)
class BeyondMemory(InputError):
    """A file of a checkpoint has more bytes than this program may map into its memory."""

    file: str
    size: int
    message = "{file} has {size} bytes, more than this program may have in its memory"


@dataclass(eq=False)
class UnknownArchitecture(InputError):
    """A checkpoint of a model that is none of those that are read here."""

    found: str
    known: tuple[str, ...]
    message = "model_type is {found}; known are {known}"


@dataclass(eq=False)
class WrongSetting(InputError):
    """A checkpoint's configuration says what no model can be, or what is not computed here."""

    file: str
    name: str
    value: str
    allowed: str
    message = "{file} says {name} = {value}; allowed is {allowed}"


@dataclass(eq=False)
class TextGrows(InputError):
    """A tokenizer can make a text far longer than it is."""

    file: str
    times: int
    limit: int
    message = "by {file} a text can become {times} times as long; the limit is {limit}"


@dataclass(eq=False)
class MissingTensor(InputError):
    """A checkpoint lacks numbers that its configuration asks for."""

    name: str
    message = "the checkpoint has no tensor {name}"


@dataclass(eq=False)
class WrongNumberType(InputError):
    """A checkpoint's numbers are of a kind that weights are not."""

    name: str
    found: str
    known: tuple[str, ...]
    message = "{name} is stored as {found}; known are {known}"


@dataclass(eq=False)
class TensorDoesNotFit(InputError):
    """A checkpoint's tensor has another shape than its configuration asks for."""

    name: str
    expected: str
    found: str
    message = "{name} should be {expected} by the configuration, but it is {found}"


@dataclass(eq=False)
class OutsideVocabulary(InputError):
    """A tokenizer gives a token that the model has no vector for."""

    word: str
    number: int
    vocabulary: int
    message = "token {word} has number {number}, but the model knows {vocabulary} tokens"
