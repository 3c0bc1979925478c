"""The page "by hand": its examples come out as on paper, and each step opens."""

import json
from itertools import cycle

from by_hand_reader import EXAMPLES, agree
from claims import for_all
from page_reader import Open, microscope, texts, unmarked

PRESETS = ("wo_ai_beijing", "padded", "whole_numbers", "d4_h2")
STEPS = ("X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "head_output", "output")


@for_all("divisor", ["8", "1"])
@for_all("mask", ["none", "causal"])
def test_wo_ai_beijing_is_reckoned_to_the_last_digit(
    open_page: Open, divisor: str, mask: str
) -> None:
    at = open_page("by_hand", lang="zh", divisor=divisor, mask=mask)
    assert not at.exception
    expected = EXAMPLES["wo_ai_beijing"][
        f"divisor_{divisor}_{'no_mask' if mask == 'none' else mask}"
    ]
    arrays = microscope(at).arrays
    for key in ("scores", "weights"):
        agree(arrays[key][0, 0], expected[key])
    agree(arrays["head_output"][0, 0], expected["output"])
    assert ("masked" in microscope(at).header["stages"]) == (mask == "causal")
    rule = json.dumps(microscope(at).header["stages"]["scaled"]["rule"])
    assert str(1 / int(divisor)) in rule  # the browser divides by itself


def test_the_padded_sentence_has_the_numbers_of_the_bare_one(open_page: Open) -> None:
    at = open_page("by_hand", lang="zh", preset="padded")
    arrays = microscope(at).arrays
    expected = EXAMPLES["wo_ai_beijing"]["divisor_8_no_mask"]
    agree(arrays["weights"][0, 0, :3, :3], expected["weights"])
    assert not arrays["weights"][0, 0, :, 3:].any()
    agree(arrays["head_output"][0, 0, :3], expected["output"])
    assert "25.88" in texts(at)


def test_whole_numbers_come_out_as_on_paper(open_page: Open) -> None:
    at = open_page("by_hand", lang="zh", preset="whole_numbers")
    arrays = microscope(at).arrays
    agree(arrays["scores"][0, 0], [[4, 4, 4], [2, 0, 4], [2, 4, 4]])
    agree(arrays["output"][0, :1], [[4, 4, 4, 4]])
    assert "[4, 4, 4]" in texts(at)


def test_two_heads_go_through_concat_and_w_o(open_page: Open) -> None:
    arrays = microscope(open_page("by_hand", lang="zh", preset="d4_h2")).arrays
    for i, head in enumerate(EXAMPLES["d4_h2"]["heads"]):
        for key, name in {
            "scores": "scores",
            "weights": "weights",
            "head_output": "output",
        }.items():
            agree(arrays[key][0, i], head[name])
    agree(arrays["output"][0], EXAMPLES["d4_h2"]["output"])


@for_all(("step", "preset"), zip(STEPS, cycle(PRESETS), strict=False))
def test_every_step_opens_by_hand_or_says_why_it_is_not_there(
    open_page: Open, preset: str, step: str
) -> None:
    at = open_page("by_hand", lang="zh", preset=preset, stage=step, mask="causal")
    assert not at.exception
    said = unmarked(texts(at))
    absent = unmarked(microscope(at).steps[step])
    assert absent in said if absent else microscope(at).chosen["stage"] == step
    assert "没有一个是随机的" in said
    assert "随机给定" not in json.dumps(
        microscope(at).header["words"]["opened"]["given"]["parameter"], ensure_ascii=False
    )


def test_the_explanation_has_the_numbers_of_the_sheet(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    for part in ("3 × 5 = 15", "the weight 0.56", "0.1065·10 + 0.1990·20 + 0.6945·30 = 25.88"):
        assert part in texts(at)
    at = open_page("by_hand", lang="en", mask="causal")
    for part in ("stays 10.00", "0.41 + 0.59 and becomes 15.93", "as without a mask"):
        assert part in texts(at)
    assert "translator" not in texts(at)
    zh = texts(open_page("by_hand", lang="zh"))
    assert "0.1065·10 + 0.1990·20 + 0.6945·30 = 25.88" in zh
    assert "Beijing" in zh


def test_divided_by_one_the_story_does_not_speak_of_a_rest(open_page: Open) -> None:
    said = texts(open_page("by_hand", lang="en", divisor="1"))
    assert "almost nothing is left to share" in said
    assert "keeps who loves it" not in said


@for_all(
    ("query", "sentence"),
    [
        ({}, "我爱北京"),
        ({"preset": "padded"}, "我爱北京"),
        ({"tokens": "Anna Ben Chen Dora"}, "Anna Ben Chen Dora"),
        ({"tokens": "我们 学习 [PAD]"}, "我们学习"),
        ({"tokens": "W_Q *x* 42"}, "W_Q *x* 42"),
        ({"preset": "d4_h2"}, "1 2"),
    ],
)
def test_the_headline_names_the_sentence_that_is_on_the_sheet(
    open_page: Open, query: dict[str, str], sentence: str
) -> None:
    for lang, begins in (("en", "By hand: “"), ("zh", "动手算：一张纸上的“")):
        (title,) = open_page("by_hand", lang=lang, **query).title
        assert unmarked(title.value).startswith(unmarked(f"{begins}{sentence}”"))
