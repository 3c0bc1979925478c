"""Links from before a page was renamed."""

import pytest
from page_reader import Open, drawn

OLD = [  # a page's old name, its name, and what a link to it says
    ("brakes", "soft_cap", {"lang": "en", "brakes": "sink", "sink": "4", "factor": "2"}),
    ("near_and_far", "sliding_window", {"lang": "zh", "window": "2", "sinks": "1"}),
]


@pytest.mark.parametrize(("old", "name", "query"), OLD)
def test_an_old_link_opens_the_page_that_it_meant(
    open_page: Open, old: str, name: str, query: dict[str, str]
) -> None:
    at = open_page(old, **query)
    expected = open_page(name, **query)
    assert not at.exception
    assert drawn(at) == drawn(expected) != drawn(open_page(name, lang=query["lang"]))
    assert at.query_params == expected.query_params
