"""The microscope as a widget of a notebook: JupyterLab, marimo and others that show anywidgets."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from core import Trace, nested, trace_of
from core.errors import out_of_range
from views.export.bundle import ASSETS, bundle_css, bundle_js
from views.export.file import START
from views.scene.naming import num_heads, part_title
from views.scene.scene import scene
from views.scene.steps import all_steps, first_part, first_step
from views.text import language


class Microscope(anywidget.AnyWidget):
    """A trace in the microscope, one step at a time; the pointer opens any cell.

    selection: what is shown, to be read and set: ``stage``, ``head`` from 0, ``positions`` from 0
    by axis, such as ``query`` and ``key``, ``locked``, ``sheet``, the sheet that is open below, and
    of a trace of several parts ``part``. Keys that are left out keep their values.
    """

    _esm = bundle_js(ASSETS / "microscope/hosts/notebook.js")
    _style = traitlets.Unicode(
        (ASSETS / "common.css").read_text("utf-8")
        + bundle_css(ASSETS / "microscope/hosts/notebook.css")
    ).tag(sync=True)
    _scene = traitlets.Bytes().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True)  # the stage and head that the browser requests
    _parts = traitlets.Dict().tag(sync=True)  # the paths of the parts, each with its name
    selection = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        trace: Trace,
        *,
        lang: str = "en",
        selection: Mapping[str, Any] | None = None,
        origin: str = "",
    ) -> None:
        """Show a trace; of several parts, such as the layers of a model, one chosen at a time.

        lang: one of ``views.text.LANGUAGES``. selection: the first one; all keys are optional, and
        the first part is that of the first attention. origin: where the weights come from.

        Raises ValueError for another language, UnknownStage for a part or stage that the trace does
        not have, and out_of_range for such a head.
        """
        self._whole, self._words, self._origin = trace, language(lang), origin
        paths = nested.parts(trace)
        first = {"part": first_part(trace)} if paths else {}
        start: dict[str, Any] = {**first, **(selection or {})}
        self._trace = nested.subtrace(trace, start["part"]) if paths else trace
        start = dict[str, Any](stage=first_step(self._trace), head=0, positions=START) | start
        super().__init__(
            _parts={
                "label": self._words.viewer.part,
                "paths": [(path, _title(path, lang)) for path in paths],
            },
            selection=start,
            _scene=self._pack(start["stage"], start["head"]),
        )

    @traitlets.validate("selection")
    def _checked(self, proposal: Mapping[str, Any]) -> Mapping[str, Any]:
        """The selection; in another part it begins with a step and a head that are there."""
        new: dict[str, Any] = {**proposal["value"]}
        if not nested.parts(self._whole):
            _check(self._trace, new.get("stage", first_step(self._trace)), new.get("head", 0))
            return new
        known: dict[str, Any] = {"part": self.selection.get("part"), "stage": "", "head": 0} | new
        trace = nested.subtrace(self._whole, known["part"])
        if known["part"] != self.selection.get("part"):
            known["stage"] = known["stage"] if known["stage"] in trace else first_step(trace)
            known["head"] = min(known["head"], num_heads(trace) - 1)
        _check(trace, known["stage"] or first_step(trace), known["head"])
        return known if known["stage"] else {"part": known["part"]} | new

    @traitlets.observe("selection")
    def _send_part(self, change: Mapping[str, Any]) -> None:
        new, before = change["new"], change["old"] or {}
        if new.get("part") != before.get("part"):
            self._trace = nested.subtrace(self._whole, new["part"])
            self._scene = self._pack(new["stage"], new["head"])

    @traitlets.observe("_asked")
    def _send_requested(self, change: Mapping[str, Any]) -> None:
        self._scene = self._pack(change["new"]["stage"], change["new"]["head"])

    def _pack(self, stage: str, head: int) -> bytes:
        _check(self._trace, stage, head)
        return scene(
            self._trace, stage, 0, head, all_steps(self._trace), self._words, origin=self._origin
        )


def microscope(
    *tensors: Any, lang: str = "en", selection: Mapping[str, Any] | None = None, **given: Any
) -> Microscope:
    """Attention weights, or Q, K and V, in the microscope: ``microscope(weights, tokens=names)``.

    tensors, given: as for ``core.trace_of``; names may follow the weights without a keyword. A
    trace is taken as it is. lang, selection: as for ``Microscope``.
    """
    if tensors and isinstance(tensors[0], Trace):
        return Microscope(*tensors, lang=lang, selection=selection, **given)
    return Microscope(trace_of(*tensors, **given), lang=lang, selection=selection)


def _check(trace: Trace, stage: str, head: int) -> None:
    """Raises UnknownStage and out_of_range."""
    trace[stage]
    heads = num_heads(trace)
    if not 0 <= head < heads:
        raise out_of_range("head", head, f"0 … {heads - 1}")


def _title(path: str, lang: str) -> str:
    """The name of a part: in words if it is one of the app's models, else its path."""
    try:
        return part_title(path, lang)
    except (KeyError, ValueError):
        return path
