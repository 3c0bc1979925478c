"""The server: ``streamlit run app.py``."""

import streamlit as st

from views.server import settled

app = st.App("views/frame.py", lifespan=settled)
