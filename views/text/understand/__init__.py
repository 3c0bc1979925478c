"""The words of the chapter "understand": one module a page, both languages side by side in it."""
