import streamlit as st

st.title("softmax")
