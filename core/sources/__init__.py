"""Inputs: text, images, sounds and matrices, as traces that end in X."""
