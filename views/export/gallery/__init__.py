"""A static site of saved pages: what the app shows, in files that need no server."""
