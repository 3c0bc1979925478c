import streamlit as st

st.title("heads")
