"""Its folder joins the import path, so that every test below it reaches ``shown_traces``."""

from hypothesis import settings

settings.register_profile("stable", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("stable")
