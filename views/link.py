"""Deep links: query parameters of the URL ↔ the state of the widgets.

``bind_param`` puts a parameter's value into ``st.session_state`` under the key of its widget,
before the widget is created. ``views/frame.py`` calls ``begin`` before each page and ``end`` after.

A link from outside (first visit, reload, Back, a shared link) is adopted: every bound value is read
from it, or set to its default if the link does not have it. Otherwise an action of the user caused
the run – a bound value differs from the last run, or a callback called ``mark_user_action`` – and
the query string is rewritten. A browser may send an outdated query with a user's action: one of
the last that it had (``Session.known``). With any other query, the user has followed a link while
the action was being answered, and the link counts.

The position of a microscope is written by the browser itself, without a run: its parameters
(``SELECTION``) are read from an adopted link and not written here, except if a host page shows the
address (``framed``) or if cards of the page depend on the position.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode
from zlib import crc32

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.limits import IN_LINK
from core.sources.text import is_chinese
from views.navigation import FIRST_TEXTS, ON_WALL, READERS, SHEET, SHEET_READERS, TEXT, reads
from views.parse import written
from views.text.load import CODES

FALLBACK = "en"  # for browsers in a language that the app does not have
SNAPSHOTS = 50
OUTDATED = 4  # queries that a browser may send with an action, because the newest is on its way
SESSION = "session"
OMITTED = "omitted"  # names and checksums of what is too long: text~1a2b3c4d,memory~5e6f7a8b
_NONE = object()  # no value of a widget equals it
Memory = TypeVar("Memory")
PRESENTER = frozenset({"present", "hide"})  # of the frame, which the browser writes on every page
SELECTION = PRESENTER | {"stage", "row", "column", "head", "channel", "lock", "below"}
# What is chosen in one text, and means nothing in another.
OF_TEXT = SELECTION | {"sample", "layer", "part", "word", "target", OMITTED}
OF_ANY_TEXT = {"stage", "below", OMITTED}  # which stays where the language changes the text
OF_SHEET = SELECTION | {"cells", "of_head", "watched", OMITTED, *SHEET}
# Query parameters that are not the app's, and are ignored: Streamlit's own options, and those by
# which advertisers, newsletters, social networks and search engines track clicks.
STREAMLITS_OWN = ("embed",)
TRACKING_PREFIXES = ("utm_", "mtm_", "pk_", "matomo_", "hsa_", "_hs", "vero_", "share_", "spm")
TRACKING = frozenset({
    "fbclid", "gclid", "gclsrc", "gbraid", "wbraid", "gad_source", "gad_campaignid", "dclid",
    "srsltid", "_ga", "_gl", "msclkid", "yclid", "ysclid", "twclid", "ttclid", "li_fat_id", "epik",
    "rdt_cid", "igsh", "igshid", "mc_cid", "mc_eid", "mkt_tok", "ref_src", "bd_vid", "qhclickid",
    "vd_source", "xhsshare", "nsukey", "isappinstalled",
})  # fmt: skip


@dataclass
class Omitted:
    """The values that an adopted link omits as too long; the browser stores them.

    A session that needs one requests it from the browser (``assets/long_values``).

    checksums: of the omitted values, by name. asked: the names of the requested ones. answer: the
    browser's answer, None before it arrives. lost: whether a requested value was missing from it.
    """

    checksums: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    answer: Mapping[str, str] | None = None
    lost: bool = False

    def ask(self, name: str) -> None:
        """Ask the browser for a value if the link omits it."""
        if name in self.checksums:
            self.asked = (*self.asked, name)

    def found(self) -> dict[str, str]:
        """The requested values, once they have arrived; missing ones are not requested again."""
        if self.answer is None:
            return {}
        found = {
            name: text
            for name, text in self.answer.items()
            if name in self.asked and _checksum(text) == self.checksums[name]
        }
        self.lost = found.keys() != set(self.asked)
        self.checksums, self.asked, self.answer = {}, (), None
        return found


@dataclass
class Session:
    """The state of a session apart from its widgets.

    page, written: the page of the last run and its query.
    pages: the last query of each page, for navigation links back to it.
    uploaded: whether this run shows an upload, which no link carries.
    own_text: what the reader typed or chose last, or that their first link has; it goes along
    to the other pages that read it. own_sheet: the numbers of the last sheet, likewise.
    snapshots: the bound values by query, including those that are too long for a link.
    memories: session state that no link can carry, such as uploads, by class: see ``remembered``.
    touched: whether the user caused this run. address: the query that a browser has written then,
    where Streamlit sends the one before. known: the last queries of this page that the session has
    adopted or written, without the position; an action of the user may still come with one of them.
    translated: the language before, if the reader has just changed that of a page that still showed
    the text it begins with: the text then is that of the new language.
    adopted: the query from which this run takes its values; None if the user caused the run.
    unfinished: whether the run has not ended, or was cut short.
    pending: parameters of an adopted link that no ``bind_param`` of this run has taken yet.
    taken: parameters bound in this run, so that a second ``bind_param`` changes nothing.
    bound: default and writer of each parameter of this page. values: their last values.
    nonsense: invalid parameters, as text. too_long: values too long for the link, as text.
    omitted: those of the adopted link.
    in_browser: parameters of this page that the browser writes. named: those of them that a link or
    a control of the page set last. arrivals: how many times that happened. framed: whether a host
    page shows the address. settings: what ``offer`` states in this run.
    """

    language: str
    page: str = ""
    written: dict[str, str] = field(default_factory=dict)
    pages: dict[str, dict[str, str]] = field(default_factory=dict)
    own_text: str = ""
    own_sheet: dict[str, str] | None = None
    snapshots: dict[str, dict[str, Any]] = field(default_factory=dict)
    memories: dict[type, Any] = field(default_factory=dict)
    uploaded: bool = False
    touched: bool = False
    address: dict[str, str] | None = None
    known: deque[dict[str, str]] = field(default_factory=lambda: deque(maxlen=OUTDATED))
    translated: str = ""
    adopted: dict[str, str] | None = None
    unfinished: bool = False
    pending: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    bound: dict[str, tuple[Any, Callable[[Any], str]]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    nonsense: dict[str, str] = field(default_factory=dict)
    too_long: dict[str, str] = field(default_factory=dict)
    omitted: Omitted = field(default_factory=Omitted)
    in_browser: frozenset[str] = PRESENTER
    named: frozenset[str] = frozenset()
    arrivals: int = 0
    framed: bool = False
    settings: dict[str, Any] | None = None


class _Thread(threading.local):
    """What a thread of Streamlit's has read: it runs scripts of one session alone."""

    session: Session | None = None


_thread = _Thread()


def session() -> Session:
    """The ``Session`` of the current Streamlit session."""
    if _thread.session is not None:
        return _thread.session
    try:
        current: Session = st.session_state[SESSION]
    except KeyError:
        locale = (st.context.locale or "").lower()
        known = [code for code in CODES if locale.startswith(code)]
        current = Session(known[0] if known else FALLBACK)
        st.session_state[SESSION] = current
    if get_script_run_ctx():
        _thread.session = current
    return current


def remembered(kind: type[Memory]) -> Memory:
    """The session's one object of a class, such as a dataclass of uploads; created on first use.

    Like reading the state of a widget it ends a run that a newer one replaces: the two overlap, and
    the older one must not store what it has made.
    """
    session()  # there is one from here on
    memories = st.session_state[SESSION].memories
    if kind not in memories:
        memories[kind] = kind()
    memory: Memory = memories[kind]
    return memory


def mark_user_action() -> None:
    """Callback: the user caused this run, so it is no navigation. Bound widgets do not need it."""
    session().touched = True


def mark_uploaded() -> None:
    """Note that this run shows an upload."""
    session().uploaded = True


def set_value(name: str, value: Any) -> None:
    """Callback: set the value of a parameter."""
    st.session_state[name] = value
    mark_selection_set(name)
    mark_user_action()


def mark_selection_set(*names: str) -> None:
    """Have the browser move to these parameters of ``SELECTION``, which the page has set."""
    now = session()
    if SELECTION & {*names}:
        now.named = SELECTION & ({*names} | (now.named if now.touched else set()))
        now.arrivals += 1


def leave_selection_to_browser() -> None:
    """Let the browser write the parameters of ``SELECTION`` on this page."""
    session().in_browser = SELECTION


def forget(name: str) -> None:
    """Callback: reset a parameter to the default that its next ``bind_param`` states."""
    mark_selection_set(name)
    st.session_state.pop(name, None)
    session().values.pop(name, None)


def show(key: str, value: Any) -> None:
    """Set the value of a widget unless it has it already.

    Setting it again would overwrite what the user entered while the run was going on; but a widget
    of this key on the page before hands its value to none here.
    """
    now = session()
    if now.adopted is not None or st.session_state.get(key, _NONE) != value:
        st.session_state[key] = value
    if key in now.bound:
        now.values[key] = value


def begin(page: str) -> None:
    """Start a run of a page: decide whether a link or an action of the user caused it.

    If the run before was cut short, this one takes from its link what that had not taken yet.
    """
    now = session()
    query = st.query_params.to_dict()
    entered = page != now.page
    if entered:
        # A name of two pages may be a widget's on one alone: Streamlit would keep that value.
        for name in now.bound:
            st.session_state.pop(name, None)
        now.values, now.bound = {}, {}
        now.known.clear()
    changed = {
        name
        for name in now.bound.keys() & now.values.keys()
        if name in st.session_state and st.session_state[name] != now.values[name]
    }
    now.touched |= bool(changed)
    first, _ = now.bound.get(TEXT, (_NONE, None))
    untouched = now.values.get(TEXT) == first and TEXT not in changed
    now.translated = now.values["lang"] if "lang" in changed and untouched else ""
    is_link = not now.touched or _without_position(query) not in now.known
    arrived = entered or (query != now.written and is_link)
    if page in READERS and (TEXT in changed or not now.page):
        now.own_text = st.session_state[TEXT] if TEXT in changed else query.get(TEXT, "")
    if page in SHEET_READERS and arrived:
        now.own_sheet = {name: query[name] for name in SHEET if name in query}
    elif page in SHEET_READERS and not changed.isdisjoint(SHEET):
        # The default tokens and divisor are those of the preset before, until they are bound again.
        first = {} if "preset" in changed else {name: now.bound[name][0] for name in SHEET}
        texts = {name: st.session_state[name] for name in SHEET}
        now.own_sheet = {name: text for name, text in texts.items() if text != first.get(name, "")}
    if arrived or now.touched:
        sums = checksums_of(query.get(OMITTED, "")) if arrived else now.omitted.checksums
        now.omitted = Omitted(sums)
    found = now.omitted.found()
    if arrived or found or not now.unfinished:
        now.adopted, now.nonsense, now.taken = query if arrived or found else None, {}, set()
    # On the others their microscope, or for it the server, writes whether it is presented.
    now.in_browser = PRESENTER if ON_WALL[page]["figure"] else PRESENTER - {"present"}
    if arrived or found:
        now.written, now.pending = query, query | found
        now.pending.pop(OMITTED, None)
        now.named, now.arrivals = SELECTION, now.arrivals + 1
        now.known.append(_without_position(query))
        now.touched, now.address = False, None
    now.page, now.unfinished, now.uploaded, now.settings = page, True, False, None


def bind_param(
    name: str,
    default: Any,
    parse: Callable[[str], Any] = str,
    write: Callable[[Any], str] = written,
) -> Any:
    """Put a parameter's value into ``st.session_state[name]`` for its widget, and return it.

    parse: from text to value; raises ValueError for invalid text, which is reported to the user,
    and the default is used. write: from value to text.
    """
    now = session()
    if now.adopted is not None and name not in now.taken:
        st.session_state[name] = _adopt(now, name, default, parse)
    elif name == TEXT and now.translated:
        if st.session_state.get(name, default) != default:  # none where its box is not drawn
            now.named = frozenset()  # the step stays where the browser has moved to
            for other in OF_TEXT - PRESENTER - OF_ANY_TEXT - now.taken:
                forget(other)
        st.session_state[name] = default
    elif name not in st.session_state:
        st.session_state[name] = now.values.get(name, default)
    now.taken.add(name)
    now.bound[name] = (default, write)
    now.values[name] = st.session_state[name]
    return now.values[name]


def offer(name: str, values: Iterable[Any]) -> None:
    """Tell presenter view what a bound parameter's control offers, in order.

    A step opens the address of another one (``assets/wall/control.js``).
    """
    now = session()
    default, write = now.bound[name]
    texts = ["" if value == default else write(value) for value in values]
    now.settings = {"control": ON_WALL[now.page]["control"], "name": name, "texts": texts}


def first_text(default: str) -> str:
    """The text that this page begins with in the reader's language, which a link without one has.

    default: in any other language.
    """
    now = session()
    return FIRST_TEXTS.get(now.language, {}).get(now.page, default)


def replace_param(name: str, value: Any) -> Any:
    """Give a bound parameter another value, because the page has no use for its own; return it.

    The value of a link is reported to the user, as invalid text is.
    """
    now = session()
    if now.adopted is not None:
        now.nonsense[name] = str(st.session_state[name])
    st.session_state[name] = value
    return value


def imply(name: str, text: str) -> None:
    """The text to assume for a parameter that an adopted link does not have."""
    now = session()
    if now.adopted is not None and name not in now.adopted:
        now.pending[name] = text


def leave_out(name: str, means: Callable[[Mapping[str, str]], str]) -> None:
    """Omit a parameter from the link if the rest of the query implies its value.

    means: the implied text, from the query. Call it after all other parameters are bound.
    """
    now = session()
    now.bound[name] = (means(_query(now)), now.bound[name][1])


def preserve_param(
    name: str,
    default: Any,
    parse: Callable[[str], Any] = str,
    write: Callable[[Any], str] = written,
) -> Any:
    """Keep a parameter in the link whose widget is not drawn in this run; return its value.

    Streamlit discards the state of a widget that is not drawn. Therefore the value is kept in
    ``Session.values`` until ``bind_param`` restores it. parse, write: see ``bind_param``.
    """
    value = bind_param(name, default, parse, write)
    del st.session_state[name]
    return value


def write() -> None:
    """Write the query string if the user caused this run.

    A page calls it after its controls and before it draws, so that the step is in the browser's
    history even if the user goes on while a figure is being computed.
    """
    now = session()
    now.values |= {name: st.session_state[name] for name in now.bound if name in st.session_state}
    if now.touched:
        new, sent = now.pending | _query(now), st.query_params.to_dict()
        now.written, address = sent, sent if now.address is None else now.address
        if new != {
            name: text for name, text in address.items() if not _says_nothing(now, name, text)
        }:
            st.query_params.from_dict(new)
            now.written = new
            now.known.append(_without_position(new))
        now.touched, now.address = False, None


def end() -> dict[str, str]:
    """End a run of a page: write the link, store a snapshot; return the invalid parameters."""
    now = session()
    now.nonsense |= {n: text for n, text in now.pending.items() if not _is_of_others(n)}
    now.pending, now.unfinished = {}, False
    write()
    query = _query(now)
    now.pages[now.page] = query
    if now.page in SHEET_READERS:
        now.own_sheet = sheet_here()
    now.snapshots[_name(now.page, query)] = dict(now.values)
    while len(now.snapshots) > SNAPSHOTS:
        now.snapshots.pop(next(iter(now.snapshots)))
    return dict(now.nonsense)


def query_of(page: str) -> dict[str, str]:
    """The query with which the user left a page, in the current language.

    A page that reads the reader's own text is given that, with what does not depend on the text
    before; of a text in another language, neither does it keep the model.
    """
    now = session()
    query = now.pages.get(page, {})
    if now.own_text and reads(page, now.own_text):
        before = now.snapshots.get(_name(page, query), {}).get(TEXT, "")
        if is_chinese(before) != is_chinese(now.own_text):
            query = {}
        elif before != now.own_text:
            query = {name: value for name, value in query.items() if name not in OF_TEXT}
        query = query | {TEXT: now.own_text}
    if now.own_sheet is not None and page in SHEET_READERS:
        short, long = in_link(now.own_sheet)
        if short != {name: query[name] for name in (*SHEET, OMITTED) if name in query}:
            query = {name: value for name, value in query.items() if name not in OF_SHEET} | short
            now.snapshots[_name(page, query | {"lang": now.language})] = dict(long)
    return query | {"lang": now.language}


def sheet_here() -> dict[str, str]:
    """The texts of this page's sheet that differ from their defaults."""
    now = session()
    return {
        name: now.values[name]
        for name in SHEET
        if name in now.bound and now.values[name] != now.bound[name][0]
    }


def in_link(texts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Texts as parameters of a link, and those of them that it omits as too long."""
    long = {name: text for name, text in texts.items() if len(text) > IN_LINK}
    short = {name: text for name, text in texts.items() if name not in long}
    return short | ({OMITTED: written_checksums(long)} if long else {}), long


def address_of(page: str) -> str:
    """The address of a page, relative to any other page, with ``query_of`` it."""
    return f"{'.' if page == 'home' else page}?{urlencode(query_of(page))}"


def current_url() -> str:
    """The URL that opens this page in its current state."""
    return url_with_query(_query(session()))


def url_with_query(query: Mapping[str, str]) -> str:
    """The URL of this page with another query."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(query)}"


def _is_of_others(name: str) -> bool:
    return name in TRACKING or name.startswith(STREAMLITS_OWN + TRACKING_PREFIXES)


def _adopt(now: Session, name: str, default: Any, parse: Callable[[str], Any]) -> Any:
    text = now.pending.pop(name, None)
    if text is None:
        known = now.snapshots.get(_name(now.page, now.adopted or {}), {})
        if name not in known:
            now.omitted.ask(name)
        return known.get(name, default)
    try:
        return parse(text)
    except ValueError:
        now.nonsense[name] = text
        return default


def _query(now: Session) -> dict[str, str]:
    texts = {}
    for name, (default, write) in now.bound.items():
        value = now.values.get(name, default)
        if value != default and name not in _unwritten(now):
            texts[name] = write(value)
    query, now.too_long = in_link(texts)
    return {"lang": now.language} | query


def _says_nothing(now: Session, name: str, text: str) -> bool:
    """Whether a parameter of the query is the browser's, or of a cell that is chosen without it."""
    if name in _unwritten(now) or name not in SELECTION & now.bound.keys():
        return name in _unwritten(now)
    default, write = now.bound[name]
    return text == write(default)


def _without_position(query: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in query.items() if name not in SELECTION}


def _unwritten(now: Session) -> frozenset[str]:
    return frozenset() if now.framed else now.in_browser


def _name(page: str, query: dict[str, str]) -> str:
    return page + "?" + "&".join(f"{name}={text}" for name, text in sorted(query.items()))


def checksums_of(written: str) -> dict[str, str]:
    """The checksums by name that the parameter of a link states."""
    pairs = (part.partition("~") for part in written.split(",") if part)
    return {name: checksum for name, _, checksum in pairs}


def written_checksums(values: Mapping[str, str]) -> str:
    """The parameter of a link that omits these values; the inverse of ``checksums_of``."""
    return ",".join(f"{name}~{_checksum(text)}" for name, text in values.items())


def _checksum(text: str) -> str:
    return f"{crc32(text.encode(errors='replace')):08x}"
