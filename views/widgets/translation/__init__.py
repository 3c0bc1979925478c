"""The Translation page: what it is made of."""
