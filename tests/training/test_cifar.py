"""The vision transformer for photos: the app's own numbers, and a training that is resumed."""

from dataclasses import replace

import numpy as np
import pytest

from core.models.stored import Stored
from core.models.vision import Vision
from core.sources.picture import values

torch = pytest.importorskip("torch")

from torch.nn.functional import one_hot  # noqa: E402

from training.cifar.batches import Augmentation, augment, epoch_batches, kept_patches, mix  # noqa: E402
from training.cifar.data import Photos  # noqa: E402
from training.cifar.measure import (  # noqa: E402
    confidence,
    evaluate,
    evaluate_rejection,
    predict_logits,
    threshold,
)
from training.cifar.model import ModelConfig, forward, init_weights, patches  # noqa: E402
from training.cifar.run import STATE, Run, Settings, TrainingData, load_checkpoint, save_checkpoint  # noqa: E402
from training.cifar.teacher import Teacher, load_teacher, predict  # noqa: E402

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


def test_attention_is_initialised_near_a_multiple_of_the_identity():
    found = init_weights(ModelConfig(("cat", "dog"), layers=1), 1)
    Q, K, V, O = (found[f"encoder/1/self/W_{name}"] for name in "QKVO")  # noqa: E741
    for head in range(4):
        part = slice(32 * head, 32 * head + 32)
        product = Q[:, part] @ K[:, part].T
        assert torch.linalg.matrix_rank(product) == 32
        assert product.trace() / 128 == pytest.approx(0.35, abs=0.1)
    assert (V @ O).trace() / 128 == pytest.approx(-0.4, abs=0.02)
    apart = V @ O + 0.4 * torch.eye(128)
    assert (apart * 128**0.5).std() == pytest.approx(0.4, abs=0.02)


def test_a_dropped_patch_changes_nothing_and_the_others_keep_their_positions():
    flat = patches(torch.from_numpy(values(pixels(2))), SIZES)
    some = torch.tensor([[8, 0, 3, 5], [1, 2, 7, 4]])
    once = forward(weights(), SIZES, flat, some)
    changed = flat.clone()
    changed[0, [1, 2, 4, 6, 7]] += 1
    changed[1, [0, 3, 5, 6, 8]] += 1
    assert torch.equal(forward(weights(), SIZES, changed, some), once)
    moved = forward(weights(), SIZES, flat, some.flip(1))
    assert moved.numpy() == pytest.approx(once.numpy(), abs=1e-5)
    assert (forward(weights(), SIZES, flat) - once).abs().max() > 0.01


def test_patch_dropout_keeps_different_random_patches_of_each_photo():
    found = kept_patches(11, 9, 0.5, torch.Generator().manual_seed(1))
    assert found.shape == (11, 4)
    assert all(len(set(row)) == 4 for row in found.tolist())
    assert len({frozenset(row) for row in found.tolist()}) > 5


def test_a_mixed_photo_has_the_target_of_its_mixed_pixels():
    number = 400
    white = (torch.arange(number) % 2).float()  # every second photo is white, the others black
    images = white.view(-1, 1, 1, 1).expand(-1, 8, 8, 3)
    targets = torch.stack((1 - white, white), 1)
    mixed, found = mix(images, targets, 0.5, torch.Generator().manual_seed(1))
    assert torch.allclose(found[:, 1], mixed.mean((1, 2, 3)), atol=1e-6)
    assert torch.allclose(found.sum(1), torch.ones(number))
    kinds = {"same": 0, "CutMix": 0, "mixup": 0}
    for before, after in zip(images[..., 0], mixed[..., 0], strict=True):
        changed = after != before
        if not changed.any():
            kinds["same"] += 1
        elif changed.all() and 0 < after[0, 0] < 1:
            kinds["mixup"] += 1
            assert torch.all(after == after[0, 0])
        else:
            kinds["CutMix"] += 1
            assert set(after.unique().tolist()) <= {0.0, 1.0}
            square = changed.any(1)[:, None] & changed.any(0)
            assert torch.equal(changed, square)
    assert kinds["same"] > 0.4 * number  # also squares that meet no pixel
    assert min(kinds["CutMix"], kinds["mixup"]) > 0.15 * number
    kept, same = mix(images, targets, 0.0, torch.Generator().manual_seed(1))
    assert torch.equal(kept, images)
    assert torch.equal(same, targets)


def test_an_epoch_reads_each_photo_once_and_a_seed_repeats_it():
    rows = [
        torch.cat([some for some, _ in epoch_batches(27, 8, seed)]).tolist() for seed in (1, 1, 2)
    ]
    assert len(set(rows[0])) == len(rows[0]) == 24
    assert rows[0] == rows[1] != rows[2]


def test_a_photo_is_mirrored_or_moved_by_whole_pixels():
    photos = pixels(40)
    image = values(photos)
    mirrored = image[:, :, ::-1]
    found = augment(torch.from_numpy(photos), AS_IT_IS, torch.Generator().manual_seed(1)).numpy()
    turned = [np.allclose(found[i], mirrored[i], atol=1e-5) for i in range(40)]
    assert 10 < sum(turned) < 30
    expected = np.where(np.array(turned)[:, None, None, None], mirrored, image)
    assert found == pytest.approx(expected, abs=1e-5)
    moves = Augmentation(shift=1, bent=0.0, coloured=0.0)
    found = augment(torch.from_numpy(photos), moves, torch.Generator().manual_seed(1)).numpy()
    grey = [np.pad(one, ((1, 1), (1, 1), (0, 0))) for one in expected]
    windows = [[one[y : y + 6, x : x + 6] for y in range(3) for x in range(3)] for one in grey]
    which = [
        [np.allclose(found[i], one, atol=1e-5) for one in nine] for i, nine in enumerate(windows)
    ]
    assert [sum(nine) for nine in which] == [1] * 40
    assert np.array(which).any(0).all()


def test_a_resumed_run_equals_one_that_was_not_interrupted(tmp_path):
    straight, cut_off = (Run(SIZES, init_weights(SIZES, 3), SETTINGS) for _ in range(2))
    first = learn(straight, 1, tmp_path)
    assert learn(straight, 5, tmp_path) < 0.8 * first
    learn(cut_off, 2, tmp_path)
    again = load_checkpoint(tmp_path / STATE)
    learn(again, 4, tmp_path)
    assert (again.step, again.epochs, again.settings) == (18, 6, SETTINGS)
    for name in straight.weights:
        assert torch.equal(again.weights[name], straight.weights[name])
        assert torch.equal(again.mean[name], straight.mean[name])


def test_a_run_from_stored_weights_warms_up_again(tmp_path):
    run = Run(SIZES, init_weights(SIZES, 3), SETTINGS)
    learn(run, 3, tmp_path)
    again = load_checkpoint(tmp_path)
    for name, one in again.weights.items():
        assert one.detach().numpy() == pytest.approx(run.mean[name].numpy(), abs=2e-3)
    assert (again.step, again.epochs, again.settings) == (9, 3, SETTINGS)
    again.step += 1  # of 9 that are left: (1 + cos 20°) / 2
    assert again.rate(18) == pytest.approx(run.settings.rate * 0.96985 / 300, rel=1e-4)


def test_the_rate_rises_in_a_line_and_falls_with_a_cosine():
    run = Run(SIZES, init_weights(SIZES, 3), SETTINGS)
    expected = {1: 0.0024893, 6: 0.0085355, 12: 0.005, 24: 0.0}
    for run.step, rate in expected.items():
        assert run.rate(24) == pytest.approx(rate, abs=1e-6)


def test_outlier_exposure_lowers_the_confidence_on_outliers(tmp_path):
    run = Run(SIZES, init_weights(SIZES, 3), SETTINGS)
    learn(run, 6, tmp_path)
    known, outliers = (
        predict_logits(run.weights, SIZES, one.numpy())
        for one in (training_data().pixels, training_data().outliers)
    )
    assert confidence(outliers).mean() < confidence(known).mean()


def test_a_distilled_model_learns_what_its_teacher_says_and_not_the_labels():
    data = training_data()
    contrary = (data.labels + 1) % 3
    by_brightness = one_hot(contrary[:3], 3) * 20.0  # logits for dark, middling, bright

    def teacher(images):
        return by_brightness[(images.mean((1, 2, 3)) * 127.5 + 127.5 - 32).div(64).round().long()]

    run = Run(SIZES, init_weights(SIZES, 3), replace(SETTINGS, mixed=0.0, distilled=True))
    for _ in range(6):
        run.train_epoch(replace(data, teacher=teacher))
    likeliest = predict_logits(run.weights, SIZES, data.pixels.numpy()).argmax(-1)
    assert (likeliest == contrary).float().mean() > 0.8


def test_a_stored_teacher_predicts_as_before(tmp_path):
    torch.manual_seed(1)
    teacher = Teacher(3).eval()
    torch.save(teacher.state_dict(), tmp_path / "teacher.pt")
    images = 100 * torch.randn(2, 32, 32, 3)  # beyond −1 to 1, as bfloat16 hides small differences
    found = predict(load_teacher(tmp_path / "teacher.pt"), images)
    assert torch.equal(found, predict(teacher, images))
    assert found.sum(1).numpy() == pytest.approx(1, abs=1e-5)
    assert (found[0] - found[1]).abs().max() > 1e-5


def test_the_threshold_rejects_no_more_photos_than_the_given_share():
    assert confidence(torch.tensor([[0.0, 0.0], [1.0, -1.0]])) == pytest.approx([0.5, 0.880797])
    known = np.array([5.0, 1.0, 2.0, 8.0, 7.0, 3.0, 4.0, 6.0, 9.0, 10.0])
    assert threshold(known, 0.2) == 3.0
    assert threshold(known, 0.19) == 2.0


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
