import streamlit as st

st.title("glossary")
