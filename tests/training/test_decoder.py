"""The training of the small decoder: tokenizer, batches, model, and resuming."""

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
from training.decoder.batches import collate  # noqa: E402
from training.decoder.model import E, ModelConfig, hidden_states, init_weights, parameter_shapes  # noqa: E402
from training.decoder.run import Run, Settings, load_checkpoint, save_checkpoint  # noqa: E402
from training.decoder.ship import DESTINATION, PROMPTS, complete  # noqa: E402
from training.decoder.vocabulary import BEGIN, END, train_tokenizer  # noqa: E402

SENTENCES = (
    "我爱北京。",
    "我爱你。",
    "北京很大。",
    "I love you.",
    "I love Beijing.",
    "You love me.",
) * 3
TOKENIZER = train_tokenizer(SENTENCES, 300)
SIZES = ModelConfig(TOKENIZER.get_vocab_size(), 2, 4, 2, 6, 16, 19, 40)


def weights():
    return {
        name: one + 0.3 * torch.randn(one.shape) for name, one in init_weights(SIZES, 3).items()
    }


def tokens(text):
    return [TOKENIZER.decode([i]) for i in TOKENIZER.encode(text, add_special_tokens=False).ids]


def test_every_frequent_character_is_one_token_and_any_text_comes_back():
    assert tokens("大你京很") == ["大", "你", "京", "很"]
    assert "北京" in tokens("北京很大")
    for text in ("骡子 🐴 naïve", "\t我", "I'm  here"):
        assert TOKENIZER.decode(TOKENIZER.encode(text).ids) == text
    assert TOKENIZER.encode("I").ids[0] == TOKENIZER.token_to_id(BEGIN) == 0
    assert TOKENIZER.token_to_id(END) == 1


def test_labels_are_the_next_tokens_and_the_end():
    input_ids, labels = collate([[5, 6, 7], [8]])
    assert input_ids.tolist() == [[0, 5, 6, 7], [0, 8, 1, 1]]
    assert labels.tolist() == [[5, 6, 7, 1], [8, 1, -1, -1]]


@pytest.fixture
def saved(tmp_path):
    state = weights()
    save_file(state, tmp_path / "model.safetensors", {"format": "pt"})
    (tmp_path / "config.json").write_text(json.dumps(SIZES.config), "utf-8")
    TOKENIZER.save(str(tmp_path / "tokenizer.json"))
    return tmp_path, state


def test_the_shipped_decoder_has_its_sizes_and_continues_as_its_card_prints():
    run, config = (
        json.loads((DESTINATION / name).read_text("utf-8")) for name in ("run.json", "config.json")
    )
    assert config == ModelConfig(**run["sizes"]).config
    assert run["samples"] == {prompt: complete(DESTINATION, prompt) for prompt in PROMPTS}


def test_the_app_computes_what_pytorch_computes(saved):
    folder, state = saved
    text = "我爱 you. 骡"
    ids = torch.tensor([TOKENIZER.encode(text).ids])
    expected = torch.softmax(hidden_states(state, SIZES, ids)[0, -1] @ state[E].T, -1)
    found = checkpoint.open(folder).predict(text).probabilities
    assert np.abs(found - expected.numpy()).max() < 1e-5


def test_transformers_computes_what_is_trained_here(saved):
    transformers = pytest.importorskip("transformers")
    folder, state = saved
    model = transformers.LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.tensor([TOKENIZER.encode("I love 北京").ids])
    with torch.no_grad():
        expected = model(ids).logits[0]
    assert (expected - hidden_states(state, SIZES, ids)[0] @ state[E].T).abs().max() < 1e-4
    assert {*dict(model.named_parameters())} == {*parameter_shapes(SIZES)}


def test_perplexity_is_e_to_the_mean_loss_of_a_token_and_of_a_character():
    state, texts = weights(), ["我爱你。", "I love"]
    losses = measure.evaluate(state, SIZES, TOKENIZER, texts)
    loss, tokens = 0.0, 0
    for text in texts:
        ids = TOKENIZER.encode(text, add_special_tokens=False).ids
        shares = torch.log_softmax(
            hidden_states(state, SIZES, torch.tensor([[0, *ids]]))[0] @ state[E].T, -1
        )
        loss -= sum(shares[i, number].item() for i, number in enumerate([*ids, 1]))
        tokens += len(ids) + 1
    found = measure.perplexity(losses)
    assert found.token == pytest.approx(math.exp(loss / tokens), rel=1e-4)
    assert found.character == pytest.approx(math.exp(loss / (5 + 7)), rel=1e-4)
    assert found.token_low <= found.token <= found.token_high


def test_a_resumed_run_equals_one_that_was_not_interrupted(tmp_path):
    settings = replace(Settings(), rate=0.01, warm_up=3, tokens=80, epochs=4)
    straight, interrupted = (Run(SIZES, init_weights(SIZES, 3), settings) for _ in range(2))
    losses = [straight.train_epoch(SENTENCES, TOKENIZER) for _ in range(4)]
    assert losses[-1] < losses[0]
    for _ in range(2):
        interrupted.train_epoch(SENTENCES, TOKENIZER)
    save_checkpoint(interrupted, tmp_path, 9.0)
    again = load_checkpoint(tmp_path, settings)
    for _ in range(2):
        again.train_epoch(SENTENCES, TOKENIZER)
    assert (again.step, again.epochs, again.best) == (straight.step, 4, 9.0)
    assert all(torch.equal(one, again.mean[name]) for name, one in straight.mean.items())
