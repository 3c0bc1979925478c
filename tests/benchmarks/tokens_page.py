"""As many tokens as the link asks for, in the viewer of the app: more than a page allows."""

import numpy as np
import streamlit as st

from core import Weights, multi_head_attention
from views import link
from views.preferences import words
from views.widgets.viewer import step_viewer

HEADS, D_MODEL = 8, 512

n = st.session_state.setdefault("n", int(st.query_params.pop("n", "1000")))
link.begin("sentence")
rng = np.random.default_rng(7)
X = rng.normal(size=(1, n, D_MODEL)).astype(np.float32)
weights = Weights.seeded(D_MODEL, HEADS, seed=7)
step_viewer(multi_head_attention(X, weights), words(), origin=lambda _: "", first="weights")
link.end()
