"""The wheel that ``python -m build`` makes, against the files of the clone."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest
from source_tree import ROOT

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
    for folder in FOLDERS:
        copytree(ROOT / folder, copy / folder, ignore=DROPPED)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
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


def test_it_holds_every_file_of_core_views_and_assets(installed):
    assert files(installed) == files(ROOT)


def test_the_widget_is_made_of_what_is_installed(installed, tmp_path):
    script = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); "
        "from core.models import translator; from core.nested import subtrace; "
        "from views.export.notebook import Microscope; "
        "model = translator.load(); trace = model.encoder(model.tokenize('我爱北京')); "
        "widget = Microscope(subtrace(trace, 'encoder/1/self')); "
        "print(sys.modules['views.export.notebook'].__file__, len(widget._scene) > 10_000)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", script],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stdout.split() == [str(installed / "views" / "export" / "notebook.py"), "True"]


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
