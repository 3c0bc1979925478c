"""Inputs shared by tests of text."""

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
D_MODEL, SEED = 11, 7
