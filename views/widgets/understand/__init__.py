"""The pieces that the pages of the chapter "understand" are made of."""
