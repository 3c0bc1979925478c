"""What each head does to an outcome: all are muted in turn, once that is asked for."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from timeit import default_timer

import streamlit as st

from core.models.effects import Effect
from views import link
from views.preferences import in_language, words
from views.text import WHAT_IF, numbers
from views.text.spans import isolated, plain
from views.widgets.checkpoint.head_overview import HeadLink
from views.widgets.component import component
from views.widgets.prose import heading, prose

BARS = "effects"  # the key of the bars
SOON = 2.0  # seconds that pass without being announced


@dataclass
class Effects:
    """The effects of the heads that were muted in turn, and what they were asked of.

    asked: whether they are asked for, of what the next run shows: another change may still be
    computed when the button is pressed. asked_of: what identifies the model, its input and the
    outcome; None if not asked for. found: so far.
    """

    asked: bool = False
    asked_of: Hashable = None
    found: list[Effect] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Muting:
    """The heads of a model, muted in turn.

    of: identifies the model, its input and the outcome. chosen: the head that is looked at.
    target: the outcome. name_of: of an outcome. measure: yields the effects behind those that are
    known; it is given a function of the work done and in all, and the number of known ones. go:
    callback of the bars, which name a head to open. part: of ``Change``, whose heads these are, if
    the model has others too.
    """

    of: Hashable
    layers: int
    heads: int
    chosen: HeadLink
    target: int
    name_of: Callable[[int], str]
    measure: Callable[[Callable[[int, int], None], int], Iterator[Effect]]
    go: Callable[[], None]
    part: str = ""


def head_effects(muting: Muting) -> None:
    """Draw the effect of every head on an outcome, once it is asked for.

    Call it when all else is drawn, into a container that was created before: heads are muted
    meanwhile, and a run that is interrupted goes on where it was.
    """
    texts, effects = in_language(WHAT_IF).effects, link.remembered(Effects)
    heads = muting.layers * muting.heads
    heading(texts.titles[muting.part] if muting.part else texts.title)
    room, stop = st.empty(), st.empty()
    if effects.asked:
        effects.asked, effects.asked_of, effects.found = False, muting.of, []
    if effects.asked_of != muting.of:
        stop.button(
            texts.start.format(heads=heads), key="mute_all", help=plain(texts.help),
            on_click=_ask, args=(True,), icon=":material/volume_off:",
        )  # fmt: skip
        return
    began: list[tuple[int, float]] = []

    def progress(done: int, work: int) -> None:
        says = texts.running.format(percent=numbers.per_cent(done / work, 0), heads=heads)
        if done:
            began.append((done, default_timer()))
            before, since = began[0]
            left = (began[-1][1] - since) * (work - done) / max(1, done - before)
            if left > SOON:
                says += texts.left.format(seconds=numbers.whole(left))
        room.progress(done / work, plain(says))

    if len(effects.found) < heads:
        stop.button(texts.cancel, key="stop_muting", on_click=_ask, args=(False,))
        progress(0, 1)
        for effect in muting.measure(progress, len(effects.found)):
            effects.found.append(effect)
        stop.empty()
    with room.container():
        _bars(muting, effects.found)


def opening(path: str) -> Callable[[], None]:
    """The callback of the bars that opens a head. path: of the attention that is looked at."""
    side, _, kind = path.split("/")

    def go() -> None:
        layer, head = st.session_state[BARS].choose.split("/")
        link.set_value("layer", int(layer))
        link.set_value("head", int(head))
        link.set_value("part", f"{side}/{layer}/{kind}")

    return go


def _ask(asked: bool) -> None:
    """Callback: mute every head in turn, or no more of them."""
    now = link.remembered(Effects)
    now.asked, now.asked_of = asked, None


def _bars(muting: Muting, found: Sequence[Effect]) -> None:
    """The effects as bars, the strongest first."""
    texts, target, heads = in_language(WHAT_IF).effects, muting.target, len(found)
    name = isolated(muting.name_of(target))
    ordered = sorted(found, key=lambda one: -abs(one.change))
    most = abs(ordered[0].change) or 1.0
    data = {
        "language": words().tag,
        "label": texts.label,
        "chosen": muting.chosen.name,
        "bars": [
            [
                HeadLink(one.layer, one.head).name,
                texts.head.format(layer=one.layer, head=one.head),
                numbers.plain(one.change, 3),
                one.change / most,
                "" if one.likeliest == target
                else texts.then.format(name=isolated(muting.name_of(one.likeliest))),
            ]
            for one in ordered
        ],
    }  # fmt: skip
    component("bars")(key=BARS, data=data, on_choose_change=muting.go)
    others = sum(one.likeliest != target for one in found)
    needed = texts.needed.format(count=others, heads=heads) if others else texts.none_needed
    needed = needed if any(one.change for one in found) else texts.all_off
    lines = (needed.format(name=name), texts.says.format(name=name))
    prose([[(line, "")] for line in lines], key="effects_says", style="quiet")
