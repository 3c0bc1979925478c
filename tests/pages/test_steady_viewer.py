"""Messages above the stage viewer do not change its path in Streamlit's element tree.

Until a run has drawn a path of the tree, Streamlit shows the element of the run before there: a
viewer at another path would be mounted again, and its components be outside it for a moment.
"""

from claims import for_all
from page_reader import Open, path_of, text_box

TYPED = ("   ", "我\u200b爱", "我爱\n我爱")
OF_TEXT = ("sentence seeded", "sentence decoder", "translation", "checkpoint decoder", "rotary")


@for_all("page", OF_TEXT)
def test_a_text_that_is_refused_or_explained_leaves_the_viewer_where_it_was(
    follow_link: Open, page: str
) -> None:
    name, _, model = page.partition(" ")
    at = follow_link(name, lang="en", **({"model": model} if model else {}))
    first = path_of(at.main, "viewer")
    assert first
    found = {}
    for text in TYPED:
        text_box(at).set_value(text).run()
        found[text[:5]] = path_of(at.main, "viewer")
    assert {text: path for text, path in found.items() if path != first} == {}
