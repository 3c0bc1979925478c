"""The server: ``streamlit run app.py``, or ``streamlit run app.py -- OPTIONS``."""

import sys

import streamlit as st

from views.server.arguments import take_arguments
from views.server.classes.routes import classes
from views.server.front_end import route
from views.server.lifespan import lifespan
from views.server.uploads import MIDDLEWARE

take_arguments(sys.argv[1:])
base = st.get_option("server.baseUrlPath") or ""
app = st.App(
    "views/frame.py",
    lifespan=lifespan,
    routes=[*classes().routes(base), route(base)],
    middleware=MIDDLEWARE,
)
