"""The model in PyTorch: the app's own numbers, word embeddings from characters, and dropout."""

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from core.models.stored import Stored
from core.models.translator import Translator
from core.sources.pieces import Pieces
from core.sources.unigram import Unigram

torch = pytest.importorskip("torch")

from training.translator.model import Model, ModelConfig, WordParts, init_weights  # noqa: E402

SIZES = ModelConfig(source=13, target=11, d_model=12, heads=3, layers=2, d_ff=10)
SOURCE = ("[UNK]", "北", "京", "北京", "大", "大北京", *"一二三四五六七")
TARGET = ("[START]", "[END]", *"abcdefghi")


def weights(seed=5):
    """Random numbers everywhere: zeros and ones would hide a bias or a γ."""
    generator = torch.Generator().manual_seed(seed)
    return {
        name: tensor.double() + 0.3 * torch.randn(tensor.shape, generator=generator).double()
        for name, tensor in init_weights(SIZES, seed).items()
    }


def translator(weights):
    """The app's forward pass in float64, with weights as ``training.translator`` stores them."""
    tensors = {name: tensor.numpy() for name, tensor in weights.items()}
    config = {"layers": SIZES.layers, "heads": SIZES.heads, "epsilon": 1e-5}
    pieces = Tokenizer(WordLevel({piece: row for row, piece in enumerate(TARGET)}))
    words = Unigram(SOURCE, (0, *[1] * (len(SOURCE) - 1)), {})
    return Translator(Stored(tensors, config, {}), words, Pieces(pieces))


def test_pytorch_computes_what_the_app_computes():
    found = weights()
    model = Model(SIZES, found, None)
    source, target = torch.tensor([[3, 4, 9, 0]]), torch.tensor([[0, 5, 2, 7, 10]])
    key_mask = torch.ones(1, 4, dtype=torch.bool)
    logits = model.logits(model.decode(model.encode(source, key_mask), key_mask, target))
    given = translator(found).teacher_forced([SOURCE[i] for i in source[0]], target[0, 1:].tolist())
    assert given.probabilities == pytest.approx(logits[0].softmax(-1).numpy(), abs=1e-9)


def test_a_word_is_its_own_vector_and_the_mean_of_its_characters():
    E = torch.randn(13, 4, generator=torch.Generator().manual_seed(2))
    parts = WordParts(SOURCE)
    table = E.numpy()
    expected = {1: table[1], 3: table[3] + (table[1] + table[2]) / 2}
    expected[5] = table[5] + (table[4] + table[1] + table[2]) / 3
    embedded = parts.embedded(E, torch.tensor([[1, 3, 5]]))[0].numpy()
    assert embedded == pytest.approx(np.stack(list(expected.values())), abs=1e-6)
    assert parts.folded(E)[[1, 3, 5]].numpy() == pytest.approx(embedded)
    assert parts.unfolded(parts.folded(E)).numpy() == pytest.approx(table, abs=1e-6)
