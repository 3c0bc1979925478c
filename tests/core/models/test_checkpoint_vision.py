"""DeiT, DINOv2 and CLIP's vision tower: what they have that ViT has not, and what is refused."""

import io
import json
import math

import numpy as np
import pytest
from checkpoint_folders import EXPECTED, FOLDERS, PICTURED, copied, given
from claims import for_all
from PIL import Image
from refuses import refuses
from safetensors.numpy import load_file, save_file

from core.limits import Limits
from core.models import checkpoint
from core.models.patch_embeddings import grid_shares, shares
from core.models.processor import fitted_shape, read_whole_photo

FILES = {kind: load_file(FOLDERS / kind / "model.safetensors") for kind in PICTURED}
D = "dinov2_with_registers."


def run(kind, layer=1):
    return checkpoint.open(FOLDERS / kind).run(given(kind), layer)


def prepared(kind, to, **stated):
    """A folder whose processor's file says something else."""
    folder = copied(kind, to)
    file = folder / "preprocessor_config.json"
    present = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    file.write_text(json.dumps(present | stated))
    return folder


@for_all("kind", PICTURED)
def test_tokens_in_front_of_the_patches_are_named(kind):
    tokens = run(kind)["input/X"].axis("token")
    names, before = tokens.names(), len(PICTURED[kind])
    assert names[:before] == PICTURED[kind]
    assert names[before:] == tuple(str(i + 1) for i in range(len(names) - before))
    kinds = ("cls", *["special"] * (before - 1), *["patch"] * (len(names) - before))
    assert tokens.kinds == kinds


def cubic(x, a):
    x = abs(x)
    if x < 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0


@for_all(("trained", "wanted"), [(3, 4), (4, 3), (5, 3), (37, 16), (1, 3), (2, 7)])
def test_shares_of_positions_are_those_of_the_cubic_kernel(trained, wanted):
    sharp, smooth = (shares(trained, wanted, antialias=it) for it in (False, True))
    stretch = max(1, trained / wanted)
    for i in range(wanted):
        middle = (i + 0.5) * trained / wanted - 0.5
        row = [0.0] * trained
        for at in range(math.floor(middle) - 1, math.floor(middle) + 3):
            row[min(max(at, 0), trained - 1)] += cubic(middle - at, -0.75)
        assert sharp[i] == pytest.approx(row, abs=1e-12)
        raw = [cubic((at - middle) / stretch, -0.5) for at in range(trained)]
        assert smooth[i] == pytest.approx([x / sum(raw) for x in raw], abs=1e-12)


# Keys' kernel with a = −1/2, by hand: at ¼ 111/128, at ¾ 29/128, at 1¼ −9/128.
RAMP = [-9 / 102, 29 / 140, 111 / 140, 111 / 102]


@for_all(("side", "expected"), [(10, [0, 1, 0, 1]), (5, [0.5]), (20, 4 * RAMP)])
def test_registers_have_no_position_at_the_trained_grid_or_any_other(side, expected, tmp_path):
    folder = prepared("dinov2_with_registers", tmp_path, size=side, crop_size=side)
    name = f"{D}embeddings.position_embeddings"
    table = np.tile(np.array([9, 0, 1, 0, 1], np.float32)[:, None], 14)  # [CLS], 2 × 2 patches
    tensors = FILES["dinov2_with_registers"] | {name: table[None]}
    save_file(tensors, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"image_size": 10}))
    found = checkpoint.open(folder).run(np.zeros((side, side, 3), np.uint8), 1)
    positions = found["input/position"].tensor  # (token, d_model)
    assert positions == pytest.approx(np.tile(np.array([[9, 0, 0, *expected]]).T, 14), abs=1e-6)


@for_all("kind", [kind for kind in EXPECTED if "final_norm" in EXPECTED[kind]])
def test_the_final_norm_follows_the_last_layer(kind):
    model = checkpoint.open(FOLDERS / kind)
    trace = model.run(given(kind), model.layers)
    expected = EXPECTED[kind]["final_norm"]
    assert np.abs(trace["final_norm/normalised"].tensor[0] - expected).max() < 2e-5


def test_the_processors_file_says_how_large_photos_of_dinov2_are(tmp_path):
    for side in (5, 15, 25, 40):
        folder = prepared("dinov2", tmp_path / str(side), size=side, crop_size=side)
        model = checkpoint.open(folder)
        assert (model.processor.shape, model.config.positions) == (
            (side, side),
            1 + (side // 5) ** 2,
        )
        trace = model.run(np.zeros((side, side, 3), np.uint8), 1)
        assert ("input/interpolation" in trace) == (side != 15)


def clip(to, *missing):
    """A folder with both towers, as CLIP's are saved, without some of its files."""
    towers = {"vision": "clip_vision_model", "text": "clip_text_model"}
    copied("clip_text_model", to)
    configs = {
        f"{tower}_config": json.loads((FOLDERS / kind / "config.json").read_text("utf-8"))
        for tower, kind in towers.items()
    }
    (to / "config.json").write_text(json.dumps({"model_type": "clip", **configs}))
    tensors = {
        f"{tower}_model.{name}": tensor
        for tower, kind in towers.items()
        for name, tensor in load_file(FOLDERS / kind / "model.safetensors").items()
    }
    save_file(tensors, to / "model.safetensors")
    for name in missing:
        (to / name).unlink()
    return to


def test_either_tower_of_clip_opens_from_one_folder(tmp_path):
    folder = clip(tmp_path)
    assert checkpoint.towers_of(folder) == ("vision", "text")
    for tower in ("vision", "text"):
        kind = f"clip_{tower}_model"
        found = checkpoint.open(folder, tower=tower).run(given(kind), 2)
        expected = run(kind, 2)
        assert all(np.array_equal(found[key].tensor, expected[key].tensor) for key in expected)
    assert checkpoint.open(folder).token == "patch"
    assert checkpoint.towers_of(FOLDERS / "vit") == ()


def test_a_tower_that_needs_no_tokenizer_opens_without_one(tmp_path):
    folder = clip(tmp_path, "tokenizer.json")
    assert checkpoint.open(folder, tower="vision").layers == 2
    with refuses("missing_file"):
        checkpoint.open(folder, tower="text")


def test_clips_end_of_text_is_not_called_unknown_and_bytes_at_the_end_of_a_word_are_shown():
    found = checkpoint.open(FOLDERS / "clip_text_model").encode("the 爱")
    names = ("<|startoftext|>", "the</w>", "E7", "88", "B1</w>", "<|endoftext|>")
    assert found.tokens == names
    assert (found.special, found.unknown) == ((0, 5), ())


@for_all(("kind", "end", "index"), [
    ("clip_text_model", {}, 5),  # <|endoftext|>, 520, behind <|startoftext|> the E7 88 B1
    ("clip_text_model", {"eos_token_id": 2}, 5),  # the largest of all ids
    ("clip_text_model", {"eos_token_id": 519}, 0),
    ("clip_text_model", {"eos_token_id": 7}, 0),  # not in this text
    ("clip_vision_model", {}, 0),
    ("dinov2", {}, None),
    ("bert", {}, None),
])  # fmt: skip
def test_the_pooled_token_is_that_of_clip(kind, end, index, tmp_path):
    model = checkpoint.open(copied(kind, tmp_path / kind, **end))
    text = "the 爱" if kind.endswith("text_model") else given(kind)
    assert model.pooled(text) == index


@for_all(
    "stated", [{"crop_size": 22}, {"crop_size": [15, 20]}, {"do_center_crop": False, "size": 9}]
)
def test_a_photo_that_is_no_square_of_whole_patches_is_refused(stated, tmp_path):
    with refuses("wrong_setting", file="preprocessor_config.json") as refusal:
        checkpoint.open(prepared("dinov2", tmp_path, **stated))
    assert refusal.value.fields["name"] == next(iter(stated.keys() & {"crop_size", "size"}))


def test_dinov2_is_not_opened_without_the_file_that_says_how_large_photos_are(tmp_path):
    folder = copied("dinov2", tmp_path)
    (folder / "preprocessor_config.json").unlink()
    with refuses("missing_file", file="preprocessor_config.json"):
        checkpoint.open(folder)


def test_too_many_patches_are_refused_presentany_layer(tmp_path):
    large = checkpoint.open(prepared("dinov2", tmp_path, size=200, crop_size=200))
    with refuses("trace_too_large"):
        large.run(np.zeros((200, 200, 3), np.uint8), 1, limits=Limits(trace_bytes=1_000_000))


@for_all("kind", ["dinov2", "dinov2_with_registers"])
def test_a_photo_that_is_no_square_has_rows_and_columns_of_patches(kind):
    before = len(PICTURED[kind])
    model = checkpoint.open(FOLDERS / kind).pictured((10, 35))
    assert (model.config.patch_grid, model.config.positions) == ((2, 7), before + 14)
    trace = model.run(np.arange(10 * 35 * 3, dtype=np.uint8).reshape(10, 35, 3), 1)
    values = trace["input/image"].tensor[0]
    patch = trace["input/patches"].tensor[0, 7 + 4]  # the second row, the fifth column
    assert patch.tolist() == values[5:10, 20:25].tolist()
    name = next(name for name in FILES[kind] if name.endswith("position_embeddings"))
    placed = before if kind == "dinov2" else 1
    trained = round((FILES[kind][name].shape[1] - placed) ** 0.5)
    matrix = grid_shares(trained, (2, 7), 1, antialias=kind != "dinov2")
    expected = matrix @ FILES[kind][name][0].astype(float)
    found = np.delete(trace["input/position"].tensor, range(1, before), axis=0)
    assert found == pytest.approx(expected, abs=1e-6)


def test_rollout_goes_through_the_weights_of_all_layers_whatever_is_cached_of_them():
    model, picture = checkpoint.open(FOLDERS / "dinov2"), given("dinov2")
    weights = [
        model.run(picture, layer)[f"encoder/{layer}/self/weights"].tensor[0]
        for layer in range(1, model.layers + 1)
    ]
    n, flowed = model.config.positions, np.eye(model.config.positions)
    for heads in weights:
        flowed = (heads.astype(float).mean(axis=0) + np.eye(n)) / 2 @ flowed
    streams, done = {}, []
    model.run(picture, 2, streams=streams)
    for cached in (None, streams, streams):
        found = model.rollout(picture, lambda *progress: done.append(progress), streams=cached)
        assert found == pytest.approx(flowed, abs=1e-6)
    assert done == 3 * [(layer, 3) for layer in (1, 2, 3)]


@for_all(
    ("size", "expected"),
    [
        ((448, 448), (224, 224)),
        ((600, 400), (182, 280)),  # 13 × 20 patches
        ((1920, 1080), (168, 294)),  # 12 × 21
        ((1080, 1920), (294, 168)),
        ((9000, 3), (14, 3584)),  # one row
        ((3, 9000), (3584, 14)),
    ],
)
def test_a_whole_photo_has_about_as_many_patches_as_a_square_one(size, expected):
    assert fitted_shape(size, 14, 256) == expected


def test_a_whole_photo_is_resized_at_once_to_patches_and_to_a_larger_picture_of_them():
    drawn = np.random.default_rng(8).integers(0, 256, (40, 90, 3), dtype=np.uint8)
    photo, file = Image.fromarray(drawn), io.BytesIO()
    photo.save(file, "PNG")
    facts, found = read_whole_photo(
        file.getvalue(), patch=5, patches=9, resample="bicubic", larger=3
    )
    assert facts == {"height": 10, "width": 20}
    made = [photo.resize(size, Image.Resampling.BICUBIC) for size in ((20, 10), (60, 30))]
    assert found.tobytes() == b"".join(np.asarray(one).tobytes() for one in made)
