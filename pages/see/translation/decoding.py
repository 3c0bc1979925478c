"""The translation as it comes into being: word by word, with what each word looks at."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.alignment import cross_weights, with_mean
from core.experiments.token_rank import TokenRank, token_ranks
from core.models.translator import Translator
from core.sources.pieces import END, START
from pages.see.translation.controls import Shown
from pages.see.translation.step import Step, apply_browser_step
from pages.see.translation.words import DecodingWords
from views import link
from views.figures.palette import PALETTES
from views.gloss import gloss
from views.widgets.component import component

KEY = "decoding"
MOST = 5


@dataclass
class Moves:
    """count: of the reader's moves in the browser, those that the server has heard of."""

    count: int = 0


def decoding(shown: Shown, step: Step, model: Translator, texts: DecodingWords) -> None:
    """Draw the decoding. All steps, layers and heads go to the browser at once.

    What the reader comes to rest at is reported once.
    """

    def rested() -> None:
        reached = st.session_state[KEY].rest
        if reached:
            place, layer, chosen = (int(reached[name]) for name in ("place", "layer", "head"))
            link.remembered(Moves).count = int(reached["moves"])
            apply_browser_step(
                place, layer, chosen, "mean" if reached["by"] == "mean" else "head", shown
            )

    data = sent(shown, model, texts) | {
        "place": step.place,
        "layer": step.layer,
        "head": step.head,
        "by": step.by,
        "moves": link.remembered(Moves).count,
    }
    component("decoding")(key=KEY, data=data, on_rest_change=rested)


def sent(shown: Shown, model: Translator, texts: DecodingWords) -> dict[str, Any]:
    """All that the browser needs to show any step by itself."""
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
        "standings": [asdict(one) | {"best": model.target[one.best]} for one in standing(shown)],
        "signs": {START: texts.start, END: texts.end},
        "start": START,
        "end": END,
        "outcomes": len(model.target),
        "palettes": {theme: asdict(palette) for theme, palette in PALETTES.items()},
        "words": asdict(texts) | (_given(texts) if shown.forced else {}),
    }


def _given(texts: DecodingWords) -> dict[str, str]:
    """What a row says of a given word: it was made before that word was read."""
    return {"looks": texts.given_looks, "spreads": texts.given_spreads}


def standing(shown: Shown) -> tuple[TokenRank, ...]:
    """How likely each word of the target was, END among them."""
    return token_ranks(shown.probabilities, shown.following)


def candidates(shown: Shown, model: Translator) -> list[list[tuple[str, float]]]:
    """The likeliest words of each place, with their probabilities."""
    rows = shown.probabilities[: len(shown.following)]
    best = np.argsort(-rows, axis=-1, kind="stable")[:, :MOST]
    return [
        [(model.target[piece], float(row[piece])) for piece in pieces]
        for row, pieces in zip(rows, best, strict=True)
    ]


def sentences(shown: Shown, model: Translator) -> list[str]:
    """What is written before the first word, behind it, and so on to the whole."""
    pieces = shown.translation.pieces
    return [model.sentence(pieces[:count]) for count in range(len(pieces) + 1)]
