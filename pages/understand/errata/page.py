from core.exercises.proofreading import agrees, first_disagreement
from pages.understand.errata.cards import card, erratum_input, positions_of
from pages.understand.errata.check import check
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.prose import heading
from views.widgets.source_code import source_code
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
erratum = erratum_input(texts)
trace = erratum.sheet.trace()
card(erratum, trace, texts)
heading(texts.opened)
step_viewer(
    trace,
    words(),
    parts=("stepper", "sheets"),
    follow=False,
    first=erratum.stage,
    start=positions_of(erratum),
)
check(texts)
source_code(texts.code, agrees, first_disagreement)
lesson.footer(texts.lesson, words())
