import streamlit as st

st.title("cross")
