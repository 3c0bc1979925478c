import streamlit as st

st.title("sizes")
