"""The chosen part of a model: from a link, and from the boxes of the map."""

import pytest
from blob_reader import unpacked
from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st

    from core.models import translator
    from core.nested import subtrace
    from views import link
    from views.preferences import words
    from views.scene.steps import first_step, steps_of
    from views.selection import chosen_stage
    from views.widgets.model_map import chosen_part

    link.begin("sentence")
    model = translator.load()
    sentence = model.tokenize("我爱北京")
    alone = st.checkbox("alone", on_change=link.mark_user_action)
    pieces = model.encode_target("I love Beijing")
    trace = model.encoder(sentence) if alone else model.teacher_forced(sentence, pieces).trace
    path = chosen_part(trace, "encoder/1/self", words())
    part = subtrace(trace, path)
    stage, _ = chosen_stage(part, steps_of(part), first_step(part))
    st.session_state["shown"] = path, stage
    st.session_state["nonsense"] = link.end()


@pytest.fixture
def opened():
    def open_with(**query):
        at = AppTest.from_function(page, default_timeout=30)
        for name, text in query.items():
            at.query_params[name] = text
        at.run()
        assert not at.exception
        return at

    return open_with


def drawn(at):
    (blob,) = (
        element.proto.bytes
        for element in at.get("bidi_component")
        if element.proto.component_name == "model_map"
    )
    return unpacked(blob)


def test_the_initial_part_is_the_given_one(opened):
    at = opened()
    assert at.session_state["shown"] == ("encoder/1/self", "weights")
    assert drawn(at)[0]["chosen"] == "encoder/1/self"


def test_a_link_opens_a_part_at_its_step(opened):
    at = opened(part="decoder/1/cross", stage="scores")
    assert at.session_state["shown"] == ("decoder/1/cross", "scores")
    assert at.session_state["nonsense"] == {}


def test_a_step_that_a_part_does_not_have_is_replaced_by_the_parts_first(opened):
    at = opened(part="decoder/1/feed_forward", stage="hidden")
    at.session_state["part"] = "encoder/1/self"
    at.run()
    assert at.session_state["shown"] == ("encoder/1/self", "weights")


def test_an_unknown_part_is_reported_and_the_first_one_shown(opened):
    at = opened(part="decoder/97/cross")
    assert at.session_state["shown"] == ("encoder/1/self", "weights")
    assert at.session_state["nonsense"] == {"part": "decoder/97/cross"}


def test_a_model_without_the_chosen_part_shows_the_first_one(opened):
    at = opened(part="decoder/1/cross")
    at.checkbox[0].check().run()
    assert not at.exception
    assert at.session_state["shown"] == ("encoder/1/self", "weights")


def test_the_map_shows_the_users_words_at_the_inputs(opened):
    header, arrays = drawn(opened())
    does = {box["path"]: box["does"] for box in header["boxes"]}
    assert does["source"] == "我 爱 北京"
    assert does["target"].endswith(" I love Beijing")
    assert not [text for text in does.values() if "{" in text or not text]
    assert arrays["decoder/1/cross"].shape == (4, 3)
