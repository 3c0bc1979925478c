import streamlit as st

st.title("scaling")
