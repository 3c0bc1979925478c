import streamlit as st

st.title("errata")
