import numpy as np
from decoder_reader import cells, counts, maps
from page_reader import Open, charts, microscope, texts, unmarked


def test_a_step_computes_one_row_and_reads_all_other_keys_and_values(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="3", of_head="2")
    assert not at.exception
    without, with_cache = maps(at, 0).tolist()
    assert without == [[2] * 11] * 3
    assert with_cache == [[0] * 10 + [2], [1] * 10 + [2], [1] * 10 + [2]]
    every, last = maps(at, 1)
    assert np.isnan(last[:10]).all()
    np.testing.assert_allclose(last[10], every[10], atol=1e-5)
    np.testing.assert_allclose(np.nansum(every, axis=1), 1, rtol=1e-5)
    assert "␣storm" in texts(at)


def test_prefill_computes_all_tokens_as_without_a_cache(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="0")
    first, second = maps(at, 0).tolist()
    assert first == second == [[2] * 8] * 3
    without, with_cache = (line["y"] for line in charts(at)[2]["data"])
    assert without[0] == with_cache[0]
    assert without == sorted(without)
    assert max(with_cache[1:]) < with_cache[0] / 7
    assert "all 8 tokens of the text pass at once" in texts(at)


def test_the_button_generates_until_the_decoder_ends_its_text(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="0")
    for step in range(1, 5):
        at.button(key="write").click().run()
        assert not at.exception
        assert at.query_params.get("step", "2") == str(step)
    assert at.button(key="write").disabled
    assert "ends its text" in texts(at)


def test_the_microscope_starts_at_the_cache_which_prefill_does_not_have(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en")
    shown = microscope(at)
    assert shown.chosen["stage"] == "present_K"
    assert shown.label("present_K", "key") == "␣cat"
    at.button_group(key="step").set_value(0).run()
    assert not at.exception
    stages = microscope(at).header["stages"]
    assert microscope(at).chosen["stage"] in stages
    assert "present_K" not in stages


def test_each_fault_breaks_its_invariants(open_page: Open) -> None:
    found = {}
    at = open_page("kv_cache", lang="en", fault="none")
    for fault in ("none", "rotated_twice", "repeated", "cached_q"):
        at.button_group(key="fault").set_value(fault).run()
        assert not at.exception
        _, expected, actual, verdict = cells(at, 0).T
        found[fault] = [word == "holds" for word in verdict]
        ((size, actual_size),) = zip(counts(expected[1:2]), counts(actual[1:2]), strict=True)
        assert size == 2 * 6 * 2 * 48
        assert actual_size == size * (1 + (fault in ("repeated", "cached_q")))
        assert actual[2] == ("12" if fault == "cached_q" else "1")
        steps, generated, with_cache, _ = cells(at, 1).T
        assert generated[:3].tolist() == ["␣of", "␣the", "␣storm"]
        assert (generated.tolist() != with_cache.tolist()) == (fault == "rotated_twice")
        assert len(steps) == 5
    assert found == {
        "none": [True, True, True],
        "rotated_twice": [False, True, True],
        "repeated": [True, False, True],
        "cached_q": [True, False, False],
    }


def test_pages_are_shared_with_another_reader_and_few_bits_are_measured(open_page: Open) -> None:
    at = open_page("kv_cache", lang="en", step="2")
    memory, bits = (charts(at)[i]["data"] for i in (3, 4))
    assert memory[0]["z"] == [[1] * 4, [1] * 4, [2, 2, 0, 0], [3, 0, 0, 0]]
    assert memory[0]["text"][2][:2] == ["␣of", "␣the"] and memory[0]["text"][3][0] != "␣of"
    assert "these two take 16 places, of which 5 are empty" in unmarked(texts(at))
    by_token, by_channel = (line["y"] for line in bits)
    assert by_token == sorted(by_token) and by_channel[-1] < by_token[-1] / 2
    # as on the page of windows: 131 072 rows, of each only the keys up to its own
    assert "68 000 times" in unmarked(texts(at)).replace("\u202f", " ").replace("\xa0", " ")
