"""The hand-aligned sentences are the model's own, and a head is measured as stated."""

import numpy as np

from core.models import translator
from training.translator import alignment


def test_the_model_writes_the_english_that_was_aligned_as_its_own() -> None:
    model = translator.load()
    own, given = alignment.read(alignment.OWN), alignment.read()
    assert [pair.source for pair in own] == [pair.source for pair in given]
    wrong = [
        pair.target
        for pair in own[::8]
        if model.decode(model.translate(pair.source).pieces) != pair.target
    ]
    assert not wrong


def test_a_head_finds_a_word_whose_largest_weight_is_on_its_chinese_word() -> None:
    model = translator.load()
    [pair] = [one for one in alignment.read(alignment.OWN) if one.source == "我丈夫从来不吃鱼。"]
    tokens, pieces = model.tokenize(pair.source), model.encode_target(pair.target)
    trace = model.teacher_forced(tokens, pieces).trace
    English = ("My", "husband", "never", "eats", "fish")
    Chinese = ("我", "丈夫", "从来不", "吃", "鱼")
    for layer in range(model.layers):
        weights = np.asarray(trace[f"decoder/{layer + 1}/cross/weights"].tensor[0])
        for head in range(model.heads):
            found = 0
            for word, key in zip(English, Chinese, strict=True):
                rows = [i for i, p in enumerate(pieces) if model.decode([p]).strip() == word]
                best = max(range(len(tokens)), key=lambda j: sum(weights[head, i, j] for i in rows))
                found += tokens[best] == key
            shares, words = alignment.found_by_head(model, [pair])
            assert (words, shares[layer, head]) == (5, found / 5), (layer, head)
