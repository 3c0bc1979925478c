from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from pages.understand.by_hand.cards import paper
from pages.understand.by_hand.controls import by_hand_input
from pages.understand.by_hand.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed

said = in_language(WORDS)
lesson.begin(said.lesson)


def read() -> Sheet:
    return by_hand_input(said)


sheet, trace = computed(read, Sheet.trace, WO_AI_BEIJING, words())
paper(sheet, trace, words(), said)
lesson.end(said.lesson, words())
