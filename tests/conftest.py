"""pytest adds this folder to the import path, so that all tests can import ``blob_reader``.

NumPy gets one thread, as in the app (``views.server``): with more, the processes of the tests wait
for each other's. Bytecode is written even if the environment turns it off: else pytest rewrites
the assertions of every test file in each process, which takes 6 s.
"""

import gc
import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # of the servers that tests start
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything imports NumPy

from claims import pytest_collection_modifyitems  # noqa: E402, F401


def pytest_collection_finish() -> None:
    """Exempt what is loaded by now from garbage collection, which took a fifth of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
