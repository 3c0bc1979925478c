"""Chosen values outlast a change of page, another model and a hidden control."""

import pytest
from page_reader import Open, choose_source, microscope, texts
from streamlit.testing.v1 import AppTest


def goes_to(at: AppTest, page: str) -> AppTest:
    return at.switch_page(f"../pages/see/{page}/page.py").run()


@pytest.mark.parametrize("before", ["sentence", "audio"])
def test_controls_shown_first_on_another_page_have_their_own_first_values(
    open_page: Open, before: str
) -> None:
    at = choose_source(goes_to(open_page(before, lang="en"), "image"), "seeded")
    assert not at.exception
    numbers = {name: at.number_input(key=name).value for name in ("d_model", "heads", "seed")}
    assert numbers == {"d_model": 64, "heads": 4, "seed": 7}
    assert at.slider(key="temperature").value == 1.0
    assert at.session_state["mask"] == "none"
    assert not {"d_model", "heads", "seed", "mask", "temperature"} & set(at.query_params)


def test_the_step_of_an_earlier_page_does_not_come_back(open_page: Open) -> None:
    at = open_page("errata", lang="en")
    assert microscope(at).chosen["stage"] == "weights"
    for page in ("predict", "cross"):  # the former has a control of the name of the step
        at.switch_page(f"../pages/understand/{page}/page.py").run()
    assert [microscope(at.run()).chosen["stage"] for _ in range(3)] == ["scores"] * 3


def test_a_control_of_two_pages_shows_on_each_what_the_page_is_about(open_page: Open) -> None:
    def query(at: AppTest) -> int:
        return next(one.value for one in at.selectbox if str(one.key).startswith("query_"))

    at = open_page("soft_cap", lang="en")
    before = query(at)
    assert before == query(open_page("tiles", lang="en")) > 0
    assert query(at.switch_page("../pages/today/tiles/page.py").run()) == before


def test_what_was_chosen_outlives_the_other_model_on_the_same_page(open_page: Open) -> None:
    at = open_page("image", lang="en", model="seeded", d_model="12", heads="3", cls="0")
    at = choose_source(choose_source(at, "vision"), "seeded")
    assert not at.exception
    assert at.number_input(key="d_model").value == 12
    assert at.number_input(key="heads").value == 3
    assert at.checkbox(key="cls").value is False


def test_teacher_forcing_switched_off_and_on_keeps_what_was_given(open_page: Open) -> None:
    at = open_page("translation", lang="en", forced="1", target="we love Shanghai")
    at.toggle(key="forced").set_value(False).run()
    at.button_group(key="lang").set_value("zh").run()
    assert at.query_params["target"] == "we love Shanghai"
    at.toggle(key="forced").set_value(True).run()
    assert not at.exception
    assert at.text_input(key="target").value == "we love Shanghai"


def test_an_invisible_sign_is_named_and_a_long_list_of_unknown_signs_is_cut(
    open_page: Open,
) -> None:
    at = open_page("translation", lang="en", text="我\u202e爱")
    assert "U+202E" in texts(at)
    signs = [chr(0x1F400 + i) for i in range(60)]
    at = open_page("translation", lang="en", text="我" + "".join(signs))
    assert f"“{signs[0]}”" in texts(at)
    assert f"“{signs[-1]}”" not in texts(at)
