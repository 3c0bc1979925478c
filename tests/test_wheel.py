"""The wheel that ``python -m build`` makes, against the files of the clone."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest
from source_tree import ROOT

PACKAGE = "attention_microscope"
FOLDERS = ("core", "views", "assets")
DROPPED = ignore_patterns("__pycache__")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def required(name: str) -> set[str]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith(("#", "-"))}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the installed wheel; built from a copy, since a build leaves files."""
    copy, made = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("wheel")
    for folder in (PACKAGE, *FOLDERS):
        copytree(ROOT / folder, copy / folder, ignore=DROPPED)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", made,
         "-C--build-option=--compression=stored", copy],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = made.glob("*.whl")
    ZipFile(wheel).extractall(made / "installed")
    return made / "installed"


def files(root: Path) -> set[str]:
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*"))
    return {
        path.relative_to(root).as_posix()
        for path in found
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_it_holds_every_file_of_core_views_and_assets_in_one_package(installed):
    assert files(installed / PACKAGE) == files(ROOT)
    top = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert top == {PACKAGE}
    assert (installed / PACKAGE / "py.typed").is_file()


def test_a_project_with_a_core_of_its_own_uses_what_is_installed(installed, tmp_path):
    for name in ("core", "views"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("theirs = True")
    script = """
import core, sys, views
import numpy as np
import attention_microscope as am
from attention_microscope.core.models import translator
from attention_microscope.core.sources import apart, picture
from attention_microscope.core.errors import InputError
assert core.theirs and views.theirs
model = translator.load()
trace = model.encoder(model.tokenize("我爱北京"))
widget = am.Microscope(trace)
print(am.Microscope.__module__, len(widget._scene) > 10_000, "<html" in am.html(trace))
print(am.microscope(np.ones((1, 2, 2)) / 2, ["a", "b"]).selection["stage"])
try:
    apart.read(picture.read_square, b"", most=448)
except InputError as error:
    print(error.code)
"""
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], cwd=tmp_path, capture_output=True,
        encoding="utf-8", env=os.environ | {"PYTHONPATH": str(installed)}, check=False,
    )  # fmt: skip
    assert done.stdout.split("\n")[:3] == [
        f"{PACKAGE}.views.export.notebook True True", "weights", "empty_file"
    ], done.stderr  # fmt: skip


def test_it_needs_what_the_app_needs_but_for_what_the_app_alone_needs():
    alone = ("streamlit", "plotly", "segno")  # the app, its charts, its address for a class
    app = {line for line in required("requirements.txt") if line.startswith(alone)}
    assert set(PROJECT["dependencies"]) == required("requirements.txt") - app


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-notebook.txt"])
def test_every_requirement_states_its_lowest_version(name):
    """``.ci/lowest`` installs it."""
    stated = re.compile(r"[\w-]+>=\d+(\.\d+)*(,<\d+(\.\d+)*)?")
    assert [line for line in required(name) if not stated.fullmatch(line)] == []


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_an_extra_is_its_requirements_file(extra):
    named = PROJECT["optional-dependencies"][extra]
    assert set(named) == required(f"requirements-{extra}.txt")
