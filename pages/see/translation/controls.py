"""The controls of the Translation page: the sentence, the words that are known, teacher forcing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import streamlit as st

from core import Trace
from core.errors import InputError
from core.models import translator
from pages.see.translation.vocabulary import grouped
from pages.see.translation.words import InputWords
from views import link, parse
from views.selection import begin_anew
from views.spans import plain

SAMPLES = (
    "我爱北京",
    "你爱谁",
    "我明天去北京",
    "我的朋友不喜欢喝咖啡",
    "小明和小红每天在图书馆学习英语",
)


@dataclass(frozen=True)
class Inputs:
    """What is to be translated. given: the English that is forced; ``""`` for the model's own."""

    written: str
    forced: bool = False
    given: str = ""

    def translated(self) -> "Shown":
        """The translation, greedy or forced. Raises core.errors.InputError."""
        model = translator.load()
        if self.forced and self.given.strip():
            tokens, words = model.cut(self.written), model.read_target(self.given)
            return Shown(tokens, words, True, True, model.trace(tokens, words))
        found = model.translate(self.written)
        return Shown(found.tokens, found.words, found.ended, self.forced, found.trace)


@dataclass(frozen=True, eq=False)
class Shown:
    """A translation as it is shown.

    tokens: the Chinese words; words: the English ones, chosen or given. ended: whether END follows
    them. forced: whether all of them are there from the beginning.
    """

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    ended: bool
    forced: bool
    trace: Trace

    @property
    def target(self) -> tuple[str, ...]:
        """The words that the steps predict, END behind them where it came to that."""
        return (*self.words, translator.load().end) if self.ended else self.words

    def there(self, place: int) -> int:
        """How many of these steps are there when the reader looks at the one at this place."""
        return len(self.target) if self.forced else place + 1


FIRST = Inputs(SAMPLES[0])


def asked_input(said: InputWords) -> Inputs:
    """The controls, and what they say."""
    link.bind_param("text", SAMPLES[0])
    written = st.text_input(
        said.sentence,
        key="text",
        help=said.sentence_help.format(longest=translator.LONGEST),
        on_change=_anew,
    )
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, sample in enumerate(SAMPLES):
            st.button(sample, key=f"sample_{number}", on_click=_write, args=(sample,))
    _known(written, said)
    link.bind_param("forced", False, parse.flag, parse.written_flag)
    (link.bind_param if st.session_state["forced"] else link.preserve_param)("target", "")
    forced = st.toggle(
        said.forced, key="forced", help=said.forced_help, on_change=_force, args=(written,)
    )
    return Inputs(written, forced, _given(said) if forced else "")


def _known(written: str, said: InputWords) -> None:
    model = translator.load()
    with st.expander(plain(said.known.format(count=len(model.source)))):
        with st.container(horizontal=True, gap="xsmall"):
            shorter = _shortened(written)
            st.button(said.shorter, key="shorter", on_click=_write, args=(shorter,))
            st.button(said.anew, key="anew", on_click=_write, args=("",))
        for name, words in grouped(model.source).items():
            _chips(said.groups[name], f"chips_{name}", words, lambda word: _write(written + word))


def _given(said: InputWords) -> str:
    model = translator.load()
    given = st.text_input(
        said.target,
        key="target",
        placeholder=said.own,
        help=said.target_help.format(longest=translator.LONGEST),
        on_change=_anew,
    )
    words = [word for word in model.target if word not in (model.start, model.end)]

    def add(word: str) -> None:
        link.set_value("target", f"{given} {word}".strip())
        _anew()

    with st.expander(plain(said.target_known.format(count=len(words)))):
        _chips(said.target_known, "chips_target", words, add)
    return given


def _chips(label: str, key: str, words: Iterable[str], add: Callable[[str], None]) -> None:
    """Words to click, each of which is added to what is written."""

    def clicked() -> None:
        word = st.session_state[key]
        st.session_state[key] = None
        if word:
            add(word)

    st.pills(label, list(words), key=key, on_change=clicked)


def _shortened(written: str) -> str:
    """The sentence without its last word; where it has none that is known, its last character."""
    known = translator.load().source
    ends = [word for word in known if written.endswith(word)]
    return written[: -len(max(ends, key=len))] if ends else written[:-1]


def _write(sentence: str) -> None:
    """Callback: another Chinese sentence. What was given for the one before fits no more."""
    link.set_value("text", sentence)
    link.set_value("target", "")
    _anew()


def _force(written: str) -> None:
    """Callback: begin with the model's own words, to be changed."""
    if st.session_state["forced"] and not link.session().values.get("target"):
        link.set_value("target", " ".join(_own(written)))
    _anew()


def _own(written: str) -> tuple[str, ...]:
    """The model's translation; no word where the sentence cannot be read."""
    try:
        return translator.load().translate(written).words
    except InputError:
        return ()


def _anew() -> None:
    """Callback: other words, so no step of them is chosen yet, nor a cell."""
    begin_anew()
    link.set_value("word", 0)
