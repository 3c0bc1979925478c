from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core import Stage, Trace, Weights, multi_head_attention, ops
from core.experiments import cross
from core.experiments.cross import asymmetry, largest_difference, swap_difference
from core.limits import SEQUENCE
from core.ops import project
from core.sources import text
from views import link
from views.figures.axis import shortened
from views.figures.scale import Scale, largest, scale_of
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.text import Words, numbers, words_beside
from views.text.spans import Span, isolated, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.choice import option_input
from views.widgets.component import component
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose, source_code, table
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.viewer import step_viewer
from views.widgets.whole_number import seed_input

D_MODEL, HEADS, FIRST_SEED = 8, 2, 7
FIRST_X, FIRST_MEMORY = "I love Beijing", "我爱北京天安门"


@dataclass(frozen=True)
class Pair:
    """Two sentences: queries come from the first, keys and values from the second if ``cross``."""

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    cross: bool
    seed: int

    def trace(self) -> Trace:
        """The trace of cross-attention, or of the first sentence's self-attention."""
        return self.attend(_embedded(self.key_tokens, self.seed)["X"] if self.cross else None)

    def attend(self, memory: Stage | None) -> Trace:
        """The attention of the first sentence to a memory, or to itself for None."""
        weights = Weights.seeded(D_MODEL, HEADS, self.seed)
        return multi_head_attention(_embedded(self.query_tokens, self.seed), weights, memory=memory)

    def itself(self) -> Trace:
        """Self-attention, computed as cross-attention whose memory is the sentence's own X."""
        return self.attend(_embedded(self.query_tokens, self.seed)["X"])

    def swapped(self) -> "Pair":
        """The same two sentences with the roles exchanged."""
        return replace(self, query_tokens=self.key_tokens, key_tokens=self.query_tokens)


FIRST = Pair(("I", "love", "Beijing"), ("我", "爱", "北京", "天安门"), cross=True, seed=FIRST_SEED)


def pair_input(texts: Words) -> Pair:
    """Draw the controls and return their values. Raises core.errors.InputError."""
    link.bind_param("text", FIRST_X)
    link.bind_param("memory", FIRST_MEMORY)
    columns = st.columns([1.75, 1.6, 0.5, 1.6, 0.9], vertical_alignment="bottom", gap="small")
    source = option_input(
        texts.source, "source", texts.sources, texts.sources.__getitem__,
        first="cross", where=columns[0],
    )  # fmt: skip
    tokens = texts.text_help.format(tokens=SEQUENCE.tokens)
    columns[1].text_input(texts.query_text, key="text", help=tokens)
    columns[2].button(
        "⇄",
        key="swap",
        help=texts.swap,
        on_click=_swap_sentences,
        disabled=source == "self",
        width="stretch",
    )
    columns[3].text_input(texts.key_text, key="memory", help=tokens, disabled=source == "self")
    seed = seed_input(texts.seed, FIRST_SEED, where=columns[4], help=texts.seed_help)
    memory = "" if source == "self" else st.session_state["memory"]
    tokenization_notes(f"{st.session_state['text']} {memory}", "word")
    (query_tokens,) = text.read(st.session_state["text"], "word", SEQUENCE)
    if source == "self":
        return Pair(query_tokens, query_tokens, False, seed)
    (key_tokens,) = text.read(st.session_state["memory"], "word", SEQUENCE)
    return Pair(query_tokens, key_tokens, True, seed)


def _swap_sentences() -> None:
    one, other = st.session_state["text"], st.session_state["memory"]
    link.set_value("text", other)
    link.set_value("memory", one)


def _embedded(tokens: tuple[str, ...], seed: int) -> Trace:
    return text.embed([tokens], D_MODEL, seed)


def questions(pair: Pair, trace: Trace, texts: Words) -> None:
    """Draw the questions and answers."""
    Q, K, scores = (trace[key] for key in ("Q", "K", "scores"))
    heading(texts.questions)
    with st.expander(plain(texts.lengths)):
        fields: dict[str, str | Span] = {
            "n_q": (str(Q.size("query")), "query"),
            "n_k": (str(K.size("key")), "key"),
            "d_k": (str(Q.size("d_k")), "d_k"),
            "Q": in_head(Q),
            "K": in_head(K),
            "scores": in_head(scores),
            "output": in_head(trace["output"]),
        }
        prose([spans(line, **fields) for line in texts.lengths_read], key="lengths_read")
    with st.expander(plain(texts.four.format(shape=Q.tensor.shape))):
        _four(Q, K, scores, texts)
    with st.expander(plain(texts.again)):
        _again(pair, trace, texts)


def _four(Q: Stage, K: Stage, scores: Stage, texts: Words) -> None:
    shown = {"Q": Q, "K": K, "scores": scores}
    columns = [texts.ordinals, texts.meanings]
    for stage in shown.values():
        sizes = zip(stage.roles, stage.tensor.shape, strict=True)
        columns.append(tuple(mathematics(f"{role} {size}") for role, size in sizes))
    table((texts.number, texts.meaning, *shown), list(zip(*columns, strict=True)))
    same = Q.tensor.shape == scores.tensor.shape
    read = texts.four_same if same else texts.four_read
    shape = str(scores.tensor.shape)
    prose([spans(read, shape=shape), spans(texts.four_batch)], key="four_read")


def _again(pair: Pair, trace: Trace, texts: Words) -> None:
    x = trace["X"].tensor
    gram = ops.dot_product_scores(x, x)[0]  # (token, token)
    scores = pair.attend(None)["scores"].tensor[0, 0]
    tokens = [shortened(token) for token in pair.query_tokens]
    prose(
        [
            spans(
                texts.again_read,
                symmetric=numbers.difference(cross.asymmetry(gram)),
                asymmetric=numbers.difference(cross.asymmetry(scores)),
            )
        ],
        key="again_read",
    )
    corners = np.zeros(scores.shape, dtype=bool)
    corners[0, -1] = corners[-1, 0] = len(tokens) > 1
    if len(tokens) > 1:
        prose(
            [
                spans(
                    texts.again_pair,
                    a=(tokens[0], "query"),
                    b=(tokens[-1], "key"),
                    one=numbers.short(float(gram[0, -1])),
                    there=numbers.short(float(scores[0, -1])),
                    back=numbers.short(float(scores[-1, 0])),
                )
            ],
            key="again_pair",
        )
    grids(
        [
            Grid(
                title, values, Scale("signed", -high, high), tokens, tokens,
                marked=corners, note=note, digits=numbers.DECIMALS, small=True,
            )
            for title, values, note in (
                ("X Xᵀ", gram, ""), ("Q Kᵀ", scores, texts.first_head),
            )
            for high in (float(np.abs(values).max()),)
        ],
        key="again",
    )  # fmt: skip


COMPUTED = (
    "Q", "K", "V", "scores", "scaled", "weights", "head_output", "concat", "output",
)  # fmt: skip
CROSS = ("X", "memory", *ATTENTION[1:])


def in_microscope(pair: Pair, trace: Trace, words: Words) -> None:
    """Draw the trace in the microscope."""
    step_viewer(
        trace, words, follow=False,
        origin=lambda texts: texts.viewer.random.format(seed=pair.seed),
        steps=CROSS if pair.cross else ATTENTION,
    )  # fmt: skip


def comparisons(pair: Pair, trace: Trace, texts: Words) -> None:
    """Draw self-attention next to cross-attention with memory X; and two sentences swapped."""
    left, right = st.columns(2, gap="small") if pair.cross else (st.container(), None)
    with left, st.container(border=True, key="special_card", height="stretch"):
        _special(pair, texts)
    if right:
        with right, st.container(border=True, key="swapped_card", height="stretch"):
            _swap(pair, trace, texts)


def _special(pair: Pair, texts: Words) -> None:
    itself, fed = pair.attend(None), pair.itself()
    heading(texts.special)
    count = sum(itself[key].tensor.size for key in COMPUTED)
    largest_difference = numbers.difference(cross.largest_difference(itself, fed, *COMPUTED))
    prose(
        [spans(texts.special_read, count=numbers.count(count), largest=largest_difference)],
        key="special_read",
    )
    scale = scale_of(itself, "weights")
    grids(
        [
            head_grid(itself["weights"], texts.special_self, scale, texts),
            head_grid(fed["weights"], texts.special_fed, scale, texts),
        ],
        key="special",
    )


def _swap(pair: Pair, trace: Trace, texts: Words) -> None:
    other = pair.swapped().trace()
    scores, swapped = trace["scores"], other["scores"]
    heading(texts.swapped)
    largest_difference = cross.swap_difference(scores.tensor, swapped.tensor)
    prose(
        [
            spans(
                texts.swapped_read,
                shape=in_head(scores),
                turned=in_head(swapped),
                largest=numbers.difference(largest_difference),
            )
        ],
        key="swapped_read",
    )
    high = max(largest(trace, ("scores",)), largest(other, ("scores",)))
    scale = Scale("signed", -high, high)
    grids(
        [
            head_grid(scores, texts.swapped_before, scale, texts),
            head_grid(swapped, texts.swapped_after, scale, texts),
        ],
        key="swapped",
    )


def head_grid(stage: Stage, title: str, scale: Scale, texts: Words) -> Grid:
    """The first head of the first sample of a stage as a matrix."""
    rows, columns = ([shortened(name) for name in axis.names() or ()] for axis in stage.axes[2:])
    return Grid(
        title, stage.tensor[0, 0], scale, rows, columns,
        note=f"{texts.first_head} {in_head(stage)}", digits=numbers.DECIMALS, small=True,
    )  # fmt: skip


def flow(trace: Trace, texts: Words) -> None:
    """Draw which sequences Q, K and V are computed from, and their shapes."""
    fed = (
        {"X": ("token", "Q"), "memory": ("key", "KV")}
        if "memory" in trace
        else {"X": ("token", "QKV")}
    )
    written = {key: isolated(" ".join(trace[key].axes[1].names() or ())) for key in fed}
    sources = [
        {"symbol": key, "text": written[key], "role": role, "feeds": feeds}
        for key, (role, feeds) in fed.items()
    ]
    label = texts.flow_cross if "memory" in trace else texts.flow_self
    shapes = {key: in_head(trace[key]) for key in ("Q", "K", "V", "scores", "output")}
    component("cross")(key="flow", data={"sources": sources, "shapes": shapes, "label": label})


def in_head(stage: Stage) -> str:
    """The shape of one sample in one head, each axis by its name: ``(query 3, key 4)``."""
    named = [f"{axis} {stage.size(axis)}" for axis in stage.roles if axis not in ("batch", "head")]
    return f"({', '.join(named)})"


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
pair, trace = computed(lambda: pair_input(texts), Pair.trace, FIRST, words())
with st.container(border=True, key="flow_card"):
    flow(trace, texts)
in_microscope(pair, trace, words())
comparisons(pair, trace, texts)
questions(pair, trace, texts)
source_code(texts.code, project, largest_difference, swap_difference, asymmetry)
lesson.footer(texts.lesson, words())
