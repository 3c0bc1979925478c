"""The folder of models is set at the start of the app, and cannot be set later."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.models.installed import BERT, VARIABLE, bert, models_folder
from views.server.arguments import take_arguments

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def unnamed(monkeypatch):
    """No folder is named yet, and what a test names is forgotten after it."""
    monkeypatch.setenv(VARIABLE, "")


def refused(arguments, capsys):
    """The last line of what the program says when it ends."""
    with pytest.raises(SystemExit) as end:
        take_arguments(arguments)
    assert end.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


def test_without_an_argument_there_is_no_folder():
    take_arguments([])
    assert models_folder() is None


def test_the_argument_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, spelled in enumerate((["--models", "{}"], ["--models={}"])):
        (tmp_path / f"my models {number}").mkdir()
        take_arguments([part.format(f"my models {number}") for part in spelled])
        assert models_folder() == tmp_path / f"my models {number}", "however the server is called"


def test_the_variable_names_the_folder_and_the_argument_has_precedence(tmp_path, monkeypatch):
    for name in ("variable", "argument"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "variable"))
    assert models_folder() == tmp_path / "variable"
    take_arguments([])
    assert models_folder() == tmp_path / "variable"
    take_arguments(["--models", str(tmp_path / "argument")])
    assert models_folder() == tmp_path / "argument"


@pytest.mark.parametrize("name", ["nowhere", "file", "file/below", "x" * 5000])
def test_an_argument_that_is_no_folder_exits_with_one_sentence(name, tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / name)
    sentence = f"streamlit run app.py --: error: {folder} is not a folder"
    assert refused(["--models", folder], capsys) == sentence
    assert not os.environ[VARIABLE]
    monkeypatch.setenv(VARIABLE, folder)
    assert refused([], capsys) == sentence
    assert models_folder() is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--models"], "--models"),
        (["--model", "x"], "--model x"),
        (["somewhere"], "somewhere"),
        (["--models", ".", "--hosted"], "--hosted"),
    ],
)
def test_another_argument_or_half_of_one_is_named_and_ends_the_program(arguments, named, capsys):
    assert named in refused(arguments, capsys)
    assert not os.environ[VARIABLE]


def test_a_folder_may_come_and_go_while_the_server_runs(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    take_arguments(["--models", str(folder)])
    assert models_folder() == folder
    folder.rmdir()
    assert models_folder() is None
    folder.mkdir()
    assert models_folder() == folder


def test_the_server_does_not_start_with_a_folder_that_is_not_there(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py",
        "--server.address", "127.0.0.1", "--server.port", str(port),
        "--server.headless", "true", "--server.fileWatcherType", "none",
        "--", "--models", str(tmp_path / "nowhere"),
    ]  # fmt: skip
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].endswith(f"{tmp_path / 'nowhere'} is not a folder")
    assert "Traceback" not in ended.stdout + ended.stderr


def test_the_bert_of_an_installed_package_is_found_and_no_module_of_it_is_run(
    tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, BERT, None)
    assert bert() is None, "as where it is not installed"
    monkeypatch.delitem(sys.modules, BERT)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / BERT).mkdir()
    (tmp_path / BERT / "__init__.py").write_text("raise AssertionError")
    assert bert() is None, "a package without its data"
    (tmp_path / BERT / "model").mkdir()
    assert bert() == tmp_path / BERT / "model"
