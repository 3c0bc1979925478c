import re

import numpy as np
from page_reader import Open, charts, microscope, texts, unmarked
from streamlit.testing.v1 import AppTest


def tables(at: AppTest, chart: int) -> list[np.ndarray]:
    return [np.array(table["z"], float) for table in charts(at)[chart]["data"]]


def columns(at: AppTest, number: int) -> list[list[str]]:
    """The columns of a table, without the marks of Markdown."""
    return [[re.sub(r"[\\*]", "", str(cell)) for cell in one] for one in _columns(at, number)]


def _columns(at: AppTest, number: int) -> list[list[str]]:
    value = at.table[number].value
    return [list(value[name]) for name in value]


def count(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def test_a_step_computes_one_row_and_reads_all_other_keys_and_values(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="3", of_head="2")
    assert not at.exception
    without, behind = tables(at, 0)
    assert without.tolist() == [[2] * 11] * 3
    assert behind.tolist() == [[0] * 10 + [2], [1] * 10 + [2], [1] * 10 + [2]]
    every, last = tables(at, 1)
    assert np.isnan(last[:10]).all()
    np.testing.assert_allclose(last[10], every[10], atol=1e-5)
    np.testing.assert_allclose(np.nansum(every, axis=1), 1, rtol=1e-5)
    assert "␣storm" in texts(at)


def test_prefill_passes_all_tokens_and_is_as_dear_as_without_a_cache(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="0")
    first, second = tables(at, 0)
    assert first.tolist() == second.tolist() == [[2] * 8] * 3
    without, behind = (line["y"] for line in charts(at)[2]["data"])
    assert without[0] == behind[0]
    assert without == sorted(without)
    assert max(behind[1:]) < behind[0] / 7
    assert "all 8 tokens of the text pass at once" in texts(at)


def test_the_button_writes_until_the_decoder_ends_its_text(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="0")
    for step in range(1, 5):
        at.button(key="write").click().run()
        assert not at.exception
        assert at.query_params.get("step", "2") == str(step)
    assert at.button(key="write").disabled
    assert "ends its text" in texts(at)


def test_the_microscope_begins_in_the_cache_and_follows_to_prefill(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en")
    shown = microscope(at)
    assert shown.chosen["stage"] == "present_K"
    assert shown.label("present_K", "key") == "␣cat"
    at.button_group(key="step").set_value(0).run()
    assert not at.exception
    assert microscope(at).chosen["stage"] in microscope(at).header["stages"]
    assert "present_K" not in microscope(at).header["stages"]


def test_each_fault_breaks_what_catches_it(open_page: Open) -> None:
    found = {}
    at = open_page("kv_cache", lang="en", fault="none")
    for fault in ("none", "rotated_twice", "repeated", "cached_q"):
        at.button_group(key="fault").set_value(fault).run()
        assert not at.exception
        _, expected, is_there, verdict = columns(at, 0)
        found[fault] = [word == "holds" for word in verdict]
        assert count(expected[1]) == 2 * 6 * 2 * 48
        doubled = fault in ("repeated", "cached_q")
        assert count(is_there[1]) == count(expected[1]) * (1 + doubled)
        assert is_there[2] == ("12" if fault == "cached_q" else "1")
        step, own, cached_writes, apart = columns(at, 1)
        assert own[:3] == ["␣of", "␣the", "␣storm"]
        assert (own != cached_writes) == (fault == "rotated_twice")
        assert len(step) == len(apart) == 5
    assert found == {
        "none": [True, True, True],
        "rotated_twice": [False, True, True],
        "repeated": [True, False, True],
        "cached_q": [True, False, False],
    }


def test_the_named_model_keeps_keys_and_values_alone(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en")
    _, needed, size = columns(at, 2)
    assert needed == ["yes", "no", "no"]
    assert size == ["17.2 GB", "34.4 GB", "35184.4 GB"]
    said = unmarked("\n".join(caption.value for caption in at.caption))
    assert "Llama 3.1 8B: 32 layers" in said


def test_another_text_is_continued(open_page: Open) -> None:
    at = open_page("kv_cache", lang="zh", text="我爱", step="1")
    assert charts(at)[1]["layout"]["yaxis"]["ticktext"][1:] == ["我", "爱", "你"]
    at.text_input(key="text").set_value("我爱北京").run()
    assert charts(at)[1]["layout"]["yaxis"]["ticktext"][1:5] == ["我", "爱", "北", "京"]
