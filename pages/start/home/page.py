import streamlit as st

from pages.start.home.doors import doors, moves, story_door, tokens
from pages.start.home.glance import first_glance
from views.reader import words
from views.widgets.prose import prose, title

home = words().home
title(home.title)
prose([[(home.promise, "")]], key="promise", style="lead")
story_door()
with st.container(border=True, key="glance_card"):
    first_glance(words())
doors(words())
moves(words())
tokens(words())
