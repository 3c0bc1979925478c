"""What if: a model with changes, the controls for them, and what they do to its answer."""

import zlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from core import Trace, interventions
from core.errors import InputError
from core.interventions import NONE, PATCHES, Change, Interventions
from core.limits import LIMITS, WRITTEN
from core.models.opened_model import Checkpoint
from views import link
from views.figures.axis import shortened
from views.preferences import in_language, words
from views.text import CLASSROOM, WHAT_IF, Words, numbers
from views.text.spans import isolated, plain
from views.widgets.checkpoint.chosen_input import OPEN
from views.widgets.component import component
from views.widgets.errors import error_sentence
from views.widgets.prose import prose, table

ATTENTION = "attention"  # the key of the switch
NAME, ROW = "change", "row_weights"
CARD = "what_if_card"
AS_TEXT = "changes_as_text"  # the key of their box begins so
OF_TOKEN = "of_token"  # of what opens over the outcome
COMPARED = 5  # likeliest tokens, of each side
OF_HEAD = ("mute", "even", "self", "first")


class Changeable(Hashable, Protocol):
    """A model that takes changes."""

    def changed(self, interventions: Interventions, /, *given: Any) -> Any:
        """The model with changes."""


Changing = TypeVar("Changing", bound=Changeable)


@dataclass(frozen=True, eq=False)
class Intervened(Generic[Changing]):
    """A model with the changes of the link. error: why it has not got them, if it has not.

    model: with the changes. plain: without. asked: the changes that it has.
    """

    model: Changing
    plain: Changing
    asked: Interventions = NONE
    error: InputError | None = None

    @property
    def is_changed(self) -> bool:
        """Whether anything is changed."""
        return bool(self.asked)


def intervened(
    plain: Changing, tokens: Callable[[], int], *given: Any, causal: bool = False
) -> Intervened[Changing]:
    """The model with the changes of the link. tokens: their number in what it is given.

    given: what its ``changed`` takes beside the changes.
    """
    written: str = link.bind_param(NAME, "", lambda found: str(interventions.parse(found)))
    try:
        asked = interventions.parse(written)
        with st.container(key="changing"):  # always drawn: else what follows is created again
            if not asked:
                return Intervened(plain, plain)
            with st.spinner(in_language(WHAT_IF).computing):  # of patches
                model = changed_model(plain, asked, *given)
        asked.check_tokens(tokens(), causal=causal)
    except InputError as error:
        return Intervened(plain, plain, error=error)
    return Intervened(model, plain, asked)


@lru_cache(maxsize=OPEN)
def changed_model(plain: Any, asked: Interventions, *given: Any) -> Any:
    """The model with changes, the same object for the same changes."""
    return plain.changed(asked, *given)


def tokens_of(model: Checkpoint, text: str) -> int:
    """The number of tokens; the most there may be of a text that is refused elsewhere."""
    try:
        return len(model.encode(text, WRITTEN).ids)
    except InputError:
        return WRITTEN.tokens


def with_changes(origin: str, asked: Interventions, language: Words) -> str:
    """Where the weights come from, and what is changed on purpose, if anything is."""
    if not asked:
        return origin
    texts = WHAT_IF[language.code]
    made = language.list_mark.join(_named(one, texts) for one in asked.changes)
    return str(language.both.format(first=origin, second=texts.origin.format(changes=made)))


def unused_heads(asked: Interventions, layer: int, heads: int) -> dict[int, str]:
    """The heads of a layer, from 0, that add nothing, each with the name of the text that says so.

    layer: from 1.
    """
    found: dict[int, str] = {}
    for one in asked.changes:
        if one.part == "encoder" and one.layer in (None, layer):
            if one.kind == "off":
                found |= dict.fromkeys(range(heads), "off")
            elif one.kind == "mute":
                found.setdefault(one.head - 1, "muted")
    return found


def what_if_card() -> ExpanderContainer:
    """Draw the room of the changes: one line until it is pressed, or a link has changes.

    A page draws what belongs there only while it is ``open``.
    """
    is_led = link.session().adopted is not None and bool(st.session_state[NAME])
    # Set in every run: in another language it is another widget to Streamlit.
    st.session_state[CARD] = is_led or st.session_state.get(CARD, False)
    return st.expander(in_language(WHAT_IF).title, key=CARD, on_change="rerun")


def what_if(
    error: InputError | None,
    layer: int,
    head: int,
    names: Sequence[str],
    *,
    queries: Sequence[str] = (),
    at: Mapping[str, int] | None = None,
    patches: Sequence[str] = (),
    others: Mapping[str, str] | None = None,
    part: str = "encoder",
    rows: np.ndarray | None = None,
) -> None:
    """Draw the controls: for the chosen head, for layers and tokens; and what is changed.

    error: of ``Intervened``. layer, head: from 1. part: of ``Change``. names: of the tokens that
    it looks at. queries: of cross-attention, those that look. at: the token to begin with, from 0,
    by ``key`` and ``query``; the last one without. patches: the kinds of changes that put in place
    what another text gives. others: of a model that hears, the sounds to choose from, each with its
    name, in place of a text. rows: the weights of the chosen head, (query, key), to be dragged.
    """
    texts, asked = in_language(WHAT_IF), _asked()
    prose([[(texts.lead, "")]], key="what_if_lead", style="quiet")
    with st.container(horizontal=True, gap="xsmall", key="of_head", vertical_alignment="center"):
        st.markdown(plain(texts.of_head[part].format(layer=layer, head=head)), width="content")
        for kind in OF_HEAD:
            if part != "cross" or kind != "self":
                _button(kind, Change(kind, layer, head, part=part), asked)
    with st.container(horizontal=True, gap="xsmall", key="of_layer", vertical_alignment="center"):
        st.markdown(plain(texts.everywhere), width="content")
        _button("off", Change("off", layer, part=part), asked)
        _button("all_off", Change("off", None, part=part), asked)
        more = texts.tokens[others is not None] if patches else texts.one_token
        with st.popover(more, key=OF_TOKEN, on_change="rerun"):
            token = 0
            if names:
                first, label = ("key", texts.token_seen) if queries else ("query", texts.token)
                token = _token(names, label, (at or {}).get(first))
                _button("hide", Change("hide", None, token=token, part=part), asked)
            if queries:
                token = _token(queries, texts.token_looks, (at or {}).get("query"))
            if token and rows is not None:
                _row_input(Change("row", layer, head, token, (1.0,), part), rows, names)
            if token and patches:
                made = [
                    Change(kind, layer, head if kind == "patch" else 0, token, part=part)
                    for kind in patches
                    if part != "cross" or kind == "patch"
                ]
                _patches(made, asked, others)
            now = st.session_state[NAME]
            # Of a key of its own: a browser that has not drawn it yet answers with the first value.
            key = f"{AS_TEXT}_{zlib.crc32(now.encode())}"
            st.text_input(
                texts.as_text, now, key=key, on_change=_typed, args=(key,),
                help=texts.as_text_help, max_chars=LIMITS.text,
            )  # fmt: skip
    if error:
        prose([[(error_sentence(error, words()), "")]], key="what_if_error", style="error")
    if asked:
        _made(asked)


def what_if_of(error: InputError | None, trace: Trace, path: str, head: int, row: int) -> str:
    """Draw the controls for an attention of an encoder or a decoder; the part of ``Change``.

    path: of the attention. head: the chosen one, from 0. row: of the decoder, that which writes the
    chosen word, from 0.
    """
    weights, (side, layer, kind) = trace[f"{path}/weights"], path.split("/")
    part = kind if kind == "cross" else side
    names, queries = (weights.axis(role).names() or () for role in ("key", "query"))
    what_if(
        error, int(layer), head + 1, names, queries=queries if part == "cross" else (),
        at={"query": row} if side == "decoder" else {}, patches=PATCHES, part=part,
        rows=rows_of(trace, path, head),
    )  # fmt: skip
    return part


def attention_switch() -> None:
    """Draw a switch for the attention of all layers; off is a change like any other."""
    off = Change("off", None)
    st.session_state[ATTENTION] = off not in _asked().changes
    texts = in_language(WHAT_IF)
    st.toggle(
        texts.attention, key=ATTENTION, on_change=toggle, args=(off,), help=texts.attention_help,
        width="content",
    )  # fmt: skip


def _asked() -> Interventions:
    """The changes of the link, as far as they can be read."""
    try:
        return interventions.parse(st.session_state[NAME])
    except InputError:
        return NONE


def _button(kind: str, change: Change, asked: Interventions) -> None:
    """A button that makes a change, or takes it back."""
    label = in_language(WHAT_IF).buttons[kind].format(layer=change.layer)
    st.button(
        label, key=f"change_{kind}", on_click=toggle, args=(change,),
        type="primary" if change in asked.changes else "secondary",
    )  # fmt: skip


def toggle(change: Change) -> None:
    """Callback: make a change, or take it back."""
    _set(_asked().toggled(change))


def _set(asked: Interventions) -> None:
    """Callback: make these changes."""
    link.set_value(NAME, str(asked))
    _close()


def _typed(key: str) -> None:
    """Callback: make the changes that are written. key: of their box."""
    link.set_value(NAME, st.session_state[key])
    _close()


def _close() -> None:
    """Callback: close what opens over the outcome of the changes."""
    st.session_state[OF_TOKEN] = False


def _token(names: Sequence[str], label: str, at: int | None) -> int:
    """Draw the choice of a token, and return it, from 1. at: of the first, from 0."""
    of = repr((label, names, at)).encode()  # a browser keeps former labels
    first = len(names) - 1 if at is None else min(at, len(names) - 1)
    return 1 + st.selectbox(
        label, range(len(names)), key=f"changed_token_{zlib.crc32(of)}", index=first,
        format_func=lambda i: f"{i + 1} · {shortened(names[i])}",
    )  # fmt: skip


def _row_input(of: Change, rows: np.ndarray, names: Sequence[str]) -> None:
    """Draw a row of weights, to be dragged. of: such a change. rows: of the head, as they are."""
    texts = in_language(WHAT_IF)
    seen = of.token if not np.triu(rows, 1).any() else len(names)  # of a decoder, no later ones

    def set_row() -> None:
        row = replace(of, numbers=tuple(map(float, st.session_state[ROW].choose.split(","))))
        asked = _asked()
        others = (
            one for one in asked.changes
            if one.kind != "row" or replace(one, numbers=row.numbers) != row
        )  # fmt: skip
        _set(replace(asked, changes=(*others, row)))

    data = {
        "language": words().tag,
        "keys": [shortened(name) for name in names[:seen]],
        "weights": rows[of.token - 1, :seen].astype(float).tolist(),
        "send": texts.buttons.row.format(token=of.token, layer=of.layer, head=of.head),
        "hint": in_language(CLASSROOM).bar.shares_hint,
    }
    component("row_weights")(key=ROW, data=data, on_choose_change=set_row)


def rows_of(trace: Trace, path: str, head: int, sample: int = 0) -> np.ndarray:
    """The weights of a head, from 0, with its rows that are set: (query, key)."""
    key = "set_weights" if f"{path}/set_weights" in trace else "weights"
    rows: np.ndarray = trace[f"{path}/{key}"].tensor[sample, head]
    return rows


def _patches(
    changes: Sequence[Change], asked: Interventions, others: Mapping[str, str] | None
) -> None:
    """Put in place what another text or sound gives. changes: one of each kind that is offered."""
    texts = in_language(WHAT_IF)
    if others is None:
        other = st.text_input(
            texts.other, value=asked.other, key="changed_other", help=texts.other_help,
            max_chars=WRITTEN.text,
        )  # fmt: skip
    else:
        listed = [*others]
        at = listed.index(asked.other) if asked.other in others else 0
        other = st.selectbox(
            texts.other_sound, listed, index=at, key="changed_sound", help=texts.other_help,
            format_func=others.__getitem__,
        )  # fmt: skip
    for change in changes:
        st.button(
            texts.buttons[change.kind], key=f"change_{change.kind}", disabled=not other,
            on_click=_set,
            args=(_with(change, replace(asked, other=other), other != asked.other),),
            type="primary" if change in asked.changes else "secondary",
        )  # fmt: skip


def _with(change: Change, asked: Interventions, again: bool) -> Interventions:
    """The changes with this one, or without it if it is there. again: it is kept if it is."""
    return asked if again and change in asked.changes else asked.toggled(change)


def _made(asked: Interventions) -> None:
    """Each change on a button that takes it back."""
    texts = in_language(WHAT_IF)
    with st.container(horizontal=True, gap="xsmall", key="changes", vertical_alignment="center"):
        st.markdown(plain(texts.changed), width="content")
        for number, change in enumerate(asked.changes):
            name = _named(change, texts)
            st.button(
                plain(name), key=f"take_back_{number}", on_click=toggle, args=(change,),
                icon=":material/close:", help=plain(texts.undo.format(change=name)),
            )  # fmt: skip
        st.button(texts.all_back, key="all_back", on_click=_set, args=(NONE,))


def _named(change: Change, texts: Words) -> str:
    """A change in words."""
    kind = "all_off" if change.kind == "off" and change.layer is None else change.kind
    value = numbers.bare(change.numbers[0]) if change.numbers else ""
    made: str = texts.made[kind].format(
        layer=change.layer, head=change.head, token=change.token, number=value
    )
    return made if change.part == "encoder" else texts.parts[change.part].format(change=made)


def before_and_after(
    before: np.ndarray, after: np.ndarray, name_of: Callable[[int], str], of: str
) -> None:
    """Draw the likeliest outcomes without the changes and with them, side by side.

    before, after: probabilities, (outcome,). of: what an outcome is, in the texts.
    """
    texts = in_language(WHAT_IF)
    listed = dict.fromkeys(
        int(number) for side in (before, after) for number in (-side).argsort()[:COMPARED]
    )
    rows = []
    for number in sorted(listed, key=lambda one: -before[one]):
        points = 100 * float(after[number] - before[number])
        sign = "+" if points > 0 else ""
        rows.append([
            plain(isolated(name_of(number))), numbers.per_cent(float(before[number])),
            numbers.per_cent(float(after[number])),
            texts.points.format(value=f"{sign}{numbers.plain(points)}"),
        ])  # fmt: skip
    name, now = (isolated(name_of(int(side.argmax()))) for side in (before, after))
    says = texts.same if before.argmax() == after.argmax() else texts.other_wins
    prose([[(says.format(name=name, now=now), "")]], key="what_if_result")
    table([texts.outcomes[of], *texts.columns], rows)


def texts_before_and_after(before: str, after: str) -> None:
    """Draw what is written without the changes and with them, side by side."""
    texts = in_language(WHAT_IF)
    table(texts.columns[:2], [[plain(isolated(one)) for one in (before, after)]])
    says = texts.same_text if before == after else texts.other_text
    prose([[(says, "")]], key="what_if_result")
