from collections.abc import Sequence
from functools import partial

import streamlit as st

from core import variants
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.pages import pages
from core.models import cached
from core.models.cached import Fault, Pass, differences
from core.trace import Trace
from pages.today.kv_cache import charts
from pages.today.kv_cache.charts import rows_of_step, states_of_step, work
from pages.today.kv_cache.controls import (
    BITS,
    FIRST_TEXT,
    SAMPLES,
    Written,
    fault_input,
    head_input,
    rounded_input,
    step_input,
)
from views.figures.axis import shortened
from views.figures.head_maps import head_maps
from views.figures.scale import Scale, largest, round_up
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.text import DECODER, Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.decoder_input import decoder_input, first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer

PAGE = 4  # tokens; vLLM takes 16
HALF = 2  # bytes of a number in a cache
ROUNDING = 1e-3  # of a log-probability in float32, by far


def step_card(written: Written, step: int, traces: tuple[Trace, Trace], texts: Words) -> None:
    """Draw what a step computes, reads and writes. traces: without the cache and with it."""
    heading(texts.claim)
    _says(written, step, texts)
    encoding = written.writing.encodings[step]
    new = written.passes(None)[step].passed
    figure = states_of_step(encoding.tokens, new, theme(), texts)
    show_chart(figure, key="states", alt=texts.legend)
    st.caption(mathematics(texts.legend))
    head = head_input(written.reading.attention.weights.heads, texts)
    title = texts.rows.format(head=head + 1)
    st.caption(mathematics(title))
    n, high = len(encoding.tokens), round_up(largest(traces[0], ("weights",)))
    figure = head_maps(
        [rows_of_step(trace["weights"].tensor[0, head], n) for trace in traces],
        encoding.tokens, Scale("share", 0, high), theme(),
        titles=[texts.without, texts.with_cache], hover=texts.weights, rows=240,
    )  # fmt: skip
    show_chart(figure, key="rows", alt=title)


def _says(written: Written, step: int, texts: Words) -> None:
    writing, passes = written.writing, written.passes(None)
    now, plain_pass, encoding = passes[step], writing.passes[step], writing.encodings[step]
    n, spent = len(encoding.tokens), numbers.count(now.multiply_adds)
    if step == 0:
        line = spans(
            texts.says["prefill"],
            tokens=str(n),
            spent=spent,
            numbers=numbers.count(now.cached_numbers),
            layers=str(len(now.caches)),
        )
    else:
        line = spans(
            texts.says["decode"],
            token=(shortened(encoding.tokens[-1]), "token"),
            tokens=str(n),
            past=str(n - 1),
            spent=spent,
            without=numbers.count(plain_pass.multiply_adds),
            times=numbers.plain(plain_pass.multiply_adds / now.multiply_adds, 1),
            apart=numbers.difference(differences([plain_pass], [now])[0]),
        )
    if writing.ended and step == written.last_step:
        written_next = spans(texts.ends)
    else:
        probability = float(plain_pass.probabilities[plain_pass.likeliest])
        written_next = spans(
            texts.writes,
            token=(shortened(writing.names[step]), "token"),
            probability=numbers.per_cent(probability),
        )
    prose([[(texts.so_far, ""), *_tokens(encoding.tokens, now)], line, written_next], key="says")


def _tokens(tokens: Sequence[str], now: Pass) -> list[Span]:
    """All tokens, those that this step computes in another colour than those in the cache."""
    past = len(tokens) - now.passed
    return [
        (f"{shortened(token)}\u2002", "key" if i < past else "query")
        for i, token in enumerate(tokens)
    ]


def work_card(written: Written, step: int, texts: Words) -> None:
    """Draw the multiply-adds of every step, with and without the cache."""
    heading(texts.work)
    without, cached = (
        [one.multiply_adds for one in passes]
        for passes in (written.writing.passes, written.passes(None))
    )
    ticks = [texts.prefill, *(texts.step.format(number=i + 1) for i in range(written.last_step))]
    figure = work(
        without, cached, step, theme(), names=(texts.without, texts.with_cache), x="",
        y=texts.multiply_adds, ticks=ticks,
    )  # fmt: skip
    show_chart(figure, key="work", alt=texts.work)
    line = spans(
        texts.work_says,
        tokens=str(len(without)),
        without=numbers.count(sum(without)),
        cached=numbers.count(sum(cached)),
    )
    prose([line], key="work_says")


def faults(written: Written, texts: Words) -> None:
    """Draw the choice of a fault, its effect, and which invariants it breaks."""
    heading(texts.fault_heading)
    fault = fault_input(written.reading.model.layers, texts)
    good, passes, writing = written.passes(None), written.passes(fault), written.writing
    apart = differences(writing.passes, passes)
    wrong = [
        one.likeliest != other.likeliest for one, other in zip(writing.passes, passes, strict=True)
    ]
    weights = written.reading.attention.weights
    line = spans(
        texts.fault_says[fault or "none"],
        apart=numbers.difference(max(apart)),
        wrong=str(sum(wrong)),
        steps=str(len(wrong)),
        group=str(weights.heads // weights.kv_heads),
        times=numbers.bare(passes[-1].cached_numbers / good[-1].cached_numbers),
        work=numbers.count(passes[-1].multiply_adds),
        plain=numbers.count(good[-1].multiply_adds),
    )
    prose([line], key="fault_says")
    table(texts.invariant_columns, _invariants(written, fault, max(apart), texts))
    name_of = written.reading.model.name_of
    rows = []
    for step, (name, other, difference) in enumerate(
        zip(writing.names, passes, apart, strict=True)
    ):
        found = plain(shortened(name_of(other.likeliest)))
        rows.append(
            [
                plain(texts.step.format(number=step)) if step else texts.prefill,
                plain(shortened(name)),
                f"**{found}**" if wrong[step] else found,
                numbers.difference(difference),
            ]
        )
    table(texts.written_columns, rows)


def _invariants(
    written: Written, fault: Fault | None, apart: float, texts: Words
) -> list[list[str]]:
    """A row for each invariant: its name, the expected and the found value, whether it holds."""
    weights, last = written.reading.attention.weights, written.passes(fault)[-1]
    layers, n = len(last.caches), len(written.writing.encodings[-1].tokens)
    expected = 2 * layers * weights.kv_heads * weights.d_k
    found = last.cached_numbers // n
    queries = last.caches[0].Q
    rows = last.passed
    computed = rows if queries is None else queries.shape[2]
    broken, holds = texts.holds
    lines = (
        (texts.invariants["same"], "≈ 0", numbers.difference(apart), apart < ROUNDING),
        (
            texts.invariants["size"].format(
                layers=layers, kv_heads=weights.kv_heads, d_k=weights.d_k
            ),
            numbers.count(expected),
            numbers.count(found),
            expected == found,
        ),
        (texts.invariants["rows"], str(rows), str(computed), rows == computed),
    )
    return [
        [mathematics(name), should, f"**{found}**", holds if is_met else f"**{broken}**"]
        for name, should, found, is_met in lines
    ]


def paged(written: Written, step: int, texts: Words) -> None:
    """Draw the cache in pages, shared with a reader whose text begins alike."""
    heading(texts.paged)
    prompt, own = (written.writing.encodings[i].tokens for i in (0, step))
    likely = written.writing.passes[0].probabilities.argsort()
    name_of = written.reading.model.name_of
    other = next(name for name in map(name_of, likely[::-1]) if name != written.writing.names[0])
    both = (own, (*prompt, other))
    made = pages(len(prompt), [len(tokens) for tokens in both], PAGE)
    figure = charts.memory(made, both, PAGE, theme(), texts)
    shared, own_pages, other_pages = (
        sum(page.text == text for page in made) for text in (None, 0, 1)
    )
    alt = texts.paged_alt.format(shared=shared, own=own_pages, other=other_pages)
    show_chart(figure, key="memory", alt=alt)
    taken, positions = len(made) * PAGE, written.reading.model.config.positions
    line = spans(
        texts.paged_is,
        size=str(PAGE),
        slots=str(taken),
        empty=str(taken - sum(len(page.tokens) for page in made)),
        reserved=numbers.count(2 * positions),
        positions=numbers.count(positions),
        other=(shortened(other), "token"),
    )
    prose([line], key="paged")


def in_few_bits(written: Written, texts: Words) -> None:
    """Draw by how much a prediction changes with a cache whose numbers have few bits."""
    if not written.last_step:
        return
    heading(texts.few_bits)
    if rounded_input(written.reading.model.layers, texts):
        apart = {name: written.rounded(name == "channel") for name in texts.rounded_by}
        figure = charts.bits(BITS, apart, theme(), texts)
        show_chart(figure, key="few_bits_chart", alt=texts.few_bits_alt)
    tokens = str(len(written.writing.encodings[-1].tokens) - 1)
    prose([spans(texts.few_bits_is, tokens=tokens)], key="few_bits")


def costs(written: Written, texts: Words) -> None:
    """Draw the size of this cache, what a large model caches and does not, and the work saved."""
    heading(in_language(DECODER).costs)
    own, weights = written.reading.model, written.reading.attention.weights
    kept = own.layers * weights.kv_heads * (weights.d_k + weights.d_v)
    line = spans(
        texts.own,
        layers=str(own.layers),
        kv_heads=str(weights.kv_heads),
        d_k=str(weights.d_k),
        numbers=numbers.count(kept),
        bytes=numbers.size(kept * HALF),
        tokens=numbers.count(own.config.positions),
        size=numbers.size(kept * HALF * own.config.positions),
    )
    prose([line], key="own_cache")
    model = LLAMA_8B
    st.caption(
        mathematics(
            texts.of_named.format(
                name=model.name, layers=model.layers, heads=model.heads, kv_heads=model.kv_heads,
                d_k=model.d_k, tokens=numbers.count(CONTEXT),
            )
        )
    )  # fmt: skip
    no, yes = texts.is_cached
    sizes = {
        "kv": (yes, model.cache_bytes(CONTEXT)),
        "q": (no, model.query_bytes(CONTEXT)),
        "rows": (no, model.weights_bytes(CONTEXT)),
    }
    table(
        texts.cached_columns,
        [
            [texts.cached[name], answer, plain(numbers.size(size))]
            for name, (answer, size) in sizes.items()
        ],
    )
    cached, without = model.attention_multiply_adds(CONTEXT), model.reading_multiply_adds(CONTEXT)
    line = spans(
        texts.next_token,
        cached=numbers.power_of_ten(cached),
        without=numbers.power_of_ten(without),
        times=numbers.count(round(without / cached)),
    )
    counted = (in_language(DECODER).counted, "")
    prose([line, [counted]], key="next_token", style="quiet")


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
    step_card(written, step, traces, texts)
with st.container(border=True, key="work_card"):
    work_card(written, step, texts)
trace = traces[1]
step_viewer(
    trace, words(), follow=False, origin=reading.origin,
    steps=steps_of(trace), first="present_K" if step else "K_rotated",
)  # fmt: skip
with st.container(border=True, key="faults_card"):
    faults(written, texts)
with st.container(border=True, key="pages_card"):
    paged(written, step, texts)
with st.container(border=True, key="bits_card"):
    in_few_bits(written, texts)
with st.container(border=True, key="costs_card"):
    costs(written, texts)
sources(texts.papers, cached.with_cache, cached.run, variants.present, pages, cached.rounded)
lesson.footer(texts.lesson, words())
