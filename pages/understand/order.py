import streamlit as st

st.title("order")
