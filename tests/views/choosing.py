"""Runs of a page, with a substitute for Streamlit's session state."""

from views import link
from views.selection import chosen_cell


def arrive(**query):
    """A run that a link brings about."""
    link.session().adopted, link.session().pending = query, dict(query)
    link.session().nonsense, link.session().taken = {}, set()


def act():
    """A run that the reader brings about."""
    link.session().adopted = None


def look(trace, key):
    at = chosen_cell(trace, key).at
    return tuple(at[role] for role in trace[key].roles)
