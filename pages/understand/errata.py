from views.reader import in_language, words
from views.text.understand.errata import WORDS
from views.widgets.prose import heading
from views.widgets.understand import lesson
from views.widgets.understand.errata.check import check
from views.widgets.understand.errata.page import card, chosen, code, places_of
from views.widgets.viewer import figure_card, opened

said = in_language(WORDS)
lesson.begin(said.lesson)
erratum = chosen(said)
trace = erratum.sheet.trace()
card(erratum, trace, words())
heading(said.opened)
selection = opened(trace, words(), first=erratum.stage, start=places_of(erratum))
figure_card(trace, selection, words())
check(said)
code(said)
lesson.end(said.lesson, words())
