import streamlit as st

from views.reader import words

st.title(words().home.title)
