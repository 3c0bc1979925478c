"""The invariants of attention: which of them hold with a mistake, and the user's prediction."""

from collections.abc import Mapping

import streamlit as st

from core.experiments.invariants import INVARIANTS, Check
from core.experiments.mistakes import MISTAKES
from views import link, parse
from views.text import Words, numbers
from views.text.spans import mathematics, plain
from views.widgets.prose import heading

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
