import streamlit as st

from pages.start.story.scenes import FIRST, scenes, trained
from views import link, parse
from views.preferences import in_language, words
from views.scene.blob import prepend_header
from views.text import words_beside
from views.widgets.component import component
from views.widgets.prose import visually_hidden_title

texts = in_language(words_beside(__file__))
LAST = len(texts.scenes)
FOLDER = "microscope/hosts"  # of the component that hands over what each run sends


def scene_changed() -> None:
    """Callback: another scene was chosen in the browser."""
    if number := st.session_state["run"].scene:
        link.set_value("scene", number)


visually_hidden_title(texts.title)
number = link.bind_param("scene", 1, parse.number(1, LAST))
link.write()
with st.container(key="viewer"):
    component("story")(key="story")
    component("run", FOLDER)(
        key="run",
        data=prepend_header(scenes(texts, words().code) | {"scene": number}, b""),
        on_scene_change=scene_changed,
    )
if number == LAST:
    trained(texts.trained, words())
else:
    link.preserve_param("text", FIRST)
