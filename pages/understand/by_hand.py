from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from views.reader import in_language, words
from views.text.understand.by_hand import WORDS
from views.widgets.errors import computed
from views.widgets.understand import lesson
from views.widgets.understand.by_hand.input import by_hand_input
from views.widgets.understand.by_hand.page import paper

said = in_language(WORDS)
lesson.begin(said.lesson)


def read() -> Sheet:
    return by_hand_input(said)


sheet, trace = computed(read, Sheet.trace, WO_AI_BEIJING, words())
paper(sheet, trace, words(), said)
lesson.end(said.lesson, words())
