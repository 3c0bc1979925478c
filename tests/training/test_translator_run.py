"""Resuming a training, what is stored of it, and beam search."""

import math
from dataclasses import replace
from itertools import product

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")
pytest.importorskip("sacrebleu")

from core.sources.unigram import Unigram  # noqa: E402
from training.translator import measure  # noqa: E402
from training.translator.batches import Encoded, collate  # noqa: E402
from training.translator.measure import beam_search  # noqa: E402
from training.translator.model import Model, ModelConfig, WordParts, init_weights  # noqa: E402
from training.translator.run import (  # noqa: E402
    STATE,
    Run,
    Settings,
    average_checkpoints,
    load_checkpoint,
    save_checkpoint,
    to_stored,
)

TOKENS = ("[UNK]", "北", "京", "北京", "爱", "我", "骡")
WORDS = Unigram(TOKENS, (0, 2, 1, 5, 4, 9, 0), {})
SIZES = ModelConfig(source=7, target=6, d_model=8, heads=2, layers=1, d_ff=6)
SETTINGS = Settings(rate=0.02, warm_up=5, tokens=60, kept=2, precision="float32")
PAIRS = [Encoded(("我", "爱", "北京"), (3, 4, 5)), Encoded(("北", "爱", "我"), (5, 4, 3))] * 9


def new_run():
    return Run(SIZES, init_weights(SIZES, 3), SETTINGS)


def learn(run, epochs, to):
    for _ in range(epochs):
        loss = run.train_epoch(PAIRS, WORDS, WordParts(TOKENS))
        save_checkpoint(run, to)
    return loss


def test_a_resumed_run_equals_one_that_was_not_interrupted(tmp_path):
    straight, interrupted = new_run(), new_run()
    learn(straight, 4, tmp_path)
    learn(interrupted, 2, tmp_path)
    again = load_checkpoint(tmp_path / STATE, SETTINGS)
    learn(again, 2, tmp_path)
    assert (again.step, again.epochs) == (straight.step, straight.epochs)
    assert all(torch.equal(again.weights[name], one) for name, one in straight.weights.items())


def test_only_the_last_checkpoints_stay_and_are_averaged(tmp_path):
    run = new_run()
    learn(run, 3, tmp_path)
    paths = sorted(path.name for path in tmp_path.glob("epoch-*.pt"))
    assert paths == ["epoch-2.pt", "epoch-3.pt"]
    first, second = (torch.load(tmp_path / path)["prediction/b"] for path in paths)
    for count, expected in ((1, second), (2, (first + second) / 2)):
        assert torch.allclose(average_checkpoints(run, tmp_path, count)["prediction/b"], expected)


def test_a_character_that_never_occurred_is_stored_as_unknown():
    E = init_weights(SIZES, 3)
    found = to_stored(E, WORDS, WordParts(TOKENS))["source/E"]
    assert torch.equal(found[6], found[0])
    assert not torch.equal(found[2], found[0])
    assert torch.equal(found[3], (E["source/E"][3] + E["source/E"][1:3].mean(0)).half())


def searched(monkeypatch):
    """A model so small that every sentence of up to three pieces can be scored."""
    monkeypatch.setattr(measure, "LONGEST", 4)
    weights = {name: 3 * tensor for name, tensor in init_weights(SIZES, 8).items()}
    model = Model(SIZES, weights, None)
    key_mask = torch.ones(2, 3, dtype=torch.bool)
    return model, model.encode(torch.tensor([[5, 4, 3], [1, 2, 6]]), key_mask), key_mask


def score(model, memory, key_mask, i, pieces):
    target = torch.tensor([[0, *pieces]])
    log_p = model.logits(model.decode(memory[i : i + 1], key_mask[i : i + 1], target)).log_softmax(
        -1
    )
    labels = [*pieces, 1]
    total = sum(log_p[0, t, piece].item() for t, piece in enumerate(labels))
    return total / len(labels) ** measure.PENALTY


def test_a_wide_beam_finds_the_best_of_all_sentences(monkeypatch):
    model, memory, key_mask = searched(monkeypatch)
    pieces = (0, 2, 3, 4, 5)
    every = [list(one) for n in range(4) for one in product(pieces, repeat=n)]
    with torch.no_grad():
        found = beam_search(model, memory, key_mask, 125)
        for i, sentence in enumerate(found):
            best = max(every, key=lambda one: score(model, memory, key_mask, i, one))
            assert sentence == best


def test_the_alignment_loss_is_that_of_plain_loops_and_teaches_the_head():
    settings = replace(SETTINGS, aligned=1.0, aligned_head=(0, 1))
    run = Run(SIZES, init_weights(SIZES, 3), settings)
    aligned = [Encoded(("我", "爱", "北京"), (3, 4, 5), ((2,), (), (0, 1)))] * 9
    batch = collate([[5, 4, 3], [1, 2]], [[3, 4, 5], [4]], [((2,), (), (0, 1)), ((1,),)])

    @torch.no_grad()
    def loss():
        model = Model(SIZES, run.weights, WordParts(TOKENS))
        memory = model.encode(batch.source, batch.key_mask)
        model.decode(memory, batch.key_mask, batch.target)
        d_k = SIZES.d_model // SIZES.heads
        W_Q, W_K = (run.weights[f"decoder/1/cross/W_{name}"][:, d_k:] for name in "QK")
        total = 0.0
        for row, label, keys in ((0, 0, (2,)), (0, 2, (0, 1)), (1, 0, (1,))):
            q = model.cross_inputs[0][row, label] @ W_Q
            n = int(batch.key_mask[row].sum())
            scores = [float(q @ (memory[row, key] @ W_K)) / math.sqrt(d_k) for key in range(n)]
            norm = math.log(sum(math.exp(score) for score in scores))
            total -= sum((scores[key] - norm) / len(keys) for key in keys)
        return float(run._alignment_loss(model, memory, batch)), total / 3

    found, expected = loss()
    assert found == pytest.approx(expected, abs=1e-5)
    for _ in range(60):
        run.train_epoch(aligned, WORDS, WordParts(TOKENS))
    assert loss()[0] < 0.8 * found
