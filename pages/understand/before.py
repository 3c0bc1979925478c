import streamlit as st

st.title("before")
