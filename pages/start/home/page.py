import streamlit as st

from pages.start.home.class_card import class_card
from pages.start.home.page_cards import page_cards, story_card, three_steps, tokens
from pages.start.home.translation_example import translation_example
from views.preferences import words
from views.widgets.prose import prose, title

home = words().home
title(home.title)
prose([[(home.promise, "")]], key="promise", style="lead")
class_card(words())
story_card()
with st.container(border=True, key="glance_card"):
    translation_example(words())
page_cards(words())
three_steps(words())
tokens(words())
