import streamlit as st

st.title("break_it")
