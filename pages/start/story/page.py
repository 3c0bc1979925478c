import streamlit as st

from pages.start.story.own_sentence import first_sample, own_sentence
from pages.start.story.scenes import scenes
from views import link, parse
from views.preferences import in_language, words
from views.scene.blob import prepend_header
from views.text import words_beside
from views.widgets.component import component
from views.widgets.prose import visually_hidden_title

texts = in_language(words_beside(__file__))
LAST = len(texts.scenes)


def scene_changed() -> None:
    """Callback: another scene was chosen in the browser, or the short way."""
    for name, value in (st.session_state["run"].place or {}).items():
        link.set_value(name, value)


visually_hidden_title(texts.title)
number = link.bind_param("scene", 1, parse.number(1, LAST))
short = link.bind_param("short", False, parse.flag)
link.write()
viewer, below = st.container(key="viewer"), st.container()
own = None
with viewer:
    component("story")(key="story")
    room = st.container(key="finding")
if number == LAST:
    with below:
        own = own_sentence(texts.trained, words(), room)
else:
    link.preserve_param("text", first_sample(texts.trained))
header = scenes(texts, words().code) | {"scene": number, "short": short, "own": own and own.sent()}
with viewer:
    component("run")(key="run", data=prepend_header(header, b""), on_place_change=scene_changed)
