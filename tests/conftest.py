"""Its folder joins the import path, so that every test below it reaches ``blob_reader``.

NumPy gets one thread, as in the app (``views.server``): with more, the processes of the tests wait
for each other's.
"""

import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything imports NumPy


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking through it for garbage took a fifth of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
