import streamlit as st

from views.reader import words
from views.widgets.doors import doors, moves, tokens
from views.widgets.glance import glance
from views.widgets.prose import prose, title

home = words().home
title(home.title)
prose([[(home.promise, "")]], key="promise", style="lead")
with st.container(border=True, key="glance_card"):
    glance(words())
doors(words())
moves(words())
tokens(words())
