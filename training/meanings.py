"""Records what a word becomes in its sentences, with and without attention: scene 1 of the story.

``python -m training.meanings`` writes ``assets/recorded/meanings.json`` from the models of
``core.models.pretrained``. The sentences of a language end in one word that has two meanings.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.interventions import parse
from core.models import pretrained
from core.models.meanings import FILE
from core.models.opened_model import Checkpoint

SHOWN = 48  # numbers of a vector, evenly spaced
LISTED = 4  # likeliest next tokens
BRIGHT = 0.06  # of the numbers, that have the strongest colour

# By language: the model, the sentences of both meanings with the word that tells them apart, and
# two beginnings that end in the same token.
STATED: dict[str, dict[str, Any]] = {
    "en": {
        "model": pretrained.SMOLLM2,
        "word": "bank",
        "meanings": [
            {
                "boat": "The boat drifted slowly to the bank",
                "fishing": "Children were fishing from the muddy bank",
                "river": "We sat on the grass by the river bank",
            },
            {
                "money": "He put all his money in the bank",
                "account": "She opened an account at the bank",
                "loan": "I asked for a loan at the bank",
            },
        ],
        "beginnings": ["The capital of France is", "The opposite of hot is"],
    },
    "zh": {
        "model": pretrained.GEMMA,
        "word": "苹果",
        "meanings": [
            {
                "水果店": "他在水果店买了一个苹果",
                "树上": "树上结满了又大又红的苹果",
                "饭后": "她每天饭后都吃一个苹果",
            },
            {
                "手机": "他新买的手机是苹果",
                "电脑": "这家公司的手机和电脑是苹果",
                "华为": "我的手机不是华为，是苹果",
            },
        ],
        "beginnings": ["一年有四个季节：春、夏、秋、", "四个方向是东、南、西、"],
    },
}


def planes(vectors: np.ndarray) -> np.ndarray:
    """Every layer's vectors on the plane in which they differ most: (layer, sentence, 2).

    vectors: (layer, sentence, d_model). Each is divided by its length, and the mean of the shown
    ones is subtracted. A plane is turned so that its points are as near as possible to those of the
    layer before (orthogonal Procrustes).
    """
    unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    centred = unit - unit.mean(axis=1, keepdims=True)
    points = np.zeros((*vectors.shape[:2], 2))
    for layer, rows in enumerate(centred):
        U, S, _ = np.linalg.svd(rows, full_matrices=False)
        flat = U[:, :2] * S[:2]  # (sentence, 2)
        left, _, right = np.linalg.svd(flat.T @ points[layer - 1 if layer else 0])
        points[layer] = flat @ left @ right
    return points


def turned(points: np.ndarray, meanings: np.ndarray) -> np.ndarray:
    """The planes turned so that behind the last layer the first meaning lies to the right.

    points: (layer, sentence, 2). meanings: (sentence,) 0 or 1.
    """
    first, second = (points[-1, meanings == meaning].mean(axis=0) for meaning in (0, 1))
    across, up = (first - second) / np.linalg.norm(first - second)
    return points @ np.array([[across, -up], [up, across]])


def cosines(vectors: np.ndarray) -> np.ndarray:
    """(layer, sentence, sentence). vectors: (layer, sentence, d_model)."""
    unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit @ unit.swapaxes(-1, -2)


def stripes(vectors: np.ndarray) -> list[Any]:
    """Some numbers of each vector, in hundredths of the strongest colour of a layer.

    It is that of all but BRIGHT of the numbers: a few are many times as large as the others.

    vectors: (layer, sentence, d_model). Returns (sentence, layer, SHOWN).
    """
    some = vectors[..., np.linspace(0, vectors.shape[-1] - 1, SHOWN).astype(int)]
    strongest = np.quantile(np.abs(some), 1 - BRIGHT, axis=(1, 2), keepdims=True)
    shown = np.clip(np.rint(100 * some / strongest), -100, 100)
    hundredths: list[Any] = shown.astype(int).swapaxes(0, 1).tolist()
    return hundredths


def likeliest(model: Checkpoint, stream: np.ndarray) -> list[list[Any]]:
    """The likeliest next tokens with their probabilities. stream: (d_model,)."""
    probabilities = model.next_probabilities(stream)
    numbers = np.argsort(-probabilities)[:LISTED]
    return [[model.name_of(int(n)), round(float(probabilities[n]), 4)] for n in numbers]


def last_vectors(model: Checkpoint, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The last token's vectors with attention and without it: (layer, text, d_model) each.

    Raises ValueError if a text makes a difference without attention.
    """
    on = np.array([model.streams(text)[:, -1] for text in texts]).swapaxes(0, 1)
    without = model.changed(parse("off=*"))
    off = np.array([without.streams(text)[:, -1] for text in texts])
    if not (off == off[0]).all():
        raise ValueError("without attention, the last vector depends on the text before it")
    return on.astype(np.float64), off.swapaxes(0, 1).astype(np.float64)


def record(stated: dict[str, Any]) -> dict[str, Any]:
    """What is shown of a language."""
    model = pretrained.open_checkpoint(stated["model"])
    groups = [list(group.items()) for group in stated["meanings"]]
    sentences = [sentence for group in groups for sentence in group]
    on, off = last_vectors(model, [text for _, text in sentences])
    compared = [0, len(groups[0])]  # the first sentence of each meaning
    meanings = [i for i, group in enumerate(groups) for _ in group]
    answers, nonsense = last_vectors(model, stated["beginnings"])
    return {
        "model": stated["model"].name,
        "word": stated["word"],
        "d_model": on.shape[-1],
        "clues": [clue for clue, _ in sentences],
        "sentences": [text for _, text in sentences],
        "meanings": meanings,
        "points": turned(planes(on), np.array(meanings)).round(4).tolist(),
        "cosines": cosines(on).round(4).tolist(),
        "stripes": stripes(on[:, compared]),
        "without": stripes(off[:, :1])[0],
        "beginnings": stated["beginnings"],
        "next": [likeliest(model, vector) for vector in answers[-1]],
        "next_without": likeliest(model, nonsense[-1, 0]),
    }


def main() -> None:
    """Record every language."""
    lines = (
        f"{json.dumps(code)}: {json.dumps(record(stated), ensure_ascii=False)}"
        for code, stated in STATED.items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
