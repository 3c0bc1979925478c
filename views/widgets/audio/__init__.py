"""The Audio page's own pieces."""
