"""How large an input may be, stated once, and applied wherever a reader's input is read."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The largest input that a page computes.

    text: characters in all; lines: samples of a text batch; tokens: per line.
    file_bytes: one uploaded file; session_bytes: all files that a reader's session holds at once.
    pixels: of one image, before any is decoded; images: per batch.
    parts: segments, chunks or blocks of one image file; metadata_bytes: of one that is no pixels.
    scanned_pixels: of one image, each as often as a scan goes over it; run_pixels: of one that is
        coded in runs of equal pixels; decoding_bytes: all that decoding one image holds.
    seconds: of one sound, before any is decoded; frames: of one sound, after they are pooled.
    d_model, heads: the largest model; trace_bytes: all stages of one trace together; kept_bytes:
        of one that is kept while a reader's session lasts.
    """

    text: int = 2_000
    lines: int = 8
    tokens: int = 64
    file_bytes: int = 20_000_000
    session_bytes: int = 60_000_000
    pixels: int = 50_000_000
    images: int = 8
    parts: int = 50_000
    metadata_bytes: int = 1_000_000
    scanned_pixels: int = 1_000_000_000
    run_pixels: int = 4_000_000
    decoding_bytes: int = 300_000_000
    seconds: float = 30.0
    frames: int = 1_000
    d_model: int = 768
    heads: int = 16
    trace_bytes: int = 300_000_000
    kept_bytes: int = 120_000_000


@dataclass(frozen=True)
class TokenizerLimits:
    """The most that a ``tokenizer.json`` may ask for; those in use are far below.

    entries: of a vocabulary, and as many merges. number: of a token. token, piece, affix:
        characters of one, of one in Unigram, and of what is put before or behind one. word:
        characters that WordPiece cuts.
    added: tokens beside the vocabulary. added_text: their characters in all, as they grow.
    steps: normalizers, pre-tokenizers or post-processors.
    growth: characters that one becomes in all normalizers that the file spells out; as many as
        U+FDFA has in NFKC, which is the most that Unicode's own forms make of one.
    frame: tokens around a text, in one place.
    """

    entries: int = 1_000_000
    number: int = 2**24
    token: int = 512
    piece: int = 128
    affix: int = 16
    word: int = 1_000
    added: int = 10_000
    added_text: int = 400_000
    steps: int = 16
    growth: int = 18
    frame: int = 16


LIMITS = Limits()
TOKENIZER = TokenizerLimits()

# Where numbers are typed or drawn one by one, or all pairs are shown at once, less is more.
MATRIX = Limits(text=20_000, lines=1, tokens=16, file_bytes=100_000, d_model=64, heads=8)
SHEET = Limits(text=400, lines=1, tokens=MATRIX.tokens)
SEQUENCE = Limits(lines=1, tokens=12)
MASKED = Limits(text=200, lines=1, tokens=10)
SPLIT = Limits(text=200, lines=1, tokens=8, d_model=16)
ROW = Limits(lines=1, tokens=8)
PRINTED = Limits(text=20_000, lines=64, tokens=64)  # rows and columns of a table
TYPED = Limits(text=40)  # one number
COMPUTED = Limits(trace_bytes=200_000_000)  # where only shapes and seconds are kept
TRANSLATED = Limits(lines=1, tokens=40)  # as in training

LARGEST_NUMBER = 1e12  # products of four such numbers and sums of many are far from overflowing
LAST_SEED = 9999
LARGEST_SIZE = 2**24  # of a checkpoint's settings; what fits its file decides the rest
PHOTO_SIDE = 4096  # that a photo is brought to for a checkpoint
PATCHES = 28  # along a side of a picture
COVERED_CELLS = 40  # chosen one by one
IN_LINK = 300  # characters of one value in an address
COMPUTED_WORK = 6_000_000_000  # multiply-adds: about half a second on one core
COUNTED = {"batch": 1024, "n": 100_000, "heads": 128, "d_model": 16_384}  # nothing is computed
