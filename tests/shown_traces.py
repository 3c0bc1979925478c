"""Traces with every option at once, their sizes different primes, with unusual tokens.

sentence: two samples of words, the shorter one padded; self-attention.
crossed: the same words looking at another sequence.
picture: two images cut into patches, with [CLS].
sound: frames that share a token two by two, silence hidden, a local mask.
"""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from core import (
    Axis,
    HeadWeights,
    Stage,
    Trace,
    Weights,
    backward,
    interventions,
    masks,
    multi_head_attention,
)
from core.experiments.latent import Factors, latent_attention
from core.experiments.learning import Learner
from core.limits import LISTED_PIECES
from core.models import checkpoint, families
from core.models.families.whisper import FeatureExtractor
from core.models.folder import shards
from core.models.model import Model
from core.models.opened_model import Checkpoint
from core.models.patch_embeddings import patch_embeddings
from core.models.sound_embeddings import sound_embeddings
from core.models.stored import Stored
from core.models.tensors import Shards, Tensors
from core.models.translator import Translator
from core.models.vision import Vision
from core.nested import compose, subtrace
from core.options import AttentionOptions, Precision
from core.rotary import Rotary
from core.rules import Given
from core.sources import audio, image, text
from core.sources.pieces import Pieces
from core.sources.tokenizer import Encoding
from core.sources.unigram import Unigram

BATCH, HEADS, TOKENS, KEYS = 2, 3, 7, 11
D_K, D_V, D_MODEL, D_MEMORY = 5, 13, 17, 19
WIDTH, D_FF = 14, 23
PATCH, GRID = 2, (3, 5)
NOBODY = (0, 3)  # sample and query that may look at nothing

LINES = (
    ("我", "1", "<b>x</b>", "我", "2024", "$a$", "{row}"),
    ("*I*", "<b>x</b>", "&amp;", "love"),
)
MEMORY = ("a", "b", "a", "1", "<i>", "2024", "[z](u)", "$b$", "c", "{x}", "d")


def numbers(*shape: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def weights(memory_width: int = D_MODEL) -> Weights:
    def head(i: int) -> HeadWeights:
        return HeadWeights(
            W_Q=numbers(D_MODEL, D_K, seed=10 + i) / 3,
            W_K=numbers(memory_width, D_K, seed=20 + i) / 3,
            W_V=numbers(memory_width, D_V, seed=30 + i) / 3,
            W_O=numbers(D_V, D_MODEL, seed=40 + i) / 5,
            b_Q=numbers(D_K, seed=50 + i),
            b_K=numbers(D_K, seed=60 + i),
            b_V=numbers(D_V, seed=70 + i),
        )

    return Weights.from_heads([head(i) for i in range(HEADS)], b_O=numbers(D_MODEL, seed=4))


def _options(keys: int) -> dict:
    allowed = np.random.default_rng(5).random((BATCH, 1, TOKENS, keys)) < 0.8
    allowed[NOBODY[0], 0, NOBODY[1]] = False
    bias = numbers(HEADS, 1, keys, seed=6)
    bias[2, 0, 1] = -np.inf
    return {
        "allowed": allowed,
        "bias": bias,
        "causal": True,
        "temperature": 1.7,
        "dropout": 0.3,
        "seed": 8,
        "residual": True,
    }


@cache
def sentence() -> Trace:
    source = text.embed(LINES, D_MODEL, seed=3)
    return multi_head_attention(source, weights(), AttentionOptions(**_options(TOKENS)))


@cache
def crossed() -> Trace:
    axes = (Axis("batch", "B"), Axis("key", "n_k", MEMORY), Axis("d_model", "d"))
    tensor = numbers(BATCH, KEYS, D_MEMORY, seed=7)
    return multi_head_attention(
        text.embed(LINES, D_MODEL, seed=3),
        weights(D_MEMORY),
        AttentionOptions(
            key_mask=np.arange(KEYS) < np.array([[KEYS], [6]]), scale=0.4, **_options(KEYS)
        ),
        memory=Stage("memory", "M", tensor, axes, Given("input")),
    )


@cache
def picture() -> Trace:
    rows, columns = GRID
    shape = (BATCH, rows * PATCH, columns * PATCH, 3)
    pixels = np.random.default_rng(9).uniform(-1, 1, shape).astype(np.float32)
    source = image.embed(pixels, PATCH, D_MODEL, seed=3)
    return multi_head_attention(
        source, Weights.seeded(D_MODEL, 1, 11, D_K, D_V), AttentionOptions(residual=True)
    )


def _sounding(pool: int) -> Trace:
    """A sound that fades away, of seven tokens; the numbers of a frame are its bands of pitch."""
    samples = numbers(7 * 160 * pool - 9, seed=12) * np.linspace(0.5, 0, 7 * 160 * pool - 9) ** 3
    return audio.embed(samples, 16_000, D_MODEL, seed=3, mels=13, pool=pool)


@cache
def sound() -> Trace:
    source = _sounding(2)
    near = masks.window(7, 7, 2, 2)
    sounding = audio.sound_mask(source)
    return multi_head_attention(
        source, weights(), AttentionOptions(causal=True, allowed=near, key_mask=sounding)
    )


@cache
def plain() -> Trace:
    """No option at all: scores, scaled, weights."""
    return multi_head_attention(
        text.embed(LINES[:1], D_MODEL, seed=3), Weights.seeded(D_MODEL, HEADS, 2, D_K, D_V)
    )


@cache
def today(precision: Precision | None = None) -> Trace:
    """Every option that came after the paper: new words behind a cache of three, K/V shared."""
    width = D_K + 1
    shared = Weights(
        numbers(D_MODEL, 4 * width, seed=21) / 3,
        numbers(D_MODEL, 2 * width, seed=22) / 3,
        numbers(D_MODEL, 2 * D_V, seed=23) / 3,
        numbers(4 * D_V, D_MODEL, seed=24) / 5,
        heads=4,
        kv_heads=2,
        gamma_Q=1 + numbers(width, seed=25) / 9,
        gamma_K=1 + numbers(width, seed=26) / 9,
    )
    options = AttentionOptions(
        causal=True,
        window=(4, -1),
        head_mask=np.array([True, True, False, True]),
        sink_tokens=1,
        alibi=masks.alibi_slopes(4),
        rotary=Rotary(4, interleaved=True),
        past=(numbers(1, 2, 3, width, seed=27), numbers(1, 2, 3, D_V, seed=28)),
        soft_cap=2.0,
        sinks=numbers(4, seed=29),
        precision=precision,
        residual=True,
    )
    return multi_head_attention(
        text.embed(LINES[:1], D_MODEL, seed=3, position=False), shared, options
    )


@cache
def latent() -> Trace:
    """Keys and values of two shared heads, made from latent vectors."""
    shared = Weights(
        numbers(D_MODEL, 4 * D_K, seed=31) / 3,
        numbers(D_MODEL, 2 * D_K, seed=32) / 3,
        numbers(D_MODEL, 2 * D_V, seed=33) / 3,
        numbers(4 * D_V, D_MODEL, seed=34) / 5,
        heads=4,
        kv_heads=2,
    )
    narrow = Factors.of(shared).latent(3, 2 * D_K)
    source = text.embed(LINES[:1], D_MODEL, seed=3)
    return latent_attention(source, shared, AttentionOptions(causal=True), narrow)


@cache
def many_patches() -> Trace:
    """A picture of 14 × 14 patches, four heads, no [CLS]."""
    pixels = np.random.default_rng(9).uniform(-1, 1, (1, 56, 56, 3)).astype(np.float32)
    source = image.embed(pixels, 4, 160, seed=3, cls=False)
    return multi_head_attention(source, Weights.seeded(160, 4, 11), AttentionOptions(residual=True))


@cache
def wide_patches() -> Trace:
    """A picture of 10 × 10 patches, six heads of d_k 64: one head takes more than a megabyte."""
    pixels = np.random.default_rng(9).uniform(-1, 1, (1, 40, 40, 3)).astype(np.float32)
    source = image.embed(pixels, 4, 384, seed=3, cls=False)
    return multi_head_attention(source, Weights.seeded(384, 6, 11), AttentionOptions(residual=True))


@cache
def words_in_a_row(words: tuple[str, ...]) -> Trace:
    """One sentence as the Sentence page shows it, each word seeing only what came before."""
    return multi_head_attention(
        text.embed((words,), 16, seed=3), Weights.seeded(16, 2, 11), AttentionOptions(causal=True)
    )


# Of a toy translator: more than a trace lists for one position.
PIECES = ("[START]", "[END]", "<i>", "▁2024", "{x}", *(f"▁w{i}" for i in range(3 * LISTED_PIECES)))


def _model(name: str) -> Stored:
    """A model of distinct prime sizes with every part that a trained one has."""
    tensors: dict[str, np.ndarray] = {}
    sublayers = {
        "translator": {
            "encoder/1/self": "", "encoder/1/feed_forward": "ff", "decoder/1/self": "",
            "decoder/1/cross": "", "decoder/1/feed_forward": "ff",
        },
        "vision": {"encoder/1/self": "b", "encoder/1/feed_forward": "ff"},
    }[name]  # fmt: skip
    for path, kind in sublayers.items():
        tensors |= {f"{path}/gamma": 1 + numbers(WIDTH, seed=71) / 9}
        tensors |= {f"{path}/beta": numbers(WIDTH, seed=72) / 9}
        if kind == "ff":
            tensors |= {f"{path}/W_1": numbers(WIDTH, D_FF, seed=73) / 3}
            tensors |= {f"{path}/b_1": numbers(D_FF, seed=74)}
            tensors |= {f"{path}/W_2": numbers(D_FF, WIDTH, seed=75) / 3}
            tensors |= {f"{path}/b_2": numbers(WIDTH, seed=76)}
            continue
        for i, letter in enumerate("QKVO"):
            tensors |= {f"{path}/W_{letter}": numbers(WIDTH, WIDTH, seed=80 + i) / 3}
            if kind == "b":
                tensors |= {f"{path}/b_{letter}": numbers(WIDTH, seed=90 + i)}
    config = {"layers": 1, "heads": 2, "epsilon": 1e-5}
    if name == "translator":
        outcomes = len(PIECES)
        tensors |= {"source/E": numbers(4, WIDTH, seed=60)}
        tensors |= {"target/E": numbers(outcomes, WIDTH, seed=61)}
    else:
        tensors |= {"input/W_E": numbers(12, WIDTH, seed=62) / 4}
        tensors |= {"input/cls": numbers(WIDTH, seed=63)}
        tensors |= {"input/position": numbers(10, WIDTH, seed=64)}
        tensors |= {"prediction/gamma": np.ones(WIDTH), "prediction/beta": np.zeros(WIDTH)}
        config |= {"classes": ["ring", "<b>"], "side": 6, "patch": PATCH}
        outcomes = 2
        tensors |= {"prediction/W": numbers(WIDTH, outcomes, seed=65)}
    tensors |= {"prediction/b": numbers(outcomes, seed=66)}
    return Stored(tensors, config, {})


@cache
def translated(path: str) -> Trace:
    """A part of a model that translates."""
    source = Unigram(("[UNK]", *LINES[0][:3]), (0, 3, 2, 1), {})
    rules = WordLevel({piece: row for row, piece in enumerate(PIECES)})
    model = Translator(_model("translator"), source, Pieces(Tokenizer(rules)))
    return subtrace(model.teacher_forced(LINES[0][:3], (2, 3)).trace, path)


@cache
def classified(path: str) -> Trace:
    """A part of a model that looks at a picture of 3 × 3 patches."""
    pixels = np.random.default_rng(9).uniform(-1, 1, (1, 6, 6, 3))
    return subtrace(Vision(_model("vision")).trace(pixels), path)


class _Numbered:
    """Replaces a tokenizer: each word is the next row of the table."""

    def encode(self, text: str, *_: object) -> Encoding:
        words = tuple(text.split())
        return Encoding(tuple(range(len(words))), words, special=(), unknown=())

    def name_of(self, number: int) -> str:
        return f"<{number}>"


OWN = "我 <i> {x} 2024 $a$"


class _Drawn:
    """Replaces a file: weights of any name and shape."""

    def __contains__(self, name: str) -> bool:
        return True

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        return numbers(*shape, seed=len(name)).astype(np.float32) / 3

    def rows(self, name: str, shape: tuple[int, int], rows: tuple[int, ...]) -> np.ndarray:
        return self.array(name, shape)[list(rows)]


@cache
def opened(kind: str, path: str, layer: int = 1, *flags: str) -> Trace:
    """A part of a reader's own model, if need be of a layer further on.

    flags: settings that are true here, unlike in the file, and the weights are drawn for them.
    """
    folder = Path(__file__).parent / "core" / "models" / "data" / "checkpoints" / kind
    stated = json.loads((folder / "config.json").read_text("utf-8"))
    config = families.config(stated | dict.fromkeys(flags, True))
    if config.token == "patch":
        model = checkpoint.open(folder)
        shape = (*model.config.shape, 3)
        pixels = np.random.default_rng(9).integers(0, 256, shape, dtype=np.uint8)
        return subtrace(model.run(pixels, layer), path)
    files = shards(folder)
    tensors = Shards(files) if files else Tensors(folder / "model.safetensors")
    own = Checkpoint(kind, Model(_Drawn() if flags else tensors, config), _Numbered())
    if path == "prediction":
        return own.predict(OWN).trace
    return subtrace(own.run(OWN, layer), path)


@cache
def intervened(kind: str = "qwen3") -> Trace:
    """The attention of a model in which as much as can be is changed on purpose."""
    folder = Path(__file__).parent / "core" / "models" / "data" / "checkpoints" / kind
    config = families.config(json.loads((folder / "config.json").read_text("utf-8")))
    own = Checkpoint(kind, Model(_Drawn(), config), _Numbered())
    changes = "row=2.1@3:0.2,0.8;even=2.2;scale=2.2:0.5;patch=2.1@2;stream=2@4;hide=*@1"
    model = own.changed(interventions.parse(f"{changes};from=a b c d e"))
    return subtrace(model.run(OWN, 2), "encoder/2/self")


@cache
def shared_out() -> Trace:
    """What each part of a decoder adds to the logits of two tokens."""
    folder = Path(__file__).parent / "core" / "models" / "data" / "checkpoints" / "llama"
    own = checkpoint.open(folder)
    found = own.shares(own.passed("love lov 爱"), (3, 1))
    assert found is not None
    return found[1]


@cache
def spaced() -> Trace:
    """The input of a model with registers, for as many patches as in training."""
    folder = Path(__file__).parent / "core" / "models" / "data" / "checkpoints"
    stated = json.loads((folder / "dinov2_with_registers" / "config.json").read_text("utf-8"))
    config = families.config(stated)
    model = Model(_Drawn(), config)
    values = numbers(*config.shape, 3, seed=9).astype(np.float32)
    made = patch_embeddings(model, values)
    return subtrace(compose({"input": made}, {}, "checkpoint"), "input")


@cache
def written(path: str, layer: int = 1, kind: str = "t5") -> Trace:
    """A part of a model that reads one text and writes another."""
    folder = Path(__file__).parent / "core" / "models" / "data" / "checkpoints" / kind
    whole = checkpoint.open(folder).text_to_text
    assert whole is not None
    target = whole.encode_target("love the sun")
    return subtrace(whole.trace("the love lov <i> {x} 2024 $a$", target, layer), path)


@cache
def own_sound() -> Trace:
    """The input of a model of sounds that takes three tokens, 60 ms."""
    folder = Path(__file__).parent / "core" / "models" / "data" / "checkpoints"
    stated = json.loads((folder / "whisper" / "config.json").read_text("utf-8"))
    config = families.config(stated | {"max_source_positions": 3, "num_mel_bins": 13})
    model = Model(_Drawn(), config)
    samples = (np.linspace(0.5, 0, 700) * numbers(700, seed=9)).astype(np.float32)
    made = sound_embeddings(model, samples, FeatureExtractor(960, 13))
    return subtrace(compose({"input": made}, {}, "checkpoint"), "input")


def gradients(of: Callable[[], Trace]) -> Trace:
    """A trace and all gradients of the sum of what it ends with, each weighted by its position."""
    trace = of()
    last = [*trace][-1]
    tensor = trace[last].tensor
    return backward(trace, {last: np.linspace(-1, 1, tensor.size).reshape(tensor.shape)})


TRACES = {
    "sentence": sentence,
    "crossed": crossed,
    "picture": picture,
    "sound": sound,
    "plain": plain,
    "today": today,
    "half precision": partial(today, "bfloat16"),
    "latent": latent,
    "source": partial(translated, "source"),
    "post-norm cross": partial(translated, "decoder/1/cross"),
    "post-norm feed-forward": partial(translated, "decoder/1/feed_forward"),
    "next word": partial(translated, "prediction"),
    "patches": partial(classified, "input"),
    "pre-norm self": partial(classified, "encoder/1/self"),
    "pre-norm feed-forward": partial(classified, "encoder/1/feed_forward"),
    "class": partial(classified, "prediction"),
    "own words": partial(opened, "bert", "input"),
    "own patches": partial(opened, "vit", "input"),
    "own entrance": partial(opened, "gpt2", "input"),
    "own self": partial(opened, "bert", "encoder/1/self"),
    "own causal self": partial(opened, "gpt2", "encoder/1/self"),
    "own feed-forward": partial(opened, "gpt2", "encoder/1/feed_forward"),
    "own unplaced entrance": partial(opened, "llama", "input"),
    "own rotary self": partial(opened, "qwen3", "encoder/1/self"),
    "own sandwiched self": partial(opened, "gemma3_text", "encoder/1/self"),
    "own scaled vectors": partial(opened, "gemma3_text", "input"),
    "own gated feed-forward": partial(opened, "llama", "encoder/1/feed_forward"),
    "own next token": partial(opened, "llama", "prediction"),
    "own offset entrance": partial(opened, "roberta", "input"),
    "own sinusoids": partial(opened, "distilbert", "input", 1, "sinusoidal_pos_embds"),
    "own normed entrance": partial(opened, "modernbert", "input", 1, "norm_bias"),
    "own bias-free entrance": partial(opened, "modernbert", "input"),
    "own unnormed self": partial(opened, "modernbert", "encoder/1/self"),
    "own local self": partial(opened, "modernbert", "encoder/2/self", 2),
    "own biased gate": partial(opened, "modernbert", "encoder/1/feed_forward", 1, "mlp_bias"),
    "own final norm": partial(opened, "modernbert", "final_norm", 4, "norm_bias"),
    "own bias-free norm": partial(opened, "modernbert", "final_norm", 4),
    "own distilled patches": partial(opened, "deit", "input"),
    "own registered patches": partial(opened, "dinov2_with_registers", "input"),
    "own spaced patches": spaced,
    "own normed patches": partial(opened, "clip_vision_model", "input"),
    "own sound": own_sound,
    "own biased self": partial(written, "encoder/1/self"),
    "own biased and masked self": partial(written, "decoder/1/self"),
    "own entrance by distance": partial(written, "input"),
    "own bias-free feed-forward": partial(written, "encoder/1/feed_forward"),
    "own sines first": partial(written, "input", 1, "marian"),
    "own last RMSNorm": partial(written, "final_norm", 3),
    "own scaled head": partial(written, "prediction", 2),
    "own scaled self": partial(opened, "dinov2", "encoder/1/self"),
    "own changed self": intervened,
    "own changed post-norm self": partial(intervened, "bert"),
    "own shares": shared_out,
    "own scaled gate": partial(opened, "dinov2_with_registers", "encoder/1/feed_forward"),
}
BACKWARDS = {
    "gradients": partial(gradients, plain),
    "gradients of today": partial(gradients, today),
    "gradients through latent vectors": partial(gradients, latent),
    "gradients after the paper": partial(gradients, partial(opened, "qwen3", "encoder/1/self")),
    "gradients of a gate": partial(gradients, partial(opened, "llama", "encoder/1/feed_forward")),
    "gradients of a class": partial(gradients, partial(classified, "prediction")),
    "gradients of a loss": lambda: Learner.seeded(("a", "b", "c"), 1).gradients,
    "gradients of GELU": partial(gradients, partial(opened, "bert", "encoder/1/feed_forward")),
}
STAGES = [(name, key) for name, trace in TRACES.items() for key in trace()]
ATTENDING = {name: trace for name, trace in TRACES.items() if "weights" in trace()}


def middle(trace: Trace, key: str) -> dict[str, int]:
    """A cell off every edge where the stage has room for one, with an index for every role."""
    stage = trace[key]
    return {role: min(1, stage.size(role) - 1) for role in stage.roles}
