"""A sentence in an opened model: Gemma 3, SmolLM2, a BERT, or the project's decoder."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from core import Trace
from core.errors import InputError
from core.experiments.head_patterns import KnownHead, first_shown
from core.interventions import Change
from core.limits import LIMITS
from core.models import pretrained
from core.models.installed import bert, shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import GEMMA, SMOLLM2, Pretrained
from core.sources import text
from core.sources.visible import as_word
from pages.see.sentence.trained_sentence import gloss_line, restore_button
from views import link, parse
from views.figures.axis import shortened
from views.preferences import in_language
from views.text import CHECKPOINT, Words, words_beside
from views.text.spans import plain
from views.widgets.checkpoint import head_overview, special
from views.widgets.checkpoint.cached_layers import computed_layer, pass_text
from views.widgets.checkpoint.chosen_input import Chosen, opened, opened_pretrained
from views.widgets.checkpoint.head_overview import HeadLink, open_head
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.next_token import (
    can_follow,
    following,
    hiding,
    mutes_unasked,
    without_head,
)
from views.widgets.checkpoint.notes import token_notes
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.interventions import NAME as CHANGE
from views.widgets.interventions import Intervened, intervened, tokens_of
from views.widgets.known_heads import (
    asked_head,
    choose_known_head,
    heads_of,
    links_of,
    needed_first,
    needed_head,
    words_of,
)
from views.widgets.microscope import Switch
from views.widgets.model_card import model_card
from views.widgets.model_input import preserve_model
from views.widgets.prose import prose
from views.widgets.sentence_input import (
    ENGLISH,
    FIRST_MODEL,
    own_language_first,
    preserve_mode,
    text_input,
)
from views.widgets.sentence_input import FIRST_TEXT as CHINESE

WORDS = words_beside(__file__)

TROPHY = {"The trophy…": "The trophy does not fit in the suitcase because it is too big."}
FRANCE = {"The capital of France…": "The capital of France is"}
MARY = {"When Mary…": "When Mary and John went to the store, John thanked"}
SUMMER = {"冬天很冷…": "冬天很冷，夏天很"}
SAMPLES = {**ENGLISH, **TROPHY, "I love Beijing": "I love Beijing", CHINESE: CHINESE}


@dataclass(frozen=True)
class Opened:
    """A model that is read from files.

    source: its name in the link. reads: whether the model knows the language of a text. is_there:
    whether it is installed. open: raises what ``core.models.checkpoint.open`` raises. samples: by
    label, the first one to begin with. layers: the initial one, in which a head does something
    known: with the first sample, and with any text. refuses: whether it takes no text of another
    language.
    """

    source: str
    reads: Callable[[str], bool]
    is_there: Callable[[], bool]
    open: Callable[[], Checkpoint]
    samples: Mapping[str, str]
    layers: tuple[int, int]
    refuses: bool = False

    @property
    def first_text(self) -> str:
        """The text to begin with, in the reader's language if the model reads that."""
        return next(filter(self.reads, own_language_first(self.samples).values()))

    def first_layer(self, written: str) -> int:
        """The layer to begin with."""
        return self.layers[written != next(iter(self.samples.values()))]


def _pretrained(
    model: Pretrained,
    reads: Callable[[str], bool],
    samples: Mapping[str, str],
    layers: tuple[int, int],
) -> Opened:
    is_there, open_model = partial(pretrained.is_there, model), partial(opened_pretrained, model)
    return Opened(model.name, reads, is_there, open_model, samples, layers)


def _open_bert() -> Checkpoint:
    folder = bert()
    assert folder
    return opened(folder, "all-MiniLM-L6-v2", "trained")


def _any(written: str) -> bool:
    return True


OF_GEMMA = _pretrained(
    GEMMA,
    _any,
    SUMMER
    | {
        "法国的首都是…": "中国的首都是北京，法国的首都是",
        "一年有四个季节…": "一年有四个季节：春、夏、秋、",
        CHINESE: CHINESE,
    }
    | MARY,
    # Head 4: the last word looks at 冷, or else writes it again; head 4: at the token before.
    (10, 3),
)
OF_SMOLLM2 = _pretrained(
    SMOLLM2,
    text.is_english,
    FRANCE
    | {"The opposite of hot…": "The opposite of hot is"}
    | MARY
    | {"The trophy…": "The trophy does not fit in the suitcase because it is too"},
    # Head 5: "is" looks at "France", and "Paris" depends on it; head 1: at the token before.
    (24, 17),
)
BERT = Opened(
    "bert", text.is_english, lambda: bert() is not None, _open_bert, SAMPLES, (6, 6), refuses=True
)
DECODER = Opened(
    "decoder",
    _any,
    lambda: "decoder" in shipped(),
    lambda: opened(shipped()["decoder"], "decoder", "trained"),
    SAMPLES,
    (6, 6),
)
OPENED = {one.source: one for one in (OF_SMOLLM2, BERT, DECODER, OF_GEMMA)}


def layer_of(opened_model: Opened, words: Words) -> tuple[Chosen, Trace, Intervened[Checkpoint]]:
    """The chosen layer and its trace; of an example if the text cannot be read. And the changes.

    Parameters of the seeded model stay in the link. Raises as ``core.models.checkpoint.open``.
    """
    first = opened_model.first_text
    written = link.bind_param("text", first)
    preserve_mode(words)
    preserve_model(words, FIRST_MODEL)
    name = in_language(WORDS).names[opened_model.source]
    opening = plain(in_language(CHECKPOINT).opening.format(name=name))
    with st.spinner(opening):
        unchanged = opened_model.open()
    count = partial(tokens_of, unchanged, written)
    of = intervened(unchanged, count, causal=unchanged.config.causal)
    model = of.model
    given: str | InputError
    with st.container():
        try:
            given = _text(opened_model, model, words)
        except InputError as error:
            given = error
    first_layer = min(opened_model.first_layer(written), model.layers)
    layer = chosen_layer(model, first_layer)
    with st.container(key="choosing_head"):  # always drawn: else what follows is created again
        if isinstance(given, str):
            with st.spinner(opening), suppress(InputError):  # what follows says what is wrong
                if mutes_unasked(Chosen(model, given, layer)):
                    pass_text(model, given, of.plain)
            with st.spinner(opening):  # all layers are computed here the first time
                layer = _begin_layer(Chosen(model, given, layer), of, first_layer)
    found = computed_layer(model, layer, partial(_valid, given), words, first)
    assert found
    return *found, of


@dataclass
class Begun:
    """The text of the last run, and the head that its layer was chosen for, if one was.

    text: with its model. head: from 1; 0 if the reader or a link chose the layer.
    """

    text: tuple[str, str] | None = None
    layer: int = 0
    head: int = 0


def forget_layer() -> None:
    """Callback: have another model begin in its own layer, unless the reader chose the current.

    And without changes, which name heads of the former model.
    """
    link.forget(CHANGE)
    now, begun = link.session(), link.remembered(Begun)
    if "layer" not in now.bound:
        return
    own = {now.bound["layer"][0]} | ({begun.layer} if begun.head else set())
    if now.values.get("layer") in own:
        link.forget("layer")
        begun.text = None


def _begin_layer(chosen: Chosen, of: Intervened[Checkpoint], first: int) -> int:
    """The layer to show: for a new text that of a head that does something known with it.

    A layer, a head or a cell that a link names stays, and so does what the reader has chosen since.
    first: the layer of a model for which none was chosen.
    """
    begun, now = link.remembered(Begun), link.session()
    text = (chosen.model.name, str(chosen.given))
    before, begun.text = begun.text, text
    if now.adopted is not None:
        free = not now.adopted.keys() & (link.SELECTION | {"layer", "part", head_overview.NAME})
    elif before is None or before[0] != text[0]:
        free = chosen.layer == first
    else:
        chosen_head = st.session_state.get("head", begun.head)
        free = text != before and (chosen.layer, chosen_head) in (
            (begun.layer, begun.head), (begun.layer, 0)
        )  # fmt: skip
    shown = None
    if free:
        words = words_of(chosen)
        shown = first_shown(_heads(chosen, of), chosen.model.encode(text[1]).ids, words)
    if not shown:
        if text != before or now.adopted is not None:
            begun.layer, begun.head = chosen.layer, 0
        return chosen.layer
    begun.layer, begun.head = shown.layer + 1, shown.head + 1
    st.session_state["layer"] = begun.layer
    link.forget("head")
    return begun.layer


def _valid(given: str | InputError) -> str:
    if isinstance(given, InputError):
        raise given
    return given


def _heads(chosen: Chosen, of: Intervened[Checkpoint]) -> list[KnownHead]:
    """The heads that do something known with the text, first that on which the next word depends.

    Which that is is found without the changes, so that it stays when it is switched off.
    """
    others, plain_model = heads_of(chosen), replace(chosen, model=of.plain)
    needed = needed_head(plain_model)
    if not needed:
        ids = chosen.model.encode(str(chosen.given)).ids
        return needed_first(others, plain_model, ids, words_of(chosen))
    at = (needed.layer, needed.head)
    return [needed, *(one for one in others if (one.layer, one.head) != at)]


def _text(opened_model: Opened, model: Checkpoint, words: Words) -> str:
    """Draw the controls and return the text. Raises not_english, and as ``Checkpoint.encode``."""
    texts, positions = in_language(WORDS), model.config.positions
    written = text_input(
        own_language_first(opened_model.samples), texts.text,
        in_language(CHECKPOINT).text_help.format(tokens=positions, characters=LIMITS.text),
        texts.one_text, first=opened_model.first_text, as_typed=True,
    )  # fmt: skip
    with st.sidebar:
        st.caption(texts.knows_opened[opened_model.source])
        encoding = model.encode(written)
        if opened_model.refuses and not opened_model.reads(written):
            raise InputError("not_english")
        prose(token_notes(encoding, positions, words), key="cut", style="quiet")
    return written


def keep_layer() -> None:
    """Keep the parameters of the layers in the link while none is shown."""
    if link.preserve_param("layer", None, parse.number(1, 999)) is None:
        link.forget("layer")  # else None would be the choice for the next model
    link.preserve_param(special.NAME, True, parse.flag)
    link.preserve_param(head_overview.NAME, False, parse.flag)


def layer_view(
    opened_model: Opened, chosen: Chosen, trace: Trace, of: Intervened[Checkpoint], words: Words
) -> None:
    """Draw the model's layers, and one part of it in the stage viewer."""
    assert isinstance(chosen.given, str)
    with st.container(key="surveying_text"):  # always drawn, as above
        found, follows = _heads(chosen, of), following(chosen, of)
        links = links_of(chosen, opened_model.source)
    with st.container():  # whatever is shown in it, what follows it stays the same element
        restore_button(chosen.given, shortened(chosen.given))
        tokens = chosen.model.encode(chosen.given).tokens
        gloss_line([tokens])
        odd = _across_words(chosen.given, tokens)
        if odd:
            named = words.list_mark.join(f"“{token}”" for token in odd)
            says = in_language(WORDS).pieces.format(tokens=named)
            prose([[(says, "")]], key="pieces", style="quiet")
    start, first_view = choose_known_head(
        found, trace[f"{chosen.attention}/weights"].tensor[0], chosen.layer - 1,
        chosen.model.encode(chosen.given).ids, words_of(chosen), _open_head,
        change=of.asked,
    )  # fmt: skip
    head = asked_head(chosen.model.heads, start["head"])
    with st.container(key="following"):  # always drawn, as above
        without = without_head(chosen, of, head)
    hides = hiding(chosen)
    first_view = replace(
        first_view, following=follows, links=links, without=without,
        switches=_switch(opened_model, chosen, of, head),
        hiding={token: str(of.asked.toggled(change)) for token, change in hides.items()},
        hidden=[token for token, change in hides.items() if change in of.asked.changes],
    )  # fmt: skip
    checkpoint_view(
        chosen, trace, words, origin=partial(origin, opened_model), start=start,
        first_view=first_view, of=of,
    )  # fmt: skip
    if opened_model is DECODER:
        model_card(DECODER.source, words)


def _across_words(written: str, tokens: Sequence[str]) -> list[str]:
    """The Chinese tokens of a text that are not within one of its words, each once.

    None of a text that is cut into no words: an empty or a long one.
    """
    try:
        within = [word for line in text.read(written, "word") for word in line]
    except InputError:
        return []
    return [
        token
        for token in dict.fromkeys(tokens)
        if text.is_chinese(token) and not any(as_word(token) in word for word in within)
    ]


def _switch(
    opened_model: Opened, chosen: Chosen, of: Intervened[Checkpoint], head: int
) -> dict[int, Switch]:
    """How a head, from 0, is switched off, or on again, in a model that predicts the next word."""
    if not can_follow(chosen):
        return {}
    change = Change("mute", chosen.layer, head + 1)
    return {
        head: Switch(opened_model.source, chosen.layer, head + 1, str(of.asked.toggled(change)))
    }


def _open_head(layer: int, head: int) -> None:
    open_head(HeadLink(layer, head))


def origin(opened_model: Opened, chosen: Chosen, words: Words) -> str:
    """Where the trained weights come from, in words."""
    return (
        WORDS[words.code]
        .origin_opened[opened_model.source]
        .format(name=chosen.model.name, layer=chosen.layer, layers=chosen.model.layers)
    )
