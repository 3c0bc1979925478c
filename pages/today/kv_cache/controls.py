"""A text that the decoder continues, the step that is looked at, and a fault in its cache."""

from dataclasses import dataclass, field
from functools import cache

import streamlit as st

from core import Trace
from core.limits import TODAY
from core.models import cached
from core.models.cached import FAULTS, Fault, Pass, Writing
from views import link, parse
from views.text import Words
from views.widgets.decoder_input import Reading, first_reading

FIRST_TEXT = "The cat sat on the mat because"
SAMPLES = {
    "The cat…": FIRST_TEXT,
    "When I…": "When I was a child, I",
    "小猫在树上…": "小猫在树上睡觉，因为",
    "我爱…": "我爱",
}
MOST = 8  # tokens that are written behind the text
FIRST_STEP = 2


@dataclass(frozen=True, eq=False)
class Written:
    """What a decoder writes behind a text, and the passes with a cache, by the fault in it."""

    reading: Reading
    writing: Writing
    with_cache: dict[Fault | None, tuple[Pass, ...]]

    @classmethod
    def of(cls, reading: Reading) -> "Written":
        """Continue the text of a reading. Raises core.errors.InputError."""
        kept = link.remembered(LastWriting)
        if kept.text != reading.text or kept.writing is None:
            kept.writing = reading.model.write(reading.text, MOST, TODAY)
            kept.text, kept.with_cache = reading.text, {}
        written = cls(reading, kept.writing, kept.with_cache)
        written.passes(None)
        return written

    def passes(self, fault: Fault | None) -> tuple[Pass, ...]:
        """The passes with a cache in which there is this fault, or none."""
        if fault not in self.with_cache:
            for other in self.with_cache.keys() - {None}:
                del self.with_cache[other]  # a session holds one fault at a time
            decoder = self.reading.model.decoder
            self.with_cache[fault] = cached.with_cache(decoder, self.writing, fault)
        return self.with_cache[fault]

    def traces(self, step: int) -> tuple[Trace, Trace]:
        """The attention of the layer at a step, without a cache and with one."""
        decoder, encoding = self.reading.model.decoder, self.writing.encodings[step]
        caches = self.passes(None)[step - 1].caches if step else ()
        without, behind = (
            cached.run(decoder, encoding, of, layer=self.reading.layer).trace for of in ((), caches)
        )
        assert without is not None and behind is not None
        return without, behind

    @property
    def last_step(self) -> int:
        """The number of the last step; 0 is that of the text itself."""
        return len(self.writing.encodings) - 1


@dataclass
class LastWriting:
    """The last text that was continued in this session, and its passes."""

    text: str = ""
    writing: Writing | None = None
    with_cache: dict[Fault | None, tuple[Pass, ...]] = field(default_factory=dict)


@cache
def first() -> Reading:
    """The example with which the page begins."""
    return first_reading(text=FIRST_TEXT)


def step_input(written: Written, texts: Words) -> int:
    """Draw the buttons that write a token or take it back; return the step, from 0."""
    last = written.last_step
    step: int = link.bind_param("step", min(FIRST_STEP, last), parse.number(0, MOST))
    if step > last:
        if link.session().adopted is not None:
            link.session().nonsense["step"] = str(step)
        step = st.session_state["step"] = last

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
    link.bind_param("of_head", 1, parse.number(1, heads))
    st.segmented_control(texts.head, range(1, heads + 1), key="of_head", required=True)
    head: int = st.session_state["of_head"]
    return head - 1


def fault_input(texts: Words) -> Fault | None:
    """Draw the choice of a fault; None for a cache without one."""
    options = ("none", *FAULTS)
    link.bind_param("fault", FAULTS[0], parse.one_of(options))
    st.segmented_control(
        texts.fault, options, format_func=lambda fault: texts.faults[fault], key="fault",
        required=True,
    )  # fmt: skip
    chosen = st.session_state["fault"]
    return next((fault for fault in FAULTS if fault == chosen), None)
