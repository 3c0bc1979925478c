"""The decoding component: the translation word by word, with the cross-attention of each word."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st

from core.experiments.alignment import cross_weights, with_mean
from core.experiments.token_rank import TokenRank, token_ranks
from core.models.prediction import largest_of
from core.models.translator import Translator, gloss
from core.sources.pieces import END, START
from pages.see.translation.controls import Shown
from views import link, parse
from views.figures.palette import AS_DATA
from views.selection import SelectionState, choose_token
from views.text import Words
from views.widgets.component import component
from views.widgets.known_heads import words_in

By = Literal["head", "mean"]
BY: tuple[By, ...] = ("head", "mean")
LAST_WORD = 0  # the link's number for the last word


@dataclass(frozen=True)
class Step:
    """A step of the decoding, and the attention that is drawn: of a head, or the layer's mean.

    index, layer, head: from 0. word: the step whose attention is shown: the same, or, where none
    was chosen, that of the last word with a content, since a full stop takes from anywhere.
    """

    index: int
    layer: int
    head: int
    by: By
    word: int


def chosen_step(shown: Shown, model: Translator) -> Step:
    """The step in the link; by default the last word before END."""
    word: int = link.bind_param("word", LAST_WORD, parse.number(1, 10**6))
    if word > len(shown.target):
        word = link.replace_param("word", LAST_WORD)
    best_layer, best = model.best_aligned_head
    layer: int = link.bind_param("layer", best_layer + 1, parse.number(1, model.layers))
    head: int = link.bind_param("head", best + 1, parse.number(1, model.heads))
    by: By = link.bind_param("by", BY[0], parse.one_of(BY))
    index = word - 1 if word else last_word(shown)
    telling = np.flatnonzero(words_in(shown.words))
    begins = index if word or not telling.size else int(telling[-1])
    return Step(index, layer - 1, head - 1, by, begins)


def last_word(shown: Shown) -> int:
    """The step of the last word; that of END if there is no word."""
    return max(0, len(shown.words) - 1)


def apply_browser_step(index: int, layer: int, head: int, by: str, shown: Shown) -> None:
    """Callback: select the step, layer and head at which the user stopped, all from 0.

    The stage viewer follows: to the head, to the row that predicts the word, and from a
    cross-attention to that of the layer, at the largest weight of the row.
    """
    link.set_value("word", LAST_WORD if index == last_word(shown) else index + 1)
    link.set_value("layer", layer + 1)
    link.set_value("head", head + 1)
    link.set_value("by", by)
    part = st.session_state["part"]
    if part.endswith("/cross"):
        link.set_value("part", cross(layer))
    if is_by_word(part):
        choose_token(index)
        for axis in ("key", "vocabulary"):
            link.remembered(SelectionState).positions.pop(axis, None)


def cross(layer: int) -> str:
    """The path of a layer's cross-attention, the layer from 0."""
    return f"decoder/{layer + 1}/cross"


def is_by_word(part: str) -> bool:
    """Whether the rows of a part are the English words."""
    return part.startswith(("target", "decoder", "prediction"))


KEY = "decoding"
OF_STEP = link.SELECTION | {"word", "layer", "by", "part"}  # parameters of a step, a head or a cell
MOST = 5  # candidates of a step


@dataclass
class Moves:
    """count: the number of moves in the browser that the server knows of."""

    count: int = 0


def decoding(shown: Shown, step: Step, model: Translator, texts: Words) -> None:
    """Draw the decoding; all steps, layers and heads are sent at once.

    The browser reports the step at which the user stops.
    """

    def on_rest() -> None:
        reported = st.session_state[KEY].rest
        if reported:
            index, layer, chosen = (int(reported[name]) for name in ("position", "layer", "head"))
            link.remembered(Moves).count = int(reported["moves"])
            apply_browser_step(
                index, layer, chosen, "mean" if reported["by"] == "mean" else "head", shown
            )

    data = sent(shown, model, texts) | {
        "position": step.index,
        "begins": step.word,
        "layer": step.layer,
        "head": step.head,
        "by": step.by,
        "named": _links_to_step(),
        "moves": link.remembered(Moves).count,
    }
    component("decoding")(key=KEY, data=data, on_rest_change=on_rest)


def _links_to_step() -> bool:
    """Whether this run adopts a link to a step, a head or a cell, not to the sentence alone."""
    return bool(OF_STEP & (link.session().adopted or {}).keys())


def sent(shown: Shown, model: Translator, texts: Words) -> dict[str, Any]:
    """The data with which the browser can show any step."""
    weights = with_mean(cross_weights(shown.trace))[:, :, : len(shown.target)]
    return {
        "source": shown.tokens,
        "target": shown.words,
        "ended": shown.ended,
        "forced": shown.forced,
        "sentences": sentences(shown, model),
        "glosses": [gloss(token) for token in shown.tokens] if texts.glossed else [],
        "weights": weights.round(6).tolist(),
        "candidates": candidates(shown, model),
        "others": others(shown),
        "ranks": [asdict(one) | {"best": model.target[one.best]} for one in target_ranks(shown)],
        "signs": {START: texts.start, END: texts.end},
        "start": START,
        "end": END,
        "palettes": AS_DATA,
        "words": texts.as_dict() | (_given(texts) if shown.forced else {}),
    }


def _given(texts: Words) -> dict[str, str]:
    """Sentences for teacher forcing: a row is computed before the model reads the given word."""
    return {"looks": texts.given_looks, "spreads": texts.given_spreads}


def target_ranks(shown: Shown) -> tuple[TokenRank, ...]:
    """The rank and probability of each word of the target, including END."""
    return token_ranks(shown.probabilities, shown.following)


def candidates(shown: Shown, model: Translator) -> list[list[tuple[str, float]]]:
    """The most probable words of each step, with their probabilities."""
    return [
        [(model.target[piece], float(row[piece])) for piece in pieces]
        for row, pieces in zip(shown.probabilities, _best(shown), strict=False)
    ]


def others(shown: Shown) -> list[tuple[int, float]]:
    """How many words a step does not list, and their probability: not the best, nor the target."""
    listed = np.column_stack([_best(shown), shown.following])
    hidden = np.ones((len(listed), shown.probabilities.shape[-1]), bool)
    np.put_along_axis(hidden, listed, False, axis=-1)
    rows = zip(shown.probabilities, hidden, strict=False)
    return [(int(mask.sum()), float(row[mask].sum(dtype=float))) for row, mask in rows]


def _best(shown: Shown) -> np.ndarray:
    """The indices of the most probable words of each step: (step, ``MOST``)."""
    rows = shown.probabilities[: len(shown.following)]
    return np.stack([largest_of(row, MOST) for row in rows])


def sentences(shown: Shown, model: Translator) -> list[str]:
    """The partial sentences after 0, 1, … words."""
    pieces = shown.translation.pieces
    return [model.decode(pieces[:count]) for count in range(len(pieces) + 1)]
