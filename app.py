"""The server: ``streamlit run app.py``, or ``streamlit run app.py -- OPTIONS``."""

import sys

import streamlit as st

from views.arguments import take_arguments
from views.server import MIDDLEWARE, lifespan

take_arguments(sys.argv[1:])
app = st.App("views/frame.py", lifespan=lifespan, middleware=MIDDLEWARE)
