"""The exercise on paper: one HTML file that needs nothing else, and its answer key."""
