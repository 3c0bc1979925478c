"""The sum that makes a number, and what its row says, as the microscope has them."""

from pages.understand.predict.book import Quiz
from pages.understand.predict.figure import places
from views.scene.blob import headed
from views.scene.scene import scene
from views.text import Words
from views.widgets.component import component


def the_sum(quiz: Quiz, place: tuple[int, int], words: Words) -> None:
    """Show how a cell was made; what is still covered stays so.

    What the numbers of its row say is told once none of them is covered.
    """
    trace, key = quiz.trace, quiz.asked.stage
    index = quiz.asked.index(trace, *place)
    asked = {
        "key": key,
        "index": index,
        "at": places(trace, key, index),
        "covered": quiz.pending[place[0]].tolist(),
    }
    head = asked["at"].get("head", 0)
    data = headed(asked, scene(trace, key, 0, head, (), words))
    component("revealed")(key="revealed", data=data)
