import inspect
import math
from collections.abc import Mapping, Sequence

import streamlit as st

from core import Trace
from core.experiments import mistakes
from core.experiments.invariants import INVARIANTS, Case, Check, check_all
from core.experiments.mistakes import CORRECT, MISTAKES, MatmulMismatch, Mistake, Operations
from pages.understand.break_it.controls import (
    Inputs,
    break_it_input,
    first,
    head_input,
    mistake_input,
)
from pages.understand.break_it.damage import comparison, no_product
from views import link, parse
from views.preferences import in_language, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.prose import heading, prose
from views.widgets.sentence_input import token_names

UNCHANGED = 1e-12


def summary(
    name: str, right: Case, broken: Case, head: int, tokens: Sequence[str], texts: Words
) -> list[Span]:
    """The sentence about a mistake, with the numbers of one head."""
    off = mistakes.relative_error(right.attended.output, broken.attended.output)
    if len(tokens) == 1 and off < UNCHANGED:
        return spans(texts.harmless)
    template = texts.reads[name]
    weights = broken.attended.weights[0, head]
    d_k, d_model = right.weights.d_k, right.weights.d_model
    short = numbers.short
    if name in ("axis", "late_mask"):
        row, total = mistakes.farthest_sum(weights)
        fields: dict[str, str | Span] = {"token": (tokens[row], "query"), "sum": short(total)}
        if name == "late_mask":
            fields["lost"] = short(1 - total)
    elif name == "unscaled":
        fields = {
            "d_k": str(d_k),
            "factor": short(math.sqrt(d_k)),
            "broken": short(mistakes.mean_largest_weight(weights)),
            "right": short(mistakes.mean_largest_weight(right.attended.weights[0, head])),
        }
    elif name == "reshape":
        fields = _moved(right, head, tokens) | {"d_model": str(d_model)}
    elif name == "upright":
        last = len(tokens) - 1
        fields = {
            "n": str(len(tokens)),
            "query": (tokens[0], "query"),
            "key": (tokens[last], "key"),
            "number": str(last + 1),
        }
    elif name == "twice":
        columns = broken.attended.concat.shape[-1]
        fields = {
            "narrow": str(broken.attended.Q.shape[-1]),
            "d_k": str(d_k),
            "columns": str(columns),
            "d_model": str(d_model),
            "lost": str(d_model - columns),
        }
    else:
        query, key, share = mistakes.largest_masked_weight(weights, broken.allowed)
        fields = {
            "query": (tokens[query], "query"),
            "key": (tokens[key], "key"),
            "weight": short(share),
        }
    percent = numbers.plain(100 * off, 0 if off >= 0.1 else 1)
    return [*spans(template, **fields), *spans(texts.off_by, percent=percent)]


def _moved(right: Case, head: int, tokens: Sequence[str]) -> dict[str, str | Span]:
    """A row of this head that contains numbers of another token."""
    split = MISTAKES["reshape"].wrong
    n, heads, d_k = len(tokens), right.weights.heads, right.weights.d_k
    origins = [mistakes.origin(split, n, heads, d_k, head, row) for row in range(n)]
    row = next(row for row in range(n) if origins[row][0][0] != row)
    token, first = origins[row][0]
    return {
        "head": str(head + 1),
        "token": (tokens[row], "query"),
        "other": (tokens[token], "query"),
        "first": str(first + 1),
        "last": str(origins[row][-1][1] + 1),
    }


Checks = Mapping[str, Check]


def prediction_input(mistake: str, broken: Checks | None, texts: Words) -> bool:
    """Draw the optional prediction of failing invariants; return whether results may be shown."""
    link.bind_param("predict", False, parse.flag)
    if not st.toggle(texts.predict, key="predict") or broken is None:
        return True
    st.markdown(mathematics(texts.question))
    guessed = {
        name
        for name in INVARIANTS
        if st.checkbox(
            plain(texts.alarms[name].holds),
            key=f"guess_{mistake}_{name}",
            on_change=link.mark_user_action,
        )
    }
    if not st.toggle(texts.ring, key=f"ring_{mistake}", on_change=link.mark_user_action):
        return False
    ringing = {name for name, check in broken.items() if not check.holds}
    counts = {
        "ringing": len(ringing), "found": len(guessed & ringing), "silent": len(guessed - ringing),
    }  # fmt: skip
    st.markdown(mathematics(texts.guessed if guessed == ringing else texts.missed.format(**counts)))
    return True


def invariants_table(right: Checks, broken: Checks | None, head: int, texts: Words) -> None:
    """Draw every invariant with its measured value, in the correct and the broken attention.

    head: the head that was measured, from 0.
    """
    heading(texts.alarm_title)
    lines = [_line(texts.columns), "|:--|:--|:--|"]
    for name, check in right.items():
        alarm = texts.alarms[name]
        fails = broken is not None and not broken[name].holds
        holds = f"**{mathematics(alarm.holds)}**" if fails else mathematics(alarm.holds)
        result = _measured(broken[name]) if broken else "—"
        measured = mathematics(alarm.measured.format(head=head + 1))
        lines.append(f"| {holds} :small[· {measured}] | {_measured(check)} | {result} |")
    st.markdown("\n".join(lines))


def all_mistakes_table(broken: Mapping[str, Checks | None], texts: Words) -> None:
    """Draw a table of all mistakes and all invariants."""
    lines = [
        _line((texts.alarm, *(texts.names[name] for name in MISTAKES))),
        "|:--|" + ":-:|" * len(MISTAKES),
    ]
    for name in INVARIANTS:
        results = [checks and checks[name] for checks in broken.values()]
        signs = [_sign(check) if check else "—" for check in results]
        lines.append(f"| {mathematics(texts.alarms[name].holds)} | {' | '.join(signs)} |")
    st.markdown("\n".join(lines))


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(mathematics(cell) for cell in cells)} |"


def _measured(check: Check) -> str:
    whole = float(check.value).is_integer() and check.value > 0
    printed = str(int(check.value)) if whole else numbers.short(check.value)
    return f"{_sign(check)}\N{NO-BREAK SPACE}{plain(printed)}"


def _sign(check: Check) -> str:
    return ":green[✓]" if check.holds else ":red[**✗**]"


def mistake_card(inputs: Inputs, source: Trace, name: str, texts: Words) -> None:
    """Draw the effect of one mistake on the user's sentence."""
    with st.container(key="wrong_line"):
        st.code(_wrong_line(MISTAKES[name]), language="python")
    right, broken = (
        _tried(inputs, source, operations) for operations in (CORRECT, MISTAKES[name].operations)
    )
    assert isinstance(right, Case)
    above = st.container()
    figure, side = st.columns([9, 5])
    with figure:
        card = st.container(border=True, key="damage_card")
    with card:
        head = head_input(texts, inputs.heads)
    checks = check_all(broken, head) if isinstance(broken, Case) else None
    with side:
        shown = prediction_input(name, checks, texts)
        if shown:
            with st.container(border=True, key="alarms_card"):
                invariants_table(check_all(right, head), checks, head, texts)
    with card:
        if isinstance(broken, MatmulMismatch):
            no_product(right, broken, head, token_names(source), texts)
        else:
            comparison(right, broken if shown else None, head, token_names(source), texts)
            if shown:
                with above:
                    prose(
                        [summary(name, right, broken, head, token_names(source), texts)],
                        key="reads",
                    )
    st.caption(mathematics(texts.origin.format(seed=inputs.seed)))


def more(inputs: Inputs, source: Trace, name: str, texts: Words) -> None:
    """Draw the source code, and a table of all mistakes."""
    with st.expander(texts.code):
        for column, title, operation in zip(
            st.columns(2),
            (texts.code_right, texts.code_wrong),
            (MISTAKES[name].right, MISTAKES[name].wrong),
            strict=True,
        ):
            file = operation.__module__.replace(".", "/")
            column.caption(plain(f"{title} · {file}.py"))
            column.code(inspect.getsource(operation), language="python", wrap_lines=True)
    with st.expander(texts.all_alarms):
        tried = {
            key: _tried(inputs, source, mistake.operations) for key, mistake in MISTAKES.items()
        }
        all_mistakes_table(
            {
                key: check_all(case) if isinstance(case, Case) else None
                for key, case in tried.items()
            },
            texts,
        )


def _tried(inputs: Inputs, source: Trace, operations: Operations) -> Case | MatmulMismatch:
    try:
        return Case(source["X"].tensor, inputs.weights, operations, inputs.seed)
    except MatmulMismatch as error:
        return error


def _wrong_line(mistake: Mistake) -> str:
    """The line of source code with the comment ``# wrong``."""
    lines = inspect.getsource(mistake.wrong).splitlines()
    return next(line.strip() for line in lines if "# wrong" in line)


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
with st.container(key="bench"):
    inputs, source = computed(lambda: break_it_input(texts), Inputs.source, first(), words())
    name = mistake_input(texts)
mistake_card(inputs, source, name, texts)
more(inputs, source, name, texts)
lesson.footer(texts.lesson, words())
