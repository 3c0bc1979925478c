"""Its folder joins the import path, so that every test below it reaches ``blob_reader``.

NumPy gets one thread, as in the app (``views.server``): with more, the processes of the tests wait
for each other's.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything imports NumPy
