"""Parsers of picture files that do not decode pixels, one format per module."""
