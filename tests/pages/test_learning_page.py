"""The page on learning: a step is a press, the loss falls, and the check can be broken."""

from claims import for_all
from page_reader import Open, microscope, texts


def test_a_press_is_a_step_down_the_loss_and_in_the_link(open_page: Open) -> None:
    at = open_page("learning", lang="zh")
    assert not at.exception
    before = microscope(at).arrays["loss"].mean()
    at.button(key="step_one").click().run()
    assert at.query_params["steps"] == "1"
    at.button(key="step_ten").click().run()
    assert at.query_params["steps"] == "11"
    assert microscope(at).arrays["loss"].mean() < before / 1.5
    at.button(key="step_start").click().run()
    assert microscope(at).arrays["loss"].mean() == before
    assert not at.exception


@for_all(
    ("query", "says"),
    [
        ({}, "the gradient is what it claims to be"),
        ({"mistake": "no_root"}, "the gradient is wrong"),
        ({"mistake": "no_average", "matrix": "W_K", "number": "5"}, "the gradient is wrong"),
        ({"mistake": "no_root", "matrix": "W_P"}, "this number is not behind it"),
        ({"power": "1"}, "is too large"),
        ({"power": "12"}, "too alike"),
        ({"steps": "60"}, "Attention has found out"),
        ({"rate": "1.0", "steps": "60", "seed": "3"}, "Here learning ends"),
    ],
)
def test_the_page_says_what_its_numbers_say(
    open_page: Open, query: dict[str, str], says: str
) -> None:
    assert says in texts(open_page("learning", lang="en", **query))
