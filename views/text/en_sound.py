"""From a sound to the vectors of its frames, in English."""

from views.text.contract import StageWords

SOUND = {
    "waveform": StageWords(
        "wave",
        "A sound is numbers",
        "How far the air is pushed, 16 000 times a second: 0 is rest.",
    ),
    "silence": StageWords(
        "silence",
        "Silence behind the end",
        "Zeros that fill the last {token} and the 15 ms by which its window reaches beyond it.",
    ),
    "padded": StageWords(
        "padded",
        "The sound, and silence behind it",
        "The samples as they are, then zeros, so that every window is full.",
    ),
    "frames": StageWords(
        "frames",
        "Cut the sound into overlapping windows",
        "Every 10 ms a window of 25 ms begins: 400 samples in a row. Samples only move; those "
        "where windows overlap stand in several rows.",
    ),
    "window": StageWords(
        "window",
        "Hann's window",
        "From 0 up to 1 and back along half a turn of a cosine: a window that begins and ends "
        "softly cuts no wave off.",
    ),
    "windowed": StageWords(
        "fade",
        "Fade every window in and out",
        "The samples of “{row}”, each times its place in Hann's window: none of them is cut off "
        "abruptly.",
    ),
    "cosine": StageWords(
        "cosine",
        "Waves to compare with: cosines",
        "One column a frequency, from 0 to 8000 Hz in steps of 40 Hz.",
    ),
    "sine": StageWords(
        "sine",
        "Waves to compare with: sines",
        "The same frequencies a quarter of a turn later: together they find a wave wherever it "
        "begins.",
    ),
    "real": StageWords(
        "real",
        "How much of each cosine is in it",
        "“{row}” against the cosine of “{column}”: a dot product, as between a query and a key.",
    ),
    "imaginary": StageWords(
        "imaginary",
        "How much of each sine is in it",
        "“{row}” against the sine of “{column}”: a dot product, as between a query and a key.",
    ),
    "power": StageWords(
        "power",
        "How strong each frequency is",
        "The square of both, added: how strong “{column}” is in “{row}”, wherever its wave begins.",
    ),
    "filters": StageWords(
        "filters",
        "Filters: 80 bands as wide as the ear hears them",
        "Each column is a triangle over the frequencies: narrow where the ear is fine, wide above.",
    ),
    "mel": StageWords(
        "mel",
        "Gather frequencies into bands of pitch",
        "The row of “{row}” times the filters: 201 frequencies become 80 bands, spaced as the ear "
        "spaces pitches.",
    ),
    "log_mel": StageWords(
        "log",
        "The logarithm: equal ratios as equal steps",
        "The ear hears ratios. ln(γ · mel + 1), γ = 10 000, and silence stays 0.",
    ),
    "level": StageWords(
        "level",
        "Bring the numbers to about 1",
        "Divided by ln(1 + γ), so that mel = 1 becomes 1.",
    ),
    "pooled": StageWords(
        "pool",
        "Frames that follow one another share a token",
        "The mean of the windows within “{row}”: fewer tokens, so that the matrix can be read.",
        "Every frame of 10 ms is a token of its own.",
    ),
    "sound_matrix": StageWords(
        "W^E",
        "$W^E$ · the projection",
        "The matrix that turns a frame's bands of pitch into d_model numbers.",
    ),
    "sound_projection": StageWords(
        "project",
        "Project each frame to a vector",
        "The bands of “{row}” times W^E become d_model numbers: the frame's vector. Frames that "
        "sound alike get vectors that are alike.",
    ),
    "sound_position": StageWords(
        "position",
        "Position: when",
        "Attention by itself knows no order. Each place gets a row of sines and cosines, so that "
        "“when” becomes part of the vector – and no two frames are equal any more.",
    ),
    "heads_before": StageWords(
        "heads before",
        "What the heads before this one found",
        "Computed one head after another; only the results were kept.",
    ),
    "heads_after": StageWords(
        "heads after",
        "What the heads behind this one found",
        "Computed one head after another; only the results were kept.",
    ),
}
