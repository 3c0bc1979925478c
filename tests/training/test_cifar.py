"""The vision transformer for photos: the app's own numbers, and a training that is resumed."""

import numpy as np
import pytest

from core.models.stored import Stored
from core.models.vision import Vision
from core.sources.picture import values

torch = pytest.importorskip("torch")


from training.cifar.batches import Augmentation  # noqa: E402
from training.cifar.data import Photos  # noqa: E402
from training.cifar.measure import (  # noqa: E402
    evaluate,
    evaluate_rejection,
    predict_logits,
)
from training.cifar.model import ModelConfig, init_weights  # noqa: E402
from training.cifar.run import STATE, Run, Settings, TrainingData, load_checkpoint, save_checkpoint  # noqa: E402

SIZES = ModelConfig(("cat", "dog", "ship"), d_model=12, heads=2, layers=2, d_ff=14, patch=2, side=6)
AS_IT_IS = Augmentation(shift=0, bent=0.0, coloured=0.0)
SETTINGS = Settings(epochs=6, whole=1, mixed=0.2, batch=8, rate=0.01, warm_up=4, vary=AS_IT_IS)


def pixels(count, seed=3):
    return np.random.default_rng(seed).integers(0, 256, (count, 6, 6, 3), dtype=np.uint8)


def weights(seed=5):
    """Random numbers everywhere: zeros and ones would hide a bias or a γ."""
    generator = torch.Generator().manual_seed(seed)
    return {
        name: tensor + 0.3 * torch.randn(tensor.shape, generator=generator)
        for name, tensor in init_weights(SIZES, seed).items()
    }


def training_data():
    """Dark, middling and bright photos; outliers are those in checks."""
    labels = np.arange(27) % 3
    bright = (pixels(27) // 4 + 64 * labels[:, None, None, None]).astype(np.uint8)
    checks = (np.indices((6, 6)).sum(0) % 2)[None, ..., None] * pixels(9, seed=4)
    return TrainingData(*map(torch.from_numpy, (bright, labels, checks.astype(np.uint8))))


def learn(run, epochs, to):
    for _ in range(epochs):
        loss = run.train_epoch(training_data())
        save_checkpoint(run, to, {})
    return loss


def test_pytorch_computes_what_the_app_computes():
    found, photos = weights(), pixels(2)
    config = {"classes": SIZES.classes, "side": 6, "patch": 2}
    config |= {"layers": 2, "heads": 2, "epsilon": SIZES.epsilon}
    app = Vision(Stored({name: one.numpy() for name, one in found.items()}, config, {}))
    expected = app.trace(values(photos))["prediction/logits"].tensor[:, 0]
    assert predict_logits(found, SIZES, photos).numpy() == pytest.approx(expected, abs=1e-4)


def test_a_resumed_run_equals_one_that_was_not_interrupted(tmp_path):
    straight, interrupted = (Run(SIZES, init_weights(SIZES, 3), SETTINGS) for _ in range(2))
    first = learn(straight, 1, tmp_path)
    assert learn(straight, 5, tmp_path) < 0.8 * first
    learn(interrupted, 2, tmp_path)
    stored = load_checkpoint(tmp_path)  # the average weights in float16
    for name, tensor in stored.weights.items():
        assert tensor.detach().numpy() == pytest.approx(interrupted.mean[name].numpy(), abs=2e-3)
    assert (stored.step, stored.epochs, stored.settings) == (6, 2, SETTINGS)
    again = load_checkpoint(tmp_path / STATE)
    learn(again, 4, tmp_path)
    assert (again.step, again.epochs, again.settings) == (18, 6, SETTINGS)
    for name in straight.weights:
        assert torch.equal(again.weights[name], straight.weights[name])
        assert torch.equal(again.mean[name], straight.mean[name])


def test_rejected_outliers_are_counted_by_kind_and_in_all():
    sure = torch.tensor([[4.0, 0.0], [0.0, 3.0], [2.0, 0.0], [0.0, 1.0]])  # the last is wrong
    photos = Photos(np.zeros((4, 1, 1, 3), np.uint8), np.array([0, 1, 0, 0]), ("a", "b"))
    others = {"drawn": torch.tensor([[0.0, 0.5], [9.0, 0.0]]), "noise": torch.tensor([[0.0, 0.2]])}
    found = evaluate_rejection(sure, photos, others)
    assert found["unknown_below"] == pytest.approx(0.7311, abs=1e-4)  # of the least sure one
    assert found["refused"] == {"drawn": 0.5, "noise": 1.0}
    assert found["refused_in_all"] == pytest.approx(2 / 3, abs=1e-4)
    assert evaluate(sure, photos)["accuracy"] == 0.75
    assert evaluate(sure, photos)["by class"] == {"a": 0.6667, "b": 1.0}
