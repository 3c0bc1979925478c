"""Attention Microscope as a package: every step of attention in NumPy, and the microscope to look.

``core`` and ``views`` are folders of the repository; in the installed package they stand in here
(``setup.py``), so that a project may have a ``core`` of its own.
"""

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
    "load",
    "microscope",
    "multi_head_attention",
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
    from views.text import LANGUAGES

    return file.html(trace, LANGUAGES[lang])


def xlsx(trace: Trace, lang: str = "en") -> bytes:
    """A trace as a spreadsheet of live formulas, one sheet a stage: see ``html``.

    Raises spreadsheet_too_large, and spreadsheet_rounds for a half precision.
    """
    from views.export import spreadsheet
    from views.text import LANGUAGES

    return spreadsheet.xlsx(trace, LANGUAGES[lang])


def __getattr__(name: str) -> Any:
    """Microscope and microscope, which need anywidget."""
    if name not in ("Microscope", "microscope"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from views.export import notebook

    return getattr(notebook, name)
