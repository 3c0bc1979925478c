"""Attention Microscope as a package: every step of attention in NumPy, and the microscope to look.

``core`` and ``views`` are folders of the repository; in the installed package they stand in here
(``setup.py``), so that a project may have a ``core`` of its own.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core import (
    AttentionOptions,
    Captured,
    Trace,
    Weights,
    backward,
    capture,
    explain,
    load,
    multi_head_attention,
    save,
    scaled_dot_product_attention,
    trace_of,
)
from core.models import checkpoint
from core.nested import subtrace
from core.sources import text

if TYPE_CHECKING:
    from views.export.notebook import Microscope, microscope
    from views.export.paper import Form

__all__ = [
    "AttentionOptions",
    "Captured",
    "Microscope",
    "Trace",
    "Weights",
    "backward",
    "capture",
    "checkpoint",
    "explain",
    "html",
    "ipynb",
    "load",
    "microscope",
    "multi_head_attention",
    "paper",
    "save",
    "scaled_dot_product_attention",
    "subtrace",
    "text",
    "trace_of",
    "xlsx",
]


def html(trace: Trace, lang: str = "en") -> str:
    """A trace as one HTML file; of a model's trace of several parts the first attention.

    lang: of ``views.text.LANGUAGES``, in which it opens; it has all of them.
    """
    from views.export import file
    from views.text import language

    return file.html(trace, language(lang))


def xlsx(trace: Trace, lang: str = "en", *, sample: int = 0, head: int = 0) -> bytes:
    """A trace as a spreadsheet of live formulas, one sheet a stage: see ``html``.

    sample, head: from 0, of which alone it is where the whole is too large, from Q, K and V on.
    Raises too_many_numbers, and spreadsheet_rounds for a half precision.
    """
    from views.export import spreadsheet
    from views.text import language

    return spreadsheet.xlsx(trace, language(lang), {"batch": sample, "head": head})


def ipynb(trace: Trace, lang: str = "en", *, sample: int = 0, head: int = 0) -> bytes:
    """A trace as a notebook of plain NumPy: see ``xlsx``. Raises too_many_numbers."""
    from views.export import numpy_notebook
    from views.text import language

    return numpy_notebook.ipynb(trace, language(lang), {"batch": sample, "head": head})


def paper(
    trace: Trace,
    stage: str = "weights",
    *,
    form: "Form" = "svg",
    at: Mapping[str, int] | None = None,
    all_heads: bool = False,
    width: float | None = None,
    caption: str = "",
    title: str = "",
    origin: str = "",
    lang: str = "en",
) -> bytes:
    """A stage as a figure for a paper: square cells, names as outlines.

    form: ``svg``, ``pdf`` or ``png`` (600 dpi). at: from 0 by axis, such as ``{"head": 2}``.
    all_heads: in a grid. width: in mm. title, origin: for the metadata, which also hold stage, head
    and tokens. Raises no_font, and out_of_range for a width.
    """
    from views.export import paper
    from views.export.file import ExportOptions
    from views.export.reduced import attention_of
    from views.text import language

    options = ExportOptions(
        key=stage, at=dict(at or {}), title=lambda words: title, origin=lambda words: origin,
        width=width, caption=caption, all_heads=all_heads,
    )  # fmt: skip
    return paper.paper(attention_of(trace), language(lang), options, form)


def __getattr__(name: str) -> Any:
    """Microscope and microscope, which need anywidget."""
    if name not in ("Microscope", "microscope"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from views.export import notebook

    return getattr(notebook, name)
