"""One line for each run, on stderr: its page, how long and how it ended; nothing of a reader's."""

import logging
import os

VARIABLE = "ATTENTION_MICROSCOPE_LOG"
LOGGER = logging.getLogger("attention_microscope.runs")


def enabled() -> bool:
    """Whether the operator asked for it: a server logs, a laptop stays quiet."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def start() -> None:
    """Begin to write lines if the operator asked for it."""
    if not enabled() or LOGGER.handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False


def log(page: str, seconds: float, waited: float, cpu: float, result: str) -> None:
    """Write the line of a run.

    page: its name in the URL. seconds: of the whole run; waited, cpu: of them before its turn, and
    of processor time. result: ``done``, ``refused:text_too_long``, ``failed:KeyError``, or
    ``interrupted`` by the reader's next change or by leaving.
    """
    LOGGER.info(
        "run page=%s ms=%d waited_ms=%d cpu_ms=%d result=%s",
        page, 1000 * seconds, 1000 * waited, 1000 * cpu, result,
    )  # fmt: skip
