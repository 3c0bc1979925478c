import streamlit as st

from pages.start.home.cards import (
    class_card,
    example,
    page_cards,
    recorded_runs,
    story_link,
    three_steps,
    tokens,
)
from views.preferences import words
from views.widgets.prose import prose, title

home = words().home
title(home.title)
prose([[(home.promise, "")]], key="promise", style="lead")
class_card(words())
story_link()
with st.container(border=True, key="glance_card"):
    example(words())
recorded_runs(words())
page_cards(words())
three_steps(words())
tokens(words())
