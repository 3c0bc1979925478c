"""From a stage to a picture. Plotly, Pillow and ``core``; no Streamlit and no language."""
