"""How a trace is shown: figures, words and the Streamlit pieces that pages are made of."""
