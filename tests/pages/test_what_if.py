"""What if on Own model and Sentence; other pages have tests of their own."""

from claims import for_all
from page_reader import Open, component_data, microscope

from core.interventions import parse
from core.models import checkpoint
from core.models.installed import shipped
from views.text import numbers

TEXT = "The cat sat"
PLACES = {  # and whether the model predicts something to compare
    "own model, a decoder": ("checkpoint", {"model": "decoder", "text": TEXT}, True),
    "own model, a photo": ("checkpoint", {"model": "vit"}, False),
    "sentence, a decoder": ("sentence", {"model": "decoder", "text": TEXT, "layer": "2"}, True),
    "sentence, the translator": ("sentence", {"model": "translator", "text": "我爱北京"}, False),
}


@for_all("where", PLACES)
def test_a_head_of_an_opened_model_is_muted_with_a_press_and_its_link_keeps_that(
    where: str, open_page: Open
) -> None:
    page, query, predicts = PLACES[where]
    at = open_page(page, lang="en", **query)
    assert "muted" not in microscope(at).header["stages"]
    at.button(key="change_mute").click().run()
    assert not at.exception and at.query_params["change"].startswith("mute="), where
    again = open_page(page, lang="en", **query, change=at.query_params["change"])
    for one in (at, again):
        shown = microscope(one).header
        assert "muted" in shown["stages"] and "muted." in shown["sheets"]["origin"], where
    assert bool(at.table) == predicts
    if predicts:
        model = checkpoint.open(shipped()["decoder"])
        muted = model.changed(parse(at.query_params["change"]))
        before, after = (one.predict(TEXT) for one in (model, muted))
        first = before.likeliest[0]
        assert at.table[0].value.iloc[0].tolist()[1:3] == [
            numbers.per_cent(float(one.probabilities[first])) for one in (before, after)
        ]
        at.button(key="mute_all").click().run()
        assert any(len(data["bars"]) == 24 for data in component_data(at, "bars"))


def test_a_change_of_another_model_is_named_and_left_out(open_page: Open) -> None:
    at = open_page("sentence", lang="en", model="decoder", text=TEXT, change="mute=9.1")
    assert not at.exception and "muted" not in microscope(at).header["stages"]
    errors = [data for data in component_data(at, "prose") if data["style"] == "error"]
    assert len(errors) == 1
