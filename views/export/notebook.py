"""The microscope as a widget of a notebook: JupyterLab, marimo and others that show anywidgets."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from core import Trace, nested
from views.export.bundle import ASSETS, bundle_css, bundle_js
from views.export.file import START
from views.scene.scene import scene
from views.scene.steps import all_steps, first_step
from views.text import LANGUAGES


class Microscope(anywidget.AnyWidget):
    """A trace in the microscope, one step at a time; the pointer opens any cell.

    place: the current selection, readable and settable: ``stage``, ``head`` from 0, ``places`` from
    0 by axis, such as ``query`` and ``key``, ``locked``, and ``sheet``, the sheet that is open
    below. Keys that are left out keep their values.
    """

    _esm = bundle_js(ASSETS / "microscope/hosts/notebook.js")
    _style = traitlets.Unicode(
        (ASSETS / "common.css").read_text("utf-8")
        + bundle_css(ASSETS / "microscope/hosts/notebook.css")
    ).tag(sync=True)
    _scene = traitlets.Bytes().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True)  # the stage and head that the browser requests
    place = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        trace: Trace,
        *,
        lang: str = "en",
        place: Mapping[str, Any] | None = None,
        origin: str = "",
    ) -> None:
        """Show a trace.

        lang: one of ``views.text.LANGUAGES``. place: the initial selection; all keys are optional.
        origin: where the weights come from, in words.

        Raises ValueError for a model's trace of several parts; show one of them, such as
        ``core.nested.subtrace(trace, "encoder/1/self")``. Raises UnknownStage if the trace does not
        have ``place["stage"]``.
        """
        if paths := nested.parts(trace):
            raise ValueError(f"one part is shown, core.nested.subtrace(trace, {paths[-1]!r}), say")
        start: dict[str, Any] = {"stage": first_step(trace), "head": 0, "places": START}
        start |= place or {}
        self._trace, self._words, self._origin = trace, LANGUAGES[lang], origin
        super().__init__(place=start, _scene=self._pack(start["stage"], start["head"]))

    @traitlets.validate("place")
    def _check_stage(self, proposal: Mapping[str, Any]) -> Mapping[str, Any]:
        place: Mapping[str, Any] = proposal["value"]
        if "stage" in place:
            self._trace[place["stage"]]
        return place

    @traitlets.observe("_asked")
    def _send_requested(self, change: Mapping[str, Any]) -> None:
        self._scene = self._pack(change["new"]["stage"], change["new"]["head"])

    def _pack(self, stage: str, head: int) -> bytes:
        self._trace[stage]
        return scene(
            self._trace, stage, 0, head, all_steps(self._trace), self._words, origin=self._origin
        )
