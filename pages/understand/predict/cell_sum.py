"""The sum that computes a cell, and the reading of its row, as in the microscope."""

from pages.understand.predict.figure import places
from pages.understand.predict.quiz import Quiz
from views.scene.blob import prepend_header
from views.scene.scene import scene
from views.text import Words
from views.widgets.component import component


def show_sum(quiz: Quiz, place: tuple[int, int], words: Words) -> None:
    """Draw how a cell is computed, without revealing covered cells.

    The reading of its row is shown if no cell of the row is covered.
    """
    trace, key = quiz.trace, quiz.inputs.stage
    index = quiz.inputs.index(trace, *place)
    inputs = {
        "key": key,
        "index": index,
        "at": places(trace, key, index),
        "covered": quiz.pending[place[0]].tolist(),
    }
    head = inputs["at"].get("head", 0)
    data = prepend_header(inputs, scene(trace, key, 0, head, (), words))
    component("revealed")(key="revealed", data=data)
