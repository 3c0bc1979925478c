"""A reader's sentence in a decoder: its controls, its attention, and its perplexity."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import streamlit as st

from core.errors import InputError
from core.limits import TODAY
from core.models import pretrained
from core.models.altered import Attention, Change, perplexity
from core.models.installed import shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import SMOLLM2
from core.sources import text as source
from core.sources.tokenizer import Encoding
from views import link, parse
from views.preferences import in_language, words
from views.selection import reset_cell
from views.text import DECODER, Words
from views.text.spans import spans
from views.widgets.checkpoint.chosen_input import opened, opened_pretrained
from views.widgets.checkpoint.not_installed import commands, missing
from views.widgets.checkpoint.notes import special_notes, stored_as
from views.widgets.errors import LastValidInput
from views.widgets.prose import prose
from views.widgets.sentence_input import own_language_first, text_input

FIRST_TEXT = "The cat sat on the mat because it was warm"
SAMPLES = {
    "The cat…": FIRST_TEXT,
    "Tom doesn’t…": "Tom doesn't know how to do that",
    "我爱北京": "我爱北京",
    "小猫在树上…": "小猫在树上睡觉，因为它累了。",
}
OWN = "decoder"
FIRST_LAYER = 4  # of the project's decoder
PREVIOUS = 17  # the layer of SmolLM2 in which head 1 looks at the previous token
# Parameters whose values another model may not have.
OF_THE_MODEL = ("layer", "head", "of_head", "kv_heads", "step", "fault")
BESIDE = 12  # layers that stand side by side, each on a button


@dataclass(frozen=True, eq=False)
class Reading:
    """A sentence in a decoder. layer: from 1, that is looked at."""

    model: Checkpoint
    text: str
    layer: int

    @cached_property
    def encoding(self) -> Encoding:
        """The tokens of the sentence. Raises what ``Checkpoint.encode`` raises."""
        return self.model.encode(self.text, TODAY)

    @property
    def attention(self) -> Attention:
        """The attention of the layer, as it was trained. Raises as ``Checkpoint.attention``."""
        return _attention(self.model, self.text, self.layer)

    def origin(self, words: Words) -> str:
        """Where the weights come from, in words."""
        texts, model = DECODER[words.code], self.model
        template = texts.origin if model.name == OWN else texts.origin_of
        trained = template.format(name=model.name, layer=self.layer, layers=model.layers)
        stored = stored_as(model, words)
        return words.both.format(first=trained, second=stored) if stored else str(trained)


@lru_cache(maxsize=8)
def _attention(model: Checkpoint, text: str, layer: int) -> Attention:
    return model.attention(text, layer, TODAY)


def own_decoder() -> Checkpoint:
    """The decoder shipped with the project."""
    return opened(shipped()[OWN], OWN, "trained")


def first_reading(text: str = FIRST_TEXT, *, own: bool = False, layer: int = PREVIOUS) -> Reading:
    """The example with which a page begins.

    own: in the project's decoder in any case. layer: to begin with in SmolLM2.
    """
    name = OWN if own else _chosen()
    model = _offered()[name]()
    return Reading(model, _own_text(name, text), _first_layer(model, layer))


def _own_text(name: str, first: str) -> str:
    """The text to begin with, in the reader's language if the model reads it."""
    own = link.first_text(first)
    return own if name == OWN or source.is_english(own) else first


def _first_layer(model: Checkpoint, layer: int) -> int:
    """The layer to begin with. layer: that of SmolLM2, of which a folder may have another size."""
    return FIRST_LAYER if model.name == OWN else min(layer, model.layers)


def decoder_input(
    *,
    samples: Mapping[str, str] = SAMPLES,
    first: str = FIRST_TEXT,
    layer: int = PREVIOUS,
    passes: int = 0,
) -> Reading:
    """Draw the text box with samples, and the choice of a model and of a layer.

    samples: by the labels of their buttons; first: the text to begin with. layer: to begin with
    in SmolLM2. passes: of a page that keeps the project's decoder, since it passes the sentence so
    many times that a large model would take seconds; 0 for any other.
    Raises too_many_tokens, and what ``Checkpoint.encode`` raises.
    """
    texts, name = in_language(DECODER), OWN if passes else _chosen()
    model = _offered()[name]()
    written = text_input(
        own_language_first(_read_by(name, samples)), texts.text,
        texts.text_help.format(tokens=TODAY.tokens), texts.one_text, first=_own_text(name, first),
        as_typed=True,
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="decoder"):
        if not passes and len(_offered()) > 1:
            st.segmented_control(
                texts.model, list(_offered()), format_func=texts.names.__getitem__, key="model",
                required=True, on_change=_model_chosen, args=(samples, first),
            )  # fmt: skip
        chosen = _layer_input(model, _first_layer(model, layer))
    _about(model, passes)
    reading = Reading(model, written, chosen)
    tokens = len(reading.encoding.ids)
    if tokens > TODAY.tokens:
        raise InputError("too_many_tokens", line=1, tokens=tokens, limit=TODAY.tokens)
    if notes := special_notes(reading.encoding, words()):
        prose(notes, key="special_notes", style="quiet")
    return reading


def _offered() -> dict[str, Callable[[], Checkpoint]]:
    """The decoders at hand, by name: how each is opened. A real one comes first."""
    own = {OWN: own_decoder}
    if pretrained.is_there(SMOLLM2):
        return {SMOLLM2.name: partial(opened_pretrained, SMOLLM2)} | own
    return own


def _chosen() -> str:
    """The name of the chosen model. Without a parameter it is one that reads the link's text."""
    offered, query = list(_offered()), link.session().adopted or {}
    pending = link.session().pending
    if pending.get("model") == SMOLLM2.name not in offered:
        until = in_language(DECODER).until
        missing(SMOLLM2.title, commands(SMOLLM2), until, OF_THE_MODEL)
    written = query.get("text") or link.first_text(FIRST_TEXT)
    first = offered[0] if source.is_english(written) else OWN
    if link.session().translated and first == OWN:
        for name in {"model", *OF_THE_MODEL} - link.session().taken:
            link.forget(name)
    chosen: str = link.bind_param("model", first, parse.one_of(offered))
    if len(offered) > 1:
        link.leave_out("model", lambda query: "")  # elsewhere there may be another one first
    return chosen


def _read_by(name: str, samples: Mapping[str, str]) -> Mapping[str, str]:
    """The samples in languages that a model reads."""
    if name == OWN:
        return samples
    return {label: text for label, text in samples.items() if source.is_english(text)}


def _model_chosen(samples: Mapping[str, str], first: str) -> None:
    """Callback: what belongs to the former model goes, and a sample that this one cannot read."""
    session = link.session()
    for name in OF_THE_MODEL:
        link.forget(name)
    reset_cell()
    link.remembered(LastValidInput).inputs.pop(session.page, None)
    written = session.values.get("text")
    if (
        written in samples.values()
        and written not in _read_by(st.session_state["model"], samples).values()
    ):
        link.set_value("text", first)


def _layer_input(model: Checkpoint, first: int) -> int:
    """Draw the choice of a layer and return it, from 1."""
    label = in_language(DECODER).layer
    link.bind_param("layer", first, parse.number(1, model.layers))
    if model.layers > BESIDE:
        st.slider(label, 1, model.layers, key="layer", width=420)
    else:
        st.segmented_control(label, range(1, model.layers + 1), key="layer", required=True)
    return int(st.session_state["layer"])


def _about(model: Checkpoint, passes: int) -> None:
    """Draw which model it is, where there is another one."""
    if len(_offered()) == 1:
        return
    texts, config = in_language(DECODER), model.config
    about = texts.passes if passes else texts.about[OWN if model.name == OWN else SMOLLM2.name]
    line = about.format(
        name=SMOLLM2.title if passes else model.name,
        layers=config.layers,
        heads=config.heads,
        kv_heads=config.shared_heads,
        passes=passes,
    )
    prose([spans(line)], key="about_model", style="quiet")


def sentence_perplexity(reading: Reading, name: Hashable, change: Change | None) -> float:
    """The perplexity of the sentence, computed once for all sessions: it takes 25 to 300 ms.

    name: of the change, unique among all pages. change: of the attention of every layer.
    Raises as ``Checkpoint.log_probabilities``.
    """
    return _perplexity(reading.model.name, reading.text, name, reading, change)


def trained_perplexity(reading: Reading) -> float:
    """The same with the attention that was trained."""
    return sentence_perplexity(reading, "trained", None)


@st.cache_data(max_entries=1024, show_spinner=False)
def _perplexity(
    model: str, text: str, name: Hashable, _reading: Reading, _change: Change | None
) -> float:
    return perplexity(_reading.model.log_probabilities(text, _change, TODAY))
