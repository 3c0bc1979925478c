from functools import partial

from pages.see.audio.cards import (
    INPUT_STEPS,
    origin,
    sound_card,
    start,
    summary_card,
)
from pages.see.audio.controls import (
    WHISPER,
    chosen_model,
    first_sound,
    how_to_get_whisper,
    sound_input,
    sound_trace,
)
from pages.see.audio.speech import speech_view
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.selection import Selection
from views.widgets.errors import computed
from views.widgets.prose import visually_hidden_title
from views.widgets.viewer import step_viewer


def attention_view() -> None:
    read = partial(sound_input, words())
    sound, trace = computed(read, sound_trace, first_sound(), words())
    where = partial(origin, sound)

    def lead(selection: Selection) -> None:
        sound_card(trace, sound, selection)

    steps = (*INPUT_STEPS, *ATTENTION)
    shown = step_viewer(trace, words(), steps=steps, origin=where, start=start(trace), lead=lead)
    summary_card(trace, sound, shown, words())
    how_to_get_whisper()


visually_hidden_title(in_language(PAGE_INFO)["audio"].title)
if chosen_model() == WHISPER:
    speech_view()
else:
    attention_view()
