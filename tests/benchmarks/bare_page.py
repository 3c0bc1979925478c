"""The baseline of Streamlit and Plotly: one heatmap and a button that changes it."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

n = int(st.query_params.get("n", "4"))
seed = st.session_state.setdefault("seed", 0)


def change() -> None:
    """Draw other numbers."""
    st.session_state["seed"] += 1


st.button("change", on_click=change)
z = np.random.default_rng(seed).normal(size=(n, n)).astype(np.float32)
st.plotly_chart(go.Figure({"data": [{"type": "heatmap", "z": z}]}), key="figure", theme=None)
