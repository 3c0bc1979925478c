"""Records runs of pretrained models in ``assets/recorded``: ``python -m training.recorded``.

The models come from the packages of ``requirements-weights.txt`` and ``requirements-gemma.txt``.
For each input the head is found by measuring all heads of all layers; the measure is recorded with
it. A run holds what one head was given, and the weights of this head, rounded to float16 where it
holds them, and what the next token of a text follows from; ``core.models.recorded`` computes the
rest from them, which is compared with the model.
"""

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from core.axis import Axis
from core.models import pretrained
from core.models.block import output_stage
from core.models.config import ModelConfig
from core.models.opened_model import Checkpoint
from core.models.prediction import Prediction
from core.models.pretrained import DINOV2, GEMMA, SMOLLM2, WHISPER, Pretrained
from core.models.processor import read_photo
from core.models.recorded import FINAL, FOLDER, LAST, PARTS, ROWS, RUNS, Recorded, head_trace
from core.models.speech import SECONDS
from core.nested import subtrace
from core.options import LARGEST
from core.sources.spectrum import HOP, RATE
from core.trace import Trace

SAMPLES = Path(__file__).parents[1] / "assets" / "samples"
LISTED = 5  # likeliest next tokens
CLOSEST = 0.002  # by which a weight may differ from the model's own, after float16
NEAR = 5  # frames of 20 ms before and behind the moment of a token
ACROSS = 16  # patches of the picture in a row
LEFT_EYE = [(row, column) for row in (5, 6, 7) for column in (4, 5, 6)]  # of tabby.webp, from 0
RIGHT_EYE = [(row, column) for row in (6, 7, 8) for column in (12, 13, 14)]
MARY = "When Mary and John went to the store, John gave a drink to"
BANKS = {
    "river": ("The river burst its bank", "\u2423river"),
    "money": ("The money is in the bank", "\u2423money"),
}
GIFT = "小明给小红一本书，小红很高兴，她说谢谢小"
DURSLEY = "Mr and Mrs Dursley were proud of their son. Mr D"
PREVIOUS = "The quick brown fox jumps over the lazy dog"
SPOKEN = "The little cat sat on the sofa, and then it fell asleep."
VOICE = "slt"


@dataclass(frozen=True)
class Head:
    """A head, from 1, and how much it gives of what is measured."""

    layer: int
    head: int
    share: float


def weights_of(model: Checkpoint, given: Any) -> Iterator[np.ndarray]:
    """Yields the weights of each layer: (head, query, key)."""
    streams: dict[int, np.ndarray] = {}
    for layer in range(1, model.layers + 1):
        yield model.run(given, layer, streams=streams)[f"encoder/{layer}/self/weights"].tensor[0]


def best(layers: Sequence[np.ndarray], measure: Callable[[np.ndarray], float]) -> Head:
    """The head of which a measure of its weights, (query, key), is largest."""
    measured = (
        Head(layer, head, float(measure(weights)))
        for layer, heads in enumerate(layers, 1)
        for head, weights in enumerate(heads, 1)
    )
    return max(measured, key=lambda one: one.share)


def record(
    name: str,
    of: Pretrained,
    config: ModelConfig,
    part: Trace,
    found: Head,
    query: int,
    keys: tuple[int, ...],
    text: str = "",
    made: Prediction | None = None,
) -> Recorded:
    """Write the arrays of one head, and compare what is computed from them with the model.

    part: the attention of the layer, with all heads. query, keys: which weights were measured.
    made: the next token of a text. Raises ValueError if a weight or a probability differs by more
    than CLOSEST.
    """
    head = found.head - 1
    arrays = {"stream": part["stream"].tensor[0], "gamma": part["gamma"].tensor}
    if "beta" in part:
        arrays["beta"] = part["beta"].tensor
    if "memory" in part:
        arrays["memory"] = part["memory"].tensor[0]
    for key in PARTS:
        if key in part:
            parameters = part[key].tensor
            group = config.heads // len(parameters)
            arrays[key] = parameters if key.startswith("gamma") else parameters[head // group]
    window = config.windows[found.layer - 1] if config.windows else None
    assert not window or part["stream"].size("token") <= max(window)
    rotary = config.local_rotary if window and config.local_rotary else config.rotary
    run = Recorded(
        name=name,
        model=of.name,
        text=text,
        layer=found.layer,
        layers=config.layers,
        head=found.head,
        heads=config.heads,
        query=query,
        keys=keys,
        share=round(found.share, 4),
        likeliest=tuple(made.trace["W_P"].axes[1].names() or ())[:LISTED] if made else (),
        others=others_of(made) if made else None,
        tokens=axis_of(part["stream"].axes[1]),
        memory=axis_of(part["memory"].axes[1]) if "memory" in part else None,
        settings={
            "causal": "causal" in part,
            "rotary": asdict(rotary) if rotary else None,
            "rms": config.rms,
            "epsilon": config.epsilon,
        },
    )
    halves = {
        key: array.astype(np.float16 if np.abs(array).max() < LARGEST["float16"] else np.float32)
        for key, array in arrays.items()
    }
    np.savez_compressed(run.file, **halves, **(arrays_of(made) if made else {}))
    trace = head_trace(run, halves)
    apart = float(np.abs(trace["weights"].tensor[0, 0] - part["weights"].tensor[0, head]).max())
    if made:
        exact = made.probabilities[list(made.likeliest[:LISTED])]
        shares = np.array([share for _, share in run.predicted])
        apart = max(apart, float(np.abs(shares - exact).max()))
    print(
        f"{name}: layer {run.layer}, head {run.head}, {run.share:.1%}; differs by {apart:.1e}; "
        f"{run.file.stat().st_size / 1000:.0f} kB; {run.predicted[:2]}"
    )
    if apart > CLOSEST:
        raise ValueError(f"{name}: a weight or a probability differs by {apart}")
    return run


def arrays_of(made: Prediction) -> dict[str, np.ndarray]:
    """What the likeliest next tokens are computed from, in float32."""
    trace = made.trace
    rows = np.ascontiguousarray(trace["W_P"].tensor[:, :LISTED].T)
    return {LAST: trace["stream"].tensor[0, -1], FINAL: trace["gamma"].tensor, ROWS: rows}


def others_of(made: Prediction) -> tuple[float, int]:
    """The logsumexp of the logits of all tokens that are not listed, and their number."""
    left = made.trace["outcomes"].tensor[0, 0, LISTED:].astype(np.float64)
    top = left.max()
    logsumexp = float(top + np.log(np.exp(left - top).sum()))
    return round(logsumexp, 6), len(made.probabilities) - LISTED


def axis_of(axis: Axis) -> dict[str, Any]:
    """Labels, kinds and hops of an axis, for JSON."""
    return {"labels": axis.names(), "kinds": axis.kinds_of(), "hops": axis.hops}


def of_text(
    name: str,
    of: Pretrained,
    model: Checkpoint,
    text: str,
    key: int,
    found: Head | None = None,
) -> Recorded:
    """The head whose last token takes most from the token ``key``, from 0; or one that is found."""
    if found is None:
        found = best(list(weights_of(model, text)), lambda weights: weights[-1, key])
    part = subtrace(model.run(text, found.layer), f"encoder/{found.layer}/self")
    made = model.predict(text)
    query = part["stream"].size("token") - 1
    return record(name, of, model.config, part, found, query, (key,), text, made)


def two_banks(model: Checkpoint) -> list[Recorded]:
    """The head in which "bank" takes most from the clue in both sentences."""
    layers = [list(weights_of(model, text)) for text, _ in BANKS.values()]
    keys = [model.encode(text).tokens.index(clue) for text, clue in BANKS.values()]
    both = [np.minimum(*(heads[:, -1, key] for heads, key in zip(pair, keys, strict=True)))
            for pair in zip(*layers, strict=True)]  # fmt: skip
    layer, head = np.unravel_index(np.array(both).argmax(), np.shape(both))
    return [
        of_text(
            name, SMOLLM2, model, text, key,
            Head(int(layer) + 1, int(head) + 1, float(own[layer][head, -1, key])),
        )
        for (name, (text, _)), own, key in zip(BANKS.items(), layers, keys, strict=True)
    ]  # fmt: skip


def previous(model: Checkpoint) -> Recorded:
    """The head whose tokens, but for the first two, take most from the token before them."""
    layers = list(weights_of(model, PREVIOUS))
    found = best(layers, lambda weights: np.diagonal(weights, -1)[1:].mean())
    last = len(layers[0][0]) - 1
    return of_text("previous", SMOLLM2, model, PREVIOUS, last - 1, found)


def cat_eyes() -> Recorded:
    """The head in which the patches of the left eye take most from those of the right eye."""
    model = pretrained.open_checkpoint(pretrained.DINOV2)
    assert model.processor
    photo = (SAMPLES / "tabby.webp").read_bytes()
    _, pixels = read_photo(photo, **model.processor.geometry())
    asked, found_in = ([1 + ACROSS * y + x for y, x in eye] for eye in (LEFT_EYE, RIGHT_EYE))
    found = best(
        list(weights_of(model, pixels)),
        lambda weights: weights[np.ix_(asked, found_in)].sum(axis=1).mean(),
    )
    part = subtrace(model.run(pixels, found.layer), f"encoder/{found.layer}/self")
    middle = asked[len(asked) // 2]
    return record("cat", DINOV2, model.config, part, found, middle, tuple(found_in))


def speech() -> Recorded:
    """The aligning head that is surest of where a word is spoken."""
    command = ("flite", "-voice", VOICE, "-t", SPOKEN, "-o", "/dev/stdout")
    spoken = subprocess.run(command, capture_output=True, check=True).stdout
    sound, rate = soundfile.read(BytesIO(spoken), dtype="float32")
    assert rate == RATE
    soundfile.write(FOLDER / "speech.flac", sound, rate)
    model = pretrained.open_speech()
    encoded = model.encoder.run(sound, model.encoder.layers)
    memory = output_stage(encoded).tensor[0]
    written = list(model.write(memory, "en"))
    text = model.tokenizer.text_of([one.number for one in written]) or ""
    prompt = model.prompt("en")
    begins = len(prompt) - 1  # the row by which the first word was found

    def around(cross: np.ndarray) -> slice:
        middle = round(model.moment(cross, len(sound) // HOP // 2) / SECONDS)
        return slice(max(0, middle - NEAR), middle + NEAR + 1)

    near = [around(one.cross) for one in written]
    shares = {
        (layer, head): float(np.mean([one.cross[layer, head, at].sum()
                                      for one, at in zip(written, near, strict=True)]))
        for layer, head in model.generation.alignment_heads
    }  # fmt: skip
    (layer, head), share = max(shares.items(), key=lambda one: one[1])
    numbers = (*prompt, *(one.number for one in written))
    part = subtrace(model.trace(encoded, numbers, layer + 1), f"decoder/{layer + 1}/cross")
    word = next(i for i, one in enumerate(written) if "cat" in model.tokenizer.name_of(one.number))
    return record(
        "speech", WHISPER, model.config, part, Head(layer + 1, head + 1, share), begins + word,
        tuple(range(near[word].start, near[word].stop)), text.strip(),
    )  # fmt: skip


def main() -> None:
    """Record all runs."""
    FOLDER.mkdir(exist_ok=True)
    smollm2 = pretrained.open_checkpoint(SMOLLM2)
    gemma = pretrained.open_checkpoint(GEMMA)
    names = gemma.encode(GIFT).tokens
    made = [
        cat_eyes(),
        of_text("mary", SMOLLM2, smollm2, MARY, smollm2.encode(MARY).tokens.index("\u2423Mary")),
        *two_banks(smollm2),
        of_text("gift", GEMMA, gemma, GIFT, names.index("小") + 1),
        of_text("dursley", SMOLLM2, smollm2, DURSLEY, smollm2.encode(DURSLEY).tokens.index("urs")),
        speech(),
        previous(smollm2),
    ]
    lines = (json.dumps(asdict(run), ensure_ascii=False) for run in made)
    RUNS.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
