"""The server: its command line, its lifespan, uploads, and the runs of pages: queue and log."""

import os

# NumPy reads it once, when it is imported: matrices as small as these gain nothing from a second
# thread, and readers share the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
