"""What the page of one's own model notices of its files while the server runs."""

import json
import os
import shutil
from pathlib import Path

import pytest
from page_reader import FOLDERS

from views.widgets.checkpoint.chosen_input import opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "vit"
    shutil.copytree(FOLDERS / "vit", place)
    return place


def test_a_folder_that_did_not_change_is_opened_once(folder: Path) -> None:
    assert opened(folder) is opened(folder)


def test_colours_that_the_owner_changes_are_read_anew(folder: Path) -> None:
    before = opened(folder)
    said = {"image_mean": [0.25, 0.5, 0.75], "image_std": [0.5, 0.5, 0.5]}
    (folder / "preprocessor_config.json").write_text(json.dumps(said), "utf-8")
    after = opened(folder)
    assert after is not before
    assert after.processor.colours.mean.tolist() == [0.25, 0.5, 0.75]


def test_a_file_of_the_same_age_but_another_size_is_read_anew(folder: Path) -> None:
    config = folder / "config.json"
    before, age = opened(folder), config.stat().st_mtime_ns
    config.write_text(config.read_text("utf-8") + "\n", "utf-8")
    os.utime(config, ns=(age, age))
    assert opened(folder) is not before
