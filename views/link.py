"""What the reader sees is in the link: parameters of the URL ↔ the state of the widgets.

``bind_param`` puts the value that a widget must show into ``st.session_state`` under its key, where
the widget that is made with that key finds it. The frame calls ``begin`` before a page and ``end``
after it.

A link that comes from outside (first visit, reload, Back, a shared link) is adopted: every kept
value is read from it, or set to its default where the link is silent. Otherwise the reader's own
action brought the run about – a kept value is another than at the last run, or a callback has
called ``mark_user_action`` – and the link is written anew. Browsers answer late, so the query that
comes with a reader's action may be an older one: whoever acted wins, and only a run in which nobody
touched anything can be a navigation.

The place that a microscope shows is written by the browser itself, without a run: its parameters
(``PLACE``) are read from a link that is adopted, and left out of what is written here; so is what a
``Session`` remembers of other pages. Only where a host shows the address (``framed``), or where
cards of the page follow the place, are they written here too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from core.limits import IN_LINK
from views.text.load import CODES

FALLBACK = "en"  # for whose language the app does not speak
SNAPSHOTS = 50
SESSION = "session"
Memory = TypeVar("Memory")
PLACE = frozenset({"stage", "row", "column", "head", "channel", "lock", "present", "below"})


@dataclass
class Session:
    """All that one reader's session remembers beyond the widgets on screen.

    page, written: the page of the last run and the query that belongs to it.
    pages: the last query of each page, for the doors that lead back to it.
    snapshots: the kept values behind a query, those too that are too long for a link.
    memories: what no link can carry, such as an uploaded picture, by kind: see ``remembered``.
    adopted: the query that this run takes its values from, None where the reader acted.
    pending: parameters of an adopted link that no widget of this run has taken yet.
    taken: those that this run has their value of, so that a second ``bind_param`` changes nothing.
    kept: default and writer of each parameter of this page; values: what they were last.
    nonsense: parameters that made no sense. too_long: whether one is left out for its length.
    in_browser: those of this page that the browser writes. named: those of them that a link or a
    control of the page said last, and how often that was. framed: whether a host shows the address.
    """

    language: str
    page: str = ""
    written: dict[str, str] = field(default_factory=dict)
    pages: dict[str, dict[str, str]] = field(default_factory=dict)
    snapshots: dict[str, dict[str, Any]] = field(default_factory=dict)
    memories: dict[type, Any] = field(default_factory=dict)
    touched: bool = False
    adopted: dict[str, str] | None = None
    pending: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    kept: dict[str, tuple[Any, Callable[[Any], str]]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    nonsense: dict[str, str] = field(default_factory=dict)
    too_long: bool = False
    in_browser: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    arrivals: int = 0
    framed: bool = False


def session() -> Session:
    """This reader's one object."""
    if SESSION not in st.session_state:
        spoken = (st.context.locale or "").lower()
        known = [code for code in CODES if spoken.startswith(code)]
        st.session_state[SESSION] = Session(known[0] if known else FALLBACK)
    found: Session = st.session_state[SESSION]
    return found


def remembered(kind: type[Memory]) -> Memory:
    """What a part of the app remembers of this reader, in a dataclass of its own."""
    memories = session().memories
    if kind not in memories:
        memories[kind] = kind()
    found: Memory = memories[kind]
    return found


def mark_user_action() -> None:
    """Callback: the reader acted, so this run is no navigation. Kept widgets need none."""
    session().touched = True


def set_value(name: str, value: Any) -> None:
    """Callback: give a parameter another value."""
    st.session_state[name] = value
    name_place(name)
    mark_user_action()


def name_place(*names: str) -> None:
    """A control of the page chose these parameters of the place: the browser is to go there."""
    now = session()
    if PLACE & {*names}:
        now.named = PLACE & ({*names} | (now.named if now.touched else set()))
        now.arrivals += 1


def leave_place_to_browser() -> None:
    """What the microscope of this page shows is in the browser's hands, and its parameters too."""
    session().in_browser = PLACE


def forget(name: str) -> None:
    """Callback: let a parameter have its default again, whatever that is by then."""
    name_place(name)
    st.session_state.pop(name, None)
    session().values.pop(name, None)


def show(key: str, value: Any) -> None:
    """Give a widget the value that it must show, and leave it alone where it shows it already.

    A value that is set takes the place of what a reader who is quicker than the server has entered
    since.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    now = session()
    if key in now.kept:
        now.values[key] = value


def begin(page: str) -> None:
    """Find out whether this run was brought about by a link or by the reader's own action."""
    now = session()
    query = st.query_params.to_dict()
    entered = page != now.page
    if entered:
        now.values, now.kept = {}, {}
    now.touched |= any(
        name in st.session_state and st.session_state[name] != now.values[name]
        for name in now.kept.keys() & now.values.keys()
    )
    arrived = entered or (query != now.written and not now.touched)
    now.adopted = query if arrived else None
    now.in_browser = frozenset()
    if arrived:
        now.written, now.pending = query, dict(query)
        now.named, now.arrivals = PLACE, now.arrivals + 1
    now.page, now.nonsense, now.taken = page, {}, set()


def bind_param(
    name: str,
    default: Any,
    parse: Callable[[str], Any] = str,
    write: Callable[[Any], str] = str,
) -> Any:
    """Put the value of a parameter under its name where its widget finds it; return it.

    parse: raises ValueError for what makes no sense, which is then told to the reader.
    """
    now = session()
    if now.adopted is not None and name not in now.taken:
        st.session_state[name] = _adopt(now, name, default, parse)
    elif name not in st.session_state:
        st.session_state[name] = now.values.get(name, default)
    now.taken.add(name)
    now.kept[name] = (default, write)
    now.values[name] = st.session_state[name]
    return now.values[name]


def imply(name: str, text: str) -> None:
    """Let an adopted link that is silent about a parameter mean this by it."""
    now = session()
    if now.adopted is not None and name not in now.adopted:
        now.pending[name] = text


def leave_out(name: str, means: Callable[[Mapping[str, str]], str]) -> None:
    """Write a parameter only where a link without it would mean something else.

    means: what a link with this query means by its silence. After all parameters of it are kept.
    """
    now = session()
    now.kept[name] = (means(_query(now)), now.kept[name][1])


def preserve_param(
    name: str,
    default: Any,
    parse: Callable[[str], Any] = str,
    write: Callable[[Any], str] = str,
) -> Any:
    """Keep a parameter whose widget is not drawn in this run; return its value.

    Streamlit forgets, sooner or later, what stands under the key of a widget that is not there. So
    it stands with the session alone until ``bind_param`` puts it before the widget again.
    """
    now = session()
    if now.adopted is not None and name not in now.taken:
        now.values[name] = _adopt(now, name, default, parse)
    elif name in st.session_state:
        now.values[name] = st.session_state[name]
    if name in st.session_state:
        del st.session_state[name]
    now.taken.add(name)
    now.kept[name] = (default, write)
    return now.values.setdefault(name, default)


def write() -> None:
    """Write the link where the reader acted.

    A page calls it once all is chosen, before it draws: a reader who steps on while a figure is
    still on its way finds that step in the browser's history all the same.
    """
    now = session()
    now.values |= {name: st.session_state[name] for name in now.kept if name in st.session_state}
    if now.touched:
        new, old = now.pending | _query(now), st.query_params.to_dict()
        now.written = old
        if new != {name: text for name, text in old.items() if name not in _unwritten(now)}:
            st.query_params.from_dict(new)
            now.written = new
        now.touched = False


def end() -> dict[str, str]:
    """Write the link and remember what it stands for; return the parameters that made no sense."""
    now = session()
    unknown = {n: text for n, text in now.pending.items() if not n.startswith("embed")}
    now.nonsense |= unknown
    now.pending = {}
    write()
    query = _query(now)
    now.pages[now.page] = query
    now.snapshots[_name(now.page, query)] = dict(now.values)
    while len(now.snapshots) > SNAPSHOTS:
        now.snapshots.pop(next(iter(now.snapshots)))
    return dict(now.nonsense)


def query_of(page: str) -> dict[str, str]:
    """The query that leads back to how the reader left a page, in the language of now."""
    now = session()
    return now.pages.get(page, {}) | {"lang": now.language}


def here() -> str:
    """The address that opens this page as it is now."""
    return address(_query(session()))


def address(query: Mapping[str, str]) -> str:
    """The address of this page with a query."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(query)}"


def _adopt(now: Session, name: str, default: Any, parse: Callable[[str], Any]) -> Any:
    text = now.pending.pop(name, None)
    if text is None:
        query = now.adopted or {}
        return now.snapshots.get(_name(now.page, query), {}).get(name, default)
    try:
        return parse(text)
    except ValueError:
        now.nonsense[name] = text
        return default


def _query(now: Session) -> dict[str, str]:
    query = {"lang": now.language}
    now.too_long = False
    for name, (default, write) in now.kept.items():
        value = now.values.get(name, default)
        text = write(value)
        if name in _unwritten(now):
            continue
        if value != default and len(text) <= IN_LINK:
            query[name] = text
        now.too_long |= len(text) > IN_LINK
    return query


def _unwritten(now: Session) -> frozenset[str]:
    return frozenset() if now.framed else now.in_browser


def _name(page: str, query: dict[str, str]) -> str:
    return page + "?" + "&".join(f"{name}={text}" for name, text in sorted(query.items()))
