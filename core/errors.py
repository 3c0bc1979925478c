"""What can be wrong with an input, as ``ValueError``s that carry the numbers concerned.

Each class states its rule in one short English sentence. What a reader of the app sees instead is
worded per language in ``views.text``, from the same fields.
"""

from dataclasses import dataclass
from typing import ClassVar


class InputError(ValueError):
    """Something given by the caller breaks a stated rule; the fields say which numbers."""

    message: ClassVar[str]

    def __str__(self) -> str:
        """State the rule with this case's numbers."""
        return self.message.format(**vars(self))


@dataclass(eq=False)
class ShapeMismatch(InputError):
    """An array does not have the axes that its place asks for."""

    name: str
    expected: str
    shape: tuple[int, ...]
    message = "{name} should be {expected}, but its shape is {shape}"


@dataclass(eq=False)
class HeadsDoNotDivide(InputError):
    """A width cannot be shared out equally among the heads."""

    name: str
    width: int
    heads: int
    message = "{name} = {width} does not divide into h = {heads} heads"


@dataclass(eq=False)
class OutOfRange(InputError):
    """A number lies outside what its formula allows."""

    name: str
    value: float
    allowed: str
    message = "{name} = {value} is not allowed: {name} must be {allowed}"


@dataclass(eq=False)
class NotFinite(InputError):
    """An array holds NaN or an infinity, or grew into one."""

    name: str
    message = "{name} holds numbers that are not finite (NaN or too large)"


@dataclass(eq=False)
class NotBoolean(InputError):
    """A mask holds numbers, of which it cannot be told whether they are added or switch."""

    name: str
    message = "{name} must be boolean, True where there is something to see; numbers go into bias"


@dataclass(eq=False)
class LabelsDoNotFit(InputError):
    """An axis has more or fewer labels than the tensor has places along it."""

    name: str
    labels: int
    size: int
    message = "axis {name} has {labels} labels for {size} places"


@dataclass(eq=False)
class TraceTooLarge(InputError):
    """The stages of one computation would need more memory than is allowed."""

    needed: int
    limit: int
    message = "the stages would need {needed} bytes, more than the limit of {limit}"


@dataclass(eq=False)
class EmptyText(InputError):
    """There is no token to attend to."""

    message = "the text is empty or blank"


@dataclass(eq=False)
class TextTooLong(InputError):
    """More characters than the limit."""

    characters: int
    limit: int
    message = "the text has {characters} characters; the limit is {limit}"


@dataclass(eq=False)
class TooManyLines(InputError):
    """More lines, hence samples in the batch, than the limit."""

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
class UnknownWords(InputError):
    """Words that a trained model has never seen."""

    words: tuple[str, ...]
    message = "the model does not know {words}"


@dataclass(eq=False)
class InvisibleCharacters(InputError):
    """Control characters or bidirectional overrides, which would show as something else."""

    characters: str
    message = "the text holds invisible control characters: {characters}"


@dataclass(eq=False)
class FileTooLarge(InputError):
    """A file with more bytes than the limit."""

    size: int
    limit: int
    message = "the file has {size} bytes; the limit is {limit}"


@dataclass(eq=False)
class TooManyImages(InputError):
    """More images, hence samples in the batch, than the limit."""

    images: int
    limit: int
    message = "{images} images were given; the limit is {limit}"


@dataclass(eq=False)
class NotAnImage(InputError):
    """The bytes are no picture in a format that is read here."""

    message = "the file is not a PNG, JPEG, WebP, GIF, BMP or TIFF image"


@dataclass(eq=False)
class DamagedImage(InputError):
    """The file begins as a picture and then breaks off or contradicts itself."""

    message = "the image file is damaged or incomplete"


@dataclass(eq=False)
class ImageTooLarge(InputError):
    """More pixels than the limit, known before any of them is decoded."""

    width: int
    height: int
    limit: int
    message = "the image is {width} x {height} pixels; the limit is {limit} pixels in all"


@dataclass(eq=False)
class PatchesDoNotFit(InputError):
    """The image side is no multiple of the patch side."""

    size: int
    patch: int
    message = "patches of {patch} do not divide an image of {size} pixels a side"


@dataclass(eq=False)
class NotASound(InputError):
    """The bytes are no recording in a format that is read here."""

    message = "the file is not a WAV, FLAC, OGG or MP3 recording"


@dataclass(eq=False)
class DamagedSound(InputError):
    """The file begins as a recording and then contradicts itself."""

    message = "the recording is damaged or incomplete"


@dataclass(eq=False)
class SoundBreaksOff(InputError):
    """A recording ends before it should by its own header."""

    promised: float
    found: float
    message = "the recording breaks off after {found} s; its header promises {promised} s"


@dataclass(eq=False)
class EmptySound(InputError):
    """A recording without a single sample."""

    message = "the recording holds no sample"


@dataclass(eq=False)
class SoundTooLong(InputError):
    """More seconds than the limit, known before any of them is decoded."""

    seconds: float
    limit: float
    message = "the recording lasts {seconds} s; the limit is {limit} s"


@dataclass(eq=False)
class UndefinedSamples(InputError):
    """A recording with NaN or infinities among its samples."""

    message = "the recording holds samples that are not finite (NaN or infinite)"


@dataclass(eq=False)
class TooManyFrames(InputError):
    """A sound with more frames, after they are pooled, than the limit."""

    frames: int
    limit: int
    message = "the sound has {frames} frames; the limit is {limit}"


@dataclass(eq=False)
class NoNumbers(InputError):
    """A matrix was to be read and there is nothing to read."""

    name: str
    message = "there are no numbers for {name}"


@dataclass(eq=False)
class EmptyCell(InputError):
    """A cell of a matrix holds nothing; rows and columns are counted from 1."""

    name: str
    row: int
    column: int
    message = "{name}, row {row}, column {column} is empty"


@dataclass(eq=False)
class NotANumber(InputError):
    """A cell of a matrix holds something else than a number; counted from 1."""

    name: str
    row: int
    column: int
    text: str
    message = "{name}, row {row}, column {column}: {text!r} is not a number"


@dataclass(eq=False)
class NumberTooLarge(InputError):
    """A cell of a matrix holds a number beyond the limit; counted from 1."""

    name: str
    row: int
    column: int
    text: str
    limit: str
    message = "{name}, row {row}, column {column}: {text} is beyond the limit of {limit}"


@dataclass(eq=False)
class RaggedRows(InputError):
    """A row of a matrix has more or fewer numbers than the first; counted from 1."""

    name: str
    row: int
    columns: int
    expected: int
    message = "{name}, row {row} has {columns} numbers; the first row has {expected}"


@dataclass(eq=False)
class WrongSize(InputError):
    """A matrix has another number of rows or columns than its place has."""

    name: str
    rows: int
    columns: int
    expected_rows: int
    expected_columns: int
    message = (
        "{name} should have {expected_rows} rows of {expected_columns} numbers, "
        "but {rows} rows of {columns} were given"
    )


@dataclass(eq=False)
class MatrixTooLarge(InputError):
    """A matrix has more rows, columns or heads than the limit."""

    name: str
    rows: int
    columns: int
    limit: int
    message = "{name} is {rows} x {columns}; the limit is {limit} each way"


@dataclass(eq=False)
class HeadsDiffer(InputError):
    """The matrix of one head has another size than that of the first, or should not be there."""

    name: str
    head: int
    message = "{name} of head {head} does not have the size that {name} of head 1 has"


@dataclass(eq=False)
class UnknownMatrix(InputError):
    """A line of a sheet begins with something else than the name of a matrix."""

    line: int
    text: str
    message = "line {line}: {text!r} is not the name of a matrix"


@dataclass(eq=False)
class MissingMatrix(InputError):
    """A sheet lacks a matrix without which nothing follows."""

    name: str
    message = "the sheet has no {name}"


@dataclass(eq=False)
class NotText(InputError):
    """The bytes of a file are no text."""

    message = "the file is not text"


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


@dataclass(eq=False)
class MissingLibrary(InputError):
    """A library that is not always installed is needed."""

    library: str
    file: str
    message = "the library {library} is not installed: pip install -r {file}"
