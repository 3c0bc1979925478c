"""Which folders are offered as models, by their names, and which are skipped, with the reason."""

import os
from pathlib import Path

from core.models.folder import CONFIG, WEIGHTS
from core.models.installed import checkpoints, unopenable


def model(root, name):
    """A folder with a configuration, which is all that is looked for."""
    (root / name).mkdir(parents=True)
    (root / name / CONFIG).write_text("{}")
    return root / name


def forbidden(monkeypatch, closed):
    """Nobody may look into this folder, not even who may do all on this machine."""
    listed, looked_at = Path.iterdir, os.stat

    def iterdir(self):
        if self == closed:
            raise PermissionError(13, "Permission denied", str(self))
        return listed(self)

    def stat(path, *args, **kwargs):
        if not isinstance(path, int) and closed in Path(path).parents:
            raise PermissionError(13, "Permission denied", str(path))
        return looked_at(path, *args, **kwargs)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    monkeypatch.setattr(os, "stat", stat)


def test_a_folder_that_is_a_model_itself_is_the_only_one(tmp_path):
    root = model(tmp_path, "one")
    model(root, "within")
    assert checkpoints(root) == {"one": root}


def test_files_and_folders_without_a_configuration_are_no_models(tmp_path):
    model(tmp_path, "model")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / CONFIG.upper()).write_text("{}")
    (tmp_path / "empty").mkdir()
    (tmp_path / "weights alone").mkdir()
    (tmp_path / "weights alone" / "model.safetensors").write_bytes(b"")
    (tmp_path / "a folder for a file" / CONFIG).mkdir(parents=True)
    model(tmp_path / "two levels", "down")
    assert list(checkpoints(tmp_path)) == ["model"]


def test_a_link_out_of_the_folder_is_skipped_and_one_within_it_is_not(tmp_path):
    root = tmp_path / "models"
    inside, outside = model(root, "inside"), model(tmp_path, "models of others")
    (root / "out").symlink_to(outside)  # whose name begins like the folder's
    (root / "up").symlink_to("..")
    (root / "neighbour").symlink_to(inside)
    (root / "itself").symlink_to("itself")
    (root / "nowhere").symlink_to("nothing")
    assert list(checkpoints(root)) == ["inside", "neighbour"]


NAMES = ("two words", "中文 模型", "it's", 'a "b"', "a&b=c#d%20", "$x$ *a* :red[y]", "-x", "modèle")


def test_any_name_that_is_text_is_offered_as_it_is(tmp_path):
    for name in NAMES:
        model(tmp_path, name)
    no_text = model(tmp_path, os.fsdecode(b"mod\xe8le"))  # è as one byte of Latin-1: no UTF-8
    assert sorted(checkpoints(tmp_path)) == sorted(NAMES)
    assert checkpoints(no_text) == {}


def test_an_empty_folder_and_a_missing_one_have_no_checkpoints(tmp_path):
    assert checkpoints(tmp_path) == {}
    assert checkpoints(tmp_path / "gone") == {}
    (tmp_path / "file").write_text("")
    assert checkpoints(tmp_path / "file") == {}


def test_an_unreadable_folder_offers_nothing_and_does_not_keep_the_others(tmp_path, monkeypatch):
    closed = model(tmp_path, "closed")
    model(tmp_path, "open")
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "tiny.onnx").write_text("")
    assert list(checkpoints(tmp_path)) == ["closed", "open"]
    forbidden(monkeypatch, closed)
    assert checkpoints(closed) == {}
    assert list(checkpoints(tmp_path)) == ["open"]
    assert "onnx" in unopenable(tmp_path, checkpoints(tmp_path))


def test_what_holds_a_model_that_cannot_be_opened_is_named_with_the_reason(tmp_path):
    root = tmp_path / "models"
    model(root, "fine")
    model(tmp_path, "elsewhere")
    for folder, file in (
        ("onnx", "tiny-Q4.onnx"),
        ("pickle", "pytorch_model.bin"),
        ("no settings", WEIGHTS),
        ("notes", "readme.txt"),
        (".hidden", "tiny.gguf"),
    ):
        (root / folder).mkdir()
        (root / folder / file).write_text("")
    (root / "models--a--b" / "snapshots" / "0123").mkdir(parents=True)
    (root / "link out").symlink_to(tmp_path / "elsewhere")
    (root / "link to nothing").symlink_to("nowhere")
    (root / "link to itself").symlink_to("link to itself")
    for folder, file, to in (
        ("linked settings", CONFIG, "nowhere"),
        ("linked files", CONFIG, tmp_path / "elsewhere" / CONFIG),
        ("linked files", WEIGHTS, tmp_path / "elsewhere" / WEIGHTS),
        ("linked weights", WEIGHTS, "nowhere"),
        ("links to nothing", "tiny.gguf", "nowhere"),
        ("links to notes", "readme.txt", root / "notes" / "readme.txt"),
    ):
        (root / folder).mkdir(exist_ok=True)
        (root / folder / file).symlink_to(to)
    (root / "linked weights" / CONFIG).write_text("{}")
    named = {
        name: (one.code, one.fields["file"])
        for name, one in unopenable(root, checkpoints(root)).items()
    }
    assert named == {
        "link out": ("outside_folder", "link out"),
        "link to itself": ("outside_folder", "link to itself"),
        "link to nothing": ("outside_folder", "link to nothing"),
        "linked files": ("outside_folder", CONFIG),
        "linked settings": ("outside_folder", CONFIG),
        "linked weights": ("outside_folder", WEIGHTS),
        "links to nothing": ("outside_folder", "tiny.gguf"),
        "models--a--b": ("cache_folder", "models--a--b"),
        "no settings": ("missing_file", CONFIG),
        "onnx": ("wrong_file_type", "tiny-Q4.onnx"),
        "pickle": ("pickle_only", "pytorch_model.bin"),
    }
    assert list(checkpoints(root)) == ["fine"]
    assert unopenable(root / "fine", checkpoints(root / "fine")) == {}
    assert list(unopenable(root / "onnx", {})) == ["onnx"]
    assert list(unopenable(root / "links to nothing", {})) == ["tiny.gguf"]  # itself is not named


def test_gguf_files_are_offered_alone_and_in_folders_of_their_own(tmp_path):
    root = tmp_path / "models"
    (model(root, "folder") / WEIGHTS).write_text("")
    for name in ("alone.gguf", "one/b.gguf", "one/a.gguf", "one/notes.txt", "with settings/c.gguf",
                 "with settings/config.json", "folder/beside.gguf", ".hidden/d.gguf"):  # fmt: skip
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("")
    (tmp_path / "elsewhere.gguf").write_text("")
    (root / "link.gguf").symlink_to(tmp_path / "elsewhere.gguf")
    (root / "one" / "link.gguf").symlink_to(tmp_path / "elsewhere.gguf")
    (root / "inside.gguf").symlink_to("alone.gguf")
    found = checkpoints(root)
    expected = ["alone.gguf", "folder", "inside.gguf", "one/a.gguf", "one/b.gguf"]
    assert list(found) == [*expected, "with settings/c.gguf"]
    assert found["one/a.gguf"] == root / "one" / "a.gguf"
    reasons = {name: error.code for name, error in unopenable(root, found).items()}
    assert reasons == {"link.gguf": "outside_folder"}
    assert list(checkpoints(root / "one")) == ["a.gguf", "b.gguf"]
    assert list(checkpoints(root / "with settings")) == ["c.gguf"]
