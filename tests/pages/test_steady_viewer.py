"""What is shown above the stage viewer moves it on the screen, but not in Streamlit's tree.

Streamlit shows what stood at a position of its tree in whatever comes there next, until that is
drawn: a viewer that moved would be made anew, after its components stood outside it for a moment.
"""

from claims import for_all
from page_reader import Open, text_box
from streamlit.testing.v1.element_tree import Block

TYPED = ("   ", "我\u200b爱", "很" * 150, "我爱\n我爱")
OF_TEXT = (
    "sentence seeded", "sentence translator", "sentence decoder", "translation",
    "checkpoint decoder", "rotary", "kv_cache", "latent", "sliding_window", "grouped_query",
    "soft_cap", "tiles",
)  # fmt: skip


def position_of_viewer(block: Block, path: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """Its indices in the tree, from the main part of the page downwards."""
    if str(getattr(block.proto, "id", "")).endswith("-viewer"):
        return path
    parts = [(place, one) for place, one in block.children.items() if isinstance(one, Block)]
    found = (position_of_viewer(one, (*path, place)) for place, one in parts)
    return next(filter(None, found), None)


@for_all("page", OF_TEXT)
def test_a_text_that_is_refused_or_explained_leaves_the_viewer_where_it_was(
    follow_link: Open, page: str
) -> None:
    name, _, model = page.partition(" ")
    at = follow_link(name, lang="en", **({"model": model} if model else {}))
    first = position_of_viewer(at.main)
    assert first
    found = {}
    for text in TYPED:
        text_box(at).set_value(text).run()
        found[text[:5]] = position_of_viewer(at.main)
    assert {text: place for text, place in found.items() if place != first} == {}
