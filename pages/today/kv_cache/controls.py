"""A text that the decoder continues, the chosen step, and a fault in its cache."""

from dataclasses import dataclass, field
from functools import lru_cache

import streamlit as st

from core import Trace
from core.limits import TODAY
from core.models import cached
from core.models.cached import FAULTS, Fault, Pass, Writing
from core.models.opened_model import Checkpoint
from views import link, parse
from views.text import Words
from views.widgets.choice import option_input
from views.widgets.decoder_input import Reading

FIRST_TEXT = "The cat sat on the mat because"
SAMPLES = {
    "The cat…": FIRST_TEXT,
    "When I…": "When I was a child, I",
    "小猫在树上…": "小猫在树上睡觉，因为",
    "我爱…": "我爱",
}
MOST = 8  # tokens that the decoder generates; one of more layers than FEW_LAYERS, half as many
FEW_LAYERS = 12
SHARED = 4  # texts and faults that all sessions share; the first one of the page is everybody's
FIRST_STEP = 2
BITS = (8, 6, 4, 3, 2)  # of a number in a cache that is stored in few


@dataclass(frozen=True, eq=False)
class Written:
    """A decoder's continuation of a text, and its passes with a cache by the fault in it."""

    reading: Reading
    writing: Writing
    with_cache: dict[Fault, tuple[Pass, ...]]

    @classmethod
    def of(cls, reading: Reading) -> "Written":
        """Continue the text of a reading. Raises core.errors.InputError."""
        last = link.remembered(LastWriting)
        model = reading.model
        if last.of != (model.name, reading.text) or last.writing is None:
            last.writing = _writing(model, reading.text)
            last.of, last.with_cache = (model.name, reading.text), {}
        return cls(reading, last.writing, last.with_cache)

    def passes(self, fault: Fault | None) -> tuple[Pass, ...]:
        """The passes with a cache in which there is this fault, or none."""
        if fault is None:
            return self.writing.cached
        if fault not in self.with_cache:
            self.with_cache.clear()  # a session holds one fault at a time
            self.with_cache[fault] = _faulty(self.reading.model, self.writing, fault)
        return self.with_cache[fault]

    def rounded(self, by_channel: bool) -> list[float]:
        """By how much log p of the last step changes with a cache in each of ``BITS`` bits."""
        return _rounded(self.reading.model, self.writing, by_channel)

    def traces(self, step: int) -> tuple[Trace, Trace]:
        """The attention of the layer at a step, without a cache and with one."""
        model, encoding = self.reading.model.decoder, self.writing.encodings[step]
        caches = self.passes(None)[step - 1].caches if step else ()
        without, with_cache = (
            cached.attention_trace(model, encoding, of, self.reading.layer) for of in ((), caches)
        )
        return without, with_cache

    @property
    def last_step(self) -> int:
        """The number of the last step; 0 is that of the text itself."""
        return len(self.writing.encodings) - 1


@lru_cache(maxsize=SHARED)
def _writing(model: Checkpoint, text: str) -> Writing:
    return model.write(text, MOST if model.layers <= FEW_LAYERS else MOST // 2, TODAY)


@lru_cache(maxsize=SHARED)
def _faulty(model: Checkpoint, writing: Writing, fault: Fault) -> tuple[Pass, ...]:
    return cached.with_cache(model.decoder, writing, fault)


@lru_cache(maxsize=2 * SHARED)
def _rounded(model: Checkpoint, writing: Writing, by_channel: bool) -> list[float]:
    last = writing.cached[-1:]
    return [
        cached.differences(
            last, [cached.with_rounded_cache(model.decoder, writing, bits, by_channel=by_channel)]
        )[0]
        for bits in BITS
    ]


@dataclass
class LastWriting:
    """The last text that was continued in this session, and its passes. of: model and text."""

    of: tuple[str, str] = ("", "")
    writing: Writing | None = None
    with_cache: dict[Fault, tuple[Pass, ...]] = field(default_factory=dict)


def step_input(written: Written, texts: Words) -> int:
    """Draw the choice of a step and the button for the next token; return the step, from 0."""
    last = written.last_step
    step: int = link.bind_param("step", min(FIRST_STEP, last), parse.number(0, MOST))
    if step > last:
        step = link.replace_param("step", last)

    def named(number: int) -> str:
        return texts.step.format(number=number) if number else texts.prefill

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="steps"):
        st.segmented_control(
            texts.steps, range(last + 1), format_func=named, key="step", required=True
        )
        st.button(
            texts.write, key="write", type="primary", disabled=step == last,
            on_click=link.set_value, args=("step", step + 1),
        )  # fmt: skip
    return step


def head_input(heads: int, texts: Words) -> int:
    """Draw the choice of the head whose weights are drawn; return it, from 0."""
    return int(option_input(texts.head, "of_head", range(1, heads + 1))) - 1


def fault_input(layers: int, texts: Words) -> Fault | None:
    """Draw the choice of a fault; None for a cache without one.

    layers: a decoder of many is passed with a fault once it is asked for.
    """
    options = ("none", *FAULTS)
    first = FAULTS[0] if layers <= FEW_LAYERS else "none"
    chosen = option_input(texts.fault, "fault", options, texts.faults.__getitem__, first=first)
    return None if chosen == "none" else chosen


def rounded_input(layers: int, texts: Words) -> bool:
    """Draw whether the last step is done again with fewer bits; of many layers once asked for."""
    asked: bool = link.bind_param("bits", layers <= FEW_LAYERS, parse.flag)
    st.checkbox(texts.few_bits_show, key="bits")
    return asked
