"""What the reader sees is in the link: parameters of the URL ↔ the state of the widgets.

A widget whose value belongs in the link is made in two steps: ``keep`` puts the value that it must
show into ``st.session_state`` under its key, then the widget is made with that key and
``on_change=touch``. The frame calls ``begin`` before a page and ``end`` after it.

A link that comes from outside (first visit, reload, Back, a shared link) is adopted: every kept value
is read from it, or set to its default where the link is silent. Otherwise the reader's own action
brought the run about, and the link is written anew. Browsers answer late, so the query that comes
with a reader's action may be an older one: whoever acted wins, and only a run in which nobody touched
anything can be a navigation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

LONGEST = 300
SNAPSHOTS = 50
SESSION = "session"


@dataclass
class Session:
    """All that one reader's session remembers beyond the widgets on screen.

    pages: the last query of each page, for the doors that lead back to it.
    snapshots: the kept values behind a query, those too that are too long for a link.
    things: what no link can carry, such as an uploaded picture, by name.
    """

    language: str
    theme: str = "light"
    page: str = ""
    written: dict[str, str] = field(default_factory=dict)
    pages: dict[str, dict[str, str]] = field(default_factory=dict)
    snapshots: dict[str, dict[str, Any]] = field(default_factory=dict)
    things: dict[str, Any] = field(default_factory=dict)
    touched: bool = False
    adopted: dict[str, str] | None = None
    kept: dict[str, tuple[Any, Callable[[Any], str]]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    nonsense: dict[str, str] = field(default_factory=dict)


def session() -> Session:
    """This reader's one object."""
    if SESSION not in st.session_state:
        locale = (st.context.locale or "").lower()
        st.session_state[SESSION] = Session("zh" if locale.startswith("zh") else "en")
    found: Session = st.session_state[SESSION]
    return found


def touch() -> None:
    """Callback of every widget: the reader acted, so this run is no navigation."""
    session().touched = True


def begin(page: str) -> None:
    """Find out whether this run was brought about by a link or by the reader's own action."""
    now = session()
    query = st.query_params.to_dict()
    entered = page != now.page
    if entered:
        now.values = {}
    arrived = entered or (query != now.written and not now.touched)
    now.adopted = query if arrived else None
    now.page, now.kept, now.nonsense = page, {}, {}


def keep(
    name: str,
    default: Any,
    parse: Callable[[str], Any] = str,
    write: Callable[[Any], str] = str,
) -> Any:
    """Put the value of a parameter under its name where its widget finds it; return it.

    parse: raises ValueError for what makes no sense, which is then told to the reader.
    """
    now = session()
    if now.adopted is not None:
        st.session_state[name] = _adopt(now, name, default, parse)
    elif name not in st.session_state:
        st.session_state[name] = now.values.get(name, default)
    now.kept[name] = (default, write)
    return st.session_state[name]


def one_of(options: Mapping[str, Any] | list[Any] | tuple[Any, ...]) -> Callable[[str], Any]:
    """A parser that takes only the written form of one of the options."""
    written = {str(option): option for option in options}

    def parse(text: str) -> Any:
        if text not in written:
            raise ValueError(text)
        return written[text]

    return parse


def number(low: float, high: float, kind: type = int) -> Callable[[str], Any]:
    """A parser that takes a number of this kind between the two ends."""

    def parse(text: str) -> Any:
        value = kind(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return parse


def flag(text: str) -> bool:
    """A parser of ``1`` and ``0``."""
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def set_value(name: str, value: Any) -> None:
    """Give a parameter another value from within a callback."""
    st.session_state[name] = value
    touch()


def end() -> dict[str, str]:
    """Write the link where the reader acted; return the parameters that made no sense."""
    now = session()
    now.values |= {name: st.session_state[name] for name in now.kept if name in st.session_state}
    known = {*now.kept, "lang"}
    if now.adopted is not None:
        unknown = {name: text for name, text in now.adopted.items() if name not in known}
        now.nonsense |= {
            name: text for name, text in unknown.items() if not name.startswith("embed")
        }
        now.written = now.adopted
    query = _query(now)
    if now.touched:
        now.written = query
        if query != st.query_params.to_dict():
            st.query_params.from_dict(query)
    now.pages[now.page] = query
    _remember(now, query)
    now.touched = False
    return dict(now.nonsense)


def query_of(page: str) -> dict[str, str]:
    """The query that leads back to how the reader left a page, in the language of now."""
    now = session()
    return now.pages.get(page, {}) | {"lang": now.language}


def _adopt(now: Session, name: str, default: Any, parse: Callable[[str], Any]) -> Any:
    assert now.adopted is not None
    if name in now.adopted:
        try:
            return parse(now.adopted[name])
        except ValueError:
            now.nonsense[name] = now.adopted[name]
            return default
    return now.snapshots.get(_name(now.page, now.adopted), {}).get(name, default)


def _query(now: Session) -> dict[str, str]:
    query = {"lang": now.language}
    for name, (default, write) in now.kept.items():
        value = st.session_state.get(name, default)
        text = write(value)
        if value != default and len(text) <= LONGEST:
            query[name] = text
    return query


def _remember(now: Session, query: dict[str, str]) -> None:
    now.snapshots[_name(now.page, query)] = dict(now.values)
    while len(now.snapshots) > SNAPSHOTS:
        now.snapshots.pop(next(iter(now.snapshots)))


def _name(page: str, query: dict[str, str]) -> str:
    return page + "?" + "&".join(f"{name}={text}" for name, text in sorted(query.items()))
