"""Errors of checkpoints."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class MissingFile(InputError):
    """A required file is missing, or is not a regular file."""

    file: str
    message = "the folder has no file {file}"


@dataclass(eq=False)
class PickleOnly(InputError):
    """A checkpoint with its weights in a pickle file only, which is never read."""

    file: str
    message = "{file} is a pickle file, which can run code and is never read; save safetensors"


@dataclass(eq=False)
class OutsideFolder(InputError):
    """A file or folder of a checkpoint is a link out of its folder, or to nothing."""

    file: str
    message = "{file} is a link that leads out of its folder, or to nothing"


@dataclass(eq=False)
class CacheFolder(InputError):
    """A folder of the download cache of Hugging Face, whose files are links."""

    file: str
    message = "{file} is a folder of the download cache; download into a folder of its own"


@dataclass(eq=False)
class DamagedCheckpoint(InputError):
    """A file of a checkpoint is truncated, inconsistent or of another format."""

    file: str
    message = "{file} is damaged, incomplete or of another format"


@dataclass(eq=False)
class CheckpointFileTooLarge(InputError):
    """A file of a checkpoint, by its size or its header, exceeds the limit."""

    file: str
    size: int
    limit: int
    message = "{file} has {size} bytes; the limit is {limit}"


@dataclass(eq=False)
class BeyondMemory(InputError):
    """A file of a checkpoint is too large to be memory-mapped."""

    file: str
    size: int
    message = "{file} has {size} bytes, more than this program may have in its memory"


@dataclass(eq=False)
class UnknownArchitecture(InputError):
    """The ``model_type`` of a checkpoint is not supported."""

    found: str
    known: tuple[str, ...]
    message = "model_type is {found}; known are {known}"


@dataclass(eq=False)
class WrongSetting(InputError):
    """A setting of a checkpoint is invalid or not supported."""

    file: str
    name: str
    value: str
    allowed: str
    message = "{file} says {name} = {value}; allowed is {allowed}"


@dataclass(eq=False)
class TextGrows(InputError):
    """A tokenizer can lengthen a text beyond the limit."""

    file: str
    times: int
    limit: int
    message = "by {file} a text can become {times} times as long; the limit is {limit}"


@dataclass(eq=False)
class MissingTensor(InputError):
    """A checkpoint lacks a tensor that its configuration requires."""

    name: str
    message = "the checkpoint has no tensor {name}"


@dataclass(eq=False)
class WrongNumberType(InputError):
    """A tensor has a dtype that is not supported for weights."""

    name: str
    found: str
    known: tuple[str, ...]
    message = "{name} is stored as {found}; known are {known}"


@dataclass(eq=False)
class TensorDoesNotFit(InputError):
    """A tensor does not have the shape that the configuration requires."""

    name: str
    expected: str
    found: str
    message = "{name} should be {expected} by the configuration, but it is {found}"


@dataclass(eq=False)
class OutsideVocabulary(InputError):
    """A token's id is outside the model's embedding table."""

    word: str
    number: int
    vocabulary: int
    message = "token {word} has number {number}, but the model knows {vocabulary} tokens"
