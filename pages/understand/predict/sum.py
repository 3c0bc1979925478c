"""The sum that makes a number, and what its row says, as the microscope has them."""

from pages.understand.predict.book import Quiz
from pages.understand.predict.figure import places
from views.scene.blob import prepend_header
from views.scene.scene import scene
from views.text import Words
from views.widgets.component import component


def the_sum(quiz: Quiz, place: tuple[int, int], words: Words) -> None:
    """Show how a cell was made; what is still covered stays so.

    What the numbers of its row say is told once none of them is covered.
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
