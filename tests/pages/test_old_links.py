"""Links from before a page or a parameter was renamed."""

import pytest
from page_reader import Open, drawn

SINK = {"lang": "en", "sink": "4", "factor": "2"}
WINDOW = {"lang": "zh", "window": "2", "sinks": "1"}


@pytest.mark.parametrize(
    ("old", "old_query", "name", "query"),
    [
        ("brakes", SINK | {"brakes": "sink"}, "soft_cap", SINK | {"limits": "sink"}),
        ("near_and_far", WINDOW, "sliding_window", WINDOW),
    ],
)
def test_an_old_link_opens_the_page_that_it_meant(
    open_page: Open, old: str, old_query: dict[str, str], name: str, query: dict[str, str]
) -> None:
    at, renamed = open_page(old, **old_query), open_page(name, **old_query)
    assert not at.exception
    expected = drawn(open_page(name, **query))
    assert drawn(at) == drawn(renamed) == expected != drawn(open_page(name, lang=query["lang"]))
    assert at.query_params == renamed.query_params


def test_the_first_action_writes_the_parameters_present_name(open_page: Open) -> None:
    at = open_page("soft_cap", brakes="sink")
    at.select_slider(key="factor").set_value(8.0).run()
    assert at.query_params["limits"] == "sink"
    assert "brakes" not in at.query_params
