"""Speech written down by Whisper: each word at its moment, and every layer in the microscope."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain

import numpy as np
import streamlit as st

from core import Trace
from core.interventions import PATCHES, Interventions
from core.models import pretrained, transcript
from core.models.effects import Effect
from core.models.speech import SpeechModel, Task, Written
from core.models.transcript import Word
from core.sources.traditional import simplified
from pages.see.audio.cards import file_notes
from pages.see.audio.transcription import (
    Encoded,
    changed_sound,
    decoder_layer,
    speech_model,
    transcribed,
    written_by,
)
from views import link, parse
from views.figures.photo import float32_text
from views.figures.scale import FAINT, round_up
from views.preferences import in_language, words
from views.scene.blob import checksum
from views.selection import SelectionState, choose_token
from views.text import CHECKPOINT, SOUND, Words, numbers, words_beside
from views.text.spans import Span, isolated, spans
from views.widgets.checkpoint.cached_layers import computed_layer
from views.widgets.checkpoint.head_overview import HeadLink
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.choice import option_input
from views.widgets.component import component
from views.widgets.errors import computed
from views.widgets.head_effects import SOON, Muting, head_effects, opening
from views.widgets.interventions import (
    Intervened,
    intervened,
    rows_of,
    texts_before_and_after,
    what_if,
    what_if_card,
    with_changes,
)
from views.widgets.known_heads import words_in
from views.widgets.model_map import Whole, chosen_part
from views.widgets.prose import heading, prose
from views.widgets.sound_input import (
    SAMPLES,
    SPEECH,
    SessionSound,
    read_source,
    sample,
    sound_source,
)
from views.widgets.timeline import bring
from views.widgets.viewer import layers_of, part_viewer

WORDS = words_beside(__file__)
TASKS: tuple[Task, ...] = ("transcribe", "translate")
SIDES = ("decoder", "encoder")
MEAN = "mean"  # of the heads that align
KEY = "speech"


@dataclass(frozen=True, eq=False)
class Spoken:
    """samples: (n,) float32 at 16 kHz. file: what they were read from; None for a sample."""

    samples: np.ndarray
    task: Task
    file: SessionSound | None = None


@cache
def first_spoken() -> Spoken:
    """The sound that the page writes down at first."""
    return Spoken(sample(SPEECH), TASKS[0])


def spoken_input() -> Spoken:
    """Draw the controls and return what is to be written down. Raises core.errors.InputError."""
    texts = in_language(WORDS).speech
    name, files = sound_source(SPEECH)
    with st.sidebar:
        task = option_input(
            texts.task, "task", TASKS, lambda task: texts.tasks[task], help=texts.task_help
        )
    chosen = read_source(name, files)
    return Spoken(chosen.samples, task, chosen)


def speech_view() -> None:
    """Draw the page for a sound that Whisper writes down."""
    positions = speech_model().encoder.config.positions  # more than the decoder has
    of = intervened(speech_model(), lambda: positions, changed_sound)
    model, room = of.model, st.container(key="transcribing")

    def transcribe(spoken: Spoken) -> Encoded:
        with room:
            return transcribed(model, spoken.samples, spoken.task, of.plain)

    spoken, encoded = computed(spoken_input, transcribe, first_spoken(), words(), "speech")
    encoded = transcribe(spoken)  # also of the last valid input
    written = encoded.written[written_by(model, spoken.task)]
    found = transcript.words(written, model.tokenizer)
    chosen = _chosen_word(found)
    with st.container(border=True, key="speech_card"):
        with st.container():
            if spoken.file:
                file_notes(spoken.file)
        text = transcript.text_of(written, model.tokenizer)
        is_speech = transcript.has_speech(encoded.detected.no_speech, written)
        if is_speech and found:
            prose([[(isolated(text), "")]], key="transcript", style="lead")
        facts = _facts(encoded, written, spoken.task, text, is_speech)
        prose(facts, key="transcript_facts", style="quiet" if is_speech else "notice")
        bring(encoded.sound)
        _card(model, encoded, found if is_speech else [], chosen)
        if is_speech and found:
            prose([spans(in_language(WORDS).speech.caption)], key="speech_caption", style="quiet")
    _inside(of, spoken, encoded, found[chosen] if found else None)


def _chosen_word(found: list[Word]) -> int:
    """The chosen word from 0, by default the first that says something; 0 if there is none."""
    first = int(words_in([word.text for word in found]).argmax()) + 1 if found else 1
    word: int = link.bind_param("word", first, parse.number(1, 10**6))
    if word > max(1, len(found)):
        word = st.session_state["word"] = first
    return word - 1


def _facts(
    encoded: Encoded, written: Sequence[Written], task: Task, text: str, is_speech: bool
) -> list[list[Span]]:
    """The spoken language with its probability; or that nobody speaks, with the evidence."""
    texts, detected = in_language(WORDS).speech, encoded.detected
    facts = {
        "no_speech": numbers.per_cent(detected.no_speech),
        "log_probability": numbers.plain(transcript.mean_log_probability(written), 2),
    }
    if not is_speech:
        limits = {
            "most": numbers.per_cent(transcript.NO_SPEECH, 0),
            "least": numbers.plain(transcript.UNSURE, 1),
        }
        return [spans(texts.nobody, **facts, **limits)]
    name = texts.languages.as_dict().get(detected.language, detected.language)
    language = spans(
        texts.language, language=name, probability=numbers.per_cent(detected.probability)
    )
    sentences = [[*language, (" ", ""), *spans(texts.sure, **facts)]]
    if transcript.repeats_itself(text):
        sentences.insert(0, spans(texts.repeats))
    if task == "translate" and detected.language != "en":
        sentences.append(spans(texts.translated))
    return sentences


def _card(model: SpeechModel, encoded: Encoded, found: list[Word], chosen: int) -> None:
    """Waveform and spectrogram, the words at their moments, and the weights of one of them.

    found: the words, of which there may be none.
    """
    texts, config = in_language(WORDS).speech, model.decoder.config
    aligning = [f"{layer + 1}/{head + 1}" for layer, head in model.generation.alignment_heads]
    heads = range(1, config.heads + 1)
    names = [[f"{layer}/{head}" for head in heads] for layer in range(1, config.layers + 1)]
    look: str = link.bind_param("look", MEAN, parse.one_of([MEAN, *chain(*names)]))
    rows = np.array([_row(model, word, look) for word in found], np.float32)  # (word, frame)

    def on_choose() -> None:
        asked = st.session_state[KEY].choose
        if not asked:
            return
        word = min(int(asked["word"]), len(found) - 1)
        link.set_value("word", word + 1)
        if st.session_state.get("side") == SIDES[0]:
            choose_token(_query(model, encoded, found[word]))
            link.remembered(SelectionState).positions.pop("key", None)
        if asked["look"] != look:
            link.set_value("look", asked["look"])
            _go_to(asked["look"])

    largest = round_up(float(rows.max(initial=0)))
    data = {
        "sound": checksum(encoded.sound),
        "rows": float32_text(rows),
        "words": [_word(model, encoded, word) for word in found],
        "word": chosen,
        "look": look,
        "mean": texts.mean,
        "layers": [
            {
                "label": texts.layer.format(layer=number),
                "heads": [
                    {
                        "name": name,
                        "label": str(head),
                        "title": texts.head.format(layer=number, head=head),
                        "aligns": name in aligning,
                    }
                    for head, name in enumerate(of_layer, start=1)
                ],
            }
            for number, of_layer in enumerate(names, start=1)
        ],
        "scale": {
            "largest": largest,
            "root": largest * encoded.frames >= FAINT,
            "printed": numbers.bare(largest),
        },
        "texts": texts.component.as_dict(),
    }
    component("speech")(key=KEY, data=data, on_choose_change=on_choose)


def _go_to(look: str) -> None:
    """Callback: the microscope shows the cross-attention of this head."""
    if look == MEAN or st.session_state.get("side") != SIDES[0]:
        return
    layer, head = map(int, look.split("/"))
    link.set_value("layer", layer)
    link.set_value("head", head)
    link.set_value("part", f"decoder/{layer}/cross")


def _query(model: SpeechModel, encoded: Encoded, word: Word) -> int:
    """The row of the decoder that writes a word: that of the token before it, from 0."""
    return len(model.prompt(encoded.detected.language)) + word.first - 1


def _row(model: SpeechModel, word: Word, look: str) -> np.ndarray:
    """The weights of a word over time, (frame,): of a head, or the mean of those that align."""
    if look == MEAN:
        return model.aligned(word.cross)
    layer, head = (int(number) - 1 for number in look.split("/"))
    return word.cross[layer, head]


def _word(model: SpeechModel, encoded: Encoded, word: Word) -> dict[str, object]:
    simple = simplified(word.text) if encoded.detected.language == "zh" else word.text
    return {
        "text": word.text,
        "simplified": simple if simple != word.text else "",
        "pieces": word.pieces,
        "at": model.moment(word.cross, encoded.frames),
        "probability": word.probability,
    }


def _inside(
    of: Intervened[SpeechModel], spoken: Spoken, encoded: Encoded, word: Word | None
) -> None:
    """The layers of the encoder and of the decoder, each part in the microscope."""
    texts = in_language(WORDS).speech
    heading(texts.inside)
    side = option_input(texts.side, "side", SIDES, lambda side: texts.sides[side])
    if side == "encoder":
        _encoder(of, spoken, encoded, word)
    else:
        _decoder(of, spoken, encoded, word)


def _encoder(
    of: Intervened[SpeechModel], spoken: Spoken, encoded: Encoded, word: Word | None
) -> None:
    encoder = of.model.encoder
    layer = chosen_layer(encoder)
    shown = computed_layer(encoder, layer, lambda: spoken.samples, words())
    if shown:
        at = checkpoint_view(
            *shown, words(), origin=lambda _, language: _origin(language), card=False
        ).at
        _what_if(of, spoken, encoded, shown[1], shown[0].attention, at["head"], word)


def _decoder(
    of: Intervened[SpeechModel], spoken: Spoken, encoded: Encoded, word: Word | None
) -> None:
    model = of.model
    texts, layers = in_language(WORDS).speech, model.decoder.config.layers
    last_layer, last_head = model.generation.alignment_heads[-1]
    layer: int = option_input(texts.of_layer, "layer", range(1, layers + 1), first=last_layer + 1)
    trace = decoder_layer(model, encoded, spoken.task, layer)
    whole = Whole(in_language(CHECKPOINT).called[model.config.model_type], (layers,))
    path = chosen_part(trace, f"decoder/{layer}/cross", words(), whole=whole)
    prose([spans(texts.rows)], key="decoder_rows", style="quiet")
    head = last_head if layer == last_layer + 1 else 0
    start = {"head": head}
    if word is not None:
        query = _query(model, encoded, word)
        row = trace[f"decoder/{layer}/cross/weights"].tensor[0, head, query]
        start |= {"query": query, "key": int(row[: encoded.frames].argmax())}
    every = layers_of(
        trace, path, layer, layers, partial(decoder_layer, model, encoded, spoken.task)
    )
    shown = part_viewer(
        trace, path, words(), origin=partial(_decoder_origin, of.asked), follow=False, start=start,
        layers=every,
    )  # fmt: skip
    attention = path if path.endswith("/self") else f"decoder/{layer}/cross"
    _what_if(of, spoken, encoded, trace, attention, shown.selection.at["head"], word)


def _what_if(
    of: Intervened[SpeechModel],
    spoken: Spoken,
    encoded: Encoded,
    trace: Trace,
    path: str,
    head: int,
    word: Word | None,
) -> None:
    """What is changed in an attention, and what is written down without the changes and with them.

    And what every head of this part does for a word, if there is one. path: of the attention.
    head: from 0.
    """
    side, layer, kind = path.split("/")
    part, texts = kind if kind == "cross" else side, in_language(WORDS).speech
    keys, queries = (trace[f"{path}/weights"].axis(role).names() or () for role in ("key", "query"))
    names = keys if part == "decoder" else keys[: encoded.frames]  # of the sound, not of silence
    card = what_if_card()
    if not card.open:
        return
    with card:
        left, right = st.columns([6, 5])
        with left:
            what_if(
                of.error, int(layer), head + 1, names,
                queries=queries if part == "cross" else (), part=part,
                at=_word_at(of.model, encoded, part, word),
                patches=PATCHES,
                others={name: in_language(SOUND).sample_names[name] for name in SAMPLES},
                rows=rows_of(trace, path, head) if part == "decoder" else None,
            )  # fmt: skip
            if part == "encoder" and encoded.took > SOON:
                says = texts.listens_again.format(seconds=numbers.whole(encoded.took))
                prose([[(says, "")]], key="listens_again", style="quiet")
            if of.is_changed:
                texts_before_and_after(*(
                    transcript.text_of(
                        transcribed(one, spoken.samples, spoken.task, of.plain)
                        .written[written_by(one, spoken.task)], one.tokenizer,
                    )
                    for one in (of.plain, of.model)
                ))  # fmt: skip
        room = right.container(key="effects_card")
    if word is not None:
        with room:
            _effects(of.model, spoken, encoded, path, part, HeadLink(int(layer), head + 1), word)


def _word_at(model: SpeechModel, encoded: Encoded, part: str, word: Word | None) -> dict[str, int]:
    """The frame at which a word is spoken and the row that writes it, from 0, as they are read."""
    if word is None:
        return {}
    frame = int(model.aligned(word.cross)[: encoded.frames].argmax())
    return {"key": frame, "query": frame if part == "encoder" else _query(model, encoded, word)}


def _effects(
    model: SpeechModel,
    spoken: Spoken,
    encoded: Encoded,
    path: str,
    part: str,
    chosen: HeadLink,
    word: Word,
) -> None:
    """What every head of a part does for the first token of a word. part: of ``Change``."""
    written = encoded.written[written_by(model, spoken.task)][: word.first + 1]
    numbers = (
        *model.prompt(encoded.detected.language, spoken.task), *(one.number for one in written)
    )  # fmt: skip
    config = (model.encoder if part == "encoder" else model.decoder).config

    def measure(progress: Callable[[int, int], None], known: int) -> Iterator[Effect]:
        memory = encoded.memory["X"].tensor[0]
        return model.effects(spoken.samples, memory, numbers, part, progress, known)

    head_effects(
        Muting(
            (model, encoded, numbers, part), config.layers, config.heads, chosen, numbers[-1],
            model.tokenizer.name_of, measure, opening(path), part,
        )
    )  # fmt: skip


def _decoder_origin(asked: Interventions, words: Words) -> str:
    return with_changes(_origin(words), asked, words)


def _origin(words: Words) -> str:
    return WORDS[words.code].speech.origin.format(name=pretrained.WHISPER.title)
