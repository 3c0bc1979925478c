"""The story's scenes but the last: a recorded word of a pretrained model, and a tiny model."""

from functools import cache
from typing import Any

from core import Trace
from core.models import story
from core.models.meanings import meanings
from views.text import Words

# What each scene shows, from the first; `assets/story/types.d.ts` says what each field is.
SHOWN: tuple[dict[str, Any], ...] = (
    {"figure": "twins", "short": True},
    {"figure": "distance", "short": True},
    {
        "figure": "tiny", "short": True,
        "side": "question", "turns": [-1, 1], "columns": ["label", "score"],
    },
    {"figure": "tiny", "side": "products", "columns": ["label", "score"], "opens": "score"},
    {
        "figure": "tiny", "arcs": True,
        "slides": True, "columns": ["score", "weight", "largest"], "opens": "weight",
    },
    {
        "figure": "tiny", "short": True, "arcs": True, "side": "meaning",
        "switches": True, "shrinks": True,
        "columns": ["weight", "value", "product"], "asked": ["product"], "right": 2,
    },
    {"figure": "tiny", "arcs": True, "learns": True},
    {
        "figure": "tiny", "short": True, "arcs": True,
        "side": "meaning", "splits": True, "columns": ["weight", "value"],
    },
    {"figure": "own", "short": True},
)  # fmt: skip


def scenes(texts: Words, code: str) -> dict[str, Any]:
    """What the browser needs for all scenes: texts, and the numbers of both models."""
    vocabulary, sentences = texts.vocabulary, tuple(map(tuple, texts.sentences))
    names = [[vocabulary[number] for number in numbers] for numbers in sentences]
    (query,) = {numbers.index(story.WORD) for numbers in sentences}
    return {
        "scenes": [
            scene.as_dict() | shown for scene, shown in zip(texts.scenes, SHOWN, strict=True)
        ],
        "labels": texts.labels.as_dict(),
        "meanings": meanings()[code],
        "names": names,
        "vocabulary": len(vocabulary),
        "query": query,
        "steps": _steps(sentences, query),
    }


@cache
def _steps(sentences: tuple[tuple[int, ...], ...], query: int) -> list[dict[str, Any]]:
    """The tiny model at each step of its training, with the row of the word that asks."""
    return [
        {
            "step": model.step,
            "accuracy": model.accuracy,
            **{name: getattr(model, name).tolist() for name in ("W_Q", "W_K", "W_V")},
            "sentences": [
                _row(model.trace(numbers, [str(number) for number in numbers]), query)
                for numbers in sentences
            ],
        }
        for model in story.steps()
    ]


def _row(trace: Trace, query: int) -> dict[str, Any]:
    """By head the row of the word that asks, and what every word has."""
    tensor = {key: trace[key].tensor[0] for key in trace if trace[key].axes[0].role == "batch"}
    rows = {"Q": "Q", "scores": "scores", "weights": "weights", "mixed": "head_output"}
    return {
        "X": tensor["X"].tolist(),
        **{name: tensor[name].tolist() for name in "KV"},
        **{name: tensor[key][:, query].tolist() for name, key in rows.items()},
    }
