"""The microscope as a widget of a notebook: JupyterLab, marimo and others that show anywidgets."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from core import Trace, nested
from views.bundle import ASSETS, bundled, styled
from views.scene.scene import scene
from views.steps import all_steps, first_step
from views.text import LANGUAGES

START = {"query": 1, "key": 2}  # the second word and the third


class Microscope(anywidget.AnyWidget):
    """A trace in the microscope, one step of it at a time, every cell open to the pointer.

    place: where the reader is, and set, where the reader shall go: ``stage``, ``head`` from 0,
    ``places`` from 0 by what each axis means, such as ``query`` and ``key``, ``locked`` and
    ``sheet``, the one that is open below. What is not named stays as it is.
    """

    _esm = bundled(ASSETS / "microscope/notebook.js")
    _style = traitlets.Unicode(
        (ASSETS / "common.css").read_text("utf-8") + styled(ASSETS / "microscope/notebook.css")
    ).tag(sync=True)
    _scene = traitlets.Bytes().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True)  # the stage and the head whose numbers are missing
    place = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        trace: Trace,
        *,
        lang: str = "en",
        place: Mapping[str, Any] | None = None,
        origin: str = "",
    ) -> None:
        """Show a trace around a place, which may name as little as a ``stage``.

        lang: the language of all words, one of ``views.text.LANGUAGES``. origin: where the weights
        come from, in words.

        Raises ValueError for a trace of several parts, as a model gives it: one is shown, such as
        ``core.nested.subtrace(trace, "encoder/1/self")``. Raises UnknownStage for a place that the
        trace has not got.
        """
        if found := nested.parts(trace):
            raise ValueError(f"one part is shown, core.nested.subtrace(trace, {found[-1]!r}), say")
        start: dict[str, Any] = {"stage": first_step(trace), "head": 0, "places": START}
        start |= place or {}
        self._trace, self._words, self._origin = trace, LANGUAGES[lang], origin
        super().__init__(place=start, _scene=self._packed(start["stage"], start["head"]))

    @traitlets.validate("place")
    def _known(self, proposal: Mapping[str, Any]) -> Mapping[str, Any]:
        place: Mapping[str, Any] = proposal["value"]
        if "stage" in place:
            self._trace[place["stage"]]
        return place

    @traitlets.observe("_asked")
    def _bring(self, change: Mapping[str, Any]) -> None:
        self._scene = self._packed(change["new"]["stage"], change["new"]["head"])

    def _packed(self, stage: str, head: int) -> bytes:
        self._trace[stage]
        return scene(
            self._trace, stage, 0, head, all_steps(self._trace), self._words, origin=self._origin
        )
