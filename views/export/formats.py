"""The files that a trace, or the step that is shown, can be saved as, each by its extension."""

from collections.abc import Callable

from core import Stage, Trace
from core.errors import InputError
from core.limits import NOTEBOOK_NUMBERS, SPREADSHEET_CELLS
from core.rules import Given
from core.saved import npz
from views.export.file import ExportOptions, Layers, html, html_bytes, html_of_layers, layers_bytes
from views.export.numpy_notebook import ipynb
from views.export.paper import Form, paper
from views.export.reduced import reduced
from views.export.spreadsheet import xlsx
from views.text import Words, numbers

Write = Callable[[Trace, Words, ExportOptions], bytes]

IN_NOTEBOOK = {"f8": 23, "f4": 13}  # bytes of a number that is written out, by its type
WHOLE = 7  # of a whole number, or a truth value
OF_BOOK, OF_SHEET, OF_CELL = 8_000, 500, 19  # bytes of a spreadsheet
OF_STAGE = 900  # of what says what a stage is


def offers(
    trace: Trace, words: Words, layers: Layers | None = None, beside: int = 0
) -> dict[str, str]:
    """About how large the files of all steps are, by format, and what is in one that is reduced.

    beside: bytes of what stands beside the microscope.
    """
    found = {"html": _about(html_bytes(trace) + beside, words)}
    found |= trace.derived(("offers", words.code), lambda: _without_beside(trace, words))
    if layers:
        name = ("layers_bytes", len(layers.paths))
        size = trace.derived(name, lambda: layers_bytes(trace, layers))
        found["layers_html"] = _about(size and size + beside, words)
    return found


def _without_beside(trace: Trace, words: Words) -> dict[str, str]:
    def fitting(limit: int, size: Callable[[Trace], int], *, given: bool = False) -> str:
        try:
            kept = reduced(trace, limit, {}, given=given)
        except InputError:
            return _about(None, words)
        shown = _about(size(kept), words)
        return shown if kept is trace else words.viewer.head_size.format(size=shown)

    return {
        "xlsx": fitting(SPREADSHEET_CELLS, _in_spreadsheet),
        "ipynb": fitting(NOTEBOOK_NUMBERS, _in_notebook, given=True),
        "npz": _about(sum(stage.tensor.nbytes + OF_STAGE for stage in trace.values()), words),
    }


def _about(size: float | None, words: Words) -> str:
    if size is None:
        return str(words.viewer.too_large)
    return str(words.viewer.about_size.format(size=numbers.size(int(size))))


def _in_spreadsheet(trace: Trace) -> int:
    return OF_BOOK + sum(OF_SHEET + OF_CELL * stage.tensor.size for stage in trace.values())


def _in_notebook(trace: Trace) -> int:
    def of(stage: Stage) -> int:
        kind = f"{stage.tensor.dtype.kind}{stage.tensor.dtype.itemsize}"
        return stage.tensor.size * IN_NOTEBOOK.get(kind, WHOLE)

    given = sum(of(s) for s in trace.values() if isinstance(s.rule, Given))
    return given + OF_STAGE * len(trace)


def _paper(form: Form) -> Write:
    return lambda trace, words, options: paper(trace, words, options, form)


# By extension, behind what the figure is for: of the whole trace, then of the step.
WRITERS: dict[str, Write] = {
    "html": lambda trace, words, options: html(trace, words, options).encode(),
    "layers_html": lambda trace, words, options: html_of_layers(trace, words, options).encode(),
    "xlsx": lambda trace, words, options: xlsx(trace, words, options.at),
    "ipynb": lambda trace, words, options: ipynb(trace, words, options.at),
    "npz": lambda trace, words, options: npz(trace),
    "paper_svg": _paper("svg"),
    "paper_pdf": _paper("pdf"),
    "paper_png": _paper("png"),
}
