"""The decoders that can write: real ones if they are at hand, the project's, the reader's own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import InputError
from core.models import families, folder, installed, pretrained
from core.models.formats import gguf
from core.models.installed import shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import GEMMA, SMOLLM2
from core.sources import text
from views import link, parse
from views.figures.axis import shortened
from views.preferences import in_language
from views.selection import reset_cell
from views.text import words_beside
from views.text.spans import plain
from views.widgets.checkpoint.chosen_input import opened, opened_pretrained
from views.widgets.checkpoint.not_installed import commands, how_to_install, missing
from views.widgets.choice import choice
from views.widgets.interventions import NAME as CHANGE
from views.widgets.sentence_input import own_language_first

WORDS = words_beside(__file__)

DECODER = "decoder"
REAL = {one.name: one for one in (GEMMA, SMOLLM2)}
CHINESE = {
    "一年有四个季节…": "一年有四个季节：春、夏、秋、",
    "法国的首都是…": "中国的首都是北京，法国的首都是",
    "手机没电了…": "我的手机没电了，我要给它",
}
ENGLISH = {
    "When Mary…": "When Mary and John went to the store, John gave a drink to",
    "The capital of France…": "The capital of France is",
    "Mrs Dursley…": "Mr and Mrs Dursley were proud people. Mr and Mrs D",
}
SHORT = {
    "冬天很冷…": "冬天很冷，夏天很",
    "我爱…": "我爱",
    "When I…": "When I was a",
    "The cat…": "The cat sat on",
}
# The layer to begin with, in which a head does something known with the first sample.
FIRST_LAYERS = {"gemma": 6, "smollm2": 25, DECODER: 4}


@dataclass(frozen=True)
class Writer:
    """A decoder. open: raises what ``core.models.checkpoint.open`` raises. samples: by label."""

    name: str
    open: Callable[[], Checkpoint]
    samples: Mapping[str, str]

    @property
    def first_text(self) -> str:
        """The text to begin with."""
        return next(iter(self.samples.values()))

    @property
    def first_layer(self) -> int:
        """The layer to begin with."""
        return FIRST_LAYERS.get(self.name, 1)


def writers() -> dict[str, Writer]:
    """The decoders at hand by name: real ones, the project's, and those of the models folder."""
    both = own_language_first(CHINESE | ENGLISH)
    samples = {"gemma": both, "smollm2": ENGLISH}
    found = {
        name: Writer(name, partial(opened_pretrained, model), samples[name])
        for name, model in REAL.items()
        if pretrained.is_there(model)
    }
    for name, path in shipped().items():
        if name == DECODER:
            short = own_language_first(SHORT)
            found[name] = Writer(name, partial(opened, path, name, "trained"), short)
    root = installed.models_folder()
    titles = {model.title for model in REAL.values()}
    for name, path in (installed.checkpoints(root) if root else {}).items():
        if name not in titles | found.keys() and _is_decoder(path):
            found[name] = Writer(name, partial(opened, path, name), both)
    return found


def _is_decoder(path: Path) -> bool:
    """Whether a model is a decoder; whether its file has all of one is known once it is opened."""
    if path.suffix == gguf.SUFFIX:
        return True
    try:
        config = families.config(folder.settings(path, folder.CONFIG))
    except InputError:
        return False
    return config.causal and config.pre_norm and bool(families.tensor_names(config).head)


def model_input(found: Mapping[str, Writer]) -> Writer:
    """Draw the choice of the model. A link to one that is not there opens another, with a notice.

    Without a parameter the model follows the language of the text, or else that of the page.
    """
    texts, query = in_language(WORDS), link.session().adopted or {}
    asked = query.get("model", "")
    if asked in REAL and asked not in found:
        missing(texts.names[asked], commands(REAL[asked]), texts.until)
    first = _first(query.get("text", ""), found)
    if link.session().translated and _is_chinese() and st.session_state.get("model") == "smollm2":
        for name in ("model", "layer", "head"):
            link.forget(name)
    link.bind_param("model", first, parse.one_of(list(found)))

    def chosen() -> None:
        for name in ("layer", "head", CHANGE):
            link.forget(name)
        reset_cell()
        written = link.session().values.get("text")  # its box is not drawn beside an error
        if any(written in one.samples.values() for one in found.values()):
            link.set_value("text", found[st.session_state["model"]].first_text)

    with st.sidebar:
        # Of this run's language: the gallery asks for them between two runs.
        labels = {name: _label(name) for name in found}
        choice(texts.model, "model", list(found), labels.__getitem__, then=chosen)
        name = st.session_state["model"]
        if name in texts.about:
            st.caption(plain(texts.about[name]))
        for real, model in REAL.items():
            if real not in found:
                how_to_install(texts.install, model, name=texts.names[real])
    return found[name]


def _first(written: str, found: Mapping[str, Writer]) -> str:
    """The model of a link without one."""
    is_chinese = text.is_chinese(written) if written else _is_chinese()
    wanted = ("gemma", DECODER) if is_chinese else ("smollm2", "gemma", DECODER)
    return next((name for name in wanted if name in found), next(iter(found)))


def _is_chinese() -> bool:
    """Whether the page is in Chinese: then it begins with a Chinese text, if a model reads both."""
    return link.session().language == "zh"


def _label(name: str) -> str:
    names: Mapping[str, str] = in_language(WORDS).names
    return names.get(name, shortened(name))
