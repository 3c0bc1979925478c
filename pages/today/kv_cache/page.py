from functools import partial

import streamlit as st

from core import variants
from core.experiments.pages import pages
from core.models import cached
from pages.today.kv_cache import cards
from pages.today.kv_cache.controls import FIRST_TEXT, SAMPLES, Written, step_input
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.text import words_beside
from views.widgets import lesson
from views.widgets.decoder_input import decoder_input, first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
reading, written = computed(
    partial(decoder_input, samples=SAMPLES, first=FIRST_TEXT),
    Written.of,
    first_reading(text=FIRST_TEXT),
    words(),
)
step = step_input(written, texts)
traces = written.traces(step)
with st.container(border=True, key="step_card"):
    cards.step_card(written, step, traces, texts)
with st.container(border=True, key="work_card"):
    cards.work_card(written, step, texts)
trace = traces[1]
step_viewer(
    trace, words(), follow=False, origin=reading.origin,
    steps=steps_of(trace), first="present_K" if step else "K_rotated",
)  # fmt: skip
with st.container(border=True, key="faults_card"):
    cards.faults(written, texts)
with st.container(border=True, key="pages_card"):
    cards.paged(written, step, texts)
with st.container(border=True, key="bits_card"):
    cards.in_few_bits(written, texts)
with st.container(border=True, key="costs_card"):
    cards.costs(written, texts)
sources(texts.papers, cached.with_cache, cached.run, variants.present, pages, cached.rounded)
lesson.footer(texts.lesson, words())
