"""The pieces of the page of one's own model."""
