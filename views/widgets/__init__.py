"""The Streamlit pieces that pages are made of."""
