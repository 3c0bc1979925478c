import streamlit as st

st.title("around")
