import streamlit as st

st.title("predict")
