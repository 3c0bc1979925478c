"""From a sound to the vectors of its frames, in English."""

from views.text.contract import StageWords

SOUND = {
    "waveform": StageWords(
        "wave",
        "A sound is numbers",
        "The air pressure at the microphone, above or below rest, {rate} times a second: 0 is "
        "rest.",
    ),
    "silence": StageWords(
        "silence",
        "Silence after the end",
        "Zeros that fill the last {token} and the {beyond} ms by which its window reaches beyond "
        "it.",
    ),
    "padded": StageWords(
        "padded",
        "The sound, and silence after it",
        "The samples as they are, then zeros, so that every window is full.",
    ),
    "frames": StageWords(
        "frames",
        "Cut the sound into overlapping windows",
        "Every {hop} ms a window of {width} ms begins: {place} samples. Samples only move; "
        "those where windows overlap stand in several rows.",
    ),
    "window": StageWords(
        "window",
        "Hann's window",
        "From 0 up to 1 and back, over one turn of a cosine: a window that begins and ends softly "
        "cuts no wave off.",
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
        "One column a frequency, from 0 to {top} Hz in steps of {apart} Hz.",
    ),
    "sine": StageWords(
        "sine",
        "Waves to compare with: sines",
        "The same frequencies a quarter of a turn apart: together they find a wave wherever it "
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
        "Filters: bands equally far apart on the mel scale",
        "{mel} bands: each column is a triangle over the frequencies, narrow where the ear is "
        "fine, wide above.",
    ),
    "mel": StageWords(
        "mel",
        "Gather frequencies into bands of pitch",
        "The row of “{row}” times the filters: {frequency} frequencies become {mel} bands, spaced "
        "as the ear spaces pitches.",
    ),
    "log_mel": StageWords(
        "log",
        "The logarithm: equal ratios as equal steps",
        "The ear hears ratios. ln(c · mel + 1), c = {compression}, and silence stays 0.",
    ),
    "level": StageWords(
        "level",
        "Bring the numbers to about 1",
        "Divided by ln(1 + c), so that mel = 1 becomes 1.",
    ),
    "pooled": StageWords(
        "pool",
        "Frames that follow one another share a token",
        "The mean of the levels of the frames within “{row}”: fewer tokens, so that the matrix can "
        "be read.",
        "Every frame is a token of its own.",
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
    "sounding": StageWords(
        "silent frames",
        "padding · which frames are silent",
        "1 has some sound: a level above {sounding}. 0 has none and is masked.",
    ),
    "heads_before": StageWords(
        "heads before",
        "What the heads before this one found",
        "Computed one head after another; only the results were kept.",
    ),
    "heads_after": StageWords(
        "heads after",
        "What the heads after this one found",
        "Computed one head after another; only the results were kept.",
    ),
}
