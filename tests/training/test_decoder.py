"""The training of the small decoder: its tokens, its batches, its model, and going on."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")
pytest.importorskip("rjieba")
pytest.importorskip("opencc")

from safetensors.torch import save_file  # noqa: E402

from core.models import checkpoint  # noqa: E402
from training.decoder import measure  # noqa: E402
from training.decoder.batches import Vary, batch, epoch  # noqa: E402
from training.decoder.model import E, Sizes, initial, last_vectors, shapes  # noqa: E402
from training.decoder.run import Run, Settings, keep, resumed  # noqa: E402
from training.decoder.vocabulary import BEGIN, END, tokenizer_of  # noqa: E402

LEARNT = (
    "我爱北京。",
    "我爱你。",
    "北京很大。",
    "I love you.",
    "I love Beijing.",
    "You love me.",
) * 3
CUTS = tokenizer_of(LEARNT, 300)
SIZES = Sizes(CUTS.get_vocab_size(), 2, 4, 2, 6, 16, 19, 40)


def weights():
    return {name: one + 0.3 * torch.randn(one.shape) for name, one in initial(SIZES, 3).items()}


def cut(text):
    return [CUTS.decode([i]) for i in CUTS.encode(text, add_special_tokens=False).ids]


def test_every_frequent_character_is_one_token_and_any_text_comes_back():
    assert cut("大你京很") == ["大", "你", "京", "很"]
    assert "北京" in cut("北京很大")
    for text in ("骡子 🐴 naïve", "\t我", "I'm  here"):
        assert CUTS.decode(CUTS.encode(text).ids) == text
    assert CUTS.encode("I").ids[0] == CUTS.token_to_id(BEGIN) == 0
    assert CUTS.token_to_id(END) == 1


def test_what_follows_is_the_row_one_place_on_and_its_end():
    read, following = batch([[5, 6, 7], [8]])
    assert read.tolist() == [[0, 5, 6, 7], [0, 8, 1, 1]]
    assert following.tolist() == [[5, 6, 7, 1], [8, 1, -1, -1]]


def test_an_epoch_has_every_sentence_once_and_no_batch_is_too_large():
    batches = [*epoch(LEARNT, CUTS, Vary(0.0, 0.0), 40, 60, 1)]
    assert all(read.numel() <= 60 for read, _ in batches)
    said = [CUTS.decode(row[row > 1].tolist()) for read, _ in batches for row in read]
    assert sorted(said) == sorted(LEARNT)
    joined = [*epoch(LEARNT, CUTS, Vary(1.0, 0.0), 400, 10**6, 1)]
    assert sum(len(read) for read, _ in joined) == 2  # all Chinese ones, all English ones


@pytest.fixture
def saved(tmp_path):
    made = weights()
    save_file(made, tmp_path / "model.safetensors", {"format": "pt"})
    (tmp_path / "config.json").write_text(json.dumps(SIZES.config), "utf-8")
    CUTS.save(str(tmp_path / "tokenizer.json"))
    return tmp_path, made


def test_the_app_computes_what_pytorch_computes(saved):
    folder, made = saved
    text = "我爱 you. 骡"
    ids = torch.tensor([CUTS.encode(text).ids])
    expected = torch.softmax(last_vectors(made, SIZES, ids)[0, -1] @ made[E].T, -1)
    found = checkpoint.open(folder).predict(text).probabilities
    assert np.abs(found - expected.numpy()).max() < 1e-5


def test_transformers_computes_what_is_trained_here(saved):
    transformers = pytest.importorskip("transformers")
    folder, made = saved
    model = transformers.LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.tensor([CUTS.encode("I love 北京").ids])
    with torch.no_grad():
        theirs = model(ids).logits[0]
    assert (theirs - last_vectors(made, SIZES, ids)[0] @ made[E].T).abs().max() < 1e-4
    assert {*dict(model.named_parameters())} == {*shapes(SIZES)}


def test_perplexity_is_e_to_the_mean_loss_of_a_token_and_of_a_character():
    made, texts = weights(), ["我爱你。", "I love"]
    counts = measure.counted(made, SIZES, CUTS, texts)
    loss, tokens = 0.0, 0
    for text in texts:
        ids = CUTS.encode(text, add_special_tokens=False).ids
        shares = torch.log_softmax(
            last_vectors(made, SIZES, torch.tensor([[0, *ids]]))[0] @ made[E].T, -1
        )
        loss -= sum(shares[i, number].item() for i, number in enumerate([*ids, 1]))
        tokens += len(ids) + 1
    found = measure.perplexity(counts)
    assert found.token == pytest.approx(math.exp(loss / tokens), rel=1e-4)
    assert found.character == pytest.approx(math.exp(loss / (5 + 7)), rel=1e-4)
    assert found.token_low <= found.token <= found.token_high


def test_a_run_that_was_cut_off_goes_on_as_if_it_had_not_been(tmp_path):
    settings = replace(Settings(), rate=0.01, warm_up=3, tokens=80, epochs=4)
    straight, cut_off = (Run(SIZES, initial(SIZES, 3), settings) for _ in range(2))
    losses = [straight.learn(LEARNT, CUTS) for _ in range(4)]
    assert losses[-1] < losses[0]
    for _ in range(2):
        cut_off.learn(LEARNT, CUTS)
    keep(cut_off, tmp_path, 9.0)
    again = resumed(tmp_path, settings)
    for _ in range(2):
        again.learn(LEARNT, CUTS)
    assert (again.step, again.epochs, again.best) == (straight.step, 4, 9.0)
    assert all(torch.equal(one, again.mean[name]) for name, one in straight.mean.items())
