"""Which input mattered: plain attention, rollout and weights × gradient, for one outcome."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.kinds import GRADIENT
from core.models import relevance
from core.models.relevance import Relevance
from views import link, parse
from views.figures.model_map import GRADIENTS
from views.figures.photo import Photos
from views.figures.scale import Scale, round_up
from views.preferences import in_language, words
from views.selection import go_to
from views.text import RELEVANCE
from views.text.spans import isolated, plain, spans
from views.widgets.choice import choice
from views.widgets.errors import error_sentence
from views.widgets.grids import Grid, grids
from views.widgets.picture import picture
from views.widgets.prose import heading, prose

NAME, OUTCOME = "mattered", "outcome"
TALL = 14  # tokens from which on their table scrolls
HEIGHT = 470


@dataclass(frozen=True, eq=False)
class Asked:
    """What mattered for an outcome, as far as it was asked for.

    outcomes: names to choose from, the likeliest first. tokens: names of those that may matter;
    query: of that whose row gives the outcome. found: None if it was not asked for or, by error,
    cannot be computed.
    """

    outcomes: Sequence[str] = ()
    tokens: Sequence[str] = ()
    query: str = ""
    found: Relevance | None = None
    error: InputError | None = None

    @property
    def number(self) -> int:
        """Of the outcome, from 0."""
        return int(st.session_state[OUTCOME]) - 1 if len(self.outcomes) > 1 else 0

    @property
    def parts(self) -> tuple[str, ...]:
        """The gradients as one more part, if there are any."""
        return (GRADIENTS,) if self.found else ()

    def gradients(self, trace: Trace, path: str) -> Trace | None:
        """The gradients of the attention at this path of a trace, if they are open."""
        if self.found is None or st.session_state["part"] != GRADIENTS:
            return None
        return relevance.gradients(trace, self.found.attention(path))


def relevance_asked(
    read: Callable[[], tuple[Sequence[str], Sequence[str], str]],
    measure: Callable[[int], Relevance],
) -> Asked:
    """What the link asks for.

    read: outcomes, tokens and query of ``Asked``. measure: of an outcome, from 0. Neither is called
    if nothing is asked for. Call it before the link's part is read: the gradients are a part while
    they are asked for.
    """
    link.bind_param(OUTCOME, 1, parse.number(1, 10**6))
    if not link.bind_param(NAME, False, parse.flag):
        return Asked()
    empty = Asked(*read())
    if st.session_state[OUTCOME] > len(empty.outcomes):
        link.replace_param(OUTCOME, 1)
    try:
        return replace(empty, found=measure(empty.number))
    except InputError as error:
        return replace(empty, error=error)


def relevance_card(
    of: Asked, path: str, head: int, kind: str = "", photo: Photos | None = None
) -> None:
    """Draw what mattered, beside one sentence on what each answer can claim, and the way on.

    path, head: the chosen attention, and its head from 1. kind: of an outcome, in the texts, if
    there are several. photo: whose patches are the last tokens, as a batch of one.
    """
    texts = in_language(RELEVANCE)
    with st.container(horizontal=True, vertical_alignment="bottom", key="mattered_row"):
        st.toggle(texts.title, key=NAME, help=plain(texts.help), width="content")
        if len(of.outcomes) > 1:
            names = {i: name for i, name in enumerate(of.outcomes, start=1)}
            choice(texts.outcomes[kind], OUTCOME, [*names], names.__getitem__, width=260)
    if of.error:
        prose([[(error_sentence(of.error, words()), "")]], key="mattered_error", style="error")
    if of.found is None:
        return
    name, query = isolated(of.outcomes[of.number]), isolated(of.query)
    answers = {
        key: values[: len(of.tokens)]
        for key, values in (
            ("plain", of.found.plain), ("rollout", of.found.rolled),
            ("gradient", of.found.by_gradient),
        )
    }  # fmt: skip
    says = [spans(texts[key].says, name=name, query=(query, "query")) for key in answers]
    if photo is None:
        left, right = st.columns([6, 7], gap="medium")
        with left, st.container(height=HEIGHT if len(of.tokens) > TALL else "content",
                                border=False, key="mattered_tokens"):  # fmt: skip
            _table(of, path, [texts[key].name for key in answers], [*answers.values()])
        with right:
            prose(says, key="mattered_says")
    else:
        for place, (key, values), line in zip(st.columns(3), answers.items(), says, strict=True):
            with place:
                heading(texts[key].name, 3)
                picture(
                    photo.pixels[0], photo.grid, large=photo.large(0), label=texts[key].name,
                    key=f"mattered_{key}", weights=values[-photo.patches :], live=False,
                    asks=True, opens=True, on_choose=partial(_open_patch, of, path, photo.patches),
                )  # fmt: skip
                prose([line], key=f"mattered_{key}_says", style="quiet")
    if not answers["gradient"].any():
        prose([spans(texts.nothing, name=name)], key="mattered_nothing")
    which = texts.opens_cross if path.endswith("/cross") else texts.opens
    opens = which.format(layer=path.split("/")[1], head=head)
    recipe = spans(texts.recipe, name=name)
    prose([spans(opens), recipe], key="mattered_recipe", style="quiet")


def _table(of: Asked, path: str, names: list[str], answers: list[np.ndarray]) -> None:
    """A row for each token, a column for each answer; a press opens the token's gradient."""
    values = np.column_stack(answers)
    high = round_up(float(values.max()))
    grid = Grid(
        "", values, Scale("share", 0, high, root=True), rows=of.tokens, columns=names,
        row_role="key", column_role="", digits=3, small=True,
    )  # fmt: skip

    def opened(grid: int, row: int, column: int) -> None:
        _open(of, path, row)

    grids([grid], key="mattered_grid", on_click=opened, opens=True)


def _open_patch(of: Asked, path: str, patches: int, patch: int) -> None:
    """Callback: as ``_open``, of a patch."""
    _open(of, path, len(of.tokens) - patches + patch)


def _open(of: Asked, path: str, token: int) -> None:
    """Callback: show the gradients of an attention: of what the outcome's token gives another."""
    assert of.found
    chosen = of.found.attention(path)
    at = {"query": of.found.row - chosen.query}
    if chosen.columns.start <= token < chosen.columns.stop:
        at["key"] = token - chosen.key
    link.set_value("part", GRADIENTS)
    go_to(f"{GRADIENT}weights", st.session_state["head"] - 1, at)
