"""The translation as it comes into being: word by word, with what each word looks at."""

from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from core.experiments.alignment import cross_weights, with_mean
from core.experiments.token_rank import Standing, standings
from core.models.translator import Translator, candidates
from pages.see.translation.controls import Shown
from pages.see.translation.step import Step, rest_at
from pages.see.translation.words import DecodingWords
from views import link
from views.figures.palette import PALETTES
from views.widgets.component import component

KEY = "decoding"
MOST = 5
ASKING = (
    "who", "what", "where", "when", "why", "how", "do", "does", "did", "is", "are", "was", "were",
    "am", "can", "could", "will", "would", "should",
)  # fmt: skip


@dataclass
class Moves:
    """count: of the reader's moves in the browser, those that the server has heard of."""

    count: int = 0


def decoding(shown: Shown, step: Step, model: Translator, said: DecodingWords) -> None:
    """Draw the decoding. All steps, layers and heads go to the browser at once.

    What the reader comes to rest at is reported once.
    """

    def rested() -> None:
        reached = st.session_state[KEY].rest
        if reached:
            place, layer, chosen = (int(reached[name]) for name in ("place", "layer", "head"))
            link.remembered(Moves).count = int(reached["moves"])
            rest_at(place, layer, chosen, "mean" if reached["by"] == "mean" else "head", shown)

    data = sent(shown, model, said) | {
        "place": step.place,
        "layer": step.layer,
        "head": step.head,
        "by": step.by,
        "moves": link.remembered(Moves).count,
    }
    component("decoding")(key=KEY, data=data, on_rest_change=rested)


def sent(shown: Shown, model: Translator, said: DecodingWords) -> dict[str, Any]:
    """All that the browser needs to show any step by itself."""
    weights = with_mean(cross_weights(shown.trace))[:, :, : len(shown.target)]
    return {
        "source": shown.tokens,
        "target": shown.words,
        "ended": shown.ended,
        "forced": shown.forced,
        "finished": finished(shown.words),
        "weights": weights.round(6).tolist(),
        "candidates": [candidates(shown.trace, place, MOST) for place in range(len(shown.target))],
        "standings": [asdict(one) for one in standing(shown, model)],
        "signs": {model.start: said.start, model.end: said.end},
        "start": model.start,
        "end": model.end,
        "outcomes": model.target,
        "palettes": {theme: asdict(palette) for theme, palette in PALETTES.items()},
        "words": asdict(said) | (_given(said) if shown.forced else {}),
    }


def _given(said: DecodingWords) -> dict[str, str]:
    """What a row says of a given word: it was made before that word was read."""
    return {"looks": said.given_looks, "spreads": said.given_spreads}


def standing(shown: Shown, model: Translator) -> tuple[Standing, ...]:
    """How likely each word of the target was, END among them."""
    places = [model.target.index(word) for word in shown.target]
    return standings(shown.trace["prediction/probabilities"].tensor[0], places)


def finished(words: tuple[str, ...]) -> str:
    """The words as an English sentence is written: a capital, and a mark at its end."""
    if not words:
        return ""
    text = " ".join(words)
    return text[0].upper() + text[1:] + ("?" if words[0] in ASKING else ".")
