"""Trains the tiny attention layer of the story: ``python -m training.story`` (3 minutes, NumPy).

A sentence is four to six words in any order: one that has two meanings, a clue that tells which,
one of two properties, and words that tell nothing. From the vector of the first, both are to be
read: the meaning from the sign of its first number, the property from that of its second. Every
number is rounded while it is trained (straight-through: gradients are those of the rounded numbers,
and move the exact ones), so that a reader can follow the sums. Of RUNS runs with other random
beginnings the one is kept in which each head looks at one kind of word and whose shares are neither
even nor 1.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core import ops
from core.models.story import CLUES, FILE, FILLERS, PROPERTIES, WORD

RUNS, SEED, STEPS, BATCH, RATE = 500, 11, 400, 32, 0.02
SAVED = (0, 40, STEPS)  # steps
D_MODEL, HEADS, D_K = 4, 2, 2
GRID = 0.5  # to which parameters are rounded
SPREAD = 0.7  # standard deviation of the beginnings
DECAY = (6e-3, 3e-3, 3e-3, 6e-3)  # of E, W_Q, W_K and W_V
SMALL_VALUES, SMALL_SCORES = 0.004, 0.006  # weights of their squares in the loss
SOFT = (0.6, 0.93)  # largest weight of a row that is easy to read
TESTED = 1000  # sentences
ALL = np.array([(WORD, clue, of, *FILLERS[:2]) for clue in sum(CLUES, ()) for of in PROPERTIES])

Parameters = list[np.ndarray]  # E (run, word, d_model); W_Q, W_K, W_V (run, head, d_model, d_k)


@dataclass
class Pass:
    """One forward pass of all runs on the same sentences.

    x: (run, sentence, token, d_model). Q: (run, head, sentence, d_k). K, V: (run, head, sentence,
    token, d_k). scores, weights: (run, head, sentence, token). read: (run, sentence, 2).
    """

    x: np.ndarray
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    read: np.ndarray


def sentences(random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random sentences (sentence, token), and the signs to be read from them (sentence, 2)."""
    others = int(random.integers(4, 7)) - 3
    meaning, of = random.integers(0, 2, count), random.integers(0, 2, count)
    clues = np.array(CLUES)[1 - meaning, random.integers(0, 4, count)]
    fillers = random.integers(FILLERS[0], FILLERS[-1] + 1, (count, others))
    tokens = np.c_[np.full(count, WORD), clues, np.array(PROPERTIES)[of], fillers]
    return tokens, np.c_[2 * meaning - 1, 2 * of - 1]


def forward(parameters: Parameters, tokens: np.ndarray) -> Pass:
    """Attention of the word, and what is read from its new vector. tokens: (sentence, token)."""
    E, W_Q, W_K, W_V = parameters
    x = E[:, tokens]
    Q = np.einsum("rsi,rhid->rhsd", x[:, :, 0], W_Q)
    K, V = (np.einsum("rsti,rhid->rhstd", x, W) for W in (W_K, W_V))
    scores = np.einsum("rhsd,rhstd->rhst", Q, K)
    weights = ops.softmax(scores)
    mixed = np.einsum("rhst,rhstd->rsd", weights, V)
    return Pass(x, Q, K, V, scores, weights, x[:, :, 0, :2] + mixed)


def gradients(parameters: Parameters, tokens: np.ndarray, signs: np.ndarray) -> Parameters:
    """Of the logistic loss, log(1 + e^(−sign · read)), and of the small terms, by hand."""
    E, W_Q, W_K, W_V = parameters
    made, count = forward(parameters, tokens), len(tokens)
    margin = np.clip(signs * made.read, -50, 50)
    d_read = -signs / (1 + np.exp(margin)) / count  # (run, sentence, 2)
    d_weights = np.einsum("rsd,rhstd->rhst", d_read, made.V)
    d_V = made.weights[..., None] * d_read[:, None, :, None] + SMALL_VALUES * made.V / count
    mean = (made.weights * d_weights).sum(axis=-1, keepdims=True)
    d_scores = made.weights * (d_weights - mean) + SMALL_SCORES * made.scores / count
    d_Q = np.einsum("rhst,rhstd->rhsd", d_scores, made.K)
    d_K = d_scores[..., None] * made.Q[:, :, :, None]
    d_x = np.einsum("rhstd,rhid->rsti", d_K, W_K) + np.einsum("rhstd,rhid->rsti", d_V, W_V)
    d_x[:, :, 0] += np.einsum("rhsd,rhid->rsi", d_Q, W_Q)
    d_x[:, :, 0, :2] += d_read
    one_hot = np.eye(E.shape[1])[tokens]  # (sentence, token, word)
    return [
        np.einsum("stw,rsti->rwi", one_hot, d_x),
        np.einsum("rsi,rhsd->rhid", made.x[:, :, 0], d_Q),
        np.einsum("rsti,rhstd->rhid", made.x, d_K),
        np.einsum("rsti,rhstd->rhid", made.x, d_V),
    ]


def rounded(parameters: Parameters) -> Parameters:
    """The numbers that the model has."""
    return [np.round(array / GRID) * GRID for array in parameters]


def train() -> dict[int, Parameters]:
    """All runs, by Adam (Kingma and Ba, 2015) with a falling rate: the parameters by saved step."""
    random = np.random.default_rng(SEED)
    words = FILLERS[-1] + 1
    shapes = [(RUNS, words, D_MODEL), *[(RUNS, HEADS, D_MODEL, D_K)] * 3]
    exact = [random.normal(0, SPREAD, shape) for shape in shapes]
    first, second = ([np.zeros(shape) for shape in shapes] for _ in range(2))
    saved = {}
    for step in range(STEPS + 1):
        if step in SAVED:
            saved[step] = rounded(exact)
        found = gradients(rounded(exact), *sentences(random, BATCH))
        rate = RATE * max(0.1, 1 - step / STEPS)
        for i, gradient in enumerate(found):
            gradient = gradient + DECAY[i] * exact[i]
            first[i] = 0.9 * first[i] + 0.1 * gradient
            second[i] = 0.99 * second[i] + 0.01 * gradient**2
            mean, square = (
                moment[i] / (1 - part ** (step + 1))
                for moment, part in ((first, 0.9), (second, 0.99))
            )
            exact[i] = exact[i] - rate * mean / (np.sqrt(square) + 1e-8)
    return saved


def choose(parameters: Parameters) -> tuple[int, Sequence[int]]:
    """The run that is easiest to read, and its heads: that of the meaning comes first."""
    made = forward(parameters, ALL)
    signs = np.array([[1 if i < len(ALL) // 2 else -1, 2 * (i % 2) - 1] for i in range(len(ALL))])
    best, found = -np.inf, None
    for run in np.flatnonzero((signs * made.read > 1).all(axis=(1, 2))):
        looks = made.weights[run].argmax(axis=-1)  # (head, sentence): 1 the clue, 2 the property
        if sorted({tuple(set(head)) for head in looks.tolist()}) != [(1,), (2,)]:
            continue
        heads = np.argsort(looks[:, 0])
        of_meaning, of_property = heads
        most = made.weights[run, of_meaning].max(axis=-1)
        soft = np.count_nonzero((most > SOFT[0]) & (most < SOFT[1]))
        keys = made.K[run, of_meaning, [0, -1]].reshape(-1, D_K)
        flat = np.linalg.svd(keys - keys.mean(axis=0), compute_uv=False)[1]  # 0: on one line
        idle = max(
            np.abs(made.V[run, of_meaning][:, [0, 2, 3, 4]]).max(),
            np.abs(made.V[run, of_property][:, [0, 1, 3, 4]]).max(),
        )
        start = np.abs(parameters[0][run, WORD, :2]).max()
        some = 0.7 * (made.Q[run, of_meaning, 0] == 0).any()
        value = min(flat, 2) + min(soft, 8) / 8 - start - some - idle
        if value > best:
            best, found = value, (int(run), [int(head) for head in heads])
    assert found
    return found


def accuracy(parameters: Parameters) -> float:
    """The share of random sentences of which both are read right. parameters: of one run."""
    random = np.random.default_rng(SEED + 1)
    right = []
    while len(right) < TESTED:
        tokens, signs = sentences(random, BATCH)
        right += (forward(parameters, tokens).read[0] * signs > 0).all(axis=-1).tolist()
    return float(np.mean(right[:TESTED]))


def main() -> None:
    """Train, choose and save."""
    saved = train()
    run, heads = choose(saved[STEPS])
    steps = []
    for step, parameters in saved.items():
        E, W_Q, W_K, W_V = (array[run] for array in parameters)
        given = {"W_Q": W_Q[heads], "W_K": W_K[heads], "W_V": W_V[heads]}
        steps.append(
            {
                "step": step,
                "accuracy": accuracy([array[run, None] for array in parameters]),
                "words": (E + 0.0).tolist(),
                **{name: (W + 0.0).tolist() for name, W in given.items()},
            }
        )
        print(step, steps[-1]["accuracy"])
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, steps)) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
