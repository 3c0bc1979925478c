import math
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal

import numpy as np
import streamlit as st

from core import Trace
from core.backward import backward
from core.experiments.learning import LEARNT, MISTAKES, TURN, Learner, losses
from core.kinds import GRADIENT
from views import link, parse
from views.figures.chart import chart, dotted, lines, marks
from views.figures.palette import PALETTES
from views.figures.scale import scale_of
from views.preferences import in_language, theme, words
from views.scene.steps import gradients_of
from views.text import Words, numbers, words_beside
from views.text.numbers import DECIMALS
from views.text.spans import spans
from views.widgets.chart import show_chart
from views.widgets.choice import option_input
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.lesson import footer, header
from views.widgets.prose import heading, prose, source_code, table
from views.widgets.viewer import step_viewer
from views.widgets.whole_number import seed_input

MOST = 60  # steps, each of them computed in every run
RATES = (0.1, 0.3, 1.0)
FIRST_RATE, FIRST_SEED = 0.3, 2


@dataclass(frozen=True)
class Course:
    """A sentence's three words, the seed, the learning rate, and how many steps were taken."""

    words: tuple[str, str, str]
    seed: int = FIRST_SEED
    rate: float = FIRST_RATE
    taken: int = 0

    def steps(self) -> list[Learner]:
        """The model at the start and after every step; fewer if a step ends the learning."""
        start = Learner.seeded(self.words, self.seed)
        return [*islice(start.steps(self.rate), self.taken + 1)]


def course_input(texts: Words) -> Course:
    """Draw the controls and return their values. Raises out_of_range."""
    taken: int = link.bind_param("steps", 0, parse.number(0, MOST))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="course"):
        kinds: tuple[tuple[str, int, Literal["primary", "secondary"]], ...] = (
            ("one", taken + 1, "primary"),
            ("ten", taken + 10, "secondary"),
            ("start", 0, "secondary"),
        )
        for key, to, kind in kinds:
            st.button(
                texts.buttons[key], key=f"step_{key}", type=kind,
                disabled=to == taken or (taken == MOST and to > 0),
                on_click=partial(link.set_value, "steps", min(to, MOST)),
            )  # fmt: skip
        rate: float = option_input(texts.rate, "rate", RATES, "{:g}".format, first=FIRST_RATE)
        seed = seed_input(texts.seed, FIRST_SEED, width=120)
    return Course(tuple(texts.words), seed, rate, taken)


WORDS = words_beside(__file__)
POWERS = tuple(range(1, 13))  # of ten, by which a number is moved
AGREE = 1e-6  # of the larger of two numbers: what a good difference leaves
ALONE = 4 / 5 * math.log(2)  # of five words four are followed by one of two, the first by one


def first(texts: Words) -> Course:
    """The course that is shown in place of a refused one."""
    return Course(tuple(texts.words))


def losses_so_far(course: Course, steps: list[Learner], texts: Words) -> None:
    """Draw the loss of every step, and say what it means."""
    heading(texts.loss)
    found = [learner.loss for learner in steps]
    palette, at = PALETTES[theme()], range(len(found))
    traces = [
        dotted([0, MOST], [ALONE, ALONE], theme(), name=texts.alone),
        lines(at, found, palette.share[2], name=texts.loss_line, hover=map(numbers.short, found)),
        marks(at[-1:], found[-1:], palette.accent, 11, showlegend=False,
              hover=map(numbers.short, found[-1:])),
    ]  # fmt: skip
    figure = chart(
        traces, theme(), x=texts.step_axis, y="", height=250,
        xaxis={"range": [-1, MOST + 1]}, yaxis={"rangemode": "tozero"},
    )  # fmt: skip
    show_chart(figure, key="loss_curve", alt=texts.loss)
    fields = {
        "steps": str(len(found) - 1), "loss": numbers.short(found[-1]),
        "before": numbers.short(found[0]), "alone": numbers.short(ALONE),
        "likely": numbers.per_cent(math.exp(-found[-1])),
    }  # fmt: skip
    kind = "ended" if len(steps) <= course.taken else "start" if len(found) == 1 else (
        "worse" if found[-1] > found[-2] else "below" if found[-1] < ALONE else "above"
    )  # fmt: skip
    prose([spans(texts.says[kind], **fields)], key="loss_says")


def guesses(steps: list[Learner], texts: Words) -> None:
    """Draw the probability of every next word, at the start and now."""
    heading(texts.guesses)
    drawn = []
    for learner, title in _ends(steps, texts):
        stage = learner.trace["probabilities"]
        drawn.append(
            Grid(
                title, stage.tensor[0], scale_of(learner.trace, "probabilities"),
                rows=_texts_so_far(learner), columns=learner.words, row_role="query",
                column_role="vocabulary", marked=learner.trace["target"].tensor[0] == 1,
                small=True,
                digits=DECIMALS,
            )
        )  # fmt: skip
    grids(drawn, key="guess_grids")
    prose([spans(texts.guesses_say)], key="guesses_say", style="quiet")


def _texts_so_far(learner: Learner) -> list[str]:
    """Each word with its number, since words come twice."""
    return [f"{learner.words[word]} {i + 1}" for i, word in enumerate(TURN[:-1])]


def _ends(steps: list[Learner], texts: Words) -> list[tuple[Learner, str]]:
    now = texts.after.format(steps=len(steps) - 1)
    return [(steps[0], texts.before)] + ([(steps[-1], now)] if len(steps) > 1 else [])


def heads(steps: list[Learner], texts: Words) -> None:
    """Draw the weights of both heads, at the start and now."""
    heading(texts.heads)
    drawn = []
    for learner, title in _ends(steps, texts):
        stage, names = learner.trace["weights"], _texts_so_far(learner)
        for head, values in enumerate(stage.tensor[0]):
            drawn.append(
                Grid(
                    f"{title} · {texts.head.format(number=head + 1)}", values,
                    scale_of(learner.trace, "weights"), rows=names, columns=names,
                    is_masked=np.triu(np.ones(values.shape, bool), 1),
                    digits=DECIMALS, small=True,
                )
            )  # fmt: skip
    grids(drawn, key="head_grids")
    prose([spans(texts.heads_say)], key="heads_say", style="quiet")


def check(learner: Learner, texts: Words) -> None:
    """Draw the gradient check of one number, which the reader can break."""
    heading(texts.title)
    prose([spans(texts.lead)], key="check_lead", style="quiet")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="check_row"):
        key: str = option_input(texts.matrix, "matrix", LEARNT, _symbol)
        cells = [*np.ndindex(learner.learnt[key].shape)]
        link.bind_param("number", 1, parse.number(1, 10**6))
        if st.session_state["number"] > len(cells):
            link.replace_param("number", 1)
        st.selectbox(
            texts.cell, range(1, len(cells) + 1), key="number",
            format_func=lambda n: f"[{', '.join(str(i + 1) for i in cells[n - 1])}]",
        )  # fmt: skip
        link.bind_param("power", 4, parse.one_of(POWERS))
        power = st.select_slider(
            texts.power, POWERS, key="power", format_func=lambda p: numbers.short(10.0**-p)
        )
    mistake: str = option_input(texts.mistake, "mistake", MISTAKES, texts.mistakes.__getitem__)
    index = cells[st.session_state["number"] - 1]
    step = 10.0**-power
    gradient = learner.gradient(key, index, mistake)
    slope = learner.slope(key, index, step)
    size = max(abs(gradient), abs(slope))
    apart = abs(gradient - slope) / size if size else 0.0
    digits = "{:.9f}".format
    table(texts.columns, [[digits(gradient), digits(slope), numbers.short(apart)]])
    agrees = apart < AGREE
    if agrees:
        kind = "agrees" if mistake == "none" else "unmoved"
    else:
        kind = "differs" if mistake != "none" else "coarse" if power < 3 else "rounded"
    prose([spans(texts.says[kind], step=numbers.short(step))], key="check_says")


def _symbol(key: str) -> str:
    letter, _, raised = key.partition("_")
    return f"{letter}^{raised}"


def gradients(learner: Learner, words: Words) -> None:
    """Show the gradients in the microscope."""
    trace: Trace = learner.gradients
    step_viewer(
        trace, words, origin=lambda words: WORDS[words.code].origin, steps=gradients_of(trace),
        first=f"{GRADIENT}logits",
    )  # fmt: skip


texts = in_language(words_beside(__file__))
header(texts.lesson)
course, steps = computed(
    lambda: course_input(texts), lambda chosen: chosen.steps(), first(texts), words()
)
left, right = st.columns([3, 4], gap="medium")
with left, st.container(border=True, key="loss_card"):
    losses_so_far(course, steps, texts)
with right, st.container(border=True, key="guesses_card"):
    guesses(steps, texts)
with st.container(border=True, key="heads_card"):
    heads(steps, texts)
with st.container(border=True, key="check_card"):
    check(steps[-1], texts.check)
gradients(steps[-1], words())
source_code(texts.code, Learner.after_a_step, Learner.slope, losses, backward)
footer(texts.lesson, words())
