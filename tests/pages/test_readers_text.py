"""Typed text is shown literally everywhere on a page, never as markup."""

from claims import for_all
from page_reader import Open, charts

HOSTILE = "<b>x</b> :red[a] $q$ {n}"
IN_CHARTS = ("grouped_query", "rotary", "kv_cache")  # whose axes name the tokens


@for_all("page", (*IN_CHARTS, "before", "break_it", "masks", "order", "around"))
def test_a_text_that_looks_like_markup_is_shown_as_it_is(open_page: Open, page: str) -> None:
    at = open_page(page, lang="en", text=HOSTILE)
    assert not at.exception
    drawn = [element.value for element in (*at.markdown, *at.caption)]
    drawn += [str(cell) for table in at.table for name in table.value for cell in table.value[name]]
    assert not [text for text in drawn if "<b" in text or ":red[a" in text or "$q" in text]
    labels = [
        label
        for chart in charts(at)
        for axis in chart["layout"].values()
        if isinstance(axis, dict)
        for label in axis.get("ticktext", ())
    ]
    assert any("&lt;" in label for label in labels) or page not in IN_CHARTS
    assert not [label for label in labels if "<" in label.removeprefix("<i>").removesuffix("</i>")]
