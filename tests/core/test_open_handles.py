"""All functions that read a file close it, valid or not, as does a model that is deleted."""

import contextlib
import gc
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import InputError
from core.models import checkpoint, stored, translator
from core.sources import matrix, picture, recording
from views.export.bundle import ASSETS
from views.widgets.image_input import SAMPLES, sample

FOLDERS = Path(__file__).parent / "models" / "data" / "checkpoints"
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
PARTS = (1.0, 0.9, 0.5, 0.02)
HANDLES = Path("/proc/self/fd")


def drawn(format: str) -> bytes:
    file = io.BytesIO()
    pixels = np.random.default_rng(2).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(file, format)
    return file.getvalue()


def readings(folder_of: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every reader of the app, with complete and with truncated files."""
    pictures = {format: drawn(format) for format in FORMATS}
    sounds = {file.name: file.read_bytes() for file in (ASSETS / "samples").glob("sounds/*.flac")}
    for part in PARTS:
        for files, read in ((pictures, picture.open_picture), (sounds, recording.decode)):
            for name, data in files.items():
                yield f"{part} of {name}", partial(read, data[: int(part * len(data))])
    for name in SAMPLES:
        yield name, partial(sample, name)
    yield "vision", partial(stored.read_folder.__wrapped__, stored.FOLDER / "vision", np.float32)
    yield "translator", partial(translator.load.__wrapped__)
    yield "a table", partial(matrix.read_bytes, b"1,2")
    for kind in ("vit", "bert", "gpt2"):
        yield kind, partial(checkpoint.open, FOLDERS / kind)
    for file in ("config.json", "model.safetensors"):
        for part in PARTS[1:]:
            folder = folder_of / f"{part} of {file}"
            folder.mkdir()
            for one in (FOLDERS / "vit").iterdir():
                data = one.read_bytes()
                data = data[: int(part * len(data))] if one.name == file else data
                (folder / one.name).write_bytes(data)
            yield folder.name, partial(checkpoint.open, folder)


@pytest.fixture
def quick_collections():
    """Freeze what other tests left in memory, so that each collection is quick."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("quick_collections")
@pytest.mark.skipif(not HANDLES.is_dir(), reason="this system does not list open files")
def test_no_reader_leaves_a_file_open(tmp_path, monkeypatch):
    pytest.importorskip("tokenizers")
    left, late = [], []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: late.append(str(raised.exc_value)))
    for name, read in readings(tmp_path):
        gc.collect()
        before = len(os.listdir(HANDLES))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow, for damaged files
            warnings.simplefilter("error", ResourceWarning)
            with contextlib.suppress(InputError):
                read()
            gc.collect()
        if len(os.listdir(HANDLES)) > before or late:
            left.append((name, list(late)))
            late.clear()
    assert not left
