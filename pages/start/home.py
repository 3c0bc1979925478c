import streamlit as st

from views.reader import words
from views.spans import plain
from views.widgets.doors import doors, moves
from views.widgets.glance import glance
from views.widgets.prose import prose
from views.widgets.sentence_input import FIRST, sentence_trace

home = words().home
st.title(plain(home.title))
prose([[(home.promise, "")]], key="promise", style="lead")
with st.container(border=True, key="glance_card"):
    st.markdown(f"#### {plain(home.glance)}")
    trace = sentence_trace(FIRST)
    glance(trace, head=0, chosen=1, words=words())
    origin = home.glance_from.format(head=1, seed=FIRST.model.seed)
    said = (home.glance_hint, origin, words().opened.rounded)
    prose([[(line, "")] for line in said], key="glance_words", style="quiet")
doors(words())
moves(words())
