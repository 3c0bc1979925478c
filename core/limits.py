"""The limits of all inputs; wherever input is read, they are taken from here."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Limits:
    """The largest input of a page.

    text: characters in all, those of 8,192 tokens; lines: samples of a text batch; tokens: per
        line, of texts that are split into words.
    file_bytes: of one upload; session_bytes: of all uploads in a session; process_bytes: of those
        of all sessions; receiving_bytes: of those that are being received.
    pixels: of one image, checked before decoding; images: per batch.
    decoding_bytes: memory for the pixels of one image while it is decoded.
    seconds: of one sound, and samples: of all its channels, both checked before decoding;
        frames: of one sound, after pooling.
    stage_bytes: of one (query, key) stage of all heads, beyond which its numbers are computed when
        they are read, in blocks of block_bytes.
    d_model, heads: of the model; trace_bytes: of all stages of one trace that are in
        memory; cached_bytes: of one that is cached in a session; gradient_bytes: of the gradients
        of all stages of one trace.
    decoded_bytes: of weights that are stored in fewer bits, decoded, of all models of the process.

    What the longest inputs take: 396 tokens in SmolLM2, 1.3 s of one processor for 25 layers, and
    2,047 tokens, 25 s of a busy one, with 184 MB in the session;
    3,000 frames, d_model 512, 8 heads, 4 s for the trace, which holds 99 MB, and 4 s for what is
    sent; 16 heads of d_model 768, 11 s, 132 MB and 8 s.
    """

    text: int = 40_000
    lines: int = 8
    tokens: int = 64
    file_bytes: int = 20_000_000
    session_bytes: int = 60_000_000
    process_bytes: int = 300_000_000
    receiving_bytes: int = 100_000_000
    pixels: int = 50_000_000
    images: int = 8
    decoding_bytes: int = 300_000_000
    seconds: float = 30.0
    samples: int = 200_000_000
    frames: int = 3_000
    d_model: int = 768
    heads: int = 16
    stage_bytes: int = 8_000_000
    block_bytes: int = 16_000_000
    trace_bytes: int = 300_000_000
    cached_bytes: int = 130_000_000  # 2,048 tokens in SmolLM2
    gradient_bytes: int = 300_000_000
    decoded_bytes: int = 600_000_000  # SmolLM2 has 540 million, as float32


@dataclass(frozen=True)
class Reading:
    """What reading one file may take, in a process of its own (``core.sources.apart``).

    cpu_seconds: of computing. wait: seconds by the clock, for a process that does not compute, or
    that shares its processor with many. memory_bytes: of the process, with all that it imports.
    usual: bytes of a file, beyond which more is allowed: cpu_per_megabyte, in seconds, and
    memory_per_byte.
    processes: files that are read at once. remembered: files that exceeded a limit, which are
    refused without being read again.
    """

    cpu_seconds: float = 4.0
    wait: float = 20.0
    memory_bytes: int = 480_000_000
    usual: int = 8_000_000
    cpu_per_megabyte: float = 0.0
    memory_per_byte: int = 0
    processes: int = 2
    remembered: int = 100

    def of(self, size: int) -> "Reading":
        """The limits of a file of this many bytes."""
        more = max(0, size - self.usual)
        seconds = round(self.cpu_per_megabyte * more / 1e6, 1)
        return replace(
            self,
            cpu_seconds=self.cpu_seconds + seconds,
            wait=self.wait + seconds,
            memory_bytes=self.memory_bytes + self.memory_per_byte * more,
        )


@dataclass(frozen=True)
class TokenizerLimits:
    """Limits of a tokenizer, far above those in use.

    entries: of a vocabulary, and of merges. token: characters of a token.
    kept: bytes of the definitions whose tokenizers a process keeps; held: bytes of memory beyond
    which it gives them up for the next one.
    """

    entries: int = 1_000_000
    token: int = 512
    kept: int = 40_000_000
    held: int = 250_000_000


@dataclass(frozen=True)
class GGUFLimits:
    """Limits of the header of a GGUF file, far above those in use.

    header: bytes; a vocabulary of a quarter of a million has 6 million. tensors, fields: their
    numbers. axes: of a tensor. characters: of all tokens whose merges are looked for.
    """

    header: int = 32_000_000
    tensors: int = 20_000
    fields: int = 2_000
    axes: int = 4
    characters: int = 5_000_000


@dataclass(frozen=True)
class ClassLimits:
    """Limits of classes.

    classes: at once. students, questions: of a class; hours: that it lasts; bytes: of all that is
    sent to it. name, text, option, answer: characters of a nickname, of a question, of one of its
    options and of an answer; options: of a question. body: bytes of one request.
    burst, each_second: requests of one person. tries: wrong codes a minute of one address,
    all_tries of all addresses; starts: of classes an hour, of one address.
    """

    classes: int = 200
    students: int = 200
    questions: int = 100
    hours: float = 4.0
    bytes: int = 8_000_000
    name: int = 24
    text: int = 300
    option: int = 60
    answer: int = 200
    options: int = 16
    body: int = 8_000
    burst: int = 40
    each_second: float = 10.0
    tries: int = 20
    all_tries: int = 300
    starts: int = 60


CLASS = ClassLimits()
LIMITS = Limits()
GGUF = GGUFLimits()
READING = Reading()
# Gemma's 33 MB take 1.4 s and 460 MB, the 16 MB of XLM-R 1 s and 370 MB.
TOKENIZING = Reading(cpu_per_megabyte=0.2, memory_per_byte=24)
TOKENIZER = TokenizerLimits()

SENTENCE = Limits(tokens=512)  # of the page Sentence; other pages draw each word

# For pages on which numbers are typed one by one or all pairs are drawn.
MATRIX = Limits(text=20_000, lines=1, tokens=16, file_bytes=1_000_000, d_model=64, heads=8)
SHEET = Limits(text=400, lines=1, tokens=MATRIX.tokens)
SEQUENCE = Limits(lines=1, tokens=12)
MASKED = Limits(text=200, lines=1, tokens=10)
SPLIT = Limits(text=200, lines=1, tokens=8, d_model=16)
TODAY = Limits(text=300, lines=1, tokens=24)
WRITTEN = Limits(lines=1, tokens=128)  # keys and values of all layers are kept for them
ROW = Limits(lines=1, tokens=8)
PRINTED = Limits(text=20_000, lines=64, tokens=64)  # rows and columns of a table
TYPED = Limits(text=40)  # one number
COMPUTED = Limits(trace_bytes=200_000_000)  # where only shapes and seconds are stored
TRANSLATED = Limits(lines=1, tokens=40)  # as in training

LARGEST_NUMBER = 1e12  # products of four such numbers and sums of many are far from overflowing
LAST_SEED = 9999
ON_PAPER = 10  # rows and columns of a matrix on a worksheet
LARGEST_SIZE = 2**24  # of a checkpoint's settings; what fits its file decides the rest
SETTINGS_BYTES = 1_000_000  # of a configuration, which has one to five thousand
INDEX_BYTES = 20_000_000  # a line for each tensor; the largest models have a hundred thousand
HEADER_BYTES = 10_000_000  # of a safetensors file; a thousand tensors have a hundred thousand
TOKENIZER_BYTES = 64_000_000  # a vocabulary of a million words has about 50
STREAM_BYTES = 64_000_000  # inputs of layers, cached between runs: 14 × 1024 × 768 numbers
PHOTO_SIDE = 4096  # that a photo is brought to for a checkpoint
WHOLE_SIDE = 1024  # from twice as many pixels on, the shorter side of a photo is reduced
MOST_REGISTERS = 64  # of a DINOv2
MOST_MELS = 128  # safely below 150, where filters begin to fall between the frequencies
SAMPLE_RATES = range(1_000, 768_001)  # in Hz, of the sound files that are read
WRITTEN_TOKENS = 64  # tokens of a target that a text-to-text model writes or is given
LISTED_TOKENS = 12  # likeliest next tokens that are outcomes of their own
LISTED_PIECES = 6  # the same of a translation, at every position
BEAM = 4  # hypotheses of the translator's beam search
PATCHES = 28  # along a side of a picture
COVERED_CELLS = 40  # chosen one by one
IN_LINK = 300  # characters of one value in an address
SPREADSHEET_CELLS = 60_000  # that a spreadsheet still opens and computes at once
SPREADSHEET_COLUMNS = 16_384  # of Excel
FORMULA_LETTERS = 8_192  # of Excel, in one cell
NOTEBOOK_NUMBERS = 40_000  # that are written out in a notebook
COMPUTED_WORK = 6_000_000_000  # multiply-adds: about half a second on one core
VERIFY_SECONDS = 300  # of comparing a model with transformers
COUNTED = {"batch": 1024, "n": 100_000, "heads": 128, "d_model": 16_384}  # nothing is computed
